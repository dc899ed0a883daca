/**
 * `<tool-card>`: one call of the assistant's, on whichever plane, and how it came out.
 *
 * @module
 */

import { pretty } from "../console/texts.js";
import { shorten } from "../surface/errors.js";
import { isObject } from "../surface/json.js";
import { el, setAttribute, setText } from "./dom.js";

/** @import { ToolEntry } from "../host/conversation.js" */
/** @import { JsonObject } from "../surface/types.js" */

const STATES = Object.freeze({ running: "Running", done: "Done", failed: "Failed", waiting: "Waiting for approval" });
const DECIDED = Object.freeze({ done: "Executed once it was approved.", failed: "The approval did not lead to it." });
const MAX_TEXT = 200;

export class ToolCard extends HTMLElement {
  #plane = el("span", { className: "plane" });
  #capability = el("code", { "data-part": "capability" });
  #state = el("span", { className: "state" });
  #text = el("p", { "data-part": "text" });
  #input = el("pre", { "data-part": "input", tabIndex: 0, "aria-label": "Input" });
  #result = el("pre", { "data-part": "result", tabIndex: 0, "aria-label": "Result" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.append(
      el(
        "details",
        {},
        el("summary", {}, this.#plane, this.#capability, this.#state),
        el("h3", {}, "Input"),
        this.#input,
        el("h3", {}, "Result"),
        this.#result,
      ),
      this.#text,
    );
    setAttribute(this, "data-card", "tool");
  }

  /** @param {ToolEntry} entry */
  update({ id, capability, state, input, result }) {
    setAttribute(this, "data-id", id);
    setAttribute(this, "data-capability", capability);
    setAttribute(this, "data-state", state);
    const onServer = capability.startsWith("domain:");
    setText(this.#plane, onServer ? "server" : "page");
    setAttribute(this.#plane, "data-plane", onServer ? "domain" : "view");
    setText(this.#capability, capability);
    setText(this.#state, state === "failed" && hasWaited(result) ? "Not executed" : STATES[state]);
    setText(this.#input, pretty(input));
    setText(this.#result, result === undefined ? "" : pretty(result));
    setText(this.#text, textOf(state, result));
  }
}

/**
 * The line below a card: what went wrong, or what it came to in short.
 *
 * @param {ToolEntry["state"]} state
 * @param {unknown} result
 */
function textOf(state, result) {
  if (state === "running") return "";
  if (result === undefined) return "Interrupted before it finished.";
  const error = isObject(result) ? result.error : undefined;
  if (hasWaited(result)) return state === "waiting" ? shorten(String(result.message ?? ""), MAX_TEXT) : DECIDED[state];
  if (isObject(error) && typeof error.message === "string") return shorten(`${error.code}: ${error.message}`, MAX_TEXT);
  return shorten(JSON.stringify(result), MAX_TEXT);
}

/**
 * Whether what the call came to was the wait for an approval.
 *
 * @param {unknown} result
 * @returns {result is JsonObject}
 */
function hasWaited(result) {
  return isObject(result) && result.status === "approval-required";
}

customElements.define("tool-card", ToolCard);
