/**
 * A conversation that is opened again begins anew.
 *
 * @module
 */

import { Assistant } from "../console/assistant.js";
import { replace } from "./lib/replace.js";

replace(Assistant.prototype, "open", () => async () => {});
