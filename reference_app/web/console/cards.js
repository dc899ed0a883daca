/**
 * Interaction cards as the page handles them: checked, sent, closed; and watched, because another tab may answer first.
 *
 * @module
 */

import { checking } from "../cards/check.js";
import { compiling } from "../cards/compile.js";
import { PENDING } from "../cards/template.js";
import { ServerError, api } from "../host/api.js";
import { iso } from "../surface/clock.js";

/** @import { CardLook } from "../host/api.js" */
/** @import { Conversation, InteractionEntry } from "../host/conversation.js" */
/** @import { Answer } from "../host/dispatch.js" */
/** @import { Clock } from "../surface/clock.js" */
/** @import { Json, JsonObject } from "../surface/types.js" */

/** @typedef {Readonly<{ok: boolean, text: string}>} Told */

const LOOK_EVERY_MS = 200;
const CLOSED = "This card is closed.";

export class Cards {
  /** @type {Set<string>} */
  #awaited = new Set();
  /** @type {Map<string, () => void>} */
  #wake = new Map();
  #isOver = false;
  #conversation;
  #clock;
  #resume;

  /**
   * @param {Conversation} conversation
   * @param {Clock} clock
   * @param {(look: CardLook) => void} resume goes on with a turn that this tab did not begin, or lost in a reload
   */
  constructor(conversation, clock, resume) {
    this.#conversation = conversation;
    this.#clock = clock;
    this.#resume = resume;
  }

  /**
   * Wait until a card is settled, here or elsewhere, or the turn is given up; the host knows the result.
   *
   * @param {string} callId
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async wait(callId, signal) {
    this.#awaited.add(callId);
    this.#conversation.presentInteraction(callId);
    const wake = () => this.#wake.get(callId)?.();
    signal.addEventListener("abort", wake);
    await this.#watch(callId, () => signal.aborted);
    signal.removeEventListener("abort", wake);
    this.#awaited.delete(callId);
    return { ok: true, value: PENDING, effect: "read" };
  }

  /** Close the cards that the running turn waits for: the person stopped it. */
  async withdrawAwaited() {
    await Promise.all([...this.#awaited].map((callId) => this.#send(callId, "cancel", this.#about(callId))));
  }

  /** Find out which cards of a stored thread can still be answered, and watch them. */
  async restore() {
    for (const { id } of this.#conversation.interactions.filter(({ state }) => cards.isOpen(state))) {
      await this.#look(id);
      void this.#watch(id, () => false);
    }
  }

  /** Watch no more. */
  leave() {
    this.#isOver = true;
    for (const wake of this.#wake.values()) wake();
  }

  /**
   * Check what was entered, and send it.
   *
   * @param {InteractionEntry} entry
   * @param {string} action
   * @returns {Promise<Told>}
   */
  async press(entry, action) {
    const problems = cards.problems(entry);
    if (problems.size > 0) {
      return { ok: false, text: [...problems].map(([name, problem]) => `${name}: ${problem}`).join("; ") };
    }
    const now = iso(this.#clock.now());
    return this.#settle(entry.id, "action", cards.payload(this.#conversation.id, entry, action, now));
  }

  /**
   * Close a card without an answer.
   *
   * @param {InteractionEntry} entry
   * @returns {Promise<Told>}
   */
  async close({ id }) {
    return this.#settle(id, "cancel", this.#about(id));
  }

  /**
   * @param {string} callId
   * @param {string} method
   * @param {JsonObject} payload
   * @returns {Promise<Told>}
   */
  async #settle(callId, method, payload) {
    const told = await this.#send(callId, method, payload);
    if (told.ok && !this.#awaited.has(callId)) this.#resume(await api.card(this.#conversation.id, callId));
    return told;
  }

  /**
   * @param {string} callId
   * @param {string} method
   * @param {JsonObject} payload
   * @returns {Promise<Told>}
   */
  async #send(callId, method, payload) {
    try {
      const { accepted, reason } = await cards.post(method, payload);
      if (accepted) return { ok: true, text: method === "cancel" ? "Closed." : "Sent." };
      return { ok: false, text: reason === "not-pending" ? CLOSED : "The answer was not accepted." };
    } catch (error) {
      return { ok: false, text: /** @type {Error} */ (error).message };
    } finally {
      await this.#look(callId);
    }
  }

  /** @param {string} callId */
  #about(callId) {
    return { session: this.#conversation.id, call: callId };
  }

  /**
   * Look at a card again and again until it is settled.
   *
   * @param {string} callId
   * @param {() => boolean} isGivenUp
   */
  async #watch(callId, isGivenUp) {
    while (!this.#isSettled(callId) && !isGivenUp() && !this.#isOver) {
      await new Promise((resolve) => {
        const cancel = this.#clock.later(LOOK_EVERY_MS, () => resolve(undefined));
        this.#wake.set(callId, () => {
          cancel();
          resolve(undefined);
        });
      });
      if (!this.#isSettled(callId) && !isGivenUp() && !this.#isOver) await this.#look(callId);
    }
    this.#wake.delete(callId);
  }

  /** @param {string} callId */
  #isSettled(callId) {
    return !this.#conversation.interactions.some(({ id, state }) => id === callId && cards.isOpen(state));
  }

  /**
   * Show a card as the host has it.
   *
   * @param {string} callId
   */
  async #look(callId) {
    try {
      const { result } = await api.card(this.#conversation.id, callId);
      this.#conversation.settleInteraction(callId, result);
    } catch (error) {
      const isGone = error instanceof ServerError && error.status === 404;
      if (isGone) this.#conversation.settleInteraction(callId, { status: "interrupted" });
    }
    if (this.#isSettled(callId)) this.#wake.get(callId)?.();
  }
}

export const cards = {
  /**
   * Whether a card of a state can be answered.
   *
   * @param {string} state
   */
  isOpen(state) {
    return state === "pending";
  },

  /**
   * What is wrong with what was entered.
   *
   * @param {InteractionEntry} entry
   */
  problems({ template, values }) {
    return checking.problems(template, values);
  },

  /**
   * What a click posts.
   *
   * @param {string} conversationId
   * @param {InteractionEntry} entry
   * @param {string} name the action
   * @param {string} timestamp
   * @returns {JsonObject}
   */
  payload(conversationId, entry, name, timestamp) {
    const surfaceId = compiling.surfaceId(conversationId, entry.id);
    const action = { name, surfaceId, sourceComponentId: `action-${name}`, timestamp, context: {} };
    const message = { version: "v0.9", action };
    return { session: conversationId, call: entry.id, message, dataModel: { ...entry.values } };
  },

  /**
   * @param {string} method
   * @param {JsonObject} payload
   */
  post(method, payload) {
    return api.cardRpc(method, payload);
  },
};

/**
 * The values of a card after one of its controls has changed.
 *
 * @param {JsonObject} values
 * @param {string} member
 * @param {Json} value
 * @returns {JsonObject}
 */
export function entered(values, member, value) {
  return member in values ? { ...values, [member]: value } : values;
}
