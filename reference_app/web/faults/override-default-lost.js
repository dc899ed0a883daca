/**
 * An overridable field that the model leaves out is left out of the call.
 *
 * @module
 */

import { binding } from "../surface/binding.js";
import { replace } from "./lib/replace.js";

replace(binding, "merge", (merge) => (source, supplied, values) => {
  const locked = Object.entries(values).filter(([key]) => binding.isLocked(source, key));
  return merge(source, supplied, Object.fromEntries(locked));
});
