/**
 * One of two cards on the clients' screen; which client it shows is in the address.
 *
 * @module
 */

import { param, withParams } from "./address.js";

/** @import { Handlers } from "../surface/contracts.js" */
/** @import { Json, JsonObject, PreconditionFailure } from "../surface/types.js" */
/** @import { Client } from "./data.js" */
/** @import { Page } from "./page.js" */

/** @typedef {"left" | "right"} Side */

const EMPTY_REASON = "This card shows no client";

export class CardModel {
  /**
   * @param {Page} page
   * @param {Side} side
   */
  constructor(page, side) {
    this.page = page;
    this.side = side;
  }

  /** @returns {Client | undefined} the client on the card */
  client() {
    const named = param(this.page.shown, this.side);
    return /^\d+$/.test(named) ? this.#find(Number(named)) : undefined;
  }

  /** @param {number} id */
  #find(id) {
    return this.page.data.clients.find((client) => client.id === id);
  }

  /** @param {number | undefined} id undefined takes the client off the card */
  show(id) {
    this.page.go(withParams(this.page.asked, { [this.side]: id === undefined ? undefined : String(id) }));
  }

  /** @returns {Handlers} */
  handlers() {
    return {
      instanceId: this.side,
      parent: { type: "clients.list", instanceId: "default" },
      reads: { readCard: { read: () => this.read() } },
      does: {
        showClient: {
          execute: ({ clientId }) => this.show(Number(clientId)),
          precondition: (input) => this.#isUnknown(input),
        },
        clearCard: {
          execute: () => this.show(undefined),
          when: () => this.client() !== undefined,
          unavailableReason: EMPTY_REASON,
        },
      },
    };
  }

  /** @returns {Json} */
  read() {
    const client = this.client();
    if (client === undefined) return { client: null };
    return {
      client: {
        clientId: client.id,
        name: client.name,
        segment: client.segment,
        email: client.email,
        paymentTermsDays: client.payment_terms_days,
        openInvoices: client.open_invoices,
        outstanding: client.outstanding,
        overdue: client.overdue,
      },
    };
  }

  /**
   * @param {JsonObject} input
   * @returns {PreconditionFailure | undefined}
   */
  #isUnknown({ clientId }) {
    if (this.#find(Number(clientId)) !== undefined) return undefined;
    return { message: "There is no such client.", details: { clientIds: this.page.data.clients.map(({ id }) => id) } };
  }
}
