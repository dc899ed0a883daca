/**
 * What is unavailable now is shown without its reason.
 *
 * @module
 */

import { catalogs } from "../host/catalog.js";
import { replace } from "./lib/replace.js";

replace(catalogs, "state", (state) => (tool) => {
  const { unavailableReason: _reason, ...silent } = state(tool);
  return silent;
});
