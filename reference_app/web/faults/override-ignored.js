/**
 * An overridable field that the model supplies is replaced by the page's value.
 *
 * @module
 */

import { binding } from "../surface/binding.js";
import { copy } from "../surface/json.js";
import { replace } from "./lib/replace.js";

/** @import { Json } from "../surface/types.js" */

replace(binding, "merge", () => (_source, supplied, values) => {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return copy({ ...supplied, ...Object.fromEntries(/** @type {[string, Json][]} */ (present)) });
});
