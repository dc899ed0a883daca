/**
 * What an identity may not use is not listed, but a call by its id is carried out.
 *
 * @module
 */

import { phases } from "../surface/invocation.js";
import { Registry } from "../surface/registry.js";
import { replace } from "./lib/replace.js";

replace(Registry.prototype, "known", () => (candidates) => candidates);
replace(phases, "checkVote", () => () => {});
