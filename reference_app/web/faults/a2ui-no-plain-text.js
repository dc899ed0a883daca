/**
 * A card can't be read as text.
 *
 * @module
 */

import { plainTexts } from "../cards/plain-text.js";
import { replace } from "./lib/replace.js";

replace(plainTexts, "of", () => () => "");
