/**
 * After a write by the assistant the screen goes on showing the old rows.
 *
 * @module
 */

import { Page } from "../console/page.js";
import { api } from "../host/api.js";
import { steps } from "../host/step.js";
import { replace } from "./lib/replace.js";

replace(steps, "reconciles", () => () => false);
replace(Page.prototype, "rpc", () => (path, input, call) => api.rpc(path, input, call));
