/**
 * `<pending-screen>`: issued invoices that are not paid, with the figures above them and the chase dialog.
 *
 * @module
 */

import { ChaseModel } from "../console/chase-model.js";
import { PENDING } from "../console/roles.js";
import { Selection } from "../console/selection.js";
import { TableModel } from "../console/table-model.js";
import { euros } from "../console/texts.js";
import { AgentTable } from "./agent-table.js";
import { ChaseDialog } from "./chase-dialog.js";
import { el, make, setText } from "./dom.js";
import { FigureStrip } from "./figure-strip.js";

/** @import { Invoice } from "../console/data.js" */
/** @import { Page } from "../console/page.js" */
/** @import { AnyRow } from "./agent-table.js" */
/** @import { RowAction } from "./table-body.js" */

export class PendingScreen extends HTMLElement {
  /** @type {Page} */
  page = /** @type {never} */ (undefined);
  /** @type {{update: () => void}[]} */
  #parts = [];
  /** @type {TableModel<Invoice>} */
  #table = /** @type {never} */ (undefined);
  /** @type {Selection<Invoice>} */
  #selection = /** @type {never} */ (undefined);
  /** @type {ChaseModel} */
  #chase = /** @type {never} */ (undefined);
  /** @type {ChaseDialog | undefined} */
  #dialog;
  #selected = el("span");
  #bar = el("p", { className: "selection", hidden: true });

  connectedCallback() {
    if (this.#parts.length > 0) return;
    const { page } = this;
    this.#table = new TableModel(page, PENDING);
    this.#selection = new Selection(page, this.#table);
    this.#chase = new ChaseModel(page, this.#table);
    const clear = el("button", { type: "button", className: "quiet", "data-act": "clear-selection" }, "Clear selection");
    clear.addEventListener("click", () => this.#selection.set([]));
    this.#bar.append(this.#selected, clear);
    const figures = make(FigureStrip, { page });
    const dialog = make(ChaseDialog, { page, model: this.#chase });
    const table = make(AgentTable, {
      page,
      model: /** @type {TableModel<any>} */ (this.#table),
      selection: /** @type {Selection<any>} */ (this.#selection),
      actions: (row) => this.#actions(row),
      isOpen: ({ id }) => this.#chase.invoice()?.id === id,
      noun: ["pending invoice", "pending invoices"],
    });
    this.#dialog = dialog;
    this.#parts = [figures, dialog, table];
    this.append(figures, dialog, this.#bar, table);
  }

  update() {
    for (const part of this.#parts) part.update();
    const selected = this.#selection.ids();
    this.#bar.hidden = selected.length === 0;
    const sum = selected.reduce((total, id) => total + (this.#table.find(id)?.amount ?? 0), 0);
    setText(this.#selected, `${selected.length} selected, ${euros(sum)}`);
  }

  /**
   * Open the dialog for somebody who pressed a button for it, and lead them there.
   *
   * @param {number} id
   */
  async #openChase(id) {
    this.#chase.open(id);
    await this.page.untilShown();
    this.#dialog?.enter();
  }

  /**
   * Write down that an invoice was paid, by the procedure that the assistant calls.
   *
   * @param {number} id
   * @returns {Promise<unknown>}
   */
  recordPayment(id) {
    return this.page.rpc("mark-invoice-paid", { id });
  }

  /**
   * @param {AnyRow} row
   * @returns {RowAction[]}
   */
  #actions({ id }) {
    const name = this.#table.find(id)?.reference ?? String(id);
    const chase = { act: "open-chase", label: "Chase", hint: `Chase ${name}`, run: () => void this.#openChase(id) };
    const pay = {
      act: "record-payment",
      label: "Paid",
      hint: `Paid: record the payment of ${name}`,
      run: () => void this.page.operate(() => this.recordPayment(id)),
    };
    return this.page.mayWrite ? [chase, pay] : [chase];
  }
}

customElements.define("pending-screen", PendingScreen);
