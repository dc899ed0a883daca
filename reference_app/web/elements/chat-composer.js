/**
 * `<chat-composer>`: where a person writes to the assistant, and stops it.
 *
 * @module
 */

import { el } from "./dom.js";

export class ChatComposer extends HTMLElement {
  /** @type {(text: string) => void} */
  send = () => {};
  /** @type {() => void} */
  stop = () => {};
  #isBusy = false;
  #text = el("textarea", { rows: 2, id: "composer", "data-hook": "composer", placeholder: "Write to the assistant" });
  #send = el("button", { type: "submit", className: "primary", "data-hook": "send" }, "Send");
  #stop = el("button", { type: "button", "data-hook": "stop", hidden: true }, "Stop");

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const form = el(
      "form",
      { onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
      el("label", { className: "unseen", htmlFor: "composer" }, "Message to the assistant"),
      this.#text,
      el("div", { className: "buttons" }, this.#send, this.#stop),
    );
    this.#stop.addEventListener("click", () => this.stop());
    this.#text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#submit(event);
    });
    this.append(form);
  }

  /** @param {boolean} isBusy */
  update(isBusy) {
    this.#isBusy = isBusy;
    this.#send.hidden = isBusy;
    this.#stop.hidden = !isBusy;
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const text = this.#text.value;
    if (this.#isBusy || text.trim() === "") return;
    this.#text.value = "";
    this.send(text);
  }
}

customElements.define("chat-composer", ChatComposer);
