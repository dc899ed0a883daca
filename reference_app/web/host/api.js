/**
 * The page's requests to its own server, with the browser's cookie and nothing else to say who is asking.
 *
 * @module
 */

import { isObject } from "../surface/json.js";

/** @import { Json, JsonObject } from "../surface/types.js" */

/** @typedef {Readonly<{email: string, name: string, role: string}>} Person */

/**
 * An approval as its card shows it; `input` is exactly what would run.
 *
 * @typedef {Readonly<{
 *   id: string, capabilityId: string, status: string, input: Json, inputHash?: string, reasons?: readonly string[],
 *   risk?: string, expiresAt?: string, subject?: {shown?: JsonObject}, failure?: string,
 * }>} Approval
 */

/** @typedef {Readonly<{id: string, title: string, updatedAt: string}>} ThreadSummary */

/** @typedef {Readonly<{status: string, turnId: string, stepIndex: number, result: Json}>} CardLook a card as the host has it */

/** The server answered with an error. */
export class ServerError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {string} [approvalId] the approval that a refused call waits for
   */
  constructor(status, code, message, approvalId) {
    super(message);
    this.name = "ServerError";
    this.status = status;
    this.code = code;
    this.approvalId = approvalId;
  }
}

/** There was no answer, or it broke off. */
export class UnreachableError extends Error {
  constructor() {
    super("The server can't be reached.");
    this.name = "UnreachableError";
  }
}

/**
 * The assistant's call behind a request: what gives it up, and its id, which the server records and does not trust.
 *
 * @typedef {Readonly<{signal?: AbortSignal, invocationId?: string}>} RpcCall
 */

const INVOCATION_HEADER = "x-agent-invocation-id";

/**
 * @param {string} text
 * @returns {string} as a header may carry it: without what is not printable ASCII
 */
function headerText(text) {
  return text.replace(/[^ -~]/g, "");
}

/**
 * @param {string} path
 * @param {{method?: string, body?: unknown, signal?: AbortSignal, correlation?: {[header: string]: string}}} [options]
 * @returns {Promise<Response>}
 */
async function send(path, { method = "GET", body, signal, correlation } = {}) {
  const headers = body === undefined ? undefined : { "content-type": "application/json", ...correlation };
  try {
    return await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new UnreachableError();
  }
}

/**
 * @param {Response} response
 * @returns {Promise<Json>}
 */
async function read(response) {
  try {
    return /** @type {Json} */ (await response.json());
  } catch {
    throw new ServerError(response.status, "UNREADABLE", `The server answered ${response.status} without JSON.`);
  }
}

/**
 * The error in an answer of `/api` or `/agent`.
 *
 * @param {Response} response
 * @returns {Promise<ServerError>}
 */
async function errorOf(response) {
  const fallback = `The server answered ${response.status}.`;
  const body = await read(response).catch(() => null);
  const error = isObject(body) ? body.error : undefined;
  if (isObject(error)) {
    return new ServerError(response.status, String(error.code ?? "TRANSPORT_FAILED"), String(error.message ?? fallback));
  }
  const code = isObject(body) && typeof body.code === "string" ? body.code : "TRANSPORT_FAILED";
  return new ServerError(response.status, code, typeof error === "string" ? error : fallback);
}

/**
 * @param {string} path
 * @param {{method?: string, body?: unknown}} [options]
 * @returns {Promise<Json>}
 */
async function ask(path, options) {
  const response = await send(path, options);
  if (!response.ok) throw await errorOf(response);
  return read(response);
}

/** @param {string} id */
const segment = (id) => encodeURIComponent(id);

