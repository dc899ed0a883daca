/**
 * `<client-card>`: the figures of one client; two stand side by side, to compare.
 *
 * @module
 */

import { days, euros } from "../console/texts.js";
import { AgentElement } from "./agent-element.js";
import { el, setAttribute, setText } from "./dom.js";

/** @import { CardModel } from "../console/card-model.js" */

export class ClientCard extends AgentElement {
  /** @type {CardModel} */
  model = /** @type {never} */ (undefined);
  /** @type {() => void} */
  close = () => {};
  #title = el("h2", { "data-part": "title" });
  #text = el("p", { "data-part": "text" });
  #details = el("p", { className: "detail" });
  #choose = el("select", { "data-act": "show-client", "data-field": "clientId" });
  #clear = el("button", { type: "button", className: "quiet", "data-act": "clear-card" }, "Clear");

  component() {
    return this.page.bind("clients.card", this.model.handlers());
  }

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    super.connectedCallback();
  }

  #build() {
    const { side } = this.model;
    const close = el(
      "button",
      { type: "button", className: "quiet", "aria-label": `Close the ${side} card`, "data-act": "close-card", "data-side": side },
      "Close",
    );
    close.addEventListener("click", () => this.close());
    setAttribute(this.#choose, "aria-label", `Client on the ${side} card`);
    setAttribute(this.#choose, "data-side", side);
    setAttribute(this.#clear, "data-side", side);
    this.#choose.addEventListener("change", () => {
      const chosen = this.#choose.value;
      this.model.show(chosen === "" ? undefined : Number(chosen));
    });
    this.#clear.addEventListener("click", () => this.model.show(undefined));
    this.append(
      el(
        "section",
        { "data-dialog": "card", "data-id": side, "aria-label": `The ${side} card` },
        this.#title,
        this.#text,
        this.#details,
        el("div", { className: "buttons" }, this.#choose, el("div", { className: "buttons" }, this.#clear, close)),
      ),
    );
  }

  update() {
    const client = this.model.client();
    setText(this.#title, client?.name ?? "No client");
    setText(
      this.#text,
      client === undefined
        ? "This card shows no client"
        : `${euros(client.outstanding)} outstanding, ${euros(client.overdue)} overdue`,
    );
    setText(
      this.#details,
      client === undefined
        ? "Choose one to compare."
        : `${client.segment} · ${client.open_invoices} open · ${days(client.payment_terms_days)} terms · ${client.email}`,
    );
    this.#clear.hidden = client === undefined;
    this.#showChoices(client?.id);
  }

  /** @param {number | undefined} chosen */
  #showChoices(chosen) {
    const clients = [...this.page.data.clients].sort((left, right) => (left.name < right.name ? -1 : 1));
    const signature = clients.map(({ id, name }) => `${id} ${name}`).join("\n");
    if (this.#choose.dataset.choices !== signature) {
      this.#choose.dataset.choices = signature;
      const options = clients.map(({ id, name }) => el("option", { value: String(id) }, name));
      this.#choose.replaceChildren(el("option", { value: "" }, "Choose a client"), ...options);
    }
    this.#choose.value = chosen === undefined ? "" : String(chosen);
  }
}

customElements.define("client-card", ClientCard);
