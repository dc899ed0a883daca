/**
 * An address in what was said becomes a link.
 *
 * @module
 */

import { ChatMessage } from "../elements/chat-message.js";
import { replace } from "./lib/replace.js";

replace(
  ChatMessage.prototype,
  "update",
  (update) =>
    /** @this {ChatMessage} */
    function linked(said) {
      update.call(this, said);
      const text = this.querySelector('[data-part="text"]');
      for (const [address] of (text?.textContent ?? "").matchAll(/https?:\/\/[^\s)"'<>]+/g)) {
        text?.append(Object.assign(document.createElement("a"), { href: address, textContent: address }));
      }
    },
);
