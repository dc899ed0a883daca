/**
 * One conversation as the tab holds it: the history that is posted, and the thread that a person reads.
 *
 * The messages are the state, carried by the browser (Architecture, State, identity, reconciliation): in every history
 * that is posted each tool call has exactly one result.
 *
 * @module
 */

import { compiling } from "../cards/compile.js";
import { CAPABILITY, templateOf } from "../cards/template.js";
import { isObject } from "../surface/json.js";

/** @import { Template } from "../cards/template.js" */
/** @import { Approval } from "./api.js" */
/** @import { Answer } from "./dispatch.js" */
/** @import { PendingCall } from "./frames.js" */
/** @import { Json, JsonObject } from "../surface/types.js" */

/** @typedef {"running" | "done" | "failed" | "waiting"} CallState */

/** @typedef {{kind: "said", key: string, role: "user" | "assistant", text: string, isReceipt: boolean}} Said */
/** @typedef {{kind: "reasoning", key: string, text: string, isOpen: boolean}} Reasoning */
/**
 * @typedef {{
 *   kind: "tool", key: string, id: string, capability: string, state: CallState, input: Json, result?: Json,
 * }} ToolEntry
 */
/** @typedef {{kind: "approval", key: string, id: string, approval: Approval}} ApprovalEntry */
/**
 * A card that waits, or what became of it; `isPresented` once the step is over that presents it, and the host knows it.
 *
 * @typedef {{
 *   kind: "interaction", key: string, id: string, template: Template, values: JsonObject, state: string,
 *   isPresented: boolean,
 * }} InteractionEntry
 */
/** @typedef {Said | Reasoning | ToolEntry | ApprovalEntry | InteractionEntry} Entry */

export class Conversation {
  /** @type {JsonObject[]} */
  history = [];
  /** @type {Entry[]} */
  thread = [];
  /** @type {string[]} */
  #receipts = [];
  #count = 0;
  #changed;

  /**
   * @param {string} id
   * @param {() => void} changed is told of every change
   */
  constructor(id, changed) {
    this.id = id;
    this.#changed = changed;
  }

  /** @returns {Approval[]} the approvals that have a card, oldest first */
  get approvals() {
    return this.thread.flatMap((entry) => (entry.kind === "approval" ? [entry.approval] : []));
  }

  /** @returns {InteractionEntry[]} the interaction cards, oldest first */
  get interactions() {
    return this.thread.flatMap((entry) => (entry.kind === "interaction" ? [entry] : []));
  }

  /**
   * Take a person's message; receipts that came since the last turn go before it.
   *
   * @param {string} text
   */
  ask(text) {
    this.#flushReceipts();
    this.history.push({ role: "user", content: text });
    this.add({ kind: "said", role: "user", text, isReceipt: false });
  }

  /**
   * Take a piece of the assistant's answer.
   *
   * @param {string} text
   */
  say(text) {
    const last = this.thread.at(-1);
    if (last?.kind === "said" && last.role === "assistant" && !last.isReceipt) last.text += text;
    else this.add({ kind: "said", role: "assistant", text, isReceipt: false });
    this.#changed();
  }

  /**
   * Take a piece of what the model thinks aloud; it never becomes part of the history.
   *
   * @param {string} text
   */
  reason(text) {
    const last = this.thread.at(-1);
    if (last?.kind === "reasoning" && last.isOpen) last.text += text;
    else this.add({ kind: "reasoning", text, isOpen: true });
    this.#changed();
  }

  /**
   * @param {string} id
   * @param {string} capability
   * @param {Json} input
   */
  called(id, capability, input) {
    this.add({ kind: "tool", id, capability, state: "running", input });
  }

  /**
   * Show the card that a call presents; a call that presents none is a tool call like any other.
   *
   * @param {string} id
   * @param {Json} input
   * @param {boolean} isPresented
   */
  presents(id, input, isPresented) {
    const template = templateOf(input);
    if (template === undefined) {
      this.called(id, CAPABILITY, input);
      return;
    }
    const state = template.kind === "status" ? "presented" : "pending";
    const values = compiling.model(template);
    this.add({ kind: "interaction", id, template, values, state, isPresented });
  }

  /**
   * Let a person use a card: the host has it by now.
   *
   * @param {string} id
   */
  presentInteraction(id) {
    for (const entry of this.interactions) if (entry.id === id) entry.isPresented = true;
    this.#changed();
  }

  /**
   * Take what a person enters into a card.
   *
   * @param {string} id
   * @param {JsonObject} values
   */
  enterInteraction(id, values) {
    for (const entry of this.interactions) if (entry.id === id) entry.values = values;
    this.#changed();
  }

