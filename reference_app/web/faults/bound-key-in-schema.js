/**
 * The schema that is offered keeps the keys that the page fills in.
 *
 * @module
 */

import { binding } from "../surface/binding.js";
import { copy } from "../surface/json.js";
import { replace } from "./lib/replace.js";

replace(binding, "reduceSchema", () => (schema, bound) => {
  const { required, ...rest } = copy(schema);
  return { ...rest, required: Array.isArray(required) ? required.filter((key) => !bound.includes(String(key))) : [] };
});
