/**
 * The controls of an interaction card: one for each component that a person enters something into.
 *
 * @module
 */

import { isObject } from "../surface/json.js";
import { el } from "./dom.js";

/** @import { Component } from "../cards/compile.js" */
/** @import { Json } from "../surface/types.js" */

/**
 * What is drawn, what in it can be disabled, and how it shows a value.
 *
 * @typedef {Readonly<{
 *   element: HTMLElement, inputs: readonly (HTMLInputElement | HTMLTextAreaElement)[], show: (value: Json) => void,
 * }>} Control
 */

/** @typedef {(component: Component, member: string, enter: (value: Json) => void) => Control} MakeControl */

let count = 0;

/**
 * @param {Component} component
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 * @param {HTMLElement[]} more
 * @returns {HTMLElement} a control with its label before it
 */
function labelled({ label }, input, ...more) {
  count += 1;
  input.id = `card-control-${count}`;
  return el("div", { className: "card-field" }, el("label", { htmlFor: input.id }, String(label)), input, ...more);
}

/** @type {MakeControl} */
function textField(component, member, enter) {
  const isLong = component.variant === "longText";
  const input = isLong ? el("textarea", { rows: 3 }) : el("input", { type: "text" });
  if (component.variant === "number") input.inputMode = "decimal";
  input.dataset.field = member;
  input.addEventListener("input", () => enter(input.value));
  return { element: labelled(component, input), inputs: [input], show: (value) => (input.value = String(value ?? "")) };
}

/** @type {MakeControl} */
function dateTimeInput(component, member, enter) {
  const withTime = component.enableTime === true;
  const input = el("input", { type: withTime ? "text" : "date", "data-field": member });
  if (withTime) input.placeholder = "2026-11-30T12:00:00Z";
  else Object.assign(input, { min: String(component.min ?? ""), max: String(component.max ?? "") });
  input.addEventListener("input", () => enter(input.value));
  return { element: labelled(component, input), inputs: [input], show: (value) => (input.value = String(value ?? "")) };
}

/** @type {MakeControl} */
function slider(component, member, enter) {
  const { min, max } = component;
  const input = el("input", { type: "range", "data-field": member, min: String(min), max: String(max), step: "any" });
  const shown = el("output", {});
  input.addEventListener("input", () => {
    enter(input.valueAsNumber);
    shown.value = input.value;
  });
  /** @param {Json} value */
  const show = (value) => {
    input.value = String(value);
    shown.value = String(value);
  };
  return { element: labelled(component, input, shown), inputs: [input], show };
}

/** @type {MakeControl} */
function checkBox({ label }, member, enter) {
  const input = el("input", { type: "checkbox", "data-field": member });
  input.addEventListener("change", () => enter(input.checked));
  const element = el("label", { className: "card-box" }, input, String(label));
  return { element, inputs: [input], show: (value) => (input.checked = value === true) };
}

/** @type {MakeControl} */
function choicePicker({ label, options, variant }, member, enter) {
  const type = variant === "multipleSelection" ? "checkbox" : "radio";
  count += 1;
  const name = `card-choice-${count}`;
  const offered = (Array.isArray(options) ? options : []).filter(isObject);
  const inputs = offered.map((option) => el("input", { type, name, value: String(option.value), "data-option": String(option.value) }));
  const chosen = () => inputs.filter((input) => input.checked).map(({ value }) => value);
  for (const input of inputs) input.addEventListener("change", () => enter(chosen()));
  const boxes = inputs.map((input, index) => el("label", { className: "card-box" }, input, String(offered[index]?.label)));
  const element = el("fieldset", { "data-field": member }, el("legend", {}, String(label)), ...boxes);
  /** @param {Json} value */
  const show = (value) => {
    for (const input of inputs) input.checked = Array.isArray(value) && value.includes(input.value);
  };
  return { element, inputs, show };
}

/**
 * By the component that each of them draws.
 *
 * @type {{[kind: string]: MakeControl}}
 */
export const controls = {
  TextField: textField,
  DateTimeInput: dateTimeInput,
  Slider: slider,
  CheckBox: checkBox,
  ChoicePicker: choicePicker,
};
