/**
 * What was said is taken for markup.
 *
 * @module
 */

import { ChatMessage } from "../elements/chat-message.js";
import { replace } from "./lib/replace.js";

const TAG = /<(b|i|img)((?:\s+[\w-]+="[^"]*")*)\s*\/?>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

replace(
  ChatMessage.prototype,
  "update",
  (update) =>
    /** @this {ChatMessage} */
    function marked(said) {
      update.call(this, said);
      const text = this.querySelector('[data-part="text"]');
      for (const [, name, attributes] of (text?.textContent ?? "").matchAll(TAG)) {
        const element = document.createElement(/** @type {string} */ (name));
        for (const [, key, value] of (attributes ?? "").matchAll(ATTRIBUTE)) {
          element.setAttribute(/** @type {string} */ (key), /** @type {string} */ (value));
        }
        text?.append(element);
      }
    },
);
