/**
 * The chase dialog: one pending invoice at a time, and the operation that is bound to it.
 *
 * The reference is present while the screen is, and available while the dialog is open; whom it is about is the dialog's
 * to say and nobody else's. (The dual-plane model, Bind for context, gate for consequence.)
 *
 * @module
 */

import { bindProcedure } from "../surface/contracts.js";
import { isObject } from "../surface/json.js";
import { policies } from "../surface/policies.js";
import { param } from "./address.js";
import { storage } from "./storage.js";
import { days, euros } from "./texts.js";

/** @import { Handlers } from "../surface/contracts.js" */
/** @import { Binding, BoundValues, Json, JsonObject, Policy, PreconditionFailure } from "../surface/types.js" */
/** @import { Invoice } from "./data.js" */
/** @import { Page } from "./page.js" */
/** @import { TableModel } from "./table-model.js" */

const OPERATION = "update-collection-status";
const CLOSED_REASON = "Open an invoice's chase dialog first";
const OVERRIDABLE = ["note"];
const OWNER = Object.freeze({ type: "invoices.pending", instanceId: "default" });

export class ChaseModel {
  /** @type {Map<number, string>} */
  #drafts = new Map();
  #table;

  /**
   * @param {Page} page
   * @param {TableModel<Invoice>} table
   */
  constructor(page, table) {
    this.page = page;
    this.#table = table;
  }

  /** @returns {Invoice | undefined} what the dialog is about: an invoice that the address names and the table shows */
  invoice() {
    const named = param(this.page.shown, "chase");
    return /^\d+$/.test(named) ? this.#table.find(Number(named)) : undefined;
  }

  isOpen() {
    return this.invoice() !== undefined;
  }

  /** @param {number} id */
  open(id) {
    this.#table.setFilters({ chase: String(id) });
  }

  close() {
    this.#table.setFilters({ chase: "" });
  }

  /** @returns {string | undefined} the note that the person has typed and not saved */
  draft() {
    const invoice = this.invoice();
    return invoice && this.#drafts.get(invoice.id);
  }

  /** @param {string} text */
  type(text) {
    const invoice = this.invoice();
    if (invoice === undefined) return;
    if (text === "") this.#drafts.delete(invoice.id);
    else this.#drafts.set(invoice.id, text);
    this.page.touch();
  }

  discard() {
    const invoice = this.invoice();
    if (invoice !== undefined && this.#drafts.delete(invoice.id)) this.page.touch();
  }

  /**
   * Save what the person entered, by the operation that the assistant is bound to.
   *
   * @param {JsonObject} fields
   */
  async save(fields) {
    const invoice = this.invoice();
    if (invoice === undefined) throw new Error(CLOSED_REASON);
    const draft = this.draft();
    /** @type {JsonObject} */
    const entered = { ...fields, invoiceId: invoice.id };
    if (draft !== undefined) entered.note = draft;
    await this.page.rpc(OPERATION, entered);
    this.#drafts.delete(invoice.id);
    this.page.touch();
  }

  // What the assistant is offered

  /** @returns {Handlers} */
  handlers() {
    const whileOpen = { when: () => this.isOpen(), unavailableReason: CLOSED_REASON };
    return {
      parent: OWNER,
      reads: { readDraft: { read: () => this.readDraft(), ...whileOpen } },
      does: {
        discardDraft: { execute: () => this.discard(), precondition: () => this.#nothingToDiscard(), ...whileOpen },
      },
      procedures: [this.#operation()],
    };
  }

  /** @returns {Binding} */
  #operation() {
    return bindProcedure({
      path: OPERATION,
      bind: () => this.bind(),
      overridable: OVERRIDABLE,
      when: () => this.isOpen(),
      unavailableReason: CLOSED_REASON,
      describe: () => this.describe(),
      policies: [chaseRules.forControllers(), this.#asksWhenWanted()],
      context: OWNER,
    });
  }

  /** @returns {BoundValues} what the dialog fills in, as it stands: its invoice, and the note if one is typed */
  bind() {
    return { invoiceId: this.invoice()?.id, note: this.draft() };
  }

  describe() {
    const invoice = this.invoice();
    return invoice && `Bound to ${about(invoice)}.`;
  }

  /** @returns {Json} */
  readDraft() {
    const invoice = this.invoice();
    if (invoice === undefined) return {};
    const { id, reference, client_name: client } = invoice;
    return { invoiceId: id, reference, client, note: this.draft() ?? null };
  }

  /** @returns {PreconditionFailure | undefined} */
  #nothingToDiscard() {
    return this.draft() === undefined ? { message: "There is no unsaved note to discard." } : undefined;
  }

  /**
   * The person may want to be asked before the assistant writes anything about chasing.
   *
   * @returns {Policy}
   */
  #asksWhenWanted() {
    return policies.requireConfirmation(
      () => storage.asksBeforeChasing(),
      (input) => this.#question(input),
    );
  }

  /** @param {Json} input what would really be written, the dialog's invoice included */
  #question(input) {
    const id = isObject(input) ? input.invoiceId : undefined;
    const invoice = typeof id === "number" ? this.#table.find(id) : undefined;
    return `Record this chase for ${invoice === undefined ? `invoice ${id}` : about(invoice)}?`;
  }
}

export const chaseRules = {
  /**
   * The bound operation exists for those who may write; the server decides it again for every call.
   *
   * @returns {Policy}
   */
  forControllers() {
    return policies.existsFor("collections-for-controllers", ({ user }) => isObject(user) && user.role === "controller");
  },
};

/** @param {Invoice} invoice */
export function about({ reference, client_name: client, amount, days_overdue: overdue }) {
  return `${reference} (${client}, ${euros(amount)}, ${days(overdue)} overdue)`;
}
