/**
 * What a model is offered of the surface: a tool is a name, a description and a schema, and apart from them its state.
 *
 * Name, description and schema are the same bytes whatever state the page is in; only the state moves, and it travels
 * elsewhere. (Architecture, The transport.)
 *
 * @module
 */

/** @import { Registry } from "./registry.js" */
/** @import { Consumer, Json, JsonObject, Level, Request, Result } from "./types.js" */

/** @typedef {Readonly<{available: boolean, unavailableReason?: string, note?: string}>} ToolState */

/**
 * `registrationId` and `surfaceVersion` say which mount the tool was taken from.
 *
 * @typedef {Readonly<{
 *   name: string, canonicalId: string, plane: "view" | "domain", description: string, inputSchema: JsonObject,
 *   effect: string, confirmation: Level, state: ToolState, registrationId?: string, surfaceVersion?: string,
 * }>} Tool
 */

/** @typedef {Readonly<{input: Json, id: string, signal: AbortSignal}>} ToolCall */

/**
 * A way of offering the surface, direct or meta.
 *
 * @typedef {Readonly<{
 *   tools: () => Tool[], effectOf: (tool: Tool, input: Json) => string,
 *   canonicalIdOf: (tool: Tool, input: Json) => string, execute: (tool: Tool, call: ToolCall) => Promise<Result>,
 * }>} Toolset
 */

/** @typedef {"wait" | "two-phase"} ConfirmationMode */

export const calls = {
  /**
   * Carry out a call, and where a person has to be asked wait for the answer: the model gets one final result.
   *
   * @param {Registry} registry
   * @param {Request} request
   * @param {{consumer: Consumer, signal: AbortSignal, confirmations: ConfirmationMode}} options
   * @returns {Promise<Result>}
   */
  async invoke(registry, request, { consumer, signal, confirmations }) {
    const first = await registry.invoke(request, { consumer, signal });
    const { error } = first;
    if (confirmations !== "wait" || error?.code !== "CONFIRMATION_REQUIRED") return first;
    const confirmationId = error.details?.confirmationId;
    if (error.details?.origin !== "client" || typeof confirmationId !== "string") return first;
    await calls.waitForPerson(registry, confirmationId, signal);
    if (registry.disposed) return first;
    return registry.invoke({ ...request, invocationId: first.invocationId, confirmationId }, { consumer, signal });
  },

  /**
   * @param {Registry} registry
   * @param {string} confirmationId
   * @param {AbortSignal} signal
   */
  async waitForPerson(registry, confirmationId, signal) {
    await registry.confirmations.waitFor(confirmationId, signal);
  },
};
