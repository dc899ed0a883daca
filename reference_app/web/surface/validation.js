/**
 * Whether a value is what a schema of the subset asks for, and what about it is not.
 *
 * @module
 */

import { digests } from "./digests.js";
import { equal, isObject } from "./json.js";

/** @import { Issue, Json, JsonObject } from "./types.js" */

const TOLERANCE = 1e-9;

/** @type {{[format: string]: RegExp}} */
const FORMATS = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[A-Za-z][A-Za-z0-9+.-]*:/,
};

/** @type {{[type: string]: (value: unknown) => boolean}} */
const TYPES = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

export const validation = {
  /**
   * All that is wrong with a value; nothing when it is valid.
   *
   * @param {JsonObject} schema
   * @param {unknown} value
   * @returns {Issue[]}
   */
  validate(schema, value) {
    return node(schema, value, "", schema);
  },
};

/**
 * @param {JsonObject} written the schema as it stands at this place
 * @param {unknown} value
 * @param {string} path
 * @param {JsonObject} root where `$defs` are
 * @returns {Issue[]}
 */
function node(written, value, path, root) {
  const schema = resolve(written, root);
  if (schema === undefined) return [{ path, message: "refers to a definition that is not there" }];
  const mismatch = identity(schema, value, path, root);
  if (mismatch !== undefined) return [{ path, message: mismatch }];
  if (typeof value === "string") return texts(schema, value).map((message) => ({ path, message }));
  if (typeof value === "number") return numbers(schema, value).map((message) => ({ path, message }));
  if (Array.isArray(value)) return lists(schema, value, path, root);
  if (isObject(value)) return objects(schema, value, path, root);
  return [];
}

/**
 * Follow references; one that leads back to itself leads nowhere.
 *
 * @param {JsonObject} schema
 * @param {JsonObject} root
 * @returns {JsonObject | undefined}
 */
function resolve(schema, root) {
  const seen = new Set();
  /** @type {Json | undefined} */
  let found = schema;
  while (isObject(found) && typeof found.$ref === "string") {
    if (seen.has(found.$ref)) return undefined;
    seen.add(found.$ref);
    const definitions = isObject(root.$defs) ? root.$defs : {};
    found = definitions[found.$ref.slice("#/$defs/".length)];
  }
  return isObject(found) ? found : undefined;
}

/**
 * What makes a value another thing altogether: const, enum, anyOf, type, in this order.
 *
 * @param {JsonObject} schema
 * @param {unknown} value
 * @param {string} path
 * @param {JsonObject} root
 * @returns {string | undefined}
 */
function identity(schema, value, path, root) {
  if (schema.const !== undefined && !equal(value, schema.const)) {
    return `must be ${JSON.stringify(schema.const)}`;
  }
  if (Array.isArray(schema.enum) && !schema.enum.some((choice) => equal(value, choice))) {
    return `must be one of ${schema.enum.map((choice) => JSON.stringify(choice)).join(", ")}`;
  }
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some((arm) => isObject(arm) && fits(arm, value, path, root))) {
    return "matches none of the alternatives";
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => TYPES[String(type)]?.(value))) return `must be ${types.join(" or ")}`;
  return undefined;
}

/**
 * @param {JsonObject} arm
 * @param {unknown} value
 * @param {string} path
 * @param {JsonObject} root
 */
function fits(arm, value, path, root) {
  return node(arm, value, path, root).length === 0;
}

/**
 * @param {JsonObject} schema
 * @param {string} value
 * @returns {string[]}
 */
function texts(schema, value) {
  const found = [];
  if (isNumber(schema.minLength) && value.length < schema.minLength) {
    found.push(`must have at least ${schema.minLength} characters`);
  }
  if (isNumber(schema.maxLength) && value.length > schema.maxLength) {
    found.push(`must have at most ${schema.maxLength} characters`);
  }
  if (typeof schema.pattern === "string" && !matches(schema.pattern, value)) {
    found.push(`must match ${schema.pattern}`);
  }
  if (typeof schema.format === "string" && FORMATS[schema.format]?.test(value) === false) {
    found.push(`must be a ${schema.format}`);
  }
  return found;
}

/**
 * @param {string} pattern
 * @param {string} value
 */
function matches(pattern, value) {
  try {
    return new RegExp(pattern).test(value);
  } catch {
    return true; // a pattern that can't be read asks for nothing
  }
}

/**
 * @param {JsonObject} schema
 * @param {number} value
 * @returns {string[]}
 */
function numbers(schema, value) {
  const found = [];
  if (isNumber(schema.minimum) && value < schema.minimum) found.push(`must be at least ${schema.minimum}`);
  if (isNumber(schema.maximum) && value > schema.maximum) found.push(`must be at most ${schema.maximum}`);
  if (isNumber(schema.exclusiveMinimum) && value <= schema.exclusiveMinimum) {
    found.push(`must be more than ${schema.exclusiveMinimum}`);
  }
  if (isNumber(schema.exclusiveMaximum) && value >= schema.exclusiveMaximum) {
    found.push(`must be less than ${schema.exclusiveMaximum}`);
  }
  if (isNumber(schema.multipleOf) && !isMultiple(value, schema.multipleOf)) {
    found.push(`must be a multiple of ${schema.multipleOf}`);
  }
  return found;
}

/**
 * @param {number} value
 * @param {number} unit
 */
function isMultiple(value, unit) {
  const quotient = value / unit;
  return Math.abs(quotient - Math.round(quotient)) <= TOLERANCE;
}

/**
 * @param {JsonObject} schema
 * @param {unknown[]} value
 * @param {string} path
 * @param {JsonObject} root
 * @returns {Issue[]}
 */
function lists(schema, value, path, root) {
  /** @type {Issue[]} */
  const found = [];
  if (isNumber(schema.minItems) && value.length < schema.minItems) {
    found.push({ path, message: `must have at least ${schema.minItems} items` });
  }
  if (isNumber(schema.maxItems) && value.length > schema.maxItems) {
    found.push({ path, message: `must have at most ${schema.maxItems} items` });
  }
  if (schema.uniqueItems === true && new Set(value.map((item) => digests.canonicalJson(item))).size < value.length) {
    found.push({ path, message: "must not hold an item twice" });
  }
  const { items } = schema;
  if (isObject(items)) value.forEach((item, index) => found.push(...node(items, item, `${path}[${index}]`, root)));
  return found;
}

/**
 * @param {JsonObject} schema
 * @param {JsonObject} value
 * @param {string} path
 * @param {JsonObject} root
 * @returns {Issue[]}
 */
function objects(schema, value, path, root) {
  /** @type {Issue[]} */
  const found = [];
  const inside = (/** @type {string} */ key) => (path === "" ? key : `${path}.${key}`);
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const key of Array.isArray(schema.required) ? schema.required.map(String) : []) {
    if (!Object.hasOwn(value, key) || value[key] === undefined) found.push({ path: inside(key), message: "is required" });
  }
  for (const [key, item] of Object.entries(value)) {
    const child = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (item === undefined) continue;
    if (isObject(child)) found.push(...node(child, item, inside(key), root));
    else if (schema.additionalProperties === false) found.push({ path: inside(key), message: "is not expected" });
  }
  return found;
}

/**
 * @param {unknown} value
 * @returns {value is number}
 */
function isNumber(value) {
  return typeof value === "number";
}
