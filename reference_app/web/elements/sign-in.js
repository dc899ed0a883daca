/**
 * `<sign-in>`: the door. Without a person the page shows nothing else and offers nothing.
 *
 * @module
 */

import { PEOPLE } from "../console/people.js";
import { el } from "./dom.js";

export class SignIn extends HTMLElement {
  /** @type {(user: string) => void} */
  switchTo = () => {};

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const doors = PEOPLE.map(({ user, name, work }) =>
      el(
        "button",
        { type: "button", "data-act": "sign-in", "data-key": user, onclick: () => this.switchTo(user) },
        el("strong", {}, name),
        el("span", {}, work),
      ),
    );
    this.append(
      el("h1", {}, "Receivables"),
      el("p", {}, "Sign in as one of the people of this demonstration."),
      el("div", { className: "doors" }, ...doors),
    );
  }
}

customElements.define("sign-in", SignIn);
