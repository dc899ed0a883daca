/**
 * The rows of a table: made once each, updated from then on, so that focus and selection stay where they are.
 *
 * @module
 */

import { Keyed, el, setAttribute, setText } from "./dom.js";

/** @import { AgentTable, AnyRow } from "./agent-table.js" */
/** @import { Column } from "../console/table.js" */

/**
 * A button of a row; `hint` says more than its short label does.
 *
 * @typedef {Readonly<{act: string, label: string, hint: string, run: () => void, isDangerous?: boolean}>} RowAction
 */

export class TableBody {
  element = el("tbody");
  #table;
  /** @type {Keyed<AnyRow, HTMLTableRowElement>} */
  #rows;
  #empty = el("tr", { className: "empty" }, el("td", { colSpan: 99 }, "Nothing matches these filters."));

  /** @param {AgentTable} table */
  constructor(table) {
    this.#table = table;
    this.#rows = new Keyed(
      ({ id }) => el("tr", { "data-row": String(id) }),
      (element, row) => this.#update(element, row),
    );
  }

  /** @param {readonly AnyRow[]} rows */
  show(rows) {
    this.#empty.remove();
    this.#rows.show(this.element, rows, ({ id }) => String(id));
    if (rows.length === 0) this.element.append(this.#empty);
  }

  /**
   * @param {HTMLTableRowElement} element
   * @param {AnyRow} row
   */
  #update(element, row) {
    const columns = this.#table.model.columns();
    const actions = this.#table.actions?.(row);
    const signature = JSON.stringify([columns.map(({ id }) => id), actions?.map(({ act }) => act)]);
    if (element.dataset.cells !== signature) {
      element.replaceChildren(...this.#cells(row, columns, actions));
      element.dataset.cells = signature;
    }
    for (const column of columns) this.#fill(element, row, column);
    this.#mark(element, row);
  }

  /**
   * @param {AnyRow} row
   * @param {Column<AnyRow>[]} columns
   * @param {RowAction[] | undefined} actions
   */
  #cells(row, columns, actions) {
    const picks = this.#table.selection === undefined ? [] : [el("td", { className: "pick" }, this.#pick(row))];
    const cells = columns.map((column) => {
      const value = el("bdi", { "data-cell": column.id });
      const className = column.numeric ? "number" : column.wraps ? "words" : "";
      if (!column.pinned) return el("td", { className }, value);
      return el("th", { scope: "row", className }, value, el("small", { className: "note" }));
    });
    if (actions === undefined) return [...picks, ...cells];
    return [...picks, ...cells, el("td", { className: "acts" }, ...actions.map((action) => this.#button(row, action)))];
  }

  /** @param {AnyRow} row */
  #pick(row) {
    return el("input", {
      type: "checkbox",
      "data-act": "select-row",
      "data-key": String(row.id),
      onchange: () => this.#table.selection?.toggle(row.id),
    });
  }

  /**
   * A row's button. One that can't be taken back asks for a second press.
   *
   * @param {AnyRow} row
   * @param {RowAction} action
   */
  #button({ id }, { act, label, hint, isDangerous = false }) {
    const disarm = () => {
      button.classList.remove("armed");
      setText(button, label);
    };
    const press = () => {
      if (isDangerous && !button.classList.contains("armed")) {
        button.classList.add("armed");
        setText(button, `${label}, really?`);
        return;
      }
      disarm();
      // looked up anew: the row may have changed since the button was made
      const row = this.#table.model.find(id);
      if (row !== undefined) this.#table.actions?.(row).find((action) => action.act === act)?.run();
    };
    const className = isDangerous ? "quiet danger" : "quiet";
    const named = { "aria-label": hint, title: hint, "data-act": act, "data-key": String(id) };
    const button = el("button", { type: "button", className, ...named, onclick: press, onblur: disarm }, label);
    return button;
  }

  /**
   * @param {HTMLTableRowElement} element
   * @param {AnyRow} row
   * @param {Column<AnyRow>} column
   */
  #fill(element, row, column) {
    const value = element.querySelector(`[data-cell="${column.id}"]`);
    if (value !== null) {
      setText(value, column.text(row));
      setAttribute(value, "data-tone", column.tone?.(row));
    }
    const note = column.pinned ? value?.parentElement?.querySelector(".note") : undefined;
    if (note) setText(note, this.#table.note(row));
  }

  /**
   * @param {HTMLTableRowElement} element
   * @param {AnyRow} row
   */
  #mark(element, row) {
    const isSelected = this.#table.selection?.ids().includes(row.id) === true;
    setAttribute(element, "data-selected", isSelected ? "true" : undefined);
    setAttribute(element, "data-open", this.#table.isOpen(row) ? "true" : undefined);
    const pick = element.querySelector('[data-act="select-row"]');
    if (pick instanceof HTMLInputElement) {
      pick.checked = isSelected;
      const name = element.querySelector("th")?.querySelector("bdi")?.textContent ?? "";
      setAttribute(pick, "aria-label", `Select ${name}`);
    }
  }
}
