/**
 * `<notice-list>`: what a person should know and did not ask for.
 *
 * @module
 */

import { el } from "./dom.js";

const KEPT = 20;

export class NoticeList extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "status");
    this.setAttribute("aria-label", "Notices");
  }

  /** @param {string} text */
  add(text) {
    const dismiss = el("button", { type: "button", className: "quiet", "aria-label": "Dismiss" }, "×");
    const notice = el("p", {}, el("span", { "data-notice": "" }, text), dismiss);
    dismiss.addEventListener("click", () => notice.remove());
    this.append(notice);
    while (this.childElementCount > KEPT) this.firstElementChild?.remove();
  }
}

customElements.define("notice-list", NoticeList);
