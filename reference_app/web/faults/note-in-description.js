/**
 * What a reference is bound to is written into its description.
 *
 * @module
 */

import { offers } from "../surface/direct-toolset.js";
import { replace } from "./lib/replace.js";

replace(offers, "describe", (describe) => (item) => `${describe(item)} ${item.contextualNote ?? ""}`.trimEnd());
