/**
 * Reading the host's answer: one JSON object a line, each a frame.
 *
 * A line that can't be read becomes an error frame and reading goes on; what follows the last newline is not a line.
 *
 * @module
 */

import { isObject } from "../surface/json.js";

/** @import { Json, JsonObject } from "../surface/types.js" */

/** @typedef {Readonly<{toolCallId: string, wireName: string, canonicalId: string, input?: Json}>} PendingCall */
/** @typedef {Readonly<{wireName: string, canonicalId: string, sideEffect?: string}>} DomainTool */
/** @typedef {Readonly<{code: string, message: string}>} FrameError */

/**
 * @typedef {Readonly<
 *   | {type: "step-start", domainTools: DomainTool[]}
 *   | {type: "text-delta" | "reasoning-delta", text: string}
 *   | {type: "tool-call", toolCallId: string, wireName: string, canonicalId: string, executor: string, input: Json}
 *   | {type: "tool-result", toolCallId: string, wireName: string, canonicalId: string, ok: boolean, result: Json}
 *   | {type: "inspector", eventType: string, summary: string}
 *   | {type: "step-finish", responseMessages: JsonObject[], pendingToolCalls: PendingCall[]}
 *   | {type: "error", error: FrameError}
 * >} Frame
 */

const MAX_LINE = 16 * 1024 * 1024;

/** @type {{[type: string]: {[field: string]: (value: unknown) => boolean}}} */
const FIELDS = {
  "step-start": { domainTools: Array.isArray },
  "text-delta": { text: isText },
  "reasoning-delta": { text: isText },
  "tool-call": { toolCallId: isText, wireName: isText, canonicalId: isText, executor: isText },
  "tool-result": { toolCallId: isText, wireName: isText, canonicalId: isText, ok: (value) => typeof value === "boolean" },
  inspector: { eventType: isText, summary: isText },
  "step-finish": { responseMessages: Array.isArray, pendingToolCalls: isCalls },
  error: { error: (value) => isObject(value) && isText(value.code) && isText(value.message) },
};

/**
 * @param {unknown} value
 * @returns {value is string}
 */
function isText(value) {
  return typeof value === "string";
}

/** @param {unknown} value */
function isCalls(value) {
  return (
    Array.isArray(value) &&
    value.every((item) => isObject(item) && isText(item.toolCallId) && isText(item.wireName) && isText(item.canonicalId))
  );
}

export const frameRules = {
  /**
   * Whether a frame of a kind that the page does not know is passed over: what is new is not broken.
   *
   * @param {string} _type
   * @returns {boolean}
   */
  passesOver(_type) {
    return true;
  },
};

/**
 * @param {string} message
 * @returns {Frame}
 */
function unreadable(message) {
  return { type: "error", error: { code: "PROTOCOL_DECODE_ERROR", message } };
}

/**
 * Read one line.
 *
 * @param {string} line
 * @returns {Frame | undefined} undefined for a frame of a kind that the page does not know
 */
export function readLine(line) {
  let frame;
  try {
    frame = JSON.parse(line);
  } catch {
    return unreadable("A line of the host's answer is not JSON.");
  }
  if (!isObject(frame) || !isText(frame.type)) return unreadable("A line of the host's answer is not a frame.");
  const fields = Object.hasOwn(FIELDS, frame.type) ? FIELDS[frame.type] : undefined;
  if (fields === undefined) return frameRules.passesOver(frame.type) ? undefined : unreadable("A frame is not known.");
  const wrong = Object.entries(fields).find(([name, fits]) => !fits(frame[name]));
  if (wrong !== undefined) return unreadable(`A ${frame.type} frame of the host's answer has no usable ${wrong[0]}.`);
  return /** @type {Frame} */ (/** @type {unknown} */ (frame));
}

/**
 * Cut pieces of text into lines.
 *
 * @returns {(piece: string) => string[]} the lines that a piece completes, without blank ones
 */
export function lineSplitter() {
  let rest = "";
  return (piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) throw new RangeError("a line of the host's answer is too long");
    return lines.filter((line) => line.trim() !== "");
  };
}

/**
 * Read a stream's frames as they come.
 *
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncGenerator<Frame>}
 */
export async function* frames(stream) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const split = lineSplitter();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    for (const line of split(decoder.decode(piece.value, { stream: true }))) {
      const frame = readLine(line);
      if (frame !== undefined) yield frame;
    }
  }
}
