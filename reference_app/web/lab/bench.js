/**
 * A bench whose capabilities wait, fail and return what they should not.
 *
 * @module
 */

/** @import { Page } from "../console/page.js" */
/** @import { Handlers } from "../surface/contracts.js" */
/** @import { JsonObject } from "../surface/types.js" */

/** A text that only the bench knows, and that no answer may carry. */
const CANARY = "CANARY-FERN-8842";
const HUGE = 40_000;

export class Bench {
  count = 0;
  onPage = true;
  #gate = Promise.withResolvers();
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** @returns {Handlers} */
  handlers() {
    const bumpBy = (/** @type {JsonObject} */ { by }) => this.bump(Number(by));
    return {
      reads: {
        readCount: { read: () => ({ count: this.count }) },
        readSlowly: { read: () => this.#readSlowly() },
        readBroken: { read: () => ({ count: "many" }) },
        readHuge: { read: () => "x".repeat(HUGE) },
      },
      does: {
        bump: { execute: bumpBy },
        bumpWhenAsked: { execute: bumpBy },
        hold: { execute: () => this.#hold() },
        holdAgain: { execute: () => this.#hold() },
        crash: { execute: crash },
        refuse: {
          execute: () => this.bump(1),
          precondition: () => ({ message: "The bench accepts nothing today.", details: { accepts: [] } }),
        },
        leaveWhileRunning: { execute: () => this.#leaveWhileRunning() },
      },
    };
  }

  /** @param {number} by */
  bump(by) {
    this.count += by;
    this.#page.touch();
  }

  /** Let everyone who waits go on; who comes later waits again. */
  letGo() {
    this.#gate.resolve(undefined);
    this.#gate = Promise.withResolvers();
  }

  /** @param {boolean} onPage */
  put(onPage) {
    this.onPage = onPage;
    this.#page.touch();
  }

  async #readSlowly() {
    await this.#gate.promise;
    return { count: this.count };
  }

  async #hold() {
    await this.#gate.promise;
    this.bump(1);
  }

  /** Go, and stay running: the call is over with its owner. */
  async #leaveWhileRunning() {
    this.put(false);
    await this.#gate.promise;
    this.bump(1);
  }
}

function crash() {
  throw new Error(`${CANARY}: the bench broke at /srv/lab/bench.js`);
}
