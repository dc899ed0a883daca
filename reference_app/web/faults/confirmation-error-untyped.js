/**
 * A call that the person declined is answered as a failure of execution.
 *
 * @module
 */

import { refusals } from "../surface/errors.js";
import { replace } from "./lib/replace.js";

replace(refusals, "confirmationInvalid", () => () => refusals.executionFailed("handler-error"));
