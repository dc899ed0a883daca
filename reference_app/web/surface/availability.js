/**
 * Whether a capability can be used in the page's present state, and the reason when it can't.
 *
 * State is disclosed with its reason, which is planning fuel; authority is another matter and hides.
 * (The dual-plane model, The invariants, 4.)
 *
 * @module
 */

/** @import { Availability, Capability, Conditional, Registration } from "./types.js" */

const DEFAULT_REASON = "Currently unavailable";

export const availability = {
  /**
   * @param {Registration} registration
   * @param {Capability} capability
   * @returns {Availability}
   */
  evaluate(registration, capability) {
    if (registration.status !== "active") return { available: false, reason: "component-unregistered" };
    if (!registration.enabled) return { available: false, reason: "component-disabled" };
    const pushed = registration.overrides.get(capability.name);
    if (pushed?.available === false) return { available: false, reason: pushed.reason ?? "unavailable" };
    return availability.byState(capability.source);
  },

  /**
   * What the component's own condition says now.
   *
   * @param {Conditional} source
   * @returns {Availability}
   */
  byState(source) {
    try {
      if (source.when === undefined || source.when() !== false) return { available: true };
    } catch {
      return { available: false, reason: "when-error" };
    }
    return { available: false, reason: reasonOf(source) };
  },
};

/**
 * @param {Conditional} source
 * @returns {string}
 */
function reasonOf({ unavailableReason }) {
  try {
    return (typeof unavailableReason === "function" ? unavailableReason() : unavailableReason) || DEFAULT_REASON;
  } catch {
    return DEFAULT_REASON;
  }
}
