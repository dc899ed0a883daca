/**
 * `<chat-message>`: something that a person or the assistant said. Text, and nothing but text.
 *
 * @module
 */

import { tidy } from "../host/sanitize.js";
import { el, setAttribute, setText } from "./dom.js";

/** @import { Said } from "../host/conversation.js" */

export class ChatMessage extends HTMLElement {
  #who = el("span", { className: "unseen" });
  #text = el("p", { "data-part": "text" });

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#who, this.#text);
  }

  /** @param {Said} said */
  update({ role, text, isReceipt }) {
    setAttribute(this, "data-said", role);
    setAttribute(this, "data-receipt", isReceipt ? "true" : undefined);
    setText(this.#who, role === "user" ? "You:" : "Assistant:");
    setText(this.#text, role === "user" || isReceipt ? text : tidy(text));
  }
}

customElements.define("chat-message", ChatMessage);
