/**
 * A call that was meant for a component since replaced reaches its replacement.
 *
 * @module
 */

import { resolution } from "../surface/resolution.js";
import { replace } from "./lib/replace.js";

replace(resolution, "byRegistration", (strict) => (request, live, scene) => live[0] ?? strict(request, live, scene));
