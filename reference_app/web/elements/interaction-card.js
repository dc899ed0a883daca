/**
 * `<interaction-card>`: a card that the assistant presents, drawn from its compiled components. Every text is a text.
 *
 * @module
 */

import { compiling } from "../cards/compile.js";
import { childrenOf, memberOf, plainTexts } from "../cards/plain-text.js";
import { CAPABILITY } from "../cards/template.js";
import { cards } from "../console/cards.js";
import { pretty } from "../console/texts.js";
import { isObject } from "../surface/json.js";
import { controls } from "./card-controls.js";
import { el, setAttribute, setText } from "./dom.js";

/** @import { Component, Surface } from "../cards/compile.js" */
/** @import { Told } from "../console/cards.js" */
/** @import { InteractionEntry } from "../host/conversation.js" */
/** @import { Json } from "../surface/types.js" */
/** @import { Control } from "./card-controls.js" */

/** @type {ReadonlyMap<string, string>} */
const STATES = new Map([
  ["pending", "Waits for you"],
  ["submitted", "Answered"],
  ["expired", "Expired"],
  ["cancelled", "Closed"],
  ["interrupted", "Interrupted"],
  ["presented", "For your information"],
]);

/** @type {ReadonlyMap<string, string>} */
const GLYPHS = new Map([
  ["check", "✓"],
  ["error", "✕"],
  ["refresh", "↻"],
  ["moreHoriz", "…"],
]);

