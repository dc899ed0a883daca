/**
 * What is unavailable now is left out of the catalog instead of shown with its reason.
 *
 * @module
 */

import { snapshots } from "../surface/snapshot.js";
import { replace } from "./lib/replace.js";

replace(snapshots, "isListed", () => ({ available }) => available);
