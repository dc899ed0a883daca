/**
 * Scope: which part of the surface is talked about. It shapes what is discovered, never what may be called.
 *
 * @module
 */

export const scopes = {
  /**
   * Whether a component type is under one of some prefixes, by whole segments; no prefix means everything.
   *
   * @param {string} type
   * @param {readonly string[]} prefixes
   */
  includes(type, prefixes) {
    return prefixes.length === 0 || prefixes.some((prefix) => isUnder(type, prefix));
  },

  /**
   * What a request for a scope gets under a floor that may be narrowed and never widened.
   *
   * @param {readonly string[]} requested
   * @param {readonly string[]} floor
   * @returns {{prefixes: string[], rejected: string[], nothing: boolean}}
   */
  admit(requested, floor) {
    if (requested.length === 0) return { prefixes: [...floor], rejected: [], nothing: false };
    if (floor.length === 0) return { prefixes: [...new Set(requested)], rejected: [], nothing: false };
    const admitted = requested.map((wanted) => ({ wanted, found: narrowed(wanted, floor) }));
    const prefixes = [...new Set(admitted.flatMap(({ found }) => found))];
    const rejected = [...new Set(admitted.filter(({ found }) => found.length === 0).map(({ wanted }) => wanted))];
    return { prefixes, rejected, nothing: prefixes.length === 0 };
  },
};

/**
 * @param {string} wanted
 * @param {readonly string[]} floor
 */
function narrowed(wanted, floor) {
  if (floor.some((allowed) => isUnder(wanted, allowed))) return [wanted];
  return floor.filter((allowed) => isUnder(allowed, wanted));
}

/**
 * @param {string} type
 * @param {string} prefix
 */
function isUnder(type, prefix) {
  return type === prefix || type.startsWith(`${prefix}.`);
}
