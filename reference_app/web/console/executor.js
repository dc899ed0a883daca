/**
 * Bound operations on their way to the server: as the person's own call over /rpc, and never with more authority.
 *
 * @module
 */

import { ServerError, UnreachableError } from "../host/api.js";
import { CapabilityError, refusals } from "../surface/errors.js";

/** @import { RpcCall } from "../host/api.js" */
/** @import { Executor } from "../surface/registry.js" */
/** @import { Json, JsonObject } from "../surface/types.js" */

const REFUSED = new Set(["UNAUTHORIZED", "FORBIDDEN"]);

/**
 * @param {readonly string[]} paths what the contextual manifest lists; nothing else can be executed
 * @param {(path: string, input: JsonObject, call: RpcCall) => Promise<Json>} rpc
 * @returns {Executor}
 */
export function rpcExecutor(paths, rpc) {
  return {
    paths,
    execute: async (path, input, call) => {
      if (!paths.includes(path)) throw refusals.transport(false);
      try {
        return await rpc(path, input, call);
      } catch (error) {
        if (error instanceof UnreachableError) throw refusals.transport(true);
        throw error instanceof ServerError ? meaningOf(error) : error;
      }
    },
  };
}

/**
 * What a server's error means to the caller; its text stays behind.
 *
 * @param {ServerError} error
 * @returns {CapabilityError}
 */
export function meaningOf({ status, code, approvalId }) {
  if (REFUSED.has(code) || status === 401 || status === 403) return refusals.notAuthorized("server");
  if (approvalId !== undefined || code === "APPROVAL_REQUIRED") return approvalRequired(approvalId);
  if (code === "NOT_FOUND") {
    const message = "The server does not find what the page is bound to. Look at the current state.";
    return refusals.refuse("PRECONDITION_FAILED", message, "after-refresh");
  }
  if (code === "BAD_REQUEST") {
    return refusals.refuse("INVALID_INPUT", "The server does not accept this input. Correct it.", "with-changes");
  }
  return refusals.transport(false);
}

/** @param {string | undefined} approvalId */
function approvalRequired(approvalId) {
  const details = { origin: "server", ...(approvalId === undefined ? {} : { confirmationId: approvalId }) };
  const message = "The server wants this approved by a person first.";
  return refusals.refuse("CONFIRMATION_REQUIRED", message, "with-confirmation", details);
}
