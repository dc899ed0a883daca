/**
 * A handler that takes too long is waited for.
 *
 * @module
 */

import { execution } from "../surface/execution.js";
import { replace } from "./lib/replace.js";

replace(execution, "startTimer", () => () => () => {});
