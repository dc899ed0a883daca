/**
 * A card with nothing to answer waits for an answer.
 *
 * @module
 */

import { Conversation } from "../host/conversation.js";
import { isObject } from "../surface/json.js";
import { replace } from "./lib/replace.js";

replace(
  Conversation.prototype,
  "presents",
  (presents) =>
    /** @this {Conversation} */
    function waiting(id, input, isPresented) {
      presents.call(this, id, input, isPresented);
      for (const entry of this.interactions) if (entry.id === id) entry.state = "pending";
    },
);
replace(
  Conversation.prototype,
  "settleInteraction",
  (settle) =>
    /** @this {Conversation} */
    function unlessPresented(id, result) {
      if (!isObject(result) || result.status !== "presented") settle.call(this, id, result);
    },
);
