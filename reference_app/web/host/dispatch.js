/**
 * Carrying out a call that the host left to the browser. Whatever happens, it gets an answer.
 *
 * @module
 */

/** @import { Offer } from "./catalog.js" */
/** @import { PendingCall } from "./frames.js" */
/** @import { Tool, Toolset } from "../surface/tools.js" */
/** @import { Json, Result, Retry } from "../surface/types.js" */

/**
 * What a call came to, as the model will read it.
 *
 * @typedef {Readonly<{ok: boolean, value: Json, effect: string}>} Answer
 */

/**
 * @param {string} code
 * @param {string} message
 * @param {Retry} retry
 * @returns {Answer}
 */
function failure(code, message, retry) {
  return { ok: false, value: { error: { code, message, retry } }, effect: "unknown" };
}

/** The answer to a call that is not carried out any more. */
export const NOT_EXECUTED = failure(
  "TOOL_NOT_EXECUTED",
  "The run ended before this tool produced a result. Call it again.",
  "yes",
);

export const dispatching = {
  /**
   * Carry a call out on the very mount that offered it.
   *
   * @param {Toolset} toolset
   * @param {Offer} offer
   * @param {PendingCall} call
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async dispatch(toolset, offer, { wireName, toolCallId, canonicalId, input }, signal) {
    const tool = offer.tools.find(({ name }) => name === wireName);
    if (tool === undefined || !dispatching.isLive(toolset, tool)) {
      const message = `Tool ${wireName} is not present on the current surface.`;
      return failure("CAPABILITY_NOT_FOUND", message, "after-refresh");
    }
    const given = input ?? {};
    const effect = toolset.effectOf(tool, given);
    try {
      return dispatching.answer(await toolset.execute(tool, { input: given, id: toolCallId, signal }), effect);
    } catch (error) {
      console.error("the surface failed on", canonicalId, error);
      return { ...failure("EXECUTION_FAILED", "The page could not carry this out.", "no"), effect };
    }
  },

  /**
   * Whether a tool of this name is on the page now.
   *
   * @param {Toolset} toolset
   * @param {Tool} tool
   */
  isLive(toolset, tool) {
    return toolset.tools().some(({ name }) => name === tool.name);
  },

  /**
   * The output, `{done: true}` where there is none, or the typed error.
   *
   * @param {Result} result
   * @param {string} effect
   * @returns {Answer}
   */
  answer({ output, error }, effect) {
    if (error === undefined) return { ok: true, value: output === undefined ? { done: true } : output, effect };
    return { ok: false, value: { error: /** @type {Json} */ ({ ...error }) }, effect };
  },
};