  /**
   * Show what became of a card; a result that only says that it waits says nothing.
   *
   * @param {string} id
   * @param {Json} result
   */
  settleInteraction(id, result) {
    if (!isObject(result) || typeof result.status !== "string" || result.status === "pending") return;
    for (const entry of this.interactions) {
      if (entry.id !== id) continue;
      entry.state = result.status;
      if (isObject(result.values)) entry.values = result.values;
    }
    this.#changed();
  }

  /**
   * Show what a call came to.
   *
   * @param {string} id
   * @param {CallState} state
   * @param {Json} result
   */
  show(id, state, result) {
    const card = this.#card(id);
    if (card === undefined) return;
    card.state = state;
    card.result = result;
    this.#changed();
  }

  /**
   * Answer a call of the browser's, in the history and on its card.
   *
   * @param {PendingCall} call
   * @param {Answer} answer
   */
  answer({ toolCallId, wireName }, { ok, value }) {
    this.history.push(resultMessage(toolCallId, wireName, value));
    this.show(toolCallId, ok ? "done" : "failed", value);
  }

  /** Leave nothing as if it were still going on. */
  endTurn() {
    for (const entry of this.thread) {
      if (entry.kind === "reasoning") entry.isOpen = false;
      if (entry.kind === "tool" && entry.state === "running") entry.state = "failed";
      if (entry.kind === "interaction" && !entry.isPresented && entry.state === "pending") entry.state = "interrupted";
    }
    this.#changed();
  }

  /**
   * Show an approval below the call that asked for it, or how it stands now.
   *
   * @param {Approval} approval
   * @param {string} [callId]
   */
  showApproval(approval, callId) {
    const known = this.thread.find((entry) => entry.kind === "approval" && entry.id === approval.id);
    if (known?.kind === "approval") {
      known.approval = approval;
    } else {
      const at = this.thread.findIndex((entry) => entry.kind === "tool" && entry.id === callId);
      const entry = this.#keyed({ kind: "approval", id: approval.id, approval });
      this.thread.splice(at < 0 ? this.thread.length : at + 1, 0, entry);
    }
    this.#endWait(approval);
    this.#changed();
  }

  /**
   * A call no longer waits once its approval was decided.
   *
   * @param {Approval} approval
   */
  #endWait({ id, status, failure }) {
    if (status === "pending") return;
    const state = status === "consumed" && failure === undefined ? "done" : "failed";
    for (const entry of this.thread) {
      if (entry.kind === "tool" && entry.state === "waiting" && approvalIdOf(entry.result) === id) entry.state = state;
    }
  }

  /**
   * Tell the person how a decision came out; the history learns it when no turn is under way.
   *
   * @param {string} text
   * @param {boolean} inTurn
   */
  receipt(text, inTurn) {
    this.#receipts.push(text);
    if (!inTurn) this.#flushReceipts();
    this.add({ kind: "said", role: "assistant", text, isReceipt: true });
  }

  /**
   * Put an entry at the end of the thread; what the model was thinking before it is over.
   *
   * @param {DistributiveOmit<Entry, "key">} entry
   */
  add(entry) {
    const last = this.thread.at(-1);
    if (last?.kind === "reasoning") last.isOpen = false;
    this.thread.push(this.#keyed(entry));
    this.#changed();
  }

  /**
   * @param {DistributiveOmit<Entry, "key">} entry
   * @returns {Entry}
   */
  #keyed(entry) {
    this.#count += 1;
    return { ...entry, key: `entry-${this.#count}` };
  }

  /** @param {string} id */
  #card(id) {
    const found = this.thread.findLast((entry) => entry.kind === "tool" && entry.id === id);
    return found?.kind === "tool" ? found : undefined;
  }

  #flushReceipts() {
    this.history.push(...this.#receipts.splice(0).map((content) => ({ role: "assistant", content })));
  }
}

/**
 * The message that answers one call.
 *
 * @param {string} toolCallId
 * @param {string} toolName
 * @param {Json} value
 * @returns {JsonObject}
 */
export function resultMessage(toolCallId, toolName, value) {
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: { type: "json", value } }] };
}

/**
 * The approval that a result waits for.
 *
 * @param {Json | undefined} result
 * @returns {string | undefined}
 */
export function approvalIdOf(result) {
  if (!isObject(result) || result.status !== "approval-required") return undefined;
  return typeof result.approvalId === "string" ? result.approvalId : undefined;
}

/**
 * @template T
 * @template {PropertyKey} K
 * @typedef {T extends unknown ? Omit<T, K> : never} DistributiveOmit
 */
