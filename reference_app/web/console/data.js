/**
 * The rows that the screens show, read from the server once and again whenever something may have changed them.
 *
 * @module
 */

import { api } from "../host/api.js";

/** @import { JsonObject } from "../surface/types.js" */

/**
 * @typedef {Readonly<{
 *   last_reminder_date: string | null, reminders_sent: number, expected_payment_date: string | null, note: string | null,
 * }>} Chase
 */
/**
 * @typedef {Readonly<{
 *   id: number, reference: string, client_name: string, segment: string, amount: number,
 *   status: "draft" | "sent" | "paid", issue_date: string, due_date: string, days_overdue: number, notes: string | null,
 *   collection: Chase | null,
 * }>} Invoice
 */
/**
 * @typedef {Readonly<{
 *   id: number, name: string, segment: string, payment_terms_days: number, email: string, open_invoices: number,
 *   outstanding: number, overdue: number,
 * }>} Client
 */
/**
 * @typedef {Readonly<{
 *   outstanding: number, overdue: number, draft: number, collected30d: number, invoiceCount: number,
 *   overdueCount: number, averageDaysToPay: number | null,
 * }>} Summary
 */
/** @typedef {Readonly<{id: string, label: string, count: number, amount: number}>} Bucket */

/** @typedef {"pending" | "all" | "clients" | "summary" | "aging"} Need */

/** @type {{[need in Need]: [string, JsonObject]}} */
const READS = {
  pending: ["list-invoices", { kind: "pending" }],
  all: ["list-invoices", { kind: "all" }],
  clients: ["list-clients", {}],
  summary: ["receivables-summary", {}],
  aging: ["collections-aging", {}],
};

export class Data {
  /** @type {readonly Invoice[]} */
  pending = [];
  /** @type {readonly Invoice[]} */
  all = [];
  /** @type {readonly Client[]} */
  clients = [];
  /** @type {Summary | undefined} */
  summary = undefined;
  /** @type {readonly Bucket[]} */
  aging = [];
  /** @type {Set<Need>} */
  #fresh = new Set();

  /** Say that anything may have changed: the next look at a screen reads again. */
  invalidate() {
    this.#fresh.clear();
  }

  /**
   * Read what is needed and not fresh.
   *
   * @param {readonly Need[]} needs
   */
  async load(needs) {
    await Promise.all(needs.filter((need) => !this.#fresh.has(need)).map((need) => this.#read(need)));
  }

  /** @param {Need} need */
  async #read(need) {
    this.#fresh.add(need);
    try {
      const [path, input] = READS[need];
      Object.assign(this, { [need]: await api.rpc(path, input) });
    } catch (error) {
      this.#fresh.delete(need);
      throw error;
    }
  }
}
