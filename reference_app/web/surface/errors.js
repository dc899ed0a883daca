/**
 * What can go wrong: defects of a definition, which its author sees, and typed errors, which the caller reads.
 *
 * Every typed error is made here, each with its retry hint and details, so that no two spellings of it exist. Messages
 * are at most 300 characters and name nothing that only the implementation knows.
 *
 * @module
 */

/** @import { ErrorPayload, Issue, JsonObject, Retry } from "./types.js" */

const MAX_MESSAGE = 300;

/** A component or contract that can't be put on the surface; never told to a caller. */
export class DefinitionError extends Error {
  /**
   * @param {string} code
   * @param {string} problem
   */
  constructor(code, problem) {
    super(`[${code}] ${problem}`);
    this.name = "DefinitionError";
    this.code = code;
  }
}

/** The surface was disposed of and is used all the same. */
export class DisposedError extends Error {
  constructor() {
    super("this surface was disposed of; use the one that replaced it");
    this.name = "DisposedError";
  }
}

/** A typed error on its way to the caller. */
export class CapabilityError extends Error {
  /** @param {ErrorPayload} payload */
  constructor(payload) {
    super(payload.message);
    this.name = "CapabilityError";
    this.payload = payload;
  }
}

/**
 * Cut a text to a number of characters, the last of them an ellipsis when something was cut.
 *
 * @param {string} text
 * @param {number} [limit]
 * @returns {string}
 */
export function shorten(text, limit = MAX_MESSAGE) {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

export const refusals = {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Retry} retry
   * @param {JsonObject} [details]
   * @returns {CapabilityError}
   */
  refuse(code, message, retry, details) {
    const payload = { code, message: shorten(message), retry };
    return new CapabilityError(details === undefined ? payload : { ...payload, details });
  },

  /** @param {string} id */
  notFound(id) {
    return refusals.refuse(
      "CAPABILITY_NOT_FOUND",
      `${id} is not on the page. Look at the current catalog.`,
      "after-refresh",
    );
  },

  /** @param {string} reason */
  notAvailable(reason) {
    return refusals.refuse("CAPABILITY_NOT_AVAILABLE", `Not available now: ${reason}`, "after-refresh", { reason });
  },

  /** @param {JsonObject[]} instances */
  ambiguous(instances) {
    return refusals.refuse(
      "AMBIGUOUS_INSTANCE",
      "Several components on the page offer this. Say which instance is meant.",
      "with-changes",
      { instances },
    );
  },

  /** @param {"resolve" | "mid-flight"} phase */
  unmounted(phase) {
    return refusals.refuse(
      "COMPONENT_UNMOUNTED",
      "The component has left the page. Look at the current catalog.",
      "after-refresh",
      { phase },
    );
  },

  /**
   * @param {"registration-replaced" | "surface-reloaded" | "surface-version-mismatch"} reason
   * @param {string} [liveRegistrationId]
   */
  stale(reason, liveRegistrationId) {
    /** @type {JsonObject} */
    const details = { reason };
    if (liveRegistrationId !== undefined) details.liveRegistrationId = liveRegistrationId;
    return refusals.refuse(
      "STALE_CAPABILITY",
      "The page has changed since this was offered. Look at the current catalog.",
      "after-refresh",
      details,
    );
  },

  conflict() {
    return refusals.refuse(
      "INVOCATION_CONFLICT",
      "This invocation id was used for another request. Use a new one.",
      "with-changes",
      { reason: "id-reused-with-different-request" },
    );
  },

  /** @param {readonly Issue[]} issues */
  invalidInput(issues) {
    return refusals.refuse("INVALID_INPUT", "The input does not fit the schema. Correct it.", "with-changes", {
      issues: issues.map(({ path, message }) => ({ path, message })),
    });
  },

  /** @param {readonly string[]} keys */
  lockedFields(keys) {
    return refusals.refuse(
      "INVALID_INPUT",
      `The page fills these fields in and nobody else: ${keys.join(", ")}. Leave them out.`,
      "with-changes",
      { lockedFields: [...keys] },
    );
  },

  notAuthenticated() {
    return refusals.refuse("NOT_AUTHENTICATED", "Nobody is signed in on this page.", "no");
  },

  /** @param {"client" | "server"} origin */
  notAuthorized(origin) {
    return refusals.refuse("NOT_AUTHORIZED", "The signed-in person may not do this.", "no", { origin });
  },

  /**
   * @param {string} message
   * @param {JsonObject} [details]
   */
  precondition(message, details) {
    return refusals.refuse("PRECONDITION_FAILED", message, "with-changes", details);
  },

  bindingFailed() {
    return refusals.refuse(
      "PRECONDITION_FAILED",
      "The page could not fill in what it is bound to. Look at its current state.",
      "after-refresh",
      { reason: "binding-failed" },
    );
  },

  /** @param {{id: string, summary: string, expiresAt: string, effect: string}} record */
  confirmationRequired({ id, summary, expiresAt, effect }) {
    return refusals.refuse("CONFIRMATION_REQUIRED", "A person has to confirm this first.", "with-confirmation", {
      confirmationId: id,
      summary,
      expiresAt,
      effect,
      origin: "client",
    });
  },

  /** @param {"denied" | "expired" | "consumed" | "mismatch"} reason */
  confirmationInvalid(reason) {
    const retry = reason === "expired" ? "with-confirmation" : "no";
    return refusals.refuse("CONFIRMATION_INVALID", `The confirmation does not allow this: ${reason}.`, retry, {
      reason,
    });
  },

  /**
   * @param {"rate" | "queue-full"} reason
   * @param {number} retryAfterMs
   */
  rateLimited(reason, retryAfterMs) {
    return refusals.refuse("RATE_LIMITED", "Too much is asked for at once. Wait a moment.", "after-delay", {
      reason,
      retryAfterMs,
    });
  },

  /**
   * @param {number} timeoutMs
   * @param {boolean} idempotent
   */
  timeout(timeoutMs, idempotent) {
    return refusals.refuse("TIMEOUT", `There was no answer within ${timeoutMs} ms.`, idempotent ? "yes" : "no", {
      timeoutMs,
      idempotent,
    });
  },

  /** @param {"yes" | "no"} retry */
  cancelled(retry) {
    return refusals.refuse("CANCELLED", "The call was cancelled.", retry);
  },

  /** @param {"handler-error" | "output-invalid" | "output-too-large"} reason */
  executionFailed(reason) {
    return refusals.refuse("EXECUTION_FAILED", "The page could not carry this out.", "no", { reason });
  },

  /** @param {boolean} transient whether the same call may work in a moment */
  transport(transient) {
    const details = { reason: "transport" };
    const message = "The server did not carry this out.";
    if (!transient) return refusals.refuse("EXECUTION_FAILED", message, "no", details);
    return refusals.refuse("EXECUTION_FAILED", message, "after-delay", {
      ...details,
      transient: true,
      retryAfterMs: 1000,
    });
  },
};
