/**
 * A call goes on to its end although its component has left the page.
 *
 * @module
 */

import { execution } from "../surface/execution.js";
import { replace } from "./lib/replace.js";

replace(execution, "left", () => () => undefined);
