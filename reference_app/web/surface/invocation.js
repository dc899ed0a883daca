/**
 * The one path of every call: ten phases in a fixed order, each able to end it with a typed error.
 *
 * Identity, resolution, availability, authority, effective input, consent, precondition, admission, execution, output.
 * Nothing that an earlier snapshot said is trusted: each phase asks again.
 *
 * @module
 */

import { availability } from "./availability.js";
import { binding } from "./binding.js";
import { consent } from "./consent.js";
import { DedupeCache, fingerprint } from "./dedupe.js";
import { CapabilityError, refusals } from "./errors.js";
import { execution } from "./execution.js";
import { isObject } from "./json.js";
import { outputs } from "./outputs.js";
import { policies } from "./policies.js";
import { Queues } from "./queues.js";
import { resolution } from "./resolution.js";
import { tokens } from "./tokens.js";
import { validation } from "./validation.js";

/** @import { Registry } from "./registry.js" */
/** @import { Limits } from "./limits.js" */
/** @import { Binding, CallOptions, Candidate, Capability, Consumer, Doing, HandlerContext, Json, JsonObject, Reading, Request, Result } from "./types.js" */

/**
 * One call on its way, and what was learnt on the way.
 *
 * @typedef {{
 *   readonly id: string, readonly request: Request, readonly consumer: Consumer, readonly caller: AbortSignal,
 *   readonly abort: AbortController, readonly timeoutMs: number | undefined, readonly startedAt: number,
 *   readonly startedVersion: string, input: Json, confirmation?: {id: string, approvedAt: string},
 * }} Call
 */

/** The phases that are rules of their own. */
export const phases = {
  /**
   * Phase 3: ask the page again whether it is in the right state.
   *
   * @param {Candidate} candidate
   */
  checkAvailable({ registration, capability }) {
    const state = availability.evaluate(registration, capability);
    if (!state.available) throw refusals.notAvailable(state.reason ?? "Currently unavailable");
  },

  /**
   * Phase 4: ask the policies again that only vote.
   *
   * @param {Registry} registry
   * @param {Candidate} candidate
   * @param {Consumer} consumer
   */
  checkVote(registry, candidate, consumer) {
    const voters = policies.votersOnly(registry.policiesOf(candidate));
    const vote = policies.vote(voters, registry.policyContext(candidate, consumer));
    if (vote.vote === "hide") throw refusals.notFound(candidate.capability.id);
    if (vote.vote === "disable") throw refusals.notAvailable(vote.reason);
  },

  /**
   * Phase 5: the input that will really be used; an observation takes none.
   *
   * @param {Capability} capability
   * @param {Json | undefined} given
   * @returns {JsonObject}
   */
  effectiveInput(capability, given) {
    if (capability.kind === "observation") return {};
    if (capability.kind === "procedure") {
      return binding.effectiveInput(capability, /** @type {Binding} */ (capability.source), given);
    }
    const issues = validation.validate(capability.inputSchema, given ?? null);
    if (issues.length > 0) throw refusals.invalidInput(issues);
    return isObject(given) ? given : {};
  },

  /**
   * Phase 7: ask the component whether it would do it.
   *
   * @param {Capability} capability
   * @param {JsonObject} input
   * @param {HandlerContext} context
   */
  checkPrecondition(capability, input, context) {
    if (capability.kind !== "action") return;
    const failure = /** @type {Doing} */ (capability.source).precondition?.(input, context);
    if (failure) throw refusals.precondition(failure.message, failure.details);
  },
};

export class Invoker {
  #registry;
  #seen;
  #queues;
  #disposal = new AbortController();

  /** @param {Registry} registry */
  constructor(registry) {
    this.#registry = registry;
    this.#seen = new DedupeCache(registry.surroundings.limits);
    this.#queues = new Queues(registry.surroundings.limits);
  }

