/**
 * A payment that the person records shows on the screen after a reload only.
 *
 * @module
 */

import { PendingScreen } from "../elements/pending-screen.js";
import { api } from "../host/api.js";
import { replace } from "./lib/replace.js";

replace(PendingScreen.prototype, "recordPayment", () => (id) => api.rpc("mark-invoice-paid", { id }));
