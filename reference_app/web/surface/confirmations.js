/**
 * Questions that a person answers before a call runs. An answer is good for one call with exactly that input, by that
 * consumer on that mount, and not for ever. (The dual-plane model, The invariants, 5.)
 *
 * @module
 */

import { iso } from "./clock.js";
import { digests } from "./digests.js";
import { refusals } from "./errors.js";
import { copy, equal } from "./json.js";
import { tokens } from "./tokens.js";

/** @import { Clock } from "./clock.js" */
/** @import { Limits } from "./limits.js" */
/** @import { Json, SurfaceEvent } from "./types.js" */

/**
 * What is asked. `input` is what would really run.
 *
 * @typedef {Readonly<{
 *   surfaceId: string, registrationId: string, capabilityId: string, consumerKey: string, effect: string, input: Json,
 *   summary: string,
 * }>} Question
 */

/** @typedef {"pending" | "approved" | "denied" | "expired" | "consumed"} State */

/**
 * @typedef {{
 *   readonly id: string, readonly question: Question, readonly digest: string, readonly requestedAt: number,
 *   expiresAt: number, approvedAt?: number, state: State, cancelTimer: () => void,
 * }} ConfirmationRecord
 */

const OVERFLOW_RETRY_MS = 1000;

export const rules = {
  /**
   * The text that two questions share when an answer to one is good for the other.
   *
   * @param {Question} question
   */
  digest({ surfaceId, registrationId, capabilityId, consumerKey, effect, input }) {
    return digests.canonicalJson({ surfaceId, registrationId, capabilityId, consumerKey, effectiveInput: input, effect });
  },

  /**
   * Whether an answer was given about this very call.
   *
   * @param {ConfirmationRecord} record
   * @param {Question} question
   */
  matches(record, question) {
    return record.digest === rules.digest(question) && equal(record.question.input, question.input);
  },

  /**
   * @param {number} expiresAt
   * @param {number} now
   */
  isExpired(expiresAt, now) {
    return expiresAt < now;
  },

  /**
   * @param {ConfirmationRecord} record
   * @param {Question} question
   */
  refuseUnlessApproved(record, question) {
    if (record.state === "pending" && rules.matches(record, question)) throw rules.required(record);
    if (record.state === "denied" || record.state === "expired" || record.state === "consumed") {
      throw refusals.confirmationInvalid(record.state);
    }
    if (record.state !== "approved") throw refusals.confirmationInvalid("mismatch");
  },

  /** @param {ConfirmationRecord} record */
  required({ id, question, expiresAt }) {
    return refusals.confirmationRequired({
      id,
      summary: question.summary,
      expiresAt: iso(expiresAt),
      effect: question.effect,
    });
  },
};

export class Confirmations {
  /** @type {Map<string, ConfirmationRecord>} */
  #records = new Map();
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #clock;
  #limits;
  #emit;

  /**
   * @param {Clock} clock
   * @param {Limits} limits
   * @param {(event: SurfaceEvent) => void} emit
   */
  constructor(clock, limits, emit) {
    this.#clock = clock;
    this.#limits = limits;
    this.#emit = emit;
  }

  /** @returns {ConfirmationRecord[]} the open questions, oldest first */
  pending() {
    return [...this.#records.values()].filter(({ state }) => state === "pending");
  }

  /**
   * Be told whenever a question was asked or is no longer open.
   *
   * @param {() => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Ask, or find that this very question is open already.
   *
   * @param {Question} question
   * @returns {ConfirmationRecord}
   */
  request(question) {
    const digest = rules.digest(question);
    const open = this.pending();
    const same = open.find((record) => record.digest === digest);
    if (same !== undefined) return same;
    if (open.length >= this.#limits.maxPendingConfirmations) throw refusals.rateLimited("queue-full", OVERFLOW_RETRY_MS);
    const now = this.#clock.now();
    const id = tokens.confirmation();
    /** @type {ConfirmationRecord} */
    const record = {
      id,
      question: { ...question, input: copy(question.input) },
      digest,
      requestedAt: now,
      expiresAt: now + this.#limits.confirmationTtlMs,
      state: "pending",
      cancelTimer: this.#clock.later(this.#limits.confirmationTtlMs, () => this.expire(id)),
    };
    this.#records.set(id, record);
    const { capabilityId } = question;
    this.#emit({ type: "confirmation-requested", confirmationId: id, capabilityId, expiresAt: iso(record.expiresAt) });
    this.#changed();
    return record;
  }

  /**
   * Take a person's answer.
   *
   * @param {string} id
   * @param {boolean} approved
   * @returns {boolean} false where the question is no longer open
   */
  resolve(id, approved) {
    const record = this.#records.get(id);
    if (record?.state !== "pending") return false;
    record.approvedAt = this.#clock.now();
    this.#close(record, approved ? "approved" : "denied");
    return true;
  }

  /** @param {string} id */
  expire(id) {
    const record = this.#records.get(id);
    if (record?.state !== "pending") return;
    record.expiresAt = Math.min(record.expiresAt, this.#clock.now());
    this.#close(record, "expired");
  }

  expireAll() {
    for (const { id } of this.pending()) this.expire(id);
  }

  /**
   * Use an answer up for one call.
   *
   * @param {string} id
   * @param {Question} question
   * @returns {{id: string, approvedAt: string}}
   */
  spend(id, question) {
    const record = this.#records.get(id);
    if (record === undefined) throw refusals.confirmationInvalid("mismatch");
    rules.refuseUnlessApproved(record, question);
    if (rules.isExpired(record.expiresAt, this.#clock.now())) {
      record.state = "expired";
      throw refusals.confirmationInvalid("expired");
    }
    if (!rules.matches(record, question)) throw refusals.confirmationInvalid("mismatch");
    this.consume(record);
    return { id, approvedAt: iso(record.approvedAt ?? this.#clock.now()) };
  }

  /** @param {ConfirmationRecord} record */
  consume(record) {
    record.state = "consumed";
  }

  /**
   * Wait until a question is no longer open, or until nobody waits for it any more.
   *
   * @param {string} id
   * @param {AbortSignal} signal
   * @returns {Promise<"approved" | "denied" | "expired">}
   */
  waitFor(id, signal) {
    return new Promise((resolve) => {
      const look = () => {
        const state = this.#records.get(id)?.state ?? "expired";
        if (state === "pending" && !signal.aborted) return;
        unsubscribe();
        signal.removeEventListener("abort", look);
        if (state === "denied") resolve("denied");
        else resolve(state === "approved" || state === "consumed" ? "approved" : "expired");
      };
      const unsubscribe = this.subscribe(look);
      signal.addEventListener("abort", look);
      look();
    });
  }

  dispose() {
    this.expireAll();
    this.#listeners.clear();
  }

  /**
   * @param {ConfirmationRecord} record
   * @param {"approved" | "denied" | "expired"} state
   */
  #close(record, state) {
    record.cancelTimer();
    record.state = state;
    this.#forgetOldest();
    this.#emit({ type: "confirmation-resolved", confirmationId: record.id, outcome: state });
    this.#changed();
  }

  #forgetOldest() {
    const closed = [...this.#records.values()].filter(({ state }) => state !== "pending");
    const surplus = Math.max(0, closed.length - this.#limits.maxResolvedConfirmations);
    for (const { id } of closed.slice(0, surplus)) this.#records.delete(id);
  }

  #changed() {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        console.error("a listener to confirmations failed", error);
      }
    }
  }
}
