/**
 * In meta mode a requested scope replaces the floor instead of narrowing it.
 *
 * @module
 */

import { scopes } from "../surface/scope.js";
import { replace } from "./lib/replace.js";

replace(scopes, "admit", () => (requested, floor) => ({
  prefixes: [...(requested.length > 0 ? requested : floor)],
  rejected: [],
  nothing: false,
}));
