/**
 * A tab that once could not reach the application never tries again.
 *
 * @module
 */

import { steps } from "../host/step.js";
import { replace } from "./lib/replace.js";

/** @import { StepLog } from "../host/step.js" */

/** @type {StepLog | undefined} */
let lost;

replace(steps, "run", (run) => async (...given) => {
  if (lost !== undefined) return lost;
  const log = await run(...given);
  if (log.error?.code === "TRANSPORT_FAILED") lost = log;
  return log;
});
