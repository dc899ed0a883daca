/**
 * A card as plain text, for logs, and for whoever would rather read than look.
 *
 * @module
 */

import { isObject } from "../surface/json.js";

/** @import { Json, JsonObject } from "../surface/types.js" */
/** @import { Component, Surface } from "./compile.js" */

/** @typedef {(component: Component, value: Json) => string} Writer */

/** @type {Writer} */
const entry = ({ label }, value) => `${label}: ${value}`;

/**
 * How each component that holds no other is written.
 *
 * @type {{[kind: string]: Writer}}
 */
export const LEAVES = {
  Text: ({ text }) => String(text),
  Icon: () => "*",
  Divider: () => "---",
  TextField: entry,
  DateTimeInput: entry,
  Slider: entry,
  CheckBox: ({ label }, value) => `[${value === true ? "x" : " "}] ${label}`,
  ChoicePicker: ({ label, options }, value) => {
    const chosen = Array.isArray(value) ? value : [];
    const offered = Array.isArray(options) ? options.filter(isObject) : [];
    const shown = offered.map((option) => `(${chosen.includes(option.value ?? null) ? "x" : " "}) ${option.label}`);
    return `${label}: ${shown.join(" ")}`;
  },
};

export const plainTexts = {
  /**
   * @param {Surface} surface
   * @param {JsonObject} values the data model as entered
   * @returns {string} line by line
   */
  of(surface, values) {
    return written(surface, values);
  },
};

/**
 * @param {Surface} surface
 * @param {JsonObject} values
 */
function written({ components }, values) {
  /**
   * @param {Component} component
   * @returns {string[]}
   */
  const lines = (component) => {
    const parts = childrenOf(component).flatMap((id) => components.filter((part) => part.id === id));
    switch (component.component) {
      case "Card":
      case "Column":
        return parts.flatMap(lines);
      case "Row":
        return [parts.flatMap(lines).join("  ")];
      case "Button":
        return [`[${parts.flatMap(lines).join("")}]`];
      default: {
        const write = LEAVES[String(component.component)];
        return write === undefined ? [] : [write(component, boundValue(component, values))];
      }
    }
  };
  return components.filter(({ id }) => id === "root").flatMap(lines).join("\n");
}

/**
 * @param {Component} component
 * @returns {Json[]}
 */
export function childrenOf({ child, children }) {
  if (Array.isArray(children)) return children;
  return child === undefined ? [] : [child];
}

/**
 * @param {Component} component
 * @returns {string} the member of the model that a component is bound to; empty when it is to none
 */
export function memberOf({ value }) {
  return isObject(value) ? String(value.path).replace(/^\//, "") : "";
}

/**
 * @param {Component} component
 * @param {JsonObject} values
 */
function boundValue(component, values) {
  return values[memberOf(component)] ?? null;
}
