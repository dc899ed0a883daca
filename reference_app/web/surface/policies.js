/**
 * Rules about who may see and call a capability, and when a person is asked first; and how several of them combine.
 *
 * @module
 */

import { refusals } from "./errors.js";

/** @import { Json, JsonObject, Next, Policy, PolicyContext, Vote } from "./types.js" */

/** @type {Vote} */
const EXPOSE = Object.freeze({ vote: "expose" });
/** @type {Vote} */
const HIDE = Object.freeze({ vote: "hide" });

export const policies = {
  /**
   * What all policies together say about seeing a capability: one that hides wins, and one that fails hides.
   *
   * @param {readonly Policy[]} chain
   * @param {PolicyContext} context
   * @returns {Vote}
   */
  vote(chain, context) {
    const votes = chain.map((policy) => cast(policy, context));
    return votes.find(({ vote }) => vote === "hide") ?? votes.find(({ vote }) => vote === "disable") ?? EXPOSE;
  },

  /**
   * The policies that only vote; they are asked again at each call.
   *
   * @param {readonly Policy[]} chain
   * @returns {Policy[]}
   */
  votersOnly(chain) {
    return chain.filter((policy) => !policy.onAuthorize && !policy.onInvoke);
  },

  /**
   * Run the authorize hooks around a call, the first policy outermost. They are told nothing of the input.
   *
   * @param {readonly Policy[]} chain
   * @param {PolicyContext} context
   * @param {Next} inner
   */
  authorize(chain, context, inner) {
    return wrapped(chain, inner, (policy, next) => policy.onAuthorize?.(context, next) ?? next());
  },

  /**
   * Run the invoke hooks around a call; they see the input that will really be used.
   *
   * @param {readonly Policy[]} chain
   * @param {PolicyContext & {invocationId: string, effectiveInput: Json}} context
   * @param {Next} inner
   */
  invoke(chain, context, inner) {
    return wrapped(chain, inner, (policy, next) => policy.onInvoke?.(context, next) ?? next());
  },

  /**
   * The escalations that apply to an input; one whose condition fails applies.
   *
   * @param {readonly Policy[]} chain
   * @param {Json} input
   */
  escalations(chain, input) {
    return chain.flatMap(({ escalation }) => (escalation !== undefined && applies(escalation, input) ? [escalation] : []));
  },

  /**
   * Nothing exists for nobody: hidden, and a call is answered as not authenticated.
   *
   * @returns {Policy}
   */
  authenticated() {
    return {
      name: "authenticated",
      onDiscovery: ({ host }) => (host.user ? EXPOSE : HIDE),
      onAuthorize: async ({ host }, next) => {
        if (!host.user) throw refusals.notAuthenticated();
        return next();
      },
    };
  },

  /**
   * Hidden at discovery and at every call: for whom the check fails it answers as what never existed.
   *
   * @param {string} name
   * @param {(host: JsonObject) => boolean} check
   * @returns {Policy}
   */
  existsFor(name, check) {
    return { name, onDiscovery: ({ host }) => (check(host) ? EXPOSE : HIDE) };
  },

  /**
   * A person is asked first, for the inputs that a condition picks.
   *
   * @param {(input: Json) => boolean} when
   * @param {(input: Json) => string} summary
   * @returns {Policy}
   */
  requireConfirmation(when, summary) {
    return { name: "require-confirmation", escalation: { when, summary } };
  },
};

/**
 * @param {Policy} policy
 * @param {PolicyContext} context
 * @returns {Vote}
 */
function cast(policy, context) {
  try {
    return policy.onDiscovery?.(context) ?? EXPOSE;
  } catch {
    return HIDE;
  }
}

/**
 * @param {readonly Policy[]} chain
 * @param {Next} inner
 * @param {(policy: Policy, next: Next) => Promise<unknown>} hook
 * @returns {Promise<unknown>}
 */
function wrapped(chain, inner, hook) {
  const [first, ...rest] = chain;
  if (first === undefined) return inner();
  let passed = false;
  return hook(first, async () => {
    if (passed) throw new Error(`the policy ${first.name} passed a call on twice`);
    passed = true;
    return wrapped(rest, inner, hook);
  });
}

/**
 * @param {NonNullable<Policy["escalation"]>} escalation
 * @param {Json} input
 */
function applies(escalation, input) {
  try {
    return escalation.when(input);
  } catch {
    return true;
  }
}
