/**
 * Reading by id carries an action out, with no input.
 *
 * @module
 */

import { metaRules } from "../surface/meta-toolset.js";
import { replace } from "./lib/replace.js";

replace(metaRules, "mayReach", () => () => true);
