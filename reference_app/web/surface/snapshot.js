/**
 * What a consumer may see of the page at one moment, with what is unavailable and why. Taking it runs no handler that
 * reads data, and the value shares nothing with the live page.
 *
 * @module
 */

import { availability } from "./availability.js";
import { iso } from "./clock.js";
import { DisposedError } from "./errors.js";
import { binding } from "./binding.js";
import { copy, deepFreeze } from "./json.js";
import { policies } from "./policies.js";
import { scopes } from "./scope.js";

/** @import { Registry } from "./registry.js" */
/** @import { Availability, Binding, Candidate, Consumer, Kind, Level, Link, Registration, JsonObject } from "./types.js" */

/** @typedef {Readonly<{consumer: Consumer, scope?: readonly string[]}>} View */

/**
 * @typedef {Readonly<{
 *   capabilityId: string, name: string, kind: Kind, description: string, inputSchema: JsonObject,
 *   outputSchema?: JsonObject, effect: string, idempotent: boolean, reversible: boolean, confirmation: Level,
 *   available: boolean, unavailableReason?: string, registrationId: string, instanceId: string,
 *   boundFields: readonly Readonly<{path: string, locked: boolean, source: "ui-state"}>[], contextualNote?: string,
 *   context?: Link,
 * }>} Described
 */

/**
 * @typedef {Readonly<{
 *   type: string, instanceId: string, registrationId: string, description: string, parent?: Link,
 *   observations: readonly Described[], actions: readonly Described[],
 * }>} DescribedComponent
 */

/**
 * @typedef {Readonly<{
 *   surfaceId: string, surfaceVersion: string, capturedAt: string, route: string,
 *   components: readonly DescribedComponent[], procedures: readonly Described[],
 * }>} Snapshot
 */

export const snapshots = {
  /**
   * @param {Registry} registry
   * @param {View} view
   * @returns {Snapshot}
   */
  take(registry, view) {
    if (registry.disposed) throw new DisposedError();
    const found = snapshots.mounted(registry).map((registration) => ({
      registration,
      shown: registration.component.capabilities.flatMap((capability) => {
        const described = visible(registry, { registration, capability }, view);
        return described === undefined ? [] : [described];
      }),
    }));
    return deepFreeze({
      surfaceId: registry.surfaceId,
      surfaceVersion: registry.version,
      capturedAt: iso(registry.surroundings.clock.now()),
      route: registry.surroundings.route(),
      components: found.flatMap(({ registration, shown }) => component(registration, shown)),
      procedures: found.flatMap(({ shown }) => shown.filter(({ kind }) => kind === "procedure")),
    });
  },

  /**
   * What is on the page, in an order that has nothing to do with when it was mounted.
   *
   * @param {Registry} registry
   * @returns {Registration[]}
   */
  mounted(registry) {
    return registry.live().sort(({ component: left }, { component: right }) => {
      if (left.priority !== right.priority) return right.priority - left.priority;
      return compare(left.type, right.type) || compare(left.instanceId, right.instanceId);
    });
  },

  /**
   * How a consumer sees a capability: available, unavailable with a reason, or not at all.
   *
   * @param {Registry} registry
   * @param {Candidate} candidate
   * @param {Consumer} consumer
   * @returns {Availability | undefined}
   */
  stateOf(registry, candidate, consumer) {
    const vote = policies.vote(registry.policiesOf(candidate), registry.policyContext(candidate, consumer));
    if (vote.vote === "hide") return undefined;
    if (vote.vote === "disable") return { available: false, reason: vote.reason };
    return availability.evaluate(candidate.registration, candidate.capability);
  },

  /**
   * Whether what is visible is listed: also while it is unavailable.
   *
   * @param {Availability} _state
   * @returns {boolean}
   */
  isListed(_state) {
    return true;
  },

  /**
   * Describe a capability. The note on its present context stays apart from the description.
   *
   * @param {Candidate} candidate
   * @param {Availability} state
   * @returns {Described}
   */
  describe({ registration, capability }, state) {
    return {
      capabilityId: capability.id,
      name: capability.name,
      kind: capability.kind,
      description: capability.description,
      inputSchema: copy(capability.inputSchema),
      outputSchema: capability.outputSchema === undefined ? undefined : copy(capability.outputSchema),
      effect: capability.effect,
      idempotent: capability.idempotent,
      reversible: capability.reversible,
      confirmation: capability.confirmation,
      available: state.available,
      unavailableReason: state.reason,
      registrationId: registration.id,
      instanceId: registration.component.instanceId,
      ...(capability.kind === "procedure" ? context(/** @type {Binding} */ (capability.source)) : { boundFields: [] }),
    };
  },
};

/**
 * @param {Registry} registry
 * @param {Candidate} candidate
 * @param {View} view
 * @returns {Described | undefined}
 */
function visible(registry, candidate, view) {
  if (!isInScope(candidate, view.scope ?? [])) return undefined;
  const state = snapshots.stateOf(registry, candidate, view.consumer);
  return state === undefined || !snapshots.isListed(state) ? undefined : snapshots.describe(candidate, state);
}

/**
 * @param {Candidate} candidate
 * @param {readonly string[]} prefixes
 */
function isInScope({ registration, capability }, prefixes) {
  const owner = capability.kind === "procedure" ? /** @type {Binding} */ (capability.source).context : undefined;
  return scopes.includes(owner?.type ?? registration.component.type, prefixes);
}

/** @param {Binding} source */
function context(source) {
  return {
    boundFields: source.boundKeys.map((path) => ({
      path,
      locked: binding.isLocked(source, path),
      source: /** @type {"ui-state"} */ ("ui-state"),
    })),
    contextualNote: noteOf(source),
    context: source.context,
  };
}

/** @param {Binding} source */
function noteOf(source) {
  try {
    return source.describe?.() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Registration} registration
 * @param {Described[]} shown
 * @returns {DescribedComponent[]} none where nothing of it is visible but bound operations
 */
function component(registration, shown) {
  const observations = shown.filter(({ kind }) => kind === "observation");
  const actions = shown.filter(({ kind }) => kind === "action");
  if (observations.length + actions.length === 0) return [];
  const { type, instanceId, description, parent } = registration.component;
  return [{ type, instanceId, registrationId: registration.id, description, parent, observations, actions }];
}

/**
 * @param {string} left
 * @param {string} right
 */
function compare(left, right) {
  return left < right ? -1 : left > right ? 1 : 0;
}
