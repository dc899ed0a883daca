/**
 * The approval card does not show what would run.
 *
 * @module
 */

import { approvals } from "../console/approvals.js";
import { replace } from "./lib/replace.js";

replace(approvals, "shownInput", () => () => null);
