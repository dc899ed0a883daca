/**
 * The loop takes its next snapshot before the page shows what the last call did.
 *
 * @module
 */

import { settling } from "../host/settle.js";
import { replace } from "./lib/replace.js";

replace(settling, "settle", () => async () => {});
