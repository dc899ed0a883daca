/**
 * A frame of a type that the tab does not know fails the step.
 *
 * @module
 */

import { frameRules } from "../host/frames.js";
import { replace } from "./lib/replace.js";

replace(frameRules, "passesOver", () => () => false);
