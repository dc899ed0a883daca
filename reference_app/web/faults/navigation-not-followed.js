/**
 * After the model's own navigation the steps keep the scope of the first screen.
 *
 * @module
 */

import { turns } from "../host/turn.js";
import { replace } from "./lib/replace.js";

replace(turns, "leadsOn", () => () => false);
