/**
 * `<table-controls>`: what a person narrows and arranges a table with.
 *
 * @module
 */

import { moved, withVisibility } from "../console/table.js";
import { el, setAttribute, setChildren, setText, setValue } from "./dom.js";

/** @import { TableModel } from "../console/table-model.js" */
/** @import { Column } from "../console/table.js" */

const CHOICES = Object.freeze({ due: { all: "All", overdue: "Overdue", current: "Not yet due" } });

export class TableControls extends HTMLElement {
  /** @type {TableModel<any>} */
  model = /** @type {never} */ (undefined);
  /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
  #filters = new Map();
  /** @type {Map<string, () => void>} */
  #columnFilters = new Map();
  #columns = el("ul", { className: "columns" });
  #clear = el("button", { type: "button", className: "quiet", "data-act": "clear-filters" }, "Clear filters");

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const { spec } = this.model.role;
    this.#clear.addEventListener("click", () => this.model.clearFilters());
    const filtered = spec.columns.filter(({ filter }) => filter !== undefined);
    this.append(
      el(
        "div",
        { className: "controls" },
        ...Object.keys(spec.filters).flatMap((name) => this.#filter(name)),
        this.#clear,
      ),
      el(
        "details",
        { className: "more", "data-part": "column-filters" },
        el("summary", {}, "Column filters"),
        el("div", { className: "controls" }, ...filtered.map((column) => this.#columnFilter(column))),
      ),
      el("details", { className: "more", "data-part": "columns" }, el("summary", {}, "Columns"), this.#columns),
    );
  }

  update() {
    const view = this.model.view();
    for (const [name, control] of this.#filters) setValue(control, view.filters[name] ?? "");
    for (const show of this.#columnFilters.values()) show();
    const { filters } = this.model.role.spec;
    const isNarrowed =
      Object.keys(view.columnFilters).length > 0 ||
      Object.entries(filters).some(([name, fallback]) => name !== "chase" && view.filters[name] !== fallback);
    this.#clear.hidden = !isNarrowed;
    this.#showColumns();
  }

  /**
   * A control for a filter in the address. The chase is opened and closed by its own.
   *
   * @param {string} name
   * @returns {HTMLElement[]}
   */
  #filter(name) {
    if (name === "chase") return [];
    const choices = name === "due" ? CHOICES.due : undefined;
    const set = () => this.model.setFilters({ [name]: control.value });
    const control =
      choices === undefined
        ? el("input", { type: "search", "data-filter": name, oninput: set, placeholder: "Search", autocomplete: "off" })
        : el(
            "select",
            { "data-filter": name, onchange: set },
            ...Object.entries(choices).map(([value, label]) => el("option", { value }, label)),
          );
    this.#filters.set(name, control);
    return [el("label", {}, el("span", {}, name === "q" ? "Search" : "Due"), control)];
  }

  /**
   * @param {Column<any>} column
   * @returns {HTMLElement}
   */
  #columnFilter(column) {
    return column.filter === "select" ? this.#select(column) : this.#range(column);
  }

  /** @param {Column<any>} column */
  #select(column) {
    const set = () => this.model.setColumnFilters({ [column.id]: control.value });
    const control = el("select", { "data-column-filter": column.id, onchange: set });
    this.#columnFilters.set(column.id, () => {
      const options = ["", ...this.model.options(column)];
      const same = options.join("\n") === [...control.options].map(({ value }) => value).join("\n");
      if (!same) control.replaceChildren(...options.map((value) => el("option", { value }, value || "Any")));
      control.value = this.model.view().columnFilters[column.id] ?? "";
    });
    return el("label", {}, el("span", {}, column.label), control);
  }

  /** @param {Column<any>} column */
  #range(column) {
    const isDate = column.filter === "date-range";
    const label = isDate ? column.label : `${column.label} (€)`;
    const bounds = ["from", "to"].map((word, index) =>
      el("input", {
        type: isDate ? "date" : "number",
        "aria-label": `${label} ${word}`,
        placeholder: word,
        "data-column-filter": column.id,
        "data-bound": index === 0 ? "low" : "high",
        onchange: () => {
          const values = bounds.map(({ value }) => value);
          this.model.setColumnFilters({ [column.id]: values.every((value) => value === "") ? "" : values.join(",") });
        },
      }),
    );
    this.#columnFilters.set(column.id, () => {
      const values = (this.model.view().columnFilters[column.id] ?? ",").split(",");
      bounds.forEach((bound, index) => setValue(bound, values[index] ?? ""));
    });
    return el("fieldset", {}, el("legend", {}, label), ...bounds);
  }

  #showColumns() {
    const { order, hidden } = this.model.layout();
    const known = new Map(
      [...this.#columns.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.column ?? "", item]),
    );
    const items = order.map((id) => known.get(id) ?? this.#columnItem(id));
    setChildren(this.#columns, items);
    items.forEach((item, index) => {
      const [box, left, right] = item.querySelectorAll("input, button");
      if (box instanceof HTMLInputElement) box.checked = !hidden.includes(order[index] ?? "");
      setAttribute(/** @type {Element} */ (left), "aria-disabled", index === 0 ? "true" : undefined);
      setAttribute(/** @type {Element} */ (right), "aria-disabled", index === order.length - 1 ? "true" : undefined);
    });
  }

  /** @param {string} id */
  #columnItem(id) {
    const { model } = this;
    const label = model.role.spec.columns.find((column) => column.id === id)?.label ?? id;
    const caption = el("span");
    setText(caption, label);
    const box = el("input", {
      type: "checkbox",
      "data-act": "show-column",
      "data-key": id,
      onchange: () => model.arrange(withVisibility(model.layout(), id, !box.checked)),
    });
    const arrows = /** @type {const} */ (["left", "right"]).map((direction) =>
      el(
        "button",
        {
          type: "button",
          className: "quiet",
          "aria-label": `Move ${label} to the ${direction}`,
          "data-act": `move-${direction}`,
          "data-key": id,
          onclick: () => model.arrange(moved(model.layout(), id, direction)),
        },
        direction === "left" ? "←" : "→",
      ),
    );
    return el("li", { "data-column": id }, el("label", {}, box, caption), ...arrows);
  }
}

customElements.define("table-controls", TableControls);
