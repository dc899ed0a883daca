/**
 * A stop for a model that goes on doing what fails: for one turn, over the calls of both planes.
 *
 * @module
 */

import { digests } from "../surface/digests.js";
import { isObject } from "../surface/json.js";

/** @import { Json } from "../surface/types.js" */

const MAX_IDENTICAL = 3;
const MAX_CONSECUTIVE = 4;

/**
 * What makes two calls the same, whatever the order of their keys.
 *
 * @param {string} canonicalId
 * @param {Json | undefined} input a call without one has an empty one
 * @returns {string}
 */
export function callKey(canonicalId, input) {
  return `${canonicalId}:${digests.canonicalJson(input ?? {})}`;
}

export class LoopGuard {
  #consecutive = 0;
  /** @type {Map<string, number>} */
  #failures = new Map();
  /** @type {Set<string>} */
  #refused = new Set();

  /**
   * Take note of a result. A success ends a row of failures; what failed the same way before, and what was refused for
   * good, stays on record.
   *
   * @param {string} canonicalId
   * @param {Json | undefined} input
   * @param {{ok: boolean, value: Json}} result
   * @returns {string | undefined} why the turn has to stop
   */
  record(canonicalId, input, { ok, value }) {
    if (ok) {
      this.#consecutive = 0;
      return undefined;
    }
    const key = callKey(canonicalId, input);
    const identical = (this.#failures.get(key) ?? 0) + 1;
    this.#consecutive += 1;
    this.#failures.set(key, identical);
    if (this.#refused.has(key)) return `${canonicalId} was called again after it had answered that this is no use.`;
    if (isObject(value) && isObject(value.error) && value.error.retry === "no") this.#refused.add(key);
    if (identical >= MAX_IDENTICAL) return `${canonicalId} failed ${identical} times with the same input.`;
    if (this.#consecutive >= MAX_CONSECUTIVE) {
      return `${this.#consecutive} calls in a row failed, the last one of ${canonicalId}.`;
    }
    return undefined;
  }
}
