/**
 * Running a handler under guard: it settles once, by its own end, a time-out, a cancel, or its component leaving.
 *
 * @module
 */

import { CapabilityError, refusals } from "./errors.js";

/** @import { Registry } from "./registry.js" */
/** @import { Candidate, Registration } from "./types.js" */

/**
 * @typedef {Readonly<{
 *   registry: Registry, candidate: Candidate, timeoutMs: number, caller: AbortSignal, abort: AbortController,
 * }>} Guard `abort` gives the handler its signal
 */

export const execution = {
  /**
   * @param {(signal: AbortSignal) => unknown} handler
   * @param {Guard} guard
   * @returns {Promise<unknown>} what the handler came to
   */
  run(handler, guard) {
    execution.checkMayStart(guard);
    return new Promise((resolve, reject) => {
      /** @type {(() => void)[]} */
      const undo = [];
      let starting = true;
      let settled = false;
      const settle = (/** @type {() => void} */ how) => {
        if (settled) return;
        settled = true;
        for (const action of undo) action();
        how();
      };
      const giveUp = (/** @type {CapabilityError} */ error) => {
        guard.abort.abort();
        settle(() => reject(error));
      };
      undo.push(execution.startTimer(guard, giveUp), onAbort(guard, giveUp));
      undo.push(
        guard.registry.onUnmount((registration) => {
          // a handler that completes at once settles before the unmount that it caused
          if (starting) queueMicrotask(() => execution.left(guard, registration, giveUp));
          else execution.left(guard, registration, giveUp);
        }),
      );
      const failed = (/** @type {unknown} */ error) => settle(() => reject(execution.failureOf(error, guard)));
      try {
        const value = handler(guard.abort.signal);
        if (isThenable(value)) Promise.resolve(value).then((found) => settle(() => resolve(found)), failed);
        else settle(() => resolve(value));
      } catch (error) {
        failed(error);
      } finally {
        starting = false;
      }
    });
  },

  /**
   * Nothing starts for a surface or component that is gone, or a caller who gave up.
   *
   * @param {Guard} guard
   */
  checkMayStart({ registry, candidate, caller }) {
    if (registry.disposed) throw refusals.cancelled("no");
    if (caller.aborted) throw refusals.cancelled("yes");
    if (candidate.registration.status !== "active") throw refusals.unmounted("mid-flight");
  },

  /**
   * @param {Guard} guard
   * @param {(error: CapabilityError) => void} giveUp
   * @returns {() => void}
   */
  startTimer({ registry, candidate, timeoutMs }, giveUp) {
    return registry.surroundings.clock.later(timeoutMs, () =>
      giveUp(refusals.timeout(timeoutMs, candidate.capability.idempotent)),
    );
  },

  /**
   * A component has left. If it is the one that runs, the call is over; a navigation is told and goes on.
   *
   * @param {Guard} guard
   * @param {Registration} registration
   * @param {(error: CapabilityError) => void} giveUp
   */
  left({ candidate, abort }, registration, giveUp) {
    if (registration !== candidate.registration) return;
    if (candidate.capability.effect === "navigation") abort.abort();
    else giveUp(refusals.unmounted("mid-flight"));
  },

  /**
   * What the caller reads of an exception: a typed one as it is, of any other no word.
   *
   * @param {unknown} error
   * @param {Guard} guard
   * @returns {CapabilityError}
   */
  failureOf(error, { candidate, abort }) {
    if (error instanceof CapabilityError) return error;
    const { kind, effect, id } = candidate.capability;
    if (effect === "navigation" && abort.signal.aborted) return refusals.cancelled("yes");
    console.error("a handler failed:", id, error);
    if (kind === "procedure") return refusals.transport(error instanceof TypeError);
    return refusals.executionFailed("handler-error");
  },
};

/**
 * @param {Guard} guard
 * @param {(error: CapabilityError) => void} giveUp
 * @returns {() => void}
 */
function onAbort({ registry, caller }, giveUp) {
  const cancelled = () => giveUp(refusals.cancelled(registry.disposed ? "no" : "yes"));
  caller.addEventListener("abort", cancelled);
  return () => caller.removeEventListener("abort", cancelled);
}

/**
 * @param {unknown} value
 * @returns {value is PromiseLike<unknown>}
 */
function isThenable(value) {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
