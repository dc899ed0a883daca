/**
 * The surface of one page: what is mounted now, under which version, and what has left.
 *
 * @module
 */

import { DefinitionError, DisposedError } from "./errors.js";
import { Emitter } from "./events.js";
import { Invoker } from "./invocation.js";
import { Confirmations } from "./confirmations.js";
import { policies } from "./policies.js";
import { snapshots } from "./snapshot.js";
import { tokens } from "./tokens.js";

/** @import { Authority } from "./authority.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Limits } from "./limits.js" */
/** @import { View, Snapshot } from "./snapshot.js" */
/** @import { Availability, CallOptions, Candidate, Component, Consumer, JsonObject, Policy, PolicyContext, Registration, Request, Result, SurfaceEvent } from "./types.js" */

/**
 * Carries bound operations to the server.
 *
 * @typedef {Readonly<{
 *   paths: readonly string[],
 *   execute: (path: string, input: JsonObject, call: {signal: AbortSignal, invocationId: string}) => Promise<unknown>,
 * }>} Executor
 */

/**
 * What a surface is made with. `host` is what policies may know of the page's surroundings, `route` the address whose
 * view is on the screen.
 *
 * @typedef {Readonly<{
 *   authority: Authority, clock: Clock, limits: Limits, policies: readonly Policy[], host: () => JsonObject,
 *   route: () => string, executor: Executor,
 * }>} Surroundings
 */

/** @type {Consumer} */
const ANONYMOUS = Object.freeze({ id: "anonymous", kind: "embedded" });

