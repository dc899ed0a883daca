/**
 * What happens on a surface, told to whoever listens: after it happened, in the order in which it happened.
 *
 * @module
 */

/** @import { SurfaceEvent } from "./types.js" */

export class Emitter {
  /** @type {Set<(event: SurfaceEvent) => void>} */
  #listeners = new Set();
  /** @type {SurfaceEvent[]} */
  #waiting = [];
  #delivering = false;

  /**
   * @param {(event: SurfaceEvent) => void} listener
   * @returns {() => void} what ends the subscription
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Deliver an event; one that a listener causes comes after it.
   *
   * @param {SurfaceEvent} event
   */
  emit(event) {
    this.#waiting.push(event);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) this.#deliver(next);
    } finally {
      this.#delivering = false;
    }
  }

  /** @param {SurfaceEvent} event */
  #deliver(event) {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        console.error("a listener failed on", event.type, error);
      }
    }
  }

  clear() {
    this.#listeners.clear();
  }
}
