/**
 * A locked field that the model supplies is dropped silently and the call runs.
 *
 * @module
 */

import { binding } from "../surface/binding.js";
import { isObject } from "../surface/json.js";
import { replace } from "./lib/replace.js";

replace(binding, "effectiveInput", (strict) => (capability, source, given) => {
  const supplied = Object.entries(isObject(given) ? given : {});
  return strict(capability, source, Object.fromEntries(supplied.filter(([key]) => !binding.isLocked(source, key))));
});
