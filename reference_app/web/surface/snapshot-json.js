/**
 * A snapshot as it is sent to the model in meta mode: each kind with its own fields, what does not apply left out.
 *
 * @module
 */

import { copy } from "./json.js";

/** @import { Described, DescribedComponent, Snapshot } from "./snapshot.js" */
/** @import { Json, JsonObject } from "./types.js" */

/**
 * @param {Snapshot} snapshot
 * @returns {JsonObject}
 */
export function snapshotJson({ surfaceId, surfaceVersion, capturedAt, route, components, procedures }) {
  return {
    surfaceId,
    surfaceVersion,
    capturedAt,
    route,
    components: components.map(componentJson),
    procedures: procedures.map(capabilityJson),
  };
}

/**
 * @param {DescribedComponent} component
 * @returns {JsonObject}
 */
function componentJson({ type, instanceId, registrationId, description, parent, observations, actions }) {
  return present({
    type,
    instanceId,
    registrationId,
    description,
    parent: parent && { ...parent },
    observations: observations.map(capabilityJson),
    actions: actions.map(capabilityJson),
  });
}

/**
 * @param {Described} item
 * @returns {JsonObject}
 */
function capabilityJson(item) {
  const { available, unavailableReason, description, outputSchema } = item;
  const common = { description, available, unavailableReason, outputSchema };
  if (item.kind === "observation") return present({ capabilityId: item.capabilityId, name: item.name, ...common });
  const acting = { inputSchema: item.inputSchema, effect: item.effect, confirmation: item.confirmation };
  if (item.kind === "action") {
    const { capabilityId, name, idempotent, reversible } = item;
    return present({ capabilityId, name, ...common, ...acting, idempotent, reversible });
  }
  return present({
    procedureId: item.capabilityId,
    ...common,
    ...acting,
    registrationId: item.registrationId,
    boundFields: item.boundFields.map((field) => ({ ...field })),
    contextualNote: item.contextualNote,
    context: item.context && { ...item.context },
  });
}

/**
 * @param {{[key: string]: Json | undefined}} fields
 * @returns {JsonObject}
 */
function present(fields) {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return copy(Object.fromEntries(/** @type {[string, Json][]} */ (kept)));
}
