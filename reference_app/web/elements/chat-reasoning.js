/**
 * `<chat-reasoning>`: what the model thought aloud, folded away until somebody wants to read it.
 *
 * @module
 */

import { tidy } from "../host/sanitize.js";
import { el, setAttribute, setText } from "./dom.js";

/** @import { Reasoning } from "../host/conversation.js" */

export class ChatReasoning extends HTMLElement {
  #summary = el("summary");
  #text = el("p", { "data-part": "text" });

  connectedCallback() {
    if (this.childElementCount === 0) this.append(el("details", {}, this.#summary, this.#text));
  }

  /** @param {Reasoning} reasoning */
  update({ text, isOpen }) {
    setAttribute(this, "data-reasoning", isOpen ? "open" : "sealed");
    setText(this.#summary, isOpen ? "Thinking…" : "Thoughts");
    setText(this.#text, tidy(text));
  }
}

customElements.define("chat-reasoning", ChatReasoning);