  /**
   * Run a call, join the one that it repeats, or give back what that one came to.
   *
   * @param {Request} request
   * @param {CallOptions & {consumer: Consumer}} options
   * @returns {Promise<Result>}
   */
  invoke(request, options) {
    const call = this.#begin(request, options);
    const key = `${consumerKey(call.consumer)} ${call.id}`;
    const print = fingerprint(request);
    /** @type {Promise<Result> | undefined} */
    let known;
    try {
      known = this.#seen.find(key, print, call.startedAt);
    } catch (error) {
      this.#announce(call);
      return Promise.resolve(this.#settle(call, undefined, /** @type {CapabilityError} */ (error)));
    }
    if (known !== undefined) return known;
    const result = this.#attempt(call, key);
    this.#seen.begin(key, print, result);
    return result;
  }

  dispose() {
    this.#disposal.abort();
    this.#queues.drain();
  }

  /**
   * @param {Request} request
   * @param {CallOptions & {consumer: Consumer}} options
   * @returns {Call}
   */
  #begin(request, options) {
    const signals = options.signal === undefined ? [] : [options.signal];
    return {
      id: request.invocationId ?? tokens.invocation(),
      request,
      consumer: options.consumer,
      caller: AbortSignal.any([...signals, this.#disposal.signal]),
      abort: new AbortController(),
      timeoutMs: options.timeoutMs,
      startedAt: this.#now,
      startedVersion: this.#registry.version,
      input: null,
    };
  }

  /**
   * @param {Call} call
   * @param {string} key
   * @returns {Promise<Result>}
   */
  async #attempt(call, key) {
    await null; // the cache knows the call before it can come to its end
    this.#announce(call);
    let output;
    let failure;
    try {
      output = /** @type {Json | undefined} */ (await this.#resolved(call));
    } catch (error) {
      if (!(error instanceof CapabilityError)) console.error("the pipeline failed on", call.request.capabilityId, error);
      failure = error instanceof CapabilityError ? error : refusals.executionFailed("handler-error");
    }
    const result = this.#settle(call, output, failure);
    this.#seen.end(key, result, this.#now);
    return result;
  }

  /**
   * Phases 2 to 4; the rest runs inside the authorize hooks.
   *
   * @param {Call} call
   */
  #resolved(call) {
    const registry = this.#registry;
    const { capabilityId } = call.request;
    const candidate = resolution.resolve(call.request, {
      live: registry.known(registry.candidates(capabilityId), call.consumer),
      buried: registry.known(registry.buried(capabilityId), call.consumer),
      version: registry.version,
    });
    phases.checkAvailable(candidate);
    phases.checkVote(registry, candidate, call.consumer);
    const context = registry.policyContext(candidate, call.consumer);
    return policies.authorize(registry.policiesOf(candidate), context, () => this.#authorized(call, candidate));
  }

  /**
   * Phase 5, then the invoke hooks around the rest.
   *
   * @param {Call} call
   * @param {Candidate} candidate
   */
  async #authorized(call, candidate) {
    const input = phases.effectiveInput(candidate.capability, call.request.input);
    call.input = input;
    const context = {
      ...this.#registry.policyContext(candidate, call.consumer),
      invocationId: call.id,
      effectiveInput: input,
    };
    const chain = this.#registry.policiesOf(candidate);
    return policies.invoke(chain, context, () => this.#consented(call, candidate, input));
  }

  /**
   * Phases 6 to 8: consent, precondition, a slot.
   *
   * @param {Call} call
   * @param {Candidate} candidate
   * @param {JsonObject} input
   */
  async #consented(call, candidate, input) {
    const { capability, registration } = candidate;
    if (this.#registry.disposed) throw refusals.cancelled("no");
    if (capability.kind !== "observation") {
      const question = consent.question(this.#registry, candidate, call.consumer, input);
      call.confirmation = consent.gate(this.#registry, capability, question, call.request.confirmationId);
    }
    phases.checkPrecondition(capability, input, this.#context(call, candidate));
    const leave = await this.#queues.enter(groupOf(registration.id, capability), consumerKey(call.consumer));
    try {
      const value = await this.#execute(call, candidate, input);
      return outputs.check(capability, value, this.#registry.surroundings.limits);
    } finally {
      leave();
    }
  }

  /**
   * Phase 9.
   *
   * @param {Call} call
   * @param {Candidate} candidate
   * @param {JsonObject} input
   */
  #execute(call, candidate, input) {
    const { limits, executor } = this.#registry.surroundings;
    const { capability } = candidate;
    const context = this.#context(call, candidate);
    const guard = {
      registry: this.#registry,
      candidate,
      timeoutMs: call.timeoutMs ?? timeoutOf(capability, limits),
      caller: call.caller,
      abort: call.abort,
    };
    if (capability.kind === "observation") {
      return execution.run(() => /** @type {Reading} */ (capability.source).read(context), guard);
    }
    if (capability.kind === "action") {
      return execution.run(() => /** @type {Doing} */ (capability.source).execute(input, context), guard);
    }
    return execution.run(
      (signal) => executor.execute(capability.name, input, { signal, invocationId: call.id }),
      guard,
    );
  }

  /**
   * @param {Call} call
   * @param {Candidate} candidate
   * @returns {HandlerContext}
   */
  #context(call, { registration, capability }) {
    return {
      capabilityId: capability.id,
      registrationId: registration.id,
      consumer: call.consumer,
      host: this.#registry.hostContext(),
      invocationId: call.id,
      signal: call.abort.signal,
      confirmation: call.confirmation,
    };
  }

  get #now() {
    return this.#registry.surroundings.clock.now();
  }

  /** @param {Call} call */
  #announce({ id, request, consumer }) {
    this.#registry.emit({
      type: "invocation-started",
      invocationId: id,
      capabilityId: request.capabilityId,
      consumerId: consumer.id,
    });
  }

  /**
   * @param {Call} call
   * @param {Json | undefined} output
   * @param {CapabilityError} [failure]
   * @returns {Result}
   */
  #settle(call, output, failure) {
    const registry = this.#registry;
    /** @type {Result} */
    const result = {
      status: failure === undefined ? "ok" : "error",
      invocationId: call.id,
      capabilityId: call.request.capabilityId,
      ...(failure === undefined ? (output === undefined ? {} : { output }) : { error: failure.payload }),
      surfaceVersion: registry.version,
      ...(registry.version === call.startedVersion ? {} : { surfaceChanged: true }),
    };
    registry.emit({
      type: "invocation-settled",
      invocationId: call.id,
      capabilityId: call.request.capabilityId,
      status: result.status,
      code: result.error?.code,
      durationMs: this.#now - call.startedAt,
    });
    return result;
  }
}

/** @param {Consumer} consumer */
function consumerKey({ kind, id }) {
  return `${kind}:${id}`;
}

/**
 * What a call shares its slot with: an action with all actions of its component, a bound operation with its own calls.
 *
 * @param {string} registrationId
 * @param {Capability} capability
 */
function groupOf(registrationId, capability) {
  if (capability.kind === "observation") return undefined;
  return capability.kind === "action" ? `instance:${registrationId}` : `proc:${capability.id}`;
}

/**
 * @param {Capability} capability
 * @param {Limits} limits
 */
function timeoutOf({ kind }, limits) {
  if (kind === "observation") return limits.observationTimeoutMs;
  return kind === "action" ? limits.actionTimeoutMs : limits.procedureTimeoutMs;
}
