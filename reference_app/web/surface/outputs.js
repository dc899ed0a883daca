/**
 * What a handler returned, checked before anybody reads it: JSON, of the declared shape, not too large.
 *
 * @module
 */

import { refusals } from "./errors.js";
import { copy, isJson } from "./json.js";
import { validation } from "./validation.js";

/** @import { Limits } from "./limits.js" */
/** @import { Capability, Json } from "./types.js" */

export const outputs = {
  /**
   * @param {Capability} capability
   * @param {unknown} value
   * @param {Limits} limits
   * @returns {Json | undefined} undefined where the handler returned nothing
   */
  check(capability, value, limits) {
    if (value === undefined) return undefined;
    const json = /** @type {Json} */ (value);
    const { outputSchema } = capability;
    if (!isJson(value)) throw refusals.executionFailed("output-invalid");
    if (outputSchema !== undefined && validation.validate(outputSchema, value).length > 0) {
      throw refusals.executionFailed("output-invalid");
    }
    if (JSON.stringify(value).length > limits.maxOutputBytes) throw refusals.executionFailed("output-too-large");
    return copy(json);
  },
};
