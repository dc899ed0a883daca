/**
 * Which rows of the pending invoices are selected; like the filters it is in the address.
 *
 * @module
 */

import { param, withParams } from "./address.js";

/** @import { Doing, JsonObject, PreconditionFailure, Reading } from "../surface/types.js" */
/** @import { Page } from "./page.js" */
/** @import { TableModel } from "./table-model.js" */

const NOTHING_SELECTED = "Select at least one invoice first";
const MAX_MISSING = 20;

/**
 * A selection on a table.
 *
 * @template {{id: number}} Row
 */
export class Selection {
  #page;
  #table;

  /**
   * @param {Page} page
   * @param {TableModel<Row>} table
   */
  constructor(page, table) {
    this.#page = page;
    this.#table = table;
  }

  /** @returns {number[]} the selected rows among those that are visible */
  ids() {
    const visible = new Set(this.#table.visible().map(({ id }) => id));
    const named = param(this.#page.shown, "selected").split(",").filter((part) => /^\d+$/.test(part));
    return named.map(Number).filter((id) => visible.has(id));
  }

  /** @param {readonly number[]} ids */
  set(ids) {
    this.#page.go(withParams(this.#page.asked, { selected: [...new Set(ids)].join(",") }));
  }

  /**
   * Tick or untick one row.
   *
   * @param {number} id
   */
  toggle(id) {
    const ids = this.ids();
    this.set(ids.includes(id) ? ids.filter((kept) => kept !== id) : [...ids, id]);
  }

  /** @returns {{[name: string]: Reading}} */
  readings() {
    return {
      readSelection: {
        read: () => {
          const selectedIds = this.ids();
          return { selectedIds, count: selectedIds.length };
        },
      },
    };
  }

  /** @returns {{[name: string]: Doing}} */
  doings() {
    return {
      selectRows: {
        execute: ({ ids }) => this.set(/** @type {number[]} */ (ids)),
        precondition: (input) => this.#missing(input),
      },
      clearSelection: {
        execute: () => this.set([]),
        when: () => this.ids().length > 0,
        unavailableReason: NOTHING_SELECTED,
      },
    };
  }

  /**
   * @param {JsonObject} input
   * @returns {PreconditionFailure | undefined}
   */
  #missing({ ids }) {
    const visible = new Set(this.#table.visible().map(({ id }) => id));
    const missingIds = /** @type {number[]} */ (ids).filter((id) => !visible.has(id));
    if (missingIds.length === 0) return undefined;
    return { message: "Some of these invoices are not visible.", details: { missingIds: missingIds.slice(0, MAX_MISSING) } };
  }
}
