/**
 * A table on a screen: the same setters for the person's controls and for the assistant's actions.
 *
 * Filters and order live in the address, so that the view that either made can be shared; what was asked for is shown
 * at the next commit.
 *
 * @module
 */

import { param, withParams } from "./address.js";
import { storage } from "./storage.js";
import { layoutOf, movable, moved, sortFromText, sortToText, sortable, visibleRows, withVisibility } from "./table.js";

/** @import { Doing, Json, JsonObject, PreconditionFailure, Reading } from "../surface/types.js" */
/** @import { Page } from "./page.js" */
/** @import { Column, Layout, Sort, TableSpec, TableView } from "./table.js" */

/**
 * What one table is: its component type, its kind, where its rows are and how a row is told to the assistant.
 *
 * @template {{id: number}} Row
 * @typedef {Readonly<{
 *   type: string, spec: TableSpec<Row>, rows: (page: Page) => readonly Row[], summary: (row: Row) => JsonObject,
 * }>} TableRole
 */

const MAX_VISIBLE = 100;

/** @template {{id: number}} Row */
export class TableModel {
  /** @type {{[id: string]: string}} */
  #columnFilters = {};

  /**
   * @param {Page} page
   * @param {TableRole<Row>} role
   */
  constructor(page, role) {
    this.page = page;
    this.role = role;
  }

  // What is shown

  /** @returns {TableView} how the table on the screen is looked at */
  view() {
    const { filters } = this.role.spec;
    const { shown } = this.page;
    const set = Object.entries(filters).map(([name, fallback]) => [name, param(shown, name, fallback)]);
    return {
      filters: Object.fromEntries(set),
      sort: sortFromText(this.role.spec, param(shown, "sort")),
      columnFilters: { ...this.#columnFilters },
    };
  }

  /** @returns {readonly Row[]} */
  all() {
    return this.role.rows(this.page);
  }

  /** @returns {Row[]} the rows on the screen */
  visible() {
    return visibleRows(this.role.spec, this.all(), this.view());
  }

  /**
   * @param {number} id
   * @returns {Row | undefined} a row on the screen
   */
  find(id) {
    return this.visible().find((row) => row.id === id);
  }

  /** @returns {Layout} which columns are shown; kept by the browser */
  layout() {
    return layoutOf(this.role.spec, storage.layout(this.role.type));
  }

  /** @returns {Column<Row>[]} the columns on the screen, the pinned ones first */
  columns() {
    const { order, hidden } = this.layout();
    const { columns } = this.role.spec;
    const shown = order.filter((id) => !hidden.includes(id));
    return [...columns.filter(({ pinned }) => pinned), ...shown.flatMap((id) => columns.filter((column) => column.id === id))];
  }

  /**
   * @param {Column<Row>} column
   * @returns {string[]} the choices of a select filter, from all rows
   */
  options(column) {
    return [...new Set(this.all().map((row) => String(column.value(row))))].sort();
  }

  // What can be done, by whomever

  /**
   * Set some filters in the address; an empty text, and a default, leave it out.
   *
   * @param {{[name: string]: string}} changes
   */
  setFilters(changes) {
    const { filters } = this.role.spec;
    const written = Object.entries(changes).map(([name, value]) => [name, value === filters[name] ? "" : value]);
    this.page.go(withParams(this.page.asked, Object.fromEntries(written)));
  }

  /** Reset every filter, those of the columns too. */
  clearFilters() {
    this.#columnFilters = {};
    this.setFilters(Object.fromEntries(Object.keys(this.role.spec.filters).map((name) => [name, ""])));
  }

  /**
   * Set some column filters; they are not in the address.
   *
   * @param {{[id: string]: string}} changes
   */
  setColumnFilters(changes) {
    const merged = Object.entries({ ...this.#columnFilters, ...changes });
    this.#columnFilters = Object.fromEntries(merged.filter(([, value]) => value !== ""));
    this.page.touch();
  }

  /** @param {Sort | null} sort */
  sortBy(sort) {
    this.page.go(withParams(this.page.asked, { sort: sortToText(this.role.spec, sort) }));
  }

  /** @param {Layout} layout */
  arrange(layout) {
    storage.keepLayout(this.role.type, layout);
    this.page.touch();
  }

  // What the assistant is offered

  /** @returns {{[name: string]: Reading}} */
  readings() {
    return {
      readState: { read: () => this.readState() },
      readFilters: { read: () => this.view().filters },
      readColumns: { read: () => this.readColumns() },
      readColumnFilters: { read: () => this.readColumnFilters() },
    };
  }

  /** @returns {{[name: string]: Doing}} */
  doings() {
    return {
      setFilters: { execute: (input) => this.setFilters(texts(input)) },
      setColumnFilters: { execute: (input) => this.setColumnFilters(texts(input)) },
      clearFilters: { execute: () => this.clearFilters() },
      sort: { execute: (input) => this.sortBy(sortOf(input)), precondition: (input) => this.#mayNotSort(input) },
      setColumnVisibility: {
        execute: (input) => this.arrange(withVisibility(this.layout(), String(input.id), input.hidden === true)),
        precondition: (input) => this.#mayNotArrange(input),
      },
      moveColumn: {
        execute: (input) => this.arrange(moved(this.layout(), String(input.id), String(input.direction))),
        precondition: (input) => this.#mayNotArrange(input),
      },
    };
  }

  /** @returns {JsonObject} */
  readState() {
    const visible = this.visible();
    const { sort } = this.view();
    return {
      visibleRows: visible.slice(0, MAX_VISIBLE).map((row) => this.role.summary(row)),
      rowCount: visible.length,
      totalRows: this.all().length,
      truncated: visible.length > MAX_VISIBLE,
      sort: sort && { ...sort },
    };
  }

  /** @returns {Json[]} the movable columns in their order */
  readColumns() {
    const { order, hidden } = this.layout();
    return order.map((id) => ({ id, label: this.#label(id), hidden: hidden.includes(id), hideable: true }));
  }

  /** @returns {Json[]} */
  readColumnFilters() {
    return this.role.spec.columns.flatMap((column) => {
      const { id, label, filter } = column;
      if (filter === undefined) return [];
      const entry = { id, label, kind: filter, value: this.#columnFilters[id] ?? "" };
      return [filter === "select" ? { ...entry, options: this.options(column) } : entry];
    });
  }

  /** @param {string} id */
  #label(id) {
    return this.role.spec.columns.find((column) => column.id === id)?.label ?? id;
  }

  /**
   * @param {JsonObject} input
   * @returns {PreconditionFailure | undefined}
   */
  #mayNotSort({ key }) {
    const sortableIds = sortable(this.role.spec);
    if (key === null || sortableIds.includes(String(key))) return undefined;
    return { message: "This table can't be sorted by that column.", details: { sortableIds } };
  }

  /**
   * @param {JsonObject} input
   * @returns {PreconditionFailure | undefined}
   */
  #mayNotArrange({ id }) {
    const columnIds = movable(this.role.spec);
    if (columnIds.includes(String(id))) return undefined;
    return { message: "There is no such column that can be moved.", details: { columnIds } };
  }
}

/**
 * @param {JsonObject} input whose schema allows texts only
 * @returns {{[name: string]: string}}
 */
export function texts(input) {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

/**
 * @param {JsonObject} input
 * @returns {Sort | null}
 */
function sortOf({ key, direction }) {
  return typeof key === "string" ? { key, direction: direction === "asc" ? "asc" : "desc" } : null;
}
