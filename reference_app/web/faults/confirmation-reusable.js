/**
 * One confirmation allows any number of calls.
 *
 * @module
 */

import { Confirmations, rules } from "../surface/confirmations.js";
import { replace } from "./lib/replace.js";

/** @import { ConfirmationRecord } from "../surface/confirmations.js" */

/** @type {ConfirmationRecord[]} */
const answered = [];

replace(Confirmations.prototype, "consume", () => (record) => {
  answered.push(record);
});
replace(
  Confirmations.prototype,
  "request",
  (request) =>
    /** @this {Confirmations} */
    function orAnswered(question) {
      return answered.find((record) => rules.matches(record, question)) ?? request.call(this, question);
    },
);
