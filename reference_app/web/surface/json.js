/**
 * JSON values: telling them apart, copying them, comparing them.
 *
 * @module
 */

/** @import { Json, JsonObject } from "./types.js" */

const MAX_DEPTH = 64;

/**
 * Whether a value is an object with keys, neither null nor a list.
 *
 * @param {unknown} value
 * @returns {value is JsonObject}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a value is what JSON can say, to the last leaf: plain objects, lists, texts, finite numbers.
 *
 * @param {unknown} value
 * @param {number} [depth] how deep the value lies already
 * @returns {boolean} false for functions, dates and other class instances, cycles, and what is nested deeper than 64
 */
export function isJson(value, depth = 0) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
}

/**
 * A copy that shares nothing with the original.
 *
 * @template {Json} T
 * @param {T} value
 * @returns {T}
 */
export function copy(value) {
  if (Array.isArray(value)) return /** @type {T} */ (value.map((item) => copy(item)));
  if (!isObject(value)) return value;
  // fromEntries defines properties, so that a key such as __proto__ stays an ordinary key
  return /** @type {T} */ (Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)])));
}

/**
 * Freeze a value with everything in it.
 *
 * @template T
 * @param {T} value
 * @returns {Readonly<T>}
 */
export function deepFreeze(value) {
  if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) deepFreeze(item);
    Object.freeze(value);
  }
  return value;
}

/**
 * Whether two values say the same; the order of keys does not matter, that of items does.
 *
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 */
export function equal(left, right) {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equal(item, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
    );
  }
  return left === right;
}
