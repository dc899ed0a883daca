/**
 * Every error of the view plane says that calling again helps.
 *
 * @module
 */

import { refusals } from "../surface/errors.js";
import { replace } from "./lib/replace.js";

replace(refusals, "refuse", (refuse) => (code, message, _retry, details) => refuse(code, message, "yes", details));
