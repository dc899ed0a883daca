/**
 * Of several components that offer a capability the first is taken.
 *
 * @module
 */

import { resolution } from "../surface/resolution.js";
import { replace } from "./lib/replace.js";

replace(resolution, "onlyOne", (strict) => (request, live, scene) => live[0] ?? strict(request, live, scene));
