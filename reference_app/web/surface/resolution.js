/**
 * Which mount a call means: the one that it was offered by, or the only one; never a guess.
 *
 * @module
 */

import { refusals } from "./errors.js";
import { parseId } from "./identifiers.js";

/** @import { Binding, Candidate, JsonObject, Request } from "./types.js" */

/**
 * What the caller may know of: what is mounted, what has left, and the page's version.
 *
 * @typedef {Readonly<{live: Candidate[], buried: Candidate[], version: string}>} Scene
 */

const VERSIONED = new Set(["destructive", "external-side-effect"]);

export const resolution = {
  /**
   * @param {Request} request
   * @param {Scene} scene
   * @returns {Candidate}
   */
  resolve(request, scene) {
    if (parseId(request.capabilityId) === undefined) throw refusals.notFound(request.capabilityId);
    const live = scene.live
      .filter(({ registration }) => request.instanceId === undefined || registration.component.instanceId === request.instanceId)
      .sort((left, right) => (instanceOf(left) < instanceOf(right) ? -1 : 1));
    const found =
      request.registrationId === undefined
        ? resolution.onlyOne(request, live, scene)
        : resolution.byRegistration(request, live, scene);
    const versioned = found.capability.kind === "procedure" && VERSIONED.has(found.capability.effect);
    if (versioned && request.surfaceVersion !== undefined && request.surfaceVersion !== scene.version) {
      throw refusals.stale("surface-version-mismatch");
    }
    return found;
  },

  /**
   * The very mount that is named.
   *
   * @param {Request} request
   * @param {Candidate[]} live
   * @param {Scene} scene
   * @returns {Candidate}
   */
  byRegistration(request, live, scene) {
    const exact = live.find(({ registration }) => registration.id === request.registrationId);
    if (exact !== undefined) return exact;
    const left = scene.buried.some(({ registration }) => registration.id === request.registrationId);
    const other = live[0];
    if (other !== undefined) {
      throw refusals.stale(left ? "registration-replaced" : "surface-reloaded", other.registration.id);
    }
    throw left ? refusals.unmounted("resolve") : refusals.notFound(request.capabilityId);
  },

  /**
   * The one mount that there is.
   *
   * @param {Request} request
   * @param {Candidate[]} live
   * @param {Scene} scene
   * @returns {Candidate}
   */
  onlyOne(request, live, scene) {
    const [first, second] = live;
    if (first === undefined) {
      throw scene.buried.length > 0 ? refusals.unmounted("resolve") : refusals.notFound(request.capabilityId);
    }
    if (second !== undefined) throw refusals.ambiguous(live.map(instance));
    return first;
  },
};

/** @param {Candidate} candidate */
function instanceOf({ registration }) {
  return registration.component.instanceId;
}

/**
 * @param {Candidate} candidate
 * @returns {JsonObject}
 */
function instance({ registration, capability }) {
  const described = { instanceId: registration.component.instanceId, registrationId: registration.id };
  if (capability.kind !== "procedure") return { ...described, description: registration.component.description };
  const { context } = /** @type {Binding} */ (capability.source);
  return context === undefined ? described : { ...described, context: { ...context } };
}