export class Registry {
  surfaceId = tokens.surface();
  disposed = false;
  #version = 0;
  #announced = false;
  /** @type {Map<string, Registration>} */
  #live = new Map();
  /** @type {{registration: Registration, expiresAt: number}[]} */
  #buried = [];
  /** @type {Set<(registration: Registration) => void>} */
  #watchers = new Set();
  #emitter = new Emitter();

  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    this.surroundings = surroundings;
    this.confirmations = new Confirmations(surroundings.clock, surroundings.limits, (event) => this.emit(event));
    this.invoker = new Invoker(this);
  }

  /** @returns {string} moves whenever a snapshot may have become another one */
  get version() {
    return String(this.#version);
  }

  /** @param {(event: SurfaceEvent) => void} listener */
  subscribe(listener) {
    return this.#emitter.subscribe(listener);
  }

  /** @param {SurfaceEvent} event */
  emit(event) {
    this.#emitter.emit(event);
  }

  /**
   * Mount a component.
   *
   * @param {Component} component
   * @returns {Handle} a dead one where the same type and instance is mounted already
   * @throws {DefinitionError} for what the compiled contract does not vouch for
   */
  register(component) {
    if (this.disposed) throw new DisposedError();
    this.#checkAuthority(component);
    /** @type {Registration} */
    const registration = {
      id: tokens.registration(),
      component,
      status: "active",
      enabled: true,
      overrides: new Map(),
    };
    const described = { componentType: component.type, instanceId: component.instanceId };
    const key = `${component.type}#${component.instanceId}`;
    if (this.#live.has(key)) {
      registration.status = "rejected";
      this.emit({ type: "component-rejected", ...described, reason: "duplicate" });
      return new Handle(this, registration);
    }
    this.#live.set(key, registration);
    this.#moved();
    this.emit({ type: "component-registered", registrationId: registration.id, ...described });
    return new Handle(this, registration);
  }

  /** @param {Component} component */
  #checkAuthority(component) {
    if (!this.surroundings.authority.vouchesFor(component)) {
      throw new DefinitionError("INVALID_DEFINITION", `${component.type} was not bound to a compiled contract`);
    }
    const unknown = component.capabilities.find(
      ({ kind, name }) => kind === "procedure" && !this.surroundings.executor.paths.includes(name),
    );
    if (unknown !== undefined) {
      throw new DefinitionError("PLANE_VIOLATION", `${unknown.name} is not an operation that may be bound`);
    }
  }

  /** @param {Registration} registration */
  unregister(registration) {
    if (registration.status !== "active") return;
    registration.status = "unregistered";
    const { type, instanceId } = registration.component;
    this.#live.delete(`${type}#${instanceId}`);
    this.#bury(registration);
    for (const watcher of [...this.#watchers]) watcher(registration);
    this.#moved();
    this.emit({ type: "component-unregistered", registrationId: registration.id, componentType: type, instanceId });
  }

  /** @param {Registration} registration */
  #bury(registration) {
    const { clock, limits } = this.surroundings;
    this.#buried.push({ registration, expiresAt: clock.now() + limits.tombstoneTtlMs });
    this.#buried.splice(0, Math.max(0, this.#buried.length - limits.tombstoneSize));
  }

  /**
   * Take note of what a component's state makes available, and of the state itself.
   *
   * @param {Registration} registration
   * @param {{[name: string]: Availability}} available by the capability's name
   */
  push(registration, available) {
    if (registration.status !== "active") return;
    for (const [name, state] of Object.entries(available)) {
      const before = registration.overrides.get(name);
      if (before?.available === state.available && before.reason === state.reason) continue;
      registration.overrides.set(name, state);
      const capability = registration.component.capabilities.find((item) => item.name === name);
      this.emit({
        type: "availability-changed",
        registrationId: registration.id,
        capabilityId: capability?.id ?? name,
        available: state.available,
      });
    }
    this.#moved();
  }

  #moved() {
    this.#version += 1;
    if (this.#announced) return;
    this.#announced = true;
    queueMicrotask(() => {
      this.#announced = false;
      if (!this.disposed) this.emit({ type: "surface-changed", surfaceVersion: this.version });
    });
  }

  /**
   * Be told of every component that leaves.
   *
   * @param {(registration: Registration) => void} watcher
   * @returns {() => void} what ends it
   */
  onUnmount(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** @returns {Registration[]} what is mounted, in no order */
  live() {
    return [...this.#live.values()];
  }

  /**
   * Everything mounted that has a capability id.
   *
   * @param {string} capabilityId
   * @returns {Candidate[]}
   */
  candidates(capabilityId) {
    return carriers(this.live(), capabilityId);
  }

  /**
   * Everything that had a capability id and left not long ago, the latest last.
   *
   * @param {string} capabilityId
   * @returns {Candidate[]}
   */
  buried(capabilityId) {
    const now = this.surroundings.clock.now();
    this.#buried = this.#buried.filter(({ expiresAt }) => expiresAt > now);
    return carriers(this.#buried.map(({ registration }) => registration), capabilityId);
  }

  /**
   * Those of some candidates that a consumer may know of.
   *
   * @param {Candidate[]} candidates
   * @param {Consumer} consumer
   */
  known(candidates, consumer) {
    return candidates.filter((candidate) => {
      const voters = policies.votersOnly(this.policiesOf(candidate));
      return policies.vote(voters, this.policyContext(candidate, consumer)).vote !== "hide";
    });
  }

  /** @param {Candidate} candidate */
  policiesOf(candidate) {
    return [...this.surroundings.policies, ...candidate.capability.policies];
  }

  /**
   * @param {Candidate} candidate
   * @param {Consumer} consumer
   * @returns {PolicyContext}
   */
  policyContext({ registration, capability }, consumer) {
    return {
      capabilityId: capability.id,
      kind: capability.kind,
      effect: capability.effect,
      registrationId: registration.id,
      consumer,
      host: this.hostContext(),
      now: this.surroundings.clock.now(),
    };
  }

  /** @returns {JsonObject} */
  hostContext() {
    try {
      return this.surroundings.host();
    } catch {
      return {};
    }
  }

  /**
   * @param {View} view
   * @returns {Snapshot}
   */
  snapshot(view) {
    return snapshots.take(this, view);
  }

  /**
   * Call a capability. What goes wrong is in the result; only a surface that is gone raises.
   *
   * @param {Request} request
   * @param {CallOptions} [options]
   * @returns {Promise<Result>}
   */
  invoke(request, options = {}) {
    if (this.disposed) throw new DisposedError();
    return this.invoker.invoke(request, { ...options, consumer: options.consumer ?? ANONYMOUS });
  }

  /** Let go of everything; what is under way is settled as cancelled. */
  dispose() {
    if (this.disposed) return;
    this.disposed = true;
    this.invoker.dispose();
    this.confirmations.dispose();
    this.#emitter.clear();
  }
}

/** One mount, in the hands of the component that made it. */
export class Handle {
  #registry;
  #registration;

  /**
   * @param {Registry} registry
   * @param {Registration} registration
   */
  constructor(registry, registration) {
    this.#registry = registry;
    this.#registration = registration;
  }

  get id() {
    return this.#registration.id;
  }

  get status() {
    return this.#registration.status;
  }

  /** @param {{[name: string]: Availability}} available */
  push(available) {
    this.#registry.push(this.#registration, available);
  }

  unregister() {
    this.#registry.unregister(this.#registration);
  }
}

/**
 * @param {Registration[]} registrations
 * @param {string} capabilityId
 * @returns {Candidate[]}
 */
function carriers(registrations, capabilityId) {
  return registrations.flatMap((registration) =>
    registration.component.capabilities
      .filter(({ id }) => id === capabilityId)
      .map((capability) => ({ registration, capability })),
  );
}
