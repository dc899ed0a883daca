/**
 * The bound operation is available although nothing is open that it could be about.
 *
 * @module
 */

import { ChaseModel } from "../console/chase-model.js";
import { replace } from "./lib/replace.js";

replace(ChaseModel.prototype, "isOpen", () => () => true);
