/**
 * After a reload an answered card does not show what was answered.
 *
 * @module
 */

import { Conversation } from "../host/conversation.js";
import { isObject } from "../surface/json.js";
import { replace } from "./lib/replace.js";

replace(
  Conversation.prototype,
  "settleInteraction",
  (settle) =>
    /** @this {Conversation} */
    function withoutValues(id, result) {
      settle.call(this, id, isObject(result) ? { status: result.status ?? null } : result);
    },
);