export class InteractionCard extends HTMLElement {
  /** @type {(entry: InteractionEntry, action: string) => Promise<Told>} */
  press = async () => ({ ok: false, text: "" });
  /** @type {(entry: InteractionEntry) => Promise<Told>} */
  dismiss = async () => ({ ok: false, text: "" });
  /** @type {(entry: InteractionEntry, member: string, value: Json) => void} */
  enter = () => {};
  /** @type {InteractionEntry | undefined} */
  #entry;
  /** @type {Surface | undefined} */
  #surface;
  /** @type {Map<string, Control>} */
  #controls = new Map();
  #state = el("span", { className: "state", "data-part": "state" });
  #close = el("button", { type: "button", className: "quiet", "data-hook": "card-cancel" }, "Close without an answer");
  #body = el("div", { className: "card-body" });
  #problem = el("p", { className: "error", role: "alert", "data-part": "problem" });
  #text = el("pre", { "data-part": "text", tabIndex: 0, "aria-label": "The card as text" });
  #input = el("pre", { "data-part": "input", tabIndex: 0, "aria-label": "What the assistant asked for" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.#close.addEventListener("click", () => void this.#send((entry) => this.dismiss(entry)));
    this.#problem.hidden = true;
    this.append(
      el("div", { className: "bar" }, this.#state, this.#close),
      this.#body,
      this.#problem,
      el("details", {}, el("summary", {}, "As text"), this.#text, this.#input),
    );
    setAttribute(this, "data-card", "a2ui");
    setAttribute(this, "data-capability", CAPABILITY);
    setAttribute(this, "role", "group");
    setAttribute(this, "tabindex", "-1");
  }

  /**
   * @param {InteractionEntry} entry
   * @param {string} conversationId
   */
  update(entry, conversationId) {
    this.#entry = entry;
    setAttribute(this, "data-id", entry.id);
    setAttribute(this, "data-state", entry.state);
    setAttribute(this, "aria-label", entry.template.title);
    setText(this.#state, STATES.get(entry.state) ?? entry.state);
    this.#build(entry, conversationId);
    const isEnabled = entry.isPresented && cards.isOpen(entry.state);
    setAttribute(this, "data-enabled", String(isEnabled));
    this.#enable(isEnabled);
    if (!cards.isOpen(entry.state)) this.#showValues(entry);
    setText(this.#text, this.#surface === undefined ? entry.template.fallback_text : plainTexts.of(this.#surface, entry.values));
    setText(this.#input, pretty(entry.template));
  }

  /**
   * Draw the card once; what a person types stays where it is. What can't be compiled is shown as its own text.
   *
   * @param {InteractionEntry} entry
   * @param {string} conversationId
   */
  #build(entry, conversationId) {
    if (this.#body.childElementCount > 0) return;
    try {
      this.#surface = compiling.compile(entry.template, compiling.surfaceId(conversationId, entry.id));
      const root = this.#surface.components.find(({ id }) => id === "root");
      if (root !== undefined) this.#body.append(...this.#draw(root));
      this.#showValues(entry);
    } catch (error) {
      console.error("a card can't be drawn", error);
      this.#surface = undefined;
      this.#body.replaceChildren(el("p", {}, entry.template.fallback_text ?? ""));
    }
  }

  /**
   * @param {Component} component
   * @returns {HTMLElement[]}
   */
  #draw(component) {
    const member = memberOf(component);
    const make = controls[String(component.component)];
    if (make === undefined) return drawers.draw(component, () => this.#drawChildren(component), (name) => this.#pressed(name));
    const control = make(component, member, (value) => {
      if (this.#entry !== undefined) this.enter(this.#entry, member, value);
    });
    this.#controls.set(member, control);
    return [control.element];
  }

  /** @param {Component} component */
  #drawChildren(component) {
    const known = this.#surface?.components ?? [];
    return childrenOf(component).flatMap((id) => known.filter((part) => part.id === id).flatMap((part) => this.#draw(part)));
  }

  /** @param {boolean} isEnabled */
  #enable(isEnabled) {
    for (const { inputs } of this.#controls.values()) for (const input of inputs) input.disabled = !isEnabled;
    for (const button of this.querySelectorAll("button")) button.disabled = !isEnabled;
    this.#close.hidden = !isEnabled;
    if (!isEnabled) this.#problem.hidden = true;
  }

  /** @param {InteractionEntry} entry */
  #showValues({ values }) {
    for (const [member, { show }] of this.#controls) show(values[member] ?? null);
  }

  /** @param {string} action */
  #pressed(action) {
    const problems = this.#entry === undefined ? new Map() : cards.problems(this.#entry);
    for (const [member, { inputs }] of this.#controls) {
      for (const input of inputs) setAttribute(input, "aria-invalid", problems.has(member) ? "true" : undefined);
    }
    void this.#send((entry) => this.press(entry, action));
  }

  /**
   * While an answer is on its way there is no second one: a double click presses a locked button.
   *
   * @param {(entry: InteractionEntry) => Promise<Told>} work
   */
  async #send(work) {
    const entry = this.#entry;
    if (entry === undefined) return;
    this.#enable(false);
    const told = await work(entry);
    this.#enable(entry.isPresented && cards.isOpen(entry.state));
    this.#problem.hidden = told.ok;
    setText(this.#problem, told.ok ? "" : told.text);
    this.focus({ preventScroll: true });
  }
}

export const drawers = {
  /**
   * Draw a component that nobody enters anything into.
   *
   * @param {Component} component
   * @param {() => HTMLElement[]} children
   * @param {(action: string) => void} press
   * @returns {HTMLElement[]} nothing for what is outside the subset
   */
  draw(component, children, press) {
    switch (component.component) {
      case "Card":
        return [el("div", { className: "card-surface" }, ...children())];
      case "Column":
        return [el("div", { className: "card-column" }, ...children())];
      case "Row":
        return [el("div", { className: "card-row" }, ...children())];
      case "Divider":
        return [el("hr")];
      case "Icon":
        return [el("span", { className: "icon", "aria-hidden": "true" }, GLYPHS.get(String(component.name)) ?? "•")];
      case "Text":
        return [drawers.text(component)];
      case "Button":
        return [button(component, children(), press)];
      default:
        return [];
    }
  },

  /**
   * A text as it stands: no markup, no link.
   *
   * @param {Component} component
   * @returns {HTMLElement}
   */
  text({ id, text, variant }) {
    const words = String(text);
    if (id === "title") return el("h3", { "data-part": "title" }, words);
    return variant === "caption" ? el("small", {}, words) : el("span", { className: "text" }, words);
  },
};

/**
 * @param {Component} component
 * @param {HTMLElement[]} label
 * @param {(action: string) => void} press
 */
function button({ action, variant }, label, press) {
  const event = isObject(action) && isObject(action.event) ? action.event : {};
  const name = String(event.name ?? "");
  const className = variant === "primary" ? "primary" : "";
  const made = el("button", { type: "button", className, "data-hook": "card-action", "data-action": name }, ...label);
  made.addEventListener("click", () => press(name));
  return made;
}

customElements.define("interaction-card", InteractionCard);
