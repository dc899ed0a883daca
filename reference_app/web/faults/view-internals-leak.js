/**
 * A handler's exception is told to the model, text and all.
 *
 * @module
 */

import { CapabilityError } from "../surface/errors.js";
import { execution } from "../surface/execution.js";
import { replace } from "./lib/replace.js";

replace(execution, "failureOf", (failureOf) => (error, guard) => {
  const { payload } = failureOf(error, guard);
  return new CapabilityError({ ...payload, message: String(error) });
});
