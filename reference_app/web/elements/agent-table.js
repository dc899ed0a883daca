/**
 * `<agent-table>`: one of the console's tables, with its controls, on the page and on the surface.
 *
 * @module
 */

import { AgentElement } from "./agent-element.js";
import { el, make, setAttribute, setText } from "./dom.js";
import { TableBody } from "./table-body.js";
import { TableControls } from "./table-controls.js";

/** @import { Selection } from "../console/selection.js" */
/** @import { TableModel } from "../console/table-model.js" */
/** @import { Column } from "../console/table.js" */
/** @import { RowAction } from "./table-body.js" */

/** @typedef {{id: number}} AnyRow */

export class AgentTable extends AgentElement {
  /** @type {TableModel<AnyRow>} */
  model = /** @type {never} */ (undefined);
  /** @type {Selection<AnyRow> | undefined} */
  selection;
  /** @type {((row: AnyRow) => RowAction[]) | undefined} */
  actions;
  /** @type {(row: AnyRow) => string} */
  note = () => "";
  /** @type {(row: AnyRow) => boolean} whether something is open for it */
  isOpen = () => false;
  /** how rows are called, one and many */
  noun = ["row", "rows"];
  #head = el("tr");
  #count = el("p", { className: "table-count", role: "status" });
  #headers = "";
  /** @type {TableBody | undefined} */
  #body;
  /** @type {TableControls | undefined} */
  #controls;

  component() {
    const { model, selection } = this;
    return this.page.bind(model.role.type, {
      reads: { ...model.readings(), ...selection?.readings() },
      does: { ...model.doings(), ...selection?.doings() },
    });
  }

  connectedCallback() {
    if (this.#body === undefined) this.#build();
    super.connectedCallback();
  }

  #build() {
    const title = this.page.title;
    this.#body = new TableBody(this);
    this.#controls = make(TableControls, { model: this.model });
    this.append(
      this.#controls,
      el(
        "div",
        { className: "table-scroll", tabIndex: 0, role: "region", "aria-label": `${title}, table` },
        el("table", {}, el("caption", { className: "unseen" }, title), el("thead", {}, this.#head), this.#body.element),
      ),
      this.#count,
    );
    setAttribute(this, "data-table", this.model.role.type);
  }

  update() {
    const rows = this.model.visible();
    const total = this.model.all().length;
    this.#showHead();
    this.#body?.show(rows);
    this.#controls?.update();
    setAttribute(this.#count, "data-total-rows", String(total));
    const [one = "", many = ""] = this.noun;
    setText(this.#count, rows.length === total ? `${total} ${total === 1 ? one : many}` : `${rows.length} of ${total} ${many}`);
  }

  #showHead() {
    const { sort } = this.model.view();
    const columns = this.model.columns();
    const signature = JSON.stringify([columns.map(({ id }) => id), sort]);
    if (signature === this.#headers) return;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.sort : undefined;
    this.#headers = signature;
    this.#head.replaceChildren(
      ...(this.selection === undefined ? [] : [el("th", { scope: "col", className: "pick" }, this.#selectAll())]),
      ...columns.map((column) => this.#header(column, sort?.key === column.id ? sort.direction : undefined)),
      ...(this.actions === undefined ? [] : [el("th", { scope: "col", className: "acts" }, unseen("Actions"))]),
    );
    if (focused !== undefined) this.#head.querySelector(`[data-sort="${focused}"]`)?.querySelector("button")?.focus();
  }

  /**
   * @param {Column<AnyRow>} column
   * @param {"asc" | "desc" | undefined} direction
   */
  #header(column, direction) {
    const sorted = direction === undefined ? "none" : direction === "asc" ? "ascending" : "descending";
    const properties = { scope: "col", className: column.numeric ? "number" : "", "data-column": column.id };
    if (column.sortable === false) return el("th", properties, column.label);
    const next = direction === "desc" ? "asc" : "desc";
    const button = el(
      "button",
      {
        type: "button",
        className: "sort",
        "data-act": "sort",
        "data-sort": column.id,
        onclick: () => this.model.sortBy({ key: column.id, direction: next }),
      },
      column.label,
    );
    return el("th", { ...properties, "aria-sort": sorted }, button);
  }

  #selectAll() {
    return el("input", {
      type: "checkbox",
      "aria-label": "Select all",
      "data-act": "select-all",
      onchange: (/** @type {Event} */ { target }) => {
        const all = /** @type {HTMLInputElement} */ (target).checked;
        this.selection?.set(all ? this.model.visible().map(({ id }) => id) : []);
      },
    });
  }
}

/** @param {string} text for those who hear the page */
function unseen(text) {
  return el("span", { className: "unseen" }, text);
}

customElements.define("agent-table", AgentTable);
