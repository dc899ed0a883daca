/**
 * Operations bound to what the page shows: which fields the model is left with, and what the call is really about.
 *
 * The model is given no field in which to name another target; what the page fills in is taken when the call runs, not
 * when it was offered. (The dual-plane model, Bind for context, gate for consequence.)
 *
 * @module
 */

import { refusals } from "./errors.js";
import { copy, isObject } from "./json.js";
import { EMPTY_OBJECT } from "./schema.js";
import { validation } from "./validation.js";

/** @import { Binding, BoundValues, Capability, Issue, Json, JsonObject } from "./types.js" */

const DEFAULT_HINT = "Defaults to the current UI value at execution time when omitted.";

export const binding = {
  /**
   * The schema without what the page fills in: locked fields are gone, overridable ones say what they default to.
   *
   * @param {JsonObject} schema
   * @param {readonly string[]} bound
   * @param {readonly string[]} overridable
   * @returns {JsonObject}
   */
  reduceSchema(schema, bound, overridable) {
    if (bound.length === 0) return copy(schema);
    const kept = Object.entries(isObject(schema.properties) ? schema.properties : {})
      .filter(([key]) => !bound.includes(key) || overridable.includes(key))
      .map(([key, property]) => [key, bound.includes(key) ? withHint(property) : copy(property)]);
    if (kept.length === 0) return copy(EMPTY_OBJECT);
    const { required, ...rest } = copy(schema);
    const stillRequired = Array.isArray(required) ? required.filter((key) => !bound.includes(String(key))) : [];
    const reduced = { ...rest, properties: Object.fromEntries(kept) };
    return stillRequired.length === 0 ? reduced : { ...reduced, required: stillRequired };
  },

  /**
   * @param {Binding} source
   * @param {string} key
   * @returns {boolean}
   */
  isLocked(source, key) {
    return source.boundKeys.includes(key) && !source.overridable.includes(key);
  },

  /**
   * What a call is really about: what the model supplied, checked, and what the page shows now.
   *
   * @param {Capability} capability
   * @param {Binding} source
   * @param {Json | undefined} given
   * @returns {JsonObject}
   */
  effectiveInput(capability, source, given) {
    const supplied = given === undefined || given === null ? {} : given;
    if (!isObject(supplied)) throw refusals.invalidInput([{ path: "", message: "must be object" }]);
    const locked = Object.keys(supplied).filter((key) => binding.isLocked(source, key));
    if (locked.length > 0) throw refusals.lockedFields(locked);
    const issues = binding.issues(capability, supplied);
    if (issues.length > 0) throw refusals.invalidInput(issues);
    const merged = binding.merge(source, supplied, binding.boundValues(source));
    if (validation.validate(capability.fullSchema, merged).length > 0) throw refusals.bindingFailed();
    return merged;
  },

  /**
   * What is wrong with what the model supplied.
   *
   * @param {Capability} capability
   * @param {JsonObject} supplied
   * @returns {Issue[]}
   */
  issues(capability, supplied) {
    return validation.validate(capability.inputSchema, supplied);
  },

  /**
   * Ask the page what it shows.
   *
   * @param {Binding} source
   * @returns {BoundValues}
   */
  boundValues(source) {
    try {
      return source.bind();
    } catch {
      throw refusals.bindingFailed();
    }
  },

  /**
   * Put the page's values to the model's; the page wins, but for an overridable field that the model supplied.
   *
   * @param {Binding} source
   * @param {JsonObject} supplied
   * @param {BoundValues} values
   * @returns {JsonObject}
   */
  merge(source, supplied, values) {
    const filled = source.boundKeys.filter(
      (key) => values[key] !== undefined && !(source.overridable.includes(key) && Object.hasOwn(supplied, key)),
    );
    return copy({ ...supplied, ...Object.fromEntries(filled.map((key) => [key, /** @type {Json} */ (values[key])])) });
  },
};

/**
 * @param {Json} property
 * @returns {Json}
 */
function withHint(property) {
  if (!isObject(property)) return copy(property);
  const description = typeof property.description === "string" ? `${property.description} ${DEFAULT_HINT}` : DEFAULT_HINT;
  return { ...copy(property), description };
}
