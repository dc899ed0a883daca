/**
 * The subset of JSON Schema in which contracts are written; what lies outside it is refused, never ignored.
 *
 * @module
 */

import { DefinitionError } from "./errors.js";
import { isObject } from "./json.js";

/** @import { Json, JsonObject } from "./types.js" */
/** @import { Limits } from "./limits.js" */

const KEYWORDS = new Set(
  (
    "type enum const properties required additionalProperties items minItems maxItems uniqueItems minLength " +
    "maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf anyOf description " +
    "default examples title deprecated $defs $ref $schema $id"
  ).split(" "),
);
const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const FORMATS = new Set(["date-time", "date", "uuid", "email", "uri"]);

/** The schema of something that takes nothing. */
export const EMPTY_OBJECT = Object.freeze({ type: "object", properties: {}, additionalProperties: false });

export const schemas = {
  /**
   * Refuse a schema outside the subset.
   *
   * @param {Json} schema
   * @param {string} where names it in the message
   * @param {Limits} limits
   * @throws {DefinitionError} `UNSUPPORTED_SCHEMA`
   */
  check(schema, where, limits) {
    if (JSON.stringify(schema).length > limits.maxSchemaBytes) refuse(where, "is too long");
    checkNode(schema, where, limits.maxSchemaDepth);
  },
};

/**
 * @param {string} where
 * @param {string} problem
 * @returns {never}
 */
function refuse(where, problem) {
  throw new DefinitionError("UNSUPPORTED_SCHEMA", `${where} ${problem}`);
}

/**
 * @param {Json | undefined} node
 * @param {string} where
 * @param {number} left how many levels may still follow
 */
function checkNode(node, where, left) {
  if (!isObject(node)) return refuse(where, "is not a schema object");
  if (left < 0) return refuse(where, "is nested too deep");
  const unknown = Object.keys(node).find((key) => !KEYWORDS.has(key));
  if (unknown !== undefined) refuse(where, `uses ${unknown}`);
  checkValues(node, where);
  for (const [name, child] of children(node, where)) checkNode(child, `${where}/${name}`, left - 1);
}

/**
 * @param {JsonObject} node
 * @param {string} where
 */
function checkValues(node, where) {
  const types = Array.isArray(node.type) ? node.type : node.type === undefined ? [] : [node.type];
  if (types.some((type) => typeof type !== "string" || !TYPES.has(type))) refuse(where, "has an unknown type");
  if (node.format !== undefined && !FORMATS.has(String(node.format))) refuse(where, `has format ${node.format}`);
  if (node.additionalProperties !== undefined && typeof node.additionalProperties !== "boolean") {
    refuse(where, "has additionalProperties other than true or false");
  }
  if (node.$ref !== undefined && !String(node.$ref).startsWith("#/$defs/")) refuse(where, "refers to elsewhere");
  if (node.anyOf !== undefined && !(Array.isArray(node.anyOf) && node.anyOf.length > 0)) {
    refuse(where, "has an empty anyOf");
  }
}

/**
 * @param {JsonObject} node
 * @param {string} where
 * @returns {[string, Json | undefined][]}
 */
function children(node, where) {
  /** @type {[string, Json | undefined][]} */
  const found = [];
  for (const keyword of ["properties", "$defs"]) {
    const named = node[keyword];
    if (named === undefined) continue;
    if (!isObject(named)) refuse(where, `has ${keyword} that are not an object`);
    found.push(...Object.entries(/** @type {JsonObject} */ (named)));
  }
  if (node.items !== undefined) found.push(["items", node.items]);
  if (Array.isArray(node.anyOf)) node.anyOf.forEach((child, index) => found.push([`anyOf/${index}`, child]));
  return found;
}
