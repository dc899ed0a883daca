/**
 * After a reload a card that waits can't be answered.
 *
 * @module
 */

import { Conversation } from "../host/conversation.js";
import { replace } from "./lib/replace.js";

replace(
  Conversation.prototype,
  "presents",
  (presents) =>
    /** @this {Conversation} */
    function givenUp(id, input, isPresented) {
      presents.call(this, id, input, isPresented);
      if (isPresented) this.settleInteraction(id, { status: "interrupted" });
    },
);
