/**
 * `<clients-screen>`: the clients, and two cards to compare two of them.
 *
 * @module
 */

import { CardModel } from "../console/card-model.js";
import { CLIENTS } from "../console/roles.js";
import { TableModel } from "../console/table-model.js";
import { AgentTable } from "./agent-table.js";
import { ClientCard } from "./client-card.js";
import { el, make } from "./dom.js";

/** @import { Side } from "../console/card-model.js" */
/** @import { Page } from "../console/page.js" */

/** @type {readonly Side[]} */
const SIDES = ["left", "right"];

export class ClientsScreen extends HTMLElement {
  /** @type {Page} */
  page = /** @type {never} */ (undefined);
  #cards = el("div", { className: "cards" });
  /** @type {AgentTable | undefined} */
  #table;

  connectedCallback() {
    if (this.#table !== undefined) return;
    const { page } = this;
    this.#table = make(AgentTable, {
      page,
      model: /** @type {TableModel<any>} */ (new TableModel(page, CLIENTS)),
      noun: ["client", "clients"],
    });
    this.append(this.#cards, this.#table);
    this.#cards.append(...SIDES.map((side) => this.#card(side)));
  }

  update() {
    this.#table?.update();
    for (const card of this.#cards.children) if (card instanceof ClientCard) card.update();
  }

  /** @param {Side} side */
  #card(side) {
    /** @type {ClientCard} */
    const card = make(ClientCard, {
      page: this.page,
      model: new CardModel(this.page, side),
      close: () => this.#swap(card, this.#opener(side)),
    });
    return card;
  }

  /**
   * What stands in the place of a closed card; opening makes a new card, not the old one again.
   *
   * @param {Side} side
   */
  #opener(side) {
    const button = el(
      "button",
      { type: "button", className: "quiet open-card", "data-act": "open-card", "data-side": side },
      `Open the ${side} card`,
    );
    button.addEventListener("click", () => this.#swap(button, this.#card(side)));
    return button;
  }

  /**
   * @param {Element} old
   * @param {Element} next
   */
  #swap(old, next) {
    old.replaceWith(next);
    this.page.touch();
  }
}

customElements.define("clients-screen", ClientsScreen);
