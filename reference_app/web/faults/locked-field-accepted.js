/**
 * A locked field that the model supplies is used in place of the page's value.
 *
 * @module
 */

import { binding } from "../surface/binding.js";
import { refusals } from "../surface/errors.js";
import { isObject } from "../surface/json.js";
import { validation } from "../surface/validation.js";
import { replace } from "./lib/replace.js";

replace(binding, "effectiveInput", () => (capability, source, given) => {
  const merged = { ...binding.merge(source, {}, binding.boundValues(source)), ...(isObject(given) ? given : {}) };
  const issues = validation.validate(capability.fullSchema, merged);
  if (issues.length > 0) throw refusals.invalidInput(issues);
  return merged;
});
