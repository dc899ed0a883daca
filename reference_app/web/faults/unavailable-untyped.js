/**
 * A call to what is unavailable is answered without the reason and without a type.
 *
 * @module
 */

import { refusals } from "../surface/errors.js";
import { replace } from "./lib/replace.js";

replace(refusals, "notAvailable", () => () => refusals.executionFailed("handler-error"));
