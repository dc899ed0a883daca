/**
 * Discovery goes on listing what was on the screen when it was asked first.
 *
 * @module
 */

import { metaRules } from "../surface/meta-toolset.js";
import { replace } from "./lib/replace.js";

/** @import { JsonObject } from "../surface/types.js" */

/** @type {JsonObject | undefined} */
let first;

replace(metaRules, "discovered", (discovered) => (...given) => (first ??= discovered(...given)));
