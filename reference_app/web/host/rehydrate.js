/**
 * Bringing a stored thread back: its messages become the history again, and the thread that a person reads.
 *
 * @module
 */

import { PENDING, WIRE_NAME } from "../cards/template.js";
import { isObject } from "../surface/json.js";
import { wireNames } from "../surface/wire-names.js";
import { approvalIdOf, resultMessage } from "./conversation.js";
import { NOT_EXECUTED } from "./dispatch.js";

/** @import { Conversation } from "./conversation.js" */
/** @import { Json, JsonObject } from "../surface/types.js" */

const OF_ONE_INSTANCE = /^(.*?[^_])_at_[^_]/;

/**
 * @param {Conversation} conversation
 * @param {readonly JsonObject[]} messages
 */
export function restore(conversation, messages) {
  const kept = messages.filter(({ role }) => role !== "system");
  conversation.history.push(...wellFormed(kept));
  const refused = new Set(kept.flatMap(refusedCalls));
  for (const message of kept) {
    for (const part of parts(message)) restorePart(conversation, message, part, refused);
  }
  conversation.endTurn();
}

/**
 * A history in which every call has its result: one that was left open is answered where it stands.
 *
 * @param {readonly JsonObject[]} messages
 * @returns {JsonObject[]}
 */
export function wellFormed(messages) {
  const answered = new Set(messages.flatMap((message) => callIds(message, "tool-result")));
  /** @type {JsonObject[]} */
  const whole = [];
  /** @type {JsonObject[]} */
  let open = [];
  for (const message of messages) {
    if (message.role !== "tool") whole.push(...open.splice(0));
    whole.push(message);
    const calls = parts(message).filter((part) => part.type === "tool-call" && !answered.has(String(part.toolCallId)));
    open = [...open, ...calls.map((part) => unanswered(part))];
  }
  return [...whole, ...open];
}

/** @param {JsonObject} call */
function unanswered({ toolCallId, toolName }) {
  const value = toolName === WIRE_NAME ? PENDING : NOT_EXECUTED.value;
  return resultMessage(String(toolCallId), String(toolName), value);
}

/** @param {JsonObject} message */
function refusedCalls(message) {
  const results = parts(message).filter(({ type }) => type === "tool-result");
  return results.filter(({ output }) => isObject(output) && stateOf(output.value ?? null) === "failed").map(idOf);
}

/** @param {JsonObject} part */
function idOf({ toolCallId }) {
  return String(toolCallId ?? "");
}

/**
 * @param {JsonObject} message
 * @param {string} type
 */
function callIds(message, type) {
  return parts(message).flatMap((part) => (part.type === type ? [String(part.toolCallId)] : []));
}

/**
 * @param {JsonObject} message
 * @returns {JsonObject[]}
 */
function parts({ content }) {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/**
 * @param {Conversation} conversation
 * @param {JsonObject} message
 * @param {JsonObject} part
 * @param {ReadonlySet<string>} refused calls whose result is an error
 */
function restorePart(conversation, message, part, refused) {
  const text = String(part.text ?? "");
  const callId = idOf(part);
  if (part.type === "text" && message.role === "user") {
    conversation.add({ kind: "said", role: "user", text, isReceipt: false });
  } else if (part.type === "text") {
    conversation.add({ kind: "said", role: "assistant", text, isReceipt: false });
  } else if (part.type === "reasoning") {
    conversation.add({ kind: "reasoning", text, isOpen: false });
  } else if (part.type === "tool-call") {
    const name = String(part.toolName ?? "");
    if (name === WIRE_NAME && !refused.has(callId)) conversation.presents(callId, part.input ?? null, true);
    else conversation.called(callId, capabilityOf(name), part.input ?? null);
  } else if (part.type === "tool-result") {
    const value = isObject(part.output) ? (part.output.value ?? null) : null;
    conversation.show(callId, stateOf(value), value);
    conversation.settleInteraction(callId, value);
  }
}

/**
 * The canonical id of a stored name, where the name alone tells it: as it stands, or before the suffix that tells
 * instances apart. Else the name.
 *
 * @param {string} name
 */
function capabilityOf(name) {
  const [, stem = ""] = OF_ONE_INSTANCE.exec(name) ?? [];
  return wireNames.decode(name) ?? wireNames.decode(stem) ?? name;
}

/**
 * @param {Json} value
 * @returns {"waiting" | "failed" | "done"}
 */
function stateOf(value) {
  if (approvalIdOf(value) !== undefined) return "waiting";
  const failed = isObject(value) && (value.status === "error" || (value.error !== undefined && value.error !== null));
  return failed ? "failed" : "done";
}
