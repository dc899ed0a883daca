/**
 * How much runs at once: one action a component and one call of a bound operation, some observations; the rest waits
 * in its order or is turned away.
 *
 * @module
 */

import { refusals } from "./errors.js";

/** @import { Limits } from "./limits.js" */

const RETRY_AFTER_MS = 250;

/** @typedef {{consumer: string, admit: () => void}} Waiter */

/** Slots of one kind: some run, some wait. */
export class Slots {
  /** @type {Map<string, number>} */
  #running = new Map();
  /** @type {Waiter[]} */
  #waiting = [];
  #bounds;

  /** @param {{total: number, each: number, waitingEach: number}} bounds */
  constructor(bounds) {
    this.#bounds = bounds;
  }

  get idle() {
    return this.#running.size === 0 && this.#waiting.length === 0;
  }

  /**
   * Wait for a slot.
   *
   * @param {string} consumer
   * @returns {Promise<void>}
   * @throws {CapabilityError} `RATE_LIMITED` where too many wait already
   */
  async enter(consumer) {
    if (this.#hasRoom(consumer)) {
      this.#take(consumer);
      return;
    }
    if (this.#waiting.filter((waiter) => waiter.consumer === consumer).length >= this.#bounds.waitingEach) {
      throw refusals.rateLimited("queue-full", RETRY_AFTER_MS);
    }
    await new Promise((/** @type {(value: void) => void} */ admit) => this.#waiting.push({ consumer, admit }));
  }

  /** @param {string} consumer */
  leave(consumer) {
    const left = (this.#running.get(consumer) ?? 1) - 1;
    if (left === 0) this.#running.delete(consumer);
    else this.#running.set(consumer, left);
    const next = this.#waiting.findIndex((waiter) => this.#hasRoom(waiter.consumer));
    if (next < 0) return;
    const [waiter] = this.#waiting.splice(next, 1);
    if (waiter === undefined) return;
    this.#take(waiter.consumer);
    waiter.admit();
  }

  /** Let everybody in: whoever waited finds that the surface is gone. */
  drain() {
    for (const { admit } of this.#waiting.splice(0)) admit();
  }

  /** @param {string} consumer */
  #hasRoom(consumer) {
    const total = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    return total < this.#bounds.total && (this.#running.get(consumer) ?? 0) < this.#bounds.each;
  }

  /** @param {string} consumer */
  #take(consumer) {
    this.#running.set(consumer, (this.#running.get(consumer) ?? 0) + 1);
  }
}

/** All slots of one surface. */
export class Queues {
  /** @type {Map<string, Slots>} */
  #groups = new Map();
  #limits;
  #observations;

  /** @param {Limits} limits */
  constructor(limits) {
    this.#limits = limits;
    this.#observations = new Slots({
      total: limits.maxConcurrentObservationsTotal,
      each: limits.maxConcurrentObservationsPerConsumer,
      waitingEach: limits.maxQueuedObservationsPerConsumer,
    });
  }

  /**
   * Wait for a slot, and return what gives it back.
   *
   * @param {string | undefined} group undefined for an observation
   * @param {string} consumer
   * @returns {Promise<() => void>}
   */
  async enter(group, consumer) {
    const slots = group === undefined ? this.#observations : this.#group(group);
    const who = group === undefined ? consumer : "";
    await slots.enter(who);
    return () => {
      slots.leave(who);
      if (group !== undefined && slots.idle) this.#groups.delete(group);
    };
  }

  drain() {
    for (const slots of [this.#observations, ...this.#groups.values()]) slots.drain();
  }

  /** @param {string} name */
  #group(name) {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const slots = new Slots({ total: 1, each: 1, waitingEach: this.#limits.actionQueueDepth });
    this.#groups.set(name, slots);
    return slots;
  }
}
