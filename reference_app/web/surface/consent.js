/**
 * When a call needs a person's consent, and what exactly the person is asked.
 *
 * @module
 */

import { highest } from "./contracts.js";
import { rules } from "./confirmations.js";
import { shorten } from "./errors.js";
import { policies } from "./policies.js";

/** @import { Question } from "./confirmations.js" */
/** @import { Registry } from "./registry.js" */
/** @import { Candidate, Capability, Consumer, Json, Level } from "./types.js" */

export const consent = {
  /**
   * How strictly a call is confirmed: as declared, and always where a policy says so for this input.
   *
   * @param {Capability} capability
   * @param {Json} input
   * @returns {Level}
   */
  level(capability, input) {
    const escalated = policies.escalations(capability.policies, input).length > 0;
    return highest(capability.confirmation, escalated ? "required" : "never");
  },

  /**
   * The question about a call, with the input that would really be used.
   *
   * @param {Registry} registry
   * @param {Candidate} candidate
   * @param {Consumer} consumer
   * @param {Json} input
   * @returns {Question}
   */
  question(registry, { registration, capability }, consumer, input) {
    return {
      surfaceId: registry.surfaceId,
      registrationId: registration.id,
      capabilityId: capability.id,
      consumerKey: `${consumer.kind}:${consumer.id}`,
      effect: capability.effect,
      input,
      summary: consent.summary(capability, input),
    };
  },

  /**
   * @param {Capability} capability
   * @param {Json} input
   * @returns {string}
   */
  summary(capability, input) {
    try {
      const own = policies.escalations(capability.policies, input).find(({ summary }) => summary !== undefined);
      return shorten(own?.summary?.(input) ?? `${capability.description} — input: ${JSON.stringify(input)}`);
    } catch {
      return shorten(capability.description);
    }
  },

  /**
   * Let a call pass that needs no consent or brings it; what it brings is used up.
   *
   * @param {Registry} registry
   * @param {Capability} capability
   * @param {Question} question
   * @param {string | undefined} confirmationId
   */
  gate(registry, capability, question, confirmationId) {
    if (consent.level(capability, question.input) !== "required") return undefined;
    if (confirmationId === undefined) throw rules.required(registry.confirmations.request(question));
    return registry.confirmations.spend(confirmationId, question);
  },
};
