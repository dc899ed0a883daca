/**
 * The tab tells the host in the request who the person is and what the person may do.
 *
 * @module
 */

import { steps } from "../host/step.js";
import { replace } from "./lib/replace.js";

replace(steps, "request", (request) => (address, conversation, offer) => ({
  ...request(address, conversation, offer),
  actor: { role: "controller" },
  role: "controller",
}));
