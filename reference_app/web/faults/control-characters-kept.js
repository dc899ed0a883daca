/**
 * Control characters and direction marks in what was said are put on the page as they are.
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
    function unfiltered(said) {
      update.call(this, said);
      const text = this.querySelector('[data-part="text"]');
      if (text !== null) text.textContent = said.text;
    },
);
