/**
 * One id, one execution: a call that is repeated under its id joins the first, or gets what that one came to.
 *
 * @module
 */

import { digests } from "./digests.js";
import { refusals } from "./errors.js";

/** @import { Limits } from "./limits.js" */
/** @import { Request, Result } from "./types.js" */

/** @typedef {{print: string, result: Promise<Result>, expiresAt: number | undefined}} Entry */

const TRY_AGAIN = new Set(["CONFIRMATION_REQUIRED", "RATE_LIMITED"]);

/**
 * What makes two requests the same one.
 *
 * @param {Request} request
 * @returns {string}
 */
export function fingerprint({ capabilityId, registrationId, instanceId, surfaceVersion, input, confirmationId }) {
  return digests.fnv1a64(
    digests.canonicalJson({
      capabilityId,
      registrationId: registrationId ?? null,
      instanceId: instanceId ?? null,
      surfaceVersion: surfaceVersion ?? null,
      input: input ?? null,
      confirmationId: confirmationId ?? null,
    }),
  );
}

export class DedupeCache {
  /** @type {Map<string, Entry>} */
  #entries = new Map();
  #limits;

  /** @param {Limits} limits */
  constructor(limits) {
    this.#limits = limits;
  }

  /**
   * What is known of a call.
   *
   * @param {string} key consumer and invocation id
   * @param {string} print the request's fingerprint
   * @param {number} now
   * @returns {Promise<Result> | undefined}
   * @throws {CapabilityError} `INVOCATION_CONFLICT` for another request under the same id
   */
  find(key, print, now) {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt !== undefined && entry.expiresAt <= now) {
      this.#entries.delete(key);
      return undefined;
    }
    if (entry.print !== print) throw refusals.conflict();
    return entry.result;
  }

  /**
   * @param {string} key
   * @param {string} print
   * @param {Promise<Result>} result
   */
  begin(key, print, result) {
    this.#entries.set(key, { print, result, expiresAt: undefined });
  }

  /**
   * @param {string} key
   * @param {Result} result
   * @param {number} now
   */
  end(key, result, now) {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    if (TRY_AGAIN.has(result.error?.code ?? "")) {
      this.#entries.delete(key);
      return;
    }
    entry.expiresAt = now + this.#limits.dedupeCacheTtlMs;
    this.#evict();
  }

  #evict() {
    for (const [key, { expiresAt }] of this.#entries) {
      if (this.#entries.size <= this.#limits.dedupeCacheSize || expiresAt === undefined) return;
      this.#entries.delete(key);
    }
  }
}
