/**
 * `<confirmation-dialog>`: a question of the page's own before a call runs; it shows what would run, bound values included.
 *
 * @module
 */

import { pretty } from "../console/texts.js";
import { el, setAttribute, setText } from "./dom.js";

/** @import { ConfirmationRecord } from "../surface/confirmations.js" */
/** @import { Json } from "../surface/types.js" */

export const questions = {
  /**
   * What a person reads of a question.
   *
   * @param {ConfirmationRecord} record
   * @returns {{title: string, text: string, input: Json}}
   */
  shown({ question }) {
    return { title: question.capabilityId, text: question.summary, input: question.input };
  },
};

export class ConfirmationDialog extends HTMLElement {
  /** @type {(id: string, approved: boolean) => void} */
  decide = () => {};
  #id = "";
  #title = el("h3", { "data-part": "title" });
  #text = el("p", { "data-part": "text" });
  #input = el("pre", { "data-part": "input", tabIndex: 0, "aria-label": "What would run" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.append(
      this.#title,
      this.#text,
      this.#input,
      el("div", { className: "buttons" }, this.#button("confirm", "Allow", true), this.#button("decline", "Decline", false)),
    );
    setAttribute(this, "data-dialog", "confirmation");
    setAttribute(this, "role", "alertdialog");
  }

  /** @param {ConfirmationRecord} record */
  update(record) {
    const { title, text, input } = questions.shown(record);
    this.#id = record.id;
    setAttribute(this, "data-id", record.id);
    setAttribute(this, "aria-label", `The assistant asks: ${title}`);
    setText(this.#title, title);
    setText(this.#text, text);
    setText(this.#input, pretty(input));
  }

  /**
   * @param {string} hook
   * @param {string} label
   * @param {boolean} approved
   */
  #button(hook, label, approved) {
    const press = () => this.decide(this.#id, approved);
    return el("button", { type: "button", className: approved ? "primary" : "", "data-hook": hook, onclick: press }, label);
  }
}

customElements.define("confirmation-dialog", ConfirmationDialog);
