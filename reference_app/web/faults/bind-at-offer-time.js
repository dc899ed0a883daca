/**
 * A bound value is what the page showed when the step's tools were offered.
 *
 * @module
 */

import { catalogs } from "../host/catalog.js";
import { binding } from "../surface/binding.js";
import { snapshots } from "../surface/snapshot.js";
import { replace } from "./lib/replace.js";

/** @import { Binding, BoundValues } from "../surface/types.js" */

/** @type {Map<string, BoundValues>} */
const seen = new Map();
/** @type {Map<string, BoundValues>} */
let offered = new Map();
const { boundValues } = binding;

replace(snapshots, "describe", (describe) => (candidate, state) => {
  if (candidate.capability.kind === "procedure") {
    const source = /** @type {Binding} */ (candidate.capability.source);
    seen.set(source.path, boundValues(source));
  }
  return describe(candidate, state);
});
replace(catalogs, "compose", (compose) => (...given) => {
  offered = new Map(seen);
  return compose(...given);
});
replace(binding, "boundValues", () => ({ path }) => offered.get(path) ?? {});
