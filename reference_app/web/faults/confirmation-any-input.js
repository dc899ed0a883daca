/**
 * A confirmation for one input allows a call with another.
 *
 * @module
 */

import { rules } from "../surface/confirmations.js";
import { replace } from "./lib/replace.js";

replace(rules, "matches", () => (record, question) => record.question.capabilityId === question.capabilityId);
