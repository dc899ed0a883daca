/**
 * The state that a tool was first offered in is what every later step is told.
 *
 * @module
 */

import { catalogs } from "../host/catalog.js";
import { replace } from "./lib/replace.js";

/** @import { JsonObject } from "../surface/types.js" */

/** @type {Map<string, JsonObject>} */
const first = new Map();

replace(catalogs, "state", (state) => (tool) => {
  const known = first.get(tool.name) ?? state(tool);
  first.set(tool.name, known);
  return known;
});
