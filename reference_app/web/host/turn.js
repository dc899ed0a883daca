/**
 * One turn: step after step until the model is done, a limit is reached, something fails, or the person stops it.
 *
 * Whatever ends it, every call in the history has exactly one result afterwards.
 *
 * @module
 */

import { CAPABILITY } from "../cards/template.js";
import { catalogs } from "./catalog.js";
import { NOT_EXECUTED, dispatching } from "./dispatch.js";
import { LoopGuard } from "./loop-guard.js";
import { settling } from "./settle.js";
import { steps } from "./step.js";

/** @import { Offer } from "./catalog.js" */
/** @import { Conversation } from "./conversation.js" */
/** @import { Answer } from "./dispatch.js" */
/** @import { FrameError, PendingCall } from "./frames.js" */
/** @import { Settling } from "./settle.js" */
/** @import { StepLog, Watchers } from "./step.js" */
/** @import { Clock } from "../surface/clock.js" */
/** @import { Toolset } from "../surface/tools.js" */

/** @typedef {Readonly<{status: "completed" | "error" | "cancelled", steps: number, error?: FrameError}>} TurnEnd */

/**
 * What a turn works with. `toolset` makes the toolset of a scope, `scopeFor` knows the scope of a path.
 *
 * @typedef {Readonly<{
 *   page: Settling & {path: () => string}, clock: Clock, mode: string, watchers: Watchers,
 *   toolset: (scope: readonly string[]) => Toolset, scopeFor: (path: string) => readonly string[],
 *   turnSteps: number, turnDeadlineMs: number, settleMs: number,
 *   cards: {wait: (callId: string, signal: AbortSignal) => Promise<Answer>},
 * }>} Workbench
 */

export class Turn {
  #bench;
  #conversation;
  #id;
  #path;
  #startedAt;
  #steps = 0;
  #firstStep;
  #hasWaited;
  #guard = new LoopGuard();
  #stop = new AbortController();

  /**
   * @param {Workbench} bench
   * @param {Conversation} conversation
   * @param {string} id
   * @param {number} [firstStep] of a turn that goes on after a card was answered
   */
  constructor(bench, conversation, id, firstStep = 0) {
    this.#firstStep = firstStep;
    this.#hasWaited = firstStep > 0;
    this.#bench = bench;
    this.#conversation = conversation;
    this.#id = id;
    this.#path = bench.page.path();
    this.#startedAt = bench.clock.now();
  }

  /** Give the turn up, as the person's stop button does. */
  stop() {
    this.#stop.abort();
  }

  /**
   * Go through the steps.
   *
   * @returns {Promise<TurnEnd>}
   */
  async run() {
    for (;;) {
      const limit = this.#limit();
      if (limit !== undefined) return limit;
      const end = await this.#step();
      if (end !== undefined) return end;
    }
  }

