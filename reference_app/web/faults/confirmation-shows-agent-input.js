/**
 * The confirmation shows what the model sent, not what would run.
 *
 * @module
 */

import { questions } from "../elements/confirmation-dialog.js";
import { isObject } from "../surface/json.js";
import { replace } from "./lib/replace.js";

replace(questions, "shown", (shown) => (record) => {
  const { title, input } = shown(record);
  const { invoiceId: _bound, ...sent } = isObject(input) ? input : {};
  return { title, text: "Record this chase?", input: sent };
});