export const api = {
  /**
   * Call a procedure as the signed-in person.
   *
   * @param {string} path
   * @param {JsonObject} input
   * @param {RpcCall} [call] the assistant's call, if it is one
   * @returns {Promise<Json>}
   */
  async rpc(path, input, { signal, invocationId } = {}) {
    const correlation = invocationId === undefined ? undefined : { [INVOCATION_HEADER]: headerText(invocationId) };
    const sent = { method: "POST", body: { json: input }, signal, correlation };
    const response = await send(`/rpc/${segment(path)}`, sent);
    const body = await read(response);
    const value = isObject(body) ? (body.json ?? null) : null;
    if (response.ok) return value;
    const error = isObject(value) ? value : {};
    const data = isObject(error.data) ? error.data : {};
    throw new ServerError(
      response.status,
      String(error.code ?? "INTERNAL_SERVER_ERROR"),
      String(error.message ?? "The request failed."),
      typeof data.approvalId === "string" ? data.approvalId : undefined,
    );
  },

  /** @returns {Promise<Person | null>} who is signed in, as the server says */
  async person() {
    const body = await ask("/api/session");
    return /** @type {Person | null} */ (isObject(body) && isObject(body.user) ? body.user : null);
  },

  /** @param {string} user */
  async signIn(user) {
    await ask("/api/session", { method: "POST", body: { user } });
  },

  async signOut() {
    await ask("/api/session", { method: "DELETE" });
  },

  /** @returns {Promise<Approval[]>} what waits for the signed-in person */
  async approvals() {
    return /** @type {Approval[]} */ (/** @type {unknown} */ (await ask("/api/approvals")));
  },

  /**
   * @param {string} id
   * @returns {Promise<Approval>}
   */
  async approval(id) {
    return /** @type {Approval} */ (/** @type {unknown} */ (await ask(`/api/approvals/${segment(id)}`)));
  },

  /**
   * Decide, saying which input the card showed.
   *
   * @param {Approval} approval
   * @param {boolean} approved
   * @param {string} threadId
   * @returns {Promise<{text: string, ok: boolean}>} what the person is told
   */
  async decide({ id, inputHash }, approved, threadId) {
    const body = { approved, threadId, ...(inputHash === undefined ? {} : { inputHash }) };
    const answer = await ask(`/api/approvals/${segment(id)}`, { method: "POST", body });
    const receipt = isObject(answer) && isObject(answer.receipt) ? answer.receipt : {};
    return { text: String(receipt.text ?? "The decision was taken."), ok: receipt.ok === true };
  },

  /**
   * @param {string} conversationId
   * @param {string} callId
   * @returns {Promise<CardLook>}
   */
  async card(conversationId, callId) {
    const look = await ask(`/api/a2ui/${segment(conversationId)}/${segment(callId)}`);
    return /** @type {CardLook} */ (/** @type {unknown} */ (look));
  },

  /**
   * Answer or close an interaction card.
   *
   * @param {string} method
   * @param {JsonObject} payload
   * @returns {Promise<{accepted: boolean, reason: string}>}
   */
  async cardRpc(method, payload) {
    const body = { type: "client-request", rpcId: "1", method, payload };
    const reply = await ask(`/a2ui/${method}`, { method: "POST", body });
    const result = isObject(reply) && isObject(reply.result) ? reply.result : {};
    const value = isObject(result.value) ? result.value : {};
    return { accepted: value.accepted === true, reason: String(value.reason ?? "") };
  },

  /** @returns {Promise<ThreadSummary[]>} */
  async threads() {
    return /** @type {ThreadSummary[]} */ (/** @type {unknown} */ (await ask("/api/threads")));
  },

  /**
   * @param {string} id
   * @returns {Promise<JsonObject[]>} the stored messages; none where there is no such thread
   */
  async threadMessages(id) {
    const response = await send(`/api/threads/${segment(id)}/model-messages`);
    if (response.status === 404) return [];
    if (!response.ok) throw await errorOf(response);
    const messages = await read(response);
    return Array.isArray(messages) ? messages.filter(isObject) : [];
  },

  /**
   * Post one step.
   *
   * @param {JsonObject} body
   * @param {AbortSignal} signal
   * @returns {Promise<ReadableStream<Uint8Array>>} the frames as bytes
   */
  async chat(body, signal) {
    const response = await send("/agent/chat", { method: "POST", body, signal });
    if (!response.ok || response.body === null) throw await errorOf(response);
    return response.body;
  },
};
