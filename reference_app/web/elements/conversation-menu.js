/**
 * `<conversation-menu>`: a fresh conversation, and the stored ones.
 *
 * @module
 */

import { el } from "./dom.js";

/** @import { Assistant } from "../console/assistant.js" */

export class ConversationMenu extends HTMLElement {
  /** @type {Assistant} */
  assistant = /** @type {never} */ (undefined);
  /** @type {(work: () => Promise<unknown>) => void} */
  operate = () => {};
  #list = el("ul");
  #stored = el("details", {}, el("summary", {}, "Earlier"), this.#list);

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const fresh = el("button", { type: "button", className: "quiet", "data-act": "new-conversation" }, "New");
    fresh.addEventListener("click", () => this.assistant.startAnew());
    this.#stored.addEventListener("toggle", () => {
      if (this.#stored.open) this.operate(() => this.#load());
    });
    this.append(fresh, this.#stored);
  }

  async #load() {
    const threads = await this.assistant.threads();
    const items = threads.map(({ id, title }) => {
      const open = () => {
        this.#stored.open = false;
        this.operate(() => this.assistant.open(id));
      };
      return el("li", {}, el("button", { type: "button", className: "quiet", "data-thread": id, onclick: open }, title));
    });
    this.#list.replaceChildren(...(items.length === 0 ? [el("li", {}, "There are none yet.")] : items));
  }
}

customElements.define("conversation-menu", ConversationMenu);
