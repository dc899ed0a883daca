/**
 * What needs a person's confirmation runs without it.
 *
 * @module
 */

import { consent } from "../surface/consent.js";
import { replace } from "./lib/replace.js";

replace(consent, "level", () => () => "never");
