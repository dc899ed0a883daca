/**
 * The console's three tables: their columns, filters and orders, and how a row is told to the assistant.
 *
 * @module
 */

import { days, euros } from "./texts.js";

/** @import { Client, Invoice } from "./data.js" */
/** @import { TableRole } from "./table-model.js" */
/** @import { Column } from "./table.js" */

/**
 * @param {string} needle
 * @param {...string} texts
 */
function mentions(needle, ...texts) {
  return texts.some((text) => text.toLowerCase().includes(needle.toLowerCase()));
}

const GRAVE_DAYS = 30;

/** @param {number} daysOverdue */
function toneOf(daysOverdue) {
  if (daysOverdue > GRAVE_DAYS) return "grave";
  return daysOverdue > 0 ? "late" : "calm";
}

/** @param {Invoice} row */
export function remindersOf({ collection }) {
  return collection?.reminders_sent ?? 0;
}

/**
 * @template Row
 * @param {string} id
 * @param {string} label
 * @param {(row: Row) => string} value
 * @param {Partial<Column<Row>>} [more]
 * @returns {Column<Row>}
 */
function textColumn(id, label, value, more = {}) {
  return { id, label, value, text: value, ...more };
}

/**
 * @template Row
 * @param {string} id
 * @param {string} label
 * @param {(row: Row) => number} value
 * @param {(value: number) => string} write
 * @param {Partial<Column<Row>>} [more]
 * @returns {Column<Row>}
 */
function numberColumn(id, label, value, write, more = {}) {
  return { id, label, value, text: (row) => write(value(row)), numeric: true, ...more };
}

/** @type {Column<Invoice>} */
const REFERENCE = textColumn("reference", "Reference", (row) => row.reference, { pinned: true });
/** @type {Column<Invoice>} */
const CLIENT = textColumn("client_name", "Client", (row) => row.client_name, { filter: "select", wraps: true });
/** @type {Column<Invoice>} */
const SEGMENT = textColumn("segment", "Segment", (row) => row.segment, {
  filter: "select",
  sortable: false,
  wraps: true,
});
/** @type {Column<Invoice>} */
const AMOUNT = numberColumn("amount", "Amount", (row) => row.amount, euros, { filter: "number-range" });

/** @type {TableRole<Invoice>} */
export const PENDING = {
  type: "invoices.pending",
  rows: ({ data }) => data.pending,
  spec: {
    columns: [
      REFERENCE,
      CLIENT,
      SEGMENT,
      AMOUNT,
      textColumn("due_date", "Due", (row) => row.due_date, { filter: "date-range" }),
      numberColumn("days_overdue", "Overdue", (row) => row.days_overdue, days, { tone: ({ days_overdue: age }) => toneOf(age) }),
      numberColumn("reminders", "Chased", remindersOf, String),
    ],
    filters: { q: "", due: "all", chase: "" },
    defaultSort: { key: "days_overdue", direction: "desc" },
    keeps: (row, { q = "", due }) => {
      const isOverdue = row.days_overdue > 0;
      const isDue = due === "overdue" ? isOverdue : due === "current" ? !isOverdue : true;
      return isDue && mentions(q, row.reference, row.client_name);
    },
  },
  summary: (row) => ({
    id: row.id,
    reference: row.reference,
    client: row.client_name,
    amount: row.amount,
    dueDate: row.due_date,
    daysOverdue: row.days_overdue,
    remindersSent: remindersOf(row),
  }),
};

/** @type {TableRole<Invoice>} */
export const LEDGER = {
  type: "invoices.all",
  rows: ({ data }) => data.all,
  spec: {
    columns: [
      REFERENCE,
      CLIENT,
      SEGMENT,
      textColumn("status", "Status", (row) => row.status, {
        filter: "select",
        tone: ({ status, days_overdue: age }) => (status === "paid" ? "good" : status === "draft" ? "calm" : toneOf(age)),
      }),
      AMOUNT,
      textColumn("issue_date", "Issued", (row) => row.issue_date, { filter: "date-range" }),
      textColumn("due_date", "Due", (row) => row.due_date),
    ],
    filters: { q: "" },
    defaultSort: { key: "due_date", direction: "desc" },
    keeps: (row, { q = "" }) => mentions(q, row.reference, row.client_name),
  },
  summary: (row) => ({
    id: row.id,
    reference: row.reference,
    client: row.client_name,
    status: row.status,
    amount: row.amount,
    issueDate: row.issue_date,
    dueDate: row.due_date,
  }),
};

/** @type {TableRole<Client>} */
export const CLIENTS = {
  type: "clients.list",
  rows: ({ data }) => data.clients,
  spec: {
    columns: [
      textColumn("name", "Client", (row) => row.name, { pinned: true, wraps: true }),
      textColumn("segment", "Segment", (row) => row.segment, { filter: "select", wraps: true }),
      numberColumn("payment_terms_days", "Terms", (row) => row.payment_terms_days, days),
      numberColumn("open_invoices", "Open", (row) => row.open_invoices, String),
      numberColumn("outstanding", "Outstanding", (row) => row.outstanding, euros),
      numberColumn("overdue", "Overdue", (row) => row.overdue, euros),
      textColumn("email", "Address", (row) => row.email, { sortable: false }),
    ],
    filters: { q: "" },
    defaultSort: { key: "outstanding", direction: "desc" },
    keeps: (row, { q = "" }) => mentions(q, row.name),
  },
  summary: (row) => ({
    id: row.id,
    name: row.name,
    segment: row.segment,
    paymentTermsDays: row.payment_terms_days,
    openInvoices: row.open_invoices,
    outstanding: row.outstanding,
    overdue: row.overdue,
  }),
};
