/**
 * A card that another tab has answered can still be used.
 *
 * @module
 */

import { Cards } from "../console/cards.js";
import { replace } from "./lib/replace.js";

replace(Cards.prototype, "restore", () => async () => {});
