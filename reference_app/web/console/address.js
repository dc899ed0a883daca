/**
 * The address bar: a path and parameters, the place where a view's state lives so that it can be shared.
 *
 * @module
 */

/** @typedef {Readonly<{path: string, params: ReadonlyMap<string, string>}>} Address */

/**
 * @param {string} text a path with an optional query; of a parameter that is given twice the last one counts
 * @returns {Address}
 */
export function parseAddress(text) {
  const url = new URL(text, "http://page.invalid");
  return { path: url.pathname, params: new Map(url.searchParams) };
}

/**
 * @param {Address} address
 * @returns {string}
 */
export function addressText({ path, params }) {
  const query = new URLSearchParams([...params]).toString().replaceAll("%2C", ",");
  return query === "" ? path : `${path}?${query}`;
}

/**
 * @param {Address} address
 * @param {string} name
 * @param {string} [fallback]
 * @returns {string}
 */
export function param({ params }, name, fallback = "") {
  return params.get(name) ?? fallback;
}

/**
 * The same path with some parameters set; one that is undefined or empty is left out.
 *
 * @param {Address} address
 * @param {{[name: string]: string | undefined}} changes
 * @returns {Address}
 */
export function withParams({ path, params }, changes) {
  const merged = new Map([...params, ...Object.entries(changes)]);
  /** @type {[string, string][]} */
  const kept = [...merged].flatMap(([name, value]) => (value ? [[name, value]] : []));
  return { path, params: new Map(kept) };
}
