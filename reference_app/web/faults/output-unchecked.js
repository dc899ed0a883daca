/**
 * What a handler returns is delivered whatever it is.
 *
 * @module
 */

import { outputs } from "../surface/outputs.js";
import { replace } from "./lib/replace.js";

/** @import { Json } from "../surface/types.js" */

replace(outputs, "check", () => (_capability, value) => /** @type {Json | undefined} */ (value));
