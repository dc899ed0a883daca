/**
 * The envelopes of the three meta tools: their schemas, what is wrong with one, and repairing an input sent as a text.
 *
 * @module
 */

import { isObject } from "./json.js";

/** @import { Issue, Json, JsonObject } from "./types.js" */

const TEXT = { type: "string" };

/**
 * @param {JsonObject} properties
 * @param {string[]} [required]
 * @returns {JsonObject}
 */
function closed(properties, required) {
  return { type: "object", properties, ...(required ? { required } : {}), additionalProperties: false };
}

export const DISCOVER_SCHEMA = closed({ scope: { type: "array", items: TEXT } });
export const READ_SCHEMA = closed({ capabilityId: TEXT, instanceId: TEXT }, ["capabilityId"]);
export const ACT_SCHEMA = closed(
  {
    capabilityId: TEXT,
    instanceId: TEXT,
    input: { type: "object" },
    invocationId: TEXT,
    confirmationId: TEXT,
    surfaceVersion: TEXT,
  },
  ["capabilityId"],
);

/**
 * What is wrong with an envelope; the capability's own input in it is the registry's to check.
 *
 * @param {JsonObject} schema
 * @param {Json} given
 * @returns {Issue[]}
 */
export function envelopeIssues(schema, given) {
  if (!isObject(given)) return [{ path: "", message: "must be an object" }];
  const properties = /** @type {JsonObject} */ (schema.properties);
  const required = /** @type {string[]} */ (schema.required ?? []);
  const missing = required.filter((key) => given[key] === undefined);
  return [
    ...missing.map((path) => ({ path, message: "is required" })),
    ...Object.entries(given).flatMap(([path, value]) => keyIssue(path, value, properties)),
  ];
}

/**
 * @param {string} path
 * @param {Json} value
 * @param {JsonObject} properties
 * @returns {Issue[]}
 */
function keyIssue(path, value, properties) {
  if (!Object.hasOwn(properties, path)) return [{ path, message: unknownKey(properties) }];
  if (path === "input") return [];
  if (path === "scope") {
    const fits = Array.isArray(value) && value.every((item) => typeof item === "string");
    return fits ? [] : [{ path, message: "must be a list of texts" }];
  }
  return typeof value === "string" && value !== "" ? [] : [{ path, message: "must be a text that is not empty" }];
}

/** @param {JsonObject} properties */
function unknownKey(properties) {
  const accepted = `is not expected; accepted are ${Object.keys(properties).join(", ")}`;
  return "input" in properties ? `${accepted}. The capability's own input goes into "input".` : accepted;
}

/**
 * Read an input that was sent as JSON in a text, but only for a target that takes an object.
 *
 * @param {Json | undefined} input
 * @param {JsonObject | undefined} targetSchema
 * @returns {Json | undefined}
 */
export function repairedInput(input, targetSchema) {
  if (typeof input !== "string" || targetSchema?.type !== "object") return input;
  try {
    const parsed = JSON.parse(input);
    return isObject(parsed) ? parsed : input;
  } catch {
    return input;
  }
}
