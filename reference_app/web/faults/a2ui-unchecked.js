/**
 * What was entered is sent unchecked.
 *
 * @module
 */

import { cards } from "../console/cards.js";
import { replace } from "./lib/replace.js";

replace(cards, "problems", () => () => new Map());
