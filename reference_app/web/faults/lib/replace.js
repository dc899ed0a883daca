/**
 * How a fault is built in: one rule is replaced by a version that does not hold. The rule knows nothing of it.
 *
 * @module
 */

/**
 * @template {object} Owner
 * @template {keyof Owner} Name
 * @param {Owner} owner
 * @param {Name} name
 * @param {(original: Owner[Name]) => Owner[Name]} make
 * @throws {TypeError} where there is no such rule: a fault that replaces nothing would prove nothing
 */
export function replace(owner, name, make) {
  const original = owner[name];
  if (typeof original !== "function") throw new TypeError(`there is no rule ${String(name)}; its fault must follow it`);
  owner[name] = make(original);
}
