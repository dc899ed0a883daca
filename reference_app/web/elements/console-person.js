/**
 * `<console-person>`: who is signed in, and signing in as somebody else.
 *
 * @module
 */

import { PEOPLE } from "../console/people.js";
import { AgentElement } from "./agent-element.js";
import { el, setText } from "./dom.js";

export class ConsolePerson extends AgentElement {
  /** @type {(user: string) => void} */
  switchTo = () => {};
  #name = el("span", { className: "name" });
  #role = el("span", { className: "role", "data-part": "role" });
  #choose = el(
    "select",
    { "aria-label": "Switch person", "data-act": "switch-user" },
    el("option", { value: "" }, "Switch person"),
    ...PEOPLE.map(({ user, name, work }) => el("option", { value: user }, `${name} (${work})`)),
    el("option", { value: "nobody" }, "Sign out"),
  );

  component() {
    return this.page.bind("app.session", { reads: { read: { read: () => this.#read() } } });
  }

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.#choose.addEventListener("change", () => this.switchTo(this.#choose.value));
      this.append(el("span", { className: "who" }, this.#name, this.#role), this.#choose);
    }
    super.connectedCallback();
  }

  update() {
    setText(this.#name, this.page.person?.name ?? "");
    setText(this.#role, this.page.person?.role ?? "");
    this.#choose.value = "";
  }

  #read() {
    const { email, name, role } = this.page.person ?? { email: "", name: "", role: "" };
    return { email, name, role };
  }
}

customElements.define("console-person", ConsolePerson);
