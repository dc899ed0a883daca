/**
 * A confirmation is good for ever.
 *
 * @module
 */

import { Confirmations, rules } from "../surface/confirmations.js";
import { replace } from "./lib/replace.js";

replace(rules, "isExpired", () => () => false);
replace(Confirmations.prototype, "expire", () => () => {});
