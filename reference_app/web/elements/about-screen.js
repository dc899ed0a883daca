/**
 * `<about-screen>`: what this console is and how its assistant works. There is nothing to do here.
 *
 * @module
 */

import { el } from "./dom.js";

/** @type {readonly [string, string][]} */
const PARAGRAPHS = [
  [
    "Two planes, one path for each operation",
    "The assistant sees one catalog. What the open page can show or do comes from the page and lives as long as its " +
      "component is mounted; what is true of the ledger comes from the server, which checks every call again.",
  ],
  [
    "Bound to what you look at",
    "Recording a chase is offered through the chase dialog only. Which invoice it is about is the dialog's to say: the " +
      "assistant is given no field in which it could name another.",
  ],
  [
    "Asked before it happens",
    "Issuing or deleting an invoice on the assistant's initiative waits for your approval. The card shows exactly what " +
      "would run, and your answer is good for that input, once. When you press the button yourself nothing asks again.",
  ],
  [
    "The same controls for both",
    "Your filter and the assistant's filter go through the same setter, so the address always shows the view you see. " +
      "Copy it, and you share the view.",
  ],
];

export class AboutScreen extends HTMLElement {
  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.append(...PARAGRAPHS.map(([title, text]) => el("section", {}, el("h2", {}, title), el("p", {}, text))));
  }

  update() {}
}

customElements.define("about-screen", AboutScreen);
