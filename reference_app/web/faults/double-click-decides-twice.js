/**
 * Each press of a button on an approval card is sent, the second of a double click too.
 *
 * @module
 */

import { presses } from "../elements/approval-card.js";
import { replace } from "./lib/replace.js";

replace(presses, "lock", () => () => {});
