/**
 * A call that the person declined runs all the same.
 *
 * @module
 */

import { rules } from "../surface/confirmations.js";
import { replace } from "./lib/replace.js";

replace(rules, "refuseUnlessApproved", () => (record) => {
  if (record.state === "pending") throw rules.required(record);
});
