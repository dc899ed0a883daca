/**
 * `<ledger-screen>`: all invoices; drafts are issued and deleted here by the page's own buttons.
 *
 * @module
 */

import { LEDGER } from "../console/roles.js";
import { TableModel } from "../console/table-model.js";
import { AgentTable } from "./agent-table.js";
import { make } from "./dom.js";
import { FigureStrip } from "./figure-strip.js";

/** @import { Invoice } from "../console/data.js" */
/** @import { Page } from "../console/page.js" */
/** @import { AnyRow } from "./agent-table.js" */
/** @import { RowAction } from "./table-body.js" */

export class LedgerScreen extends HTMLElement {
  /** @type {Page} */
  page = /** @type {never} */ (undefined);
  /** @type {{update: () => void}[]} */
  #parts = [];

  connectedCallback() {
    if (this.#parts.length > 0) return;
    const { page } = this;
    /** @type {TableModel<any>} */
    const model = new TableModel(page, LEDGER);
    const figures = make(FigureStrip, { page });
    const table = make(AgentTable, {
      page,
      model,
      actions: (row) => this.#actions(/** @type {Invoice} */ (row)),
      note: (row) => /** @type {Invoice} */ (row).notes ?? "",
      noun: ["invoice", "invoices"],
    });
    this.#parts = [figures, table];
    this.append(figures, table);
  }

  update() {
    for (const part of this.#parts) part.update();
  }

  /**
   * A person who presses a button has expressed intent by doing so; nothing asks again but for what can't be taken back.
   *
   * @param {AnyRow & Invoice} row
   * @returns {RowAction[]}
   */
  #actions({ id, status, reference: name }) {
    if (!this.page.mayWrite) return [];
    const press = (/** @type {string} */ operation) => () => {
      void this.page.operate(() => this.page.rpc(operation, { id }));
    };
    const hint = `Paid: record the payment of ${name}`;
    if (status === "sent") return [{ act: "record-payment", label: "Paid", hint, run: press("mark-invoice-paid") }];
    if (status === "paid") return [];
    return [
      { act: "issue-invoice", label: "Issue", hint: `Issue ${name}`, run: press("issue-invoice") },
      { act: "delete-invoice", label: "Delete", hint: `Delete ${name}`, run: press("delete-invoice"), isDangerous: true },
    ];
  }
}

customElements.define("ledger-screen", LedgerScreen);
