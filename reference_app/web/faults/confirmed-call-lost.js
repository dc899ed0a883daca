/**
 * A call that the person confirmed is not carried out.
 *
 * @module
 */

import { rules } from "../surface/confirmations.js";
import { refusals } from "../surface/errors.js";
import { replace } from "./lib/replace.js";

replace(rules, "refuseUnlessApproved", (refuse) => (record, question) => {
  refuse(record, question);
  throw refusals.confirmationInvalid("mismatch");
});
