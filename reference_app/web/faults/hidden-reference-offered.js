/**
 * An identity that may not write is offered the bound operation.
 *
 * @module
 */

import { chaseRules } from "../console/chase-model.js";
import { policies } from "../surface/policies.js";
import { replace } from "./lib/replace.js";

replace(chaseRules, "forControllers", () => () => policies.existsFor("collections-for-controllers", () => true));
