/**
 * Direct mode: one tool for each visible capability, the unavailable ones included.
 *
 * @module
 */

import { planeOf } from "./identifiers.js";
import { calls } from "./tools.js";
import { wireNames } from "./wire-names.js";

/** @import { Registry } from "./registry.js" */
/** @import { Described, Snapshot } from "./snapshot.js" */
/** @import { ConfirmationMode, Tool, Toolset } from "./tools.js" */
/** @import { Consumer, JsonObject } from "./types.js" */

export const offers = {
  /**
   * The tools of a snapshot, in its order.
   *
   * @param {Snapshot} snapshot
   * @returns {Tool[]}
   */
  tools(snapshot) {
    const keyed = offers.keys(snapshot);
    const names = wireNames.assign(keyed);
    return keyed.map(({ id, suffix, item }) => tool(item, names.get(wireNames.key(id, suffix)) ?? "", snapshot));
  },

  /**
   * What the names are made of: with a suffix where several mounts would share one.
   *
   * @param {Snapshot} snapshot
   * @returns {{id: string, suffix?: string, item: Described}[]}
   */
  keys({ components, procedures }) {
    const types = counts(components.map(({ type }) => type));
    const ids = counts(procedures.map(({ capabilityId }) => capabilityId));
    const view = components.flatMap(({ type, instanceId, observations, actions }) =>
      [...observations, ...actions].map((item) => ({
        id: item.capabilityId,
        suffix: (types.get(type) ?? 0) > 1 ? instanceId : undefined,
        item,
      })),
    );
    const bound = procedures.map((item) => ({
      id: item.capabilityId,
      suffix: (ids.get(item.capabilityId) ?? 0) > 1 ? suffixOf(item) : undefined,
      item,
    }));
    return [...view, ...bound];
  },

  /**
   * Plane and effect before the authored text. Nothing in it depends on the state of the page.
   *
   * @param {Described} item
   * @returns {string}
   */
  describe(item) {
    const gate = item.confirmation === "required" ? " · requires confirmation" : "";
    return `[${planeOf(item.capabilityId)} · ${item.effect}${gate}] ${item.description}`;
  },

  /**
   * The schema that is offered: a bound operation's without its locked fields.
   *
   * @param {Described} item
   * @returns {JsonObject}
   */
  inputSchema(item) {
    return item.inputSchema;
  },
};

/**
 * @param {Registry} registry
 * @param {{consumer: Consumer, scope: readonly string[], confirmations: ConfirmationMode}} options
 * @returns {Toolset}
 */
export function directToolset(registry, { consumer, scope, confirmations }) {
  return {
    tools: () => offers.tools(registry.snapshot({ consumer, scope })),
    effectOf: ({ effect }) => effect,
    canonicalIdOf: ({ canonicalId }) => canonicalId,
    execute: ({ canonicalId, effect, registrationId, surfaceVersion }, { input, id, signal }) =>
      calls.invoke(
        registry,
        {
          capabilityId: canonicalId,
          invocationId: id,
          registrationId,
          surfaceVersion,
          ...(effect === "read" ? {} : { input }),
        },
        { consumer, signal, confirmations },
      ),
  };
}

/** @param {Described} item */
function suffixOf({ context, registrationId }) {
  return context?.instanceId ?? registrationId.replace(/[^A-Za-z0-9_-]/g, "");
}

/** @param {string[]} names */
function counts(names) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}

/**
 * @param {Described} item
 * @param {string} name
 * @param {Snapshot} snapshot
 * @returns {Tool}
 */
function tool(item, name, { surfaceVersion }) {
  return {
    name,
    canonicalId: item.capabilityId,
    plane: planeOf(item.capabilityId),
    description: offers.describe(item),
    inputSchema: offers.inputSchema(item),
    effect: item.effect,
    confirmation: item.confirmation,
    state: { available: item.available, unavailableReason: item.unavailableReason, note: item.contextualNote },
    registrationId: item.registrationId,
    surfaceVersion,
  };
}
