/**
 * An input that arrives as the text of a JSON object is not read.
 *
 * @module
 */

import { metaRules } from "../surface/meta-toolset.js";
import { replace } from "./lib/replace.js";

replace(metaRules, "input", () => (input) => input);
