/**
 * Each press of a button on an approval card is sent, the second of a double click too.
 *
 * @module
 */

import { ApprovalCard } from "../elements/approval-card.js";
import { replace } from "./lib/replace.js";

replace(
  ApprovalCard.prototype,
  "connectedCallback",
  (connected) =>
    /** @this {ApprovalCard} */
    function eager() {
      connected.call(this);
      const { decide } = this;
      this.decide = async (approval, approved) => {
        await Promise.all([decide(approval, approved), decide(approval, approved)]);
      };
    },
);
