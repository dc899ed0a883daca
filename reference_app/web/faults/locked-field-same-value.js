/**
 * A locked field is accepted when the model supplies the value that the page has.
 *
 * @module
 */

import { binding } from "../surface/binding.js";
import { equal, isObject } from "../surface/json.js";
import { replace } from "./lib/replace.js";

replace(binding, "effectiveInput", (strict) => (capability, source, given) => {
  if (!isObject(given)) return strict(capability, source, given);
  const values = binding.boundValues(source);
  const kept = Object.entries(given).filter(([key, value]) => !(binding.isLocked(source, key) && equal(value, values[key])));
  return strict(capability, source, Object.fromEntries(kept));
});
