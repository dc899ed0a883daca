/**
 * One step of a turn: post the history with a fresh catalog, and take in the frames as they come.
 *
 * @module
 */

import { CAPABILITY } from "../cards/template.js";
import { ServerError, api } from "./api.js";
import { catalogs } from "./catalog.js";
import { approvalIdOf } from "./conversation.js";
import { frames } from "./frames.js";

/** @import { Offer } from "./catalog.js" */
/** @import { Conversation } from "./conversation.js" */
/** @import { DomainTool, Frame, FrameError, PendingCall } from "./frames.js" */
/** @import { Json, JsonObject } from "../surface/types.js" */

/** @typedef {Readonly<{turnId: string, index: number, pathname: string}>} StepAddress */

/**
 * Who is told while a step streams: of a write that the server carried out, of an approval that it asks for, of
 * something that the person should know.
 *
 * @typedef {Readonly<{
 *   wrote: () => void, needsApproval: (approvalId: string, callId: string) => void, notice: (text: string) => void,
 * }>} Watchers
 */

/** @typedef {Extract<Frame, {type: "tool-result"}>} ServerResult */

/**
 * What a step came to.
 *
 * @typedef {{
 *   error?: FrameError, finish?: {responseMessages: JsonObject[], pendingToolCalls: PendingCall[]},
 *   results: ServerResult[], inputs: Map<string, Json>, domainTools: DomainTool[],
 * }} StepLog
 */

const PROTOCOL_VERSION = 2;

/** What the host took out of the catalog is told to the person: nothing is reduced silently. */
const REPORTED = new Set(["catalog.collision", "catalog.refused", "catalog.truncated", "catalog.undecodable"]);

export const steps = {
  /**
   * @param {StepAddress} address
   * @param {Conversation} conversation
   * @param {Offer} offer
   * @returns {JsonObject}
   */
  request({ turnId, index, pathname }, conversation, offer) {
    return {
      protocolVersion: PROTOCOL_VERSION,
      conversationId: conversation.id,
      turnId,
      stepIndex: index,
      pathname,
      messages: conversation.history,
      catalog: catalogs.json(offer),
    };
  },

  /**
   * Run a step. A failure of the transport ends in the log; only a stop raises.
   *
   * @param {StepAddress} address
   * @param {Conversation} conversation
   * @param {Offer} offer
   * @param {Watchers} watchers
   * @param {AbortSignal} signal
   * @returns {Promise<StepLog>}
   */
  async run(address, conversation, offer, watchers, signal) {
    /** @type {StepLog} */
    const log = { results: [], inputs: new Map(), domainTools: [] };
    try {
      const stream = await api.chat(steps.request(address, conversation, offer), signal);
      for await (const frame of frames(stream)) steps.takeIn(frame, log, conversation, watchers);
    } catch (error) {
      if (signal.aborted) throw error;
      log.error ??= transportError(error);
    }
    if (log.finish === undefined) {
      log.error ??= { code: "TRANSPORT_FAILED", message: "The host's answer ended before the step was finished." };
    }
    return log;
  },

  /**
   * Take in one frame; of several errors the first is kept.
   *
   * @param {Frame} frame
   * @param {StepLog} log
   * @param {Conversation} conversation
   * @param {Watchers} watchers
   */
  takeIn(frame, log, conversation, watchers) {
    switch (frame.type) {
      case "step-start":
        log.domainTools = frame.domainTools;
        break;
      case "text-delta":
        conversation.say(frame.text);
        break;
      case "reasoning-delta":
        conversation.reason(frame.text);
        break;
      case "tool-call":
        log.inputs.set(frame.toolCallId, frame.input);
        if (steps.presents(frame)) conversation.presents(frame.toolCallId, frame.input ?? null, false);
        else conversation.called(frame.toolCallId, frame.canonicalId, frame.input ?? null);
        break;
      case "tool-result":
        takeResult(frame, log, conversation, watchers);
        break;
      case "inspector":
        if (REPORTED.has(frame.eventType)) watchers.notice(`${frame.eventType}: ${frame.summary}`);
        break;
      case "step-finish":
        log.finish ??= frame;
        break;
      case "error":
        log.error ??= frame.error;
        break;
    }
  },

  /**
   * Whether a call presents a card; one that the host answers itself was refused.
   *
   * @param {{canonicalId: string, executor: string}} call
   */
  presents({ canonicalId, executor }) {
    return canonicalId === CAPABILITY && executor === "browser";
  },

  /**
   * Whether a server's result means that the rows on the screen may be out of date: a write that was carried out. A
   * side effect that is not known counts as one.
   *
   * @param {ServerResult} result
   * @param {readonly DomainTool[]} domainTools
   */
  reconciles({ ok, wireName, result }, domainTools) {
    const tool = domainTools.find((candidate) => candidate.wireName === wireName);
    if (!ok || tool === undefined || approvalIdOf(result) !== undefined) return false;
    return tool.sideEffect !== "read" && tool.sideEffect !== "none";
  },
};

/**
 * @param {ServerResult} frame
 * @param {StepLog} log
 * @param {Conversation} conversation
 * @param {Watchers} watchers
 */
function takeResult(frame, log, conversation, watchers) {
  log.results.push(frame);
  const approvalId = approvalIdOf(frame.result);
  const state = approvalId !== undefined ? "waiting" : frame.ok ? "done" : "failed";
  conversation.show(frame.toolCallId, state, frame.result ?? null);
  if (approvalId !== undefined) watchers.needsApproval(approvalId, frame.toolCallId);
  else if (steps.reconciles(frame, log.domainTools)) watchers.wrote();
}

/**
 * @param {unknown} error
 * @returns {FrameError}
 */
function transportError(error) {
  if (error instanceof ServerError) return { code: error.code, message: error.message };
  return { code: "TRANSPORT_FAILED", message: "The host's answer broke off." };
}