  /** @returns {TurnEnd | undefined} */
  #limit() {
    if (this.#stop.signal.aborted) return this.#ended("cancelled");
    const problem = turns.overLimit(this.#bench, this.#steps, this.#bench.clock.now() - this.#startedAt);
    return problem === undefined ? undefined : this.#overLimit(problem);
  }

  /** @returns {Promise<TurnEnd | undefined>} */
  async #step() {
    await this.#settle();
    const scope = this.#bench.scopeFor(this.#path);
    const toolset = this.#bench.toolset(scope);
    const offer = catalogs.compose(this.#bench.mode, scope, toolset.tools());
    const excess = catalogs.excess(offer, this.#conversation.history);
    if (excess !== undefined) return this.#ended("error", { code: "CATALOG_TOO_LARGE", message: excess });
    const address = { turnId: this.#id, index: this.#firstStep + this.#steps, pathname: this.#path };
    this.#steps += 1;
    let log;
    try {
      log = await steps.run(address, this.#conversation, offer, this.#bench.watchers, this.#stop.signal);
    } catch (error) {
      if (this.#stop.signal.aborted) return this.#ended("cancelled");
      throw error;
    }
    return this.#afterStep(log, toolset, offer);
  }

  /**
   * Take what a step came to; a step with an error adds nothing to the history.
   *
   * @param {StepLog} log
   * @param {Toolset} toolset
   * @param {Offer} offer
   */
  async #afterStep(log, toolset, offer) {
    if (this.#hasWaited && turns.isTaken(log)) {
      this.#bench.watchers.notice("The conversation went on in another tab; open it again to see it.");
      return this.#ended("cancelled");
    }
    if (log.error !== undefined || log.finish === undefined) return this.#ended("error", log.error);
    const { responseMessages, pendingToolCalls } = log.finish;
    this.#conversation.history.push(...responseMessages);
    const problem = this.#recordServerResults(log);
    if (problem !== undefined) {
      this.#leave(pendingToolCalls);
      return this.#overLimit(problem);
    }
    return pendingToolCalls.length === 0 ? this.#ended("completed") : this.#carryOut(pendingToolCalls, toolset, offer);
  }

  /** @param {StepLog} log */
  #recordServerResults({ results, inputs }) {
    const verdicts = results.map(({ canonicalId, toolCallId, ok, result }) =>
      this.#guard.record(canonicalId, inputs.get(toolCallId), { ok, value: result }),
    );
    return verdicts.find((verdict) => verdict !== undefined);
  }

  /**
   * Carry out the browser's calls.
   *
   * @param {readonly PendingCall[]} calls
   * @param {Toolset} toolset
   * @param {Offer} offer
   * @returns {Promise<TurnEnd | undefined>}
   */
  #carryOut(calls, toolset, offer) {
    return turns.inOrder(calls, async (call, index) => {
      if (this.#stop.signal.aborted) {
        this.#leave(calls.slice(index));
        return this.#ended("cancelled");
      }
      if (call.canonicalId === CAPABILITY) {
        await this.#present(call);
        return undefined;
      }
      const answer = await dispatching.dispatch(toolset, offer, call, this.#stop.signal);
      this.#conversation.answer(call, answer);
      await this.#follow(call, answer);
      const problem = this.#guard.record(call.canonicalId, call.input, answer);
      if (problem === undefined) return undefined;
      this.#leave(calls.slice(index + 1));
      return this.#overLimit(problem);
    });
  }

  /**
   * Leave a card to the person; the time that this takes is not the turn's.
   *
   * @param {PendingCall} call
   */
  async #present(call) {
    const before = this.#bench.clock.now();
    this.#conversation.answer(call, await this.#bench.cards.wait(call.toolCallId, this.#stop.signal));
    this.#startedAt += this.#bench.clock.now() - before;
    this.#hasWaited = true;
  }

  /**
   * Wait for the page after a call that may have changed it; follow a navigation with the scope.
   *
   * @param {PendingCall} call
   * @param {Answer} answer
   */
  async #follow({ canonicalId }, { ok, effect }) {
    if (canonicalId.startsWith("domain:")) return;
    if (effect !== "read") await this.#settle();
    if (turns.leadsOn(ok, effect)) this.#path = this.#bench.page.path();
  }

  #settle() {
    return settling.settle(this.#bench.page, this.#bench.clock, this.#bench.settleMs);
  }

  /** @param {readonly PendingCall[]} calls */
  #leave(calls) {
    for (const call of calls) turns.leaveUnexecuted(this.#conversation, call);
  }

  /**
   * @param {TurnEnd["status"]} status
   * @param {FrameError} [error]
   * @returns {TurnEnd}
   */
  #ended(status, error) {
    return error === undefined ? { status, steps: this.#steps } : { status, steps: this.#steps, error };
  }

  /** @param {string} message */
  #overLimit(message) {
    return this.#ended("error", { code: "RUN_LIMIT_EXCEEDED", message });
  }
}

export const turns = {
  /**
   * Which of a turn's bounds is reached.
   *
   * @param {{turnSteps: number, turnDeadlineMs: number}} bounds
   * @param {number} steps how many were taken
   * @param {number} elapsedMs
   * @returns {string | undefined}
   */
  overLimit({ turnSteps, turnDeadlineMs }, steps, elapsedMs) {
    if (steps >= turnSteps) return `The turn took ${turnSteps} steps without an end.`;
    return elapsedMs >= turnDeadlineMs ? `The turn took ${turnDeadlineMs} ms without an end.` : undefined;
  },

  /**
   * Carry out one call after the other, until one of them ends the turn.
   *
   * @param {readonly PendingCall[]} calls
   * @param {(call: PendingCall, index: number) => Promise<TurnEnd | undefined>} carryOut
   * @returns {Promise<TurnEnd | undefined>}
   */
  async inOrder(calls, carryOut) {
    for (const [index, call] of calls.entries()) {
      const end = await carryOut(call, index);
      if (end !== undefined) return end;
    }
    return undefined;
  },

  /**
   * Whether another tab of the conversation has gone on after a card that both of them showed.
   *
   * @param {StepLog} log
   */
  isTaken({ error }) {
    return error?.code === "STEP_CONFLICT";
  },

  /**
   * Whether the following steps are about the page that a call led to.
   *
   * @param {boolean} ok
   * @param {string} effect
   */
  leadsOn(ok, effect) {
    return ok && effect === "navigation";
  },

  /**
   * Give a call that is not carried out any more its one answer.
   *
   * @param {Conversation} conversation
   * @param {PendingCall} call
   */
  leaveUnexecuted(conversation, call) {
    conversation.answer(call, NOT_EXECUTED);
  },
};
