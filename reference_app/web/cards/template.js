/**
 * The template of an interaction card, as the page reads it from a call's arguments.
 *
 * The host has refused what is not valid before a call reaches a tab, and no tab decides about that. What is no template
 * after all is shown as its own text.
 *
 * @module
 */

import { isObject } from "../surface/json.js";

/** @import { Json } from "../surface/types.js" */

/** @typedef {Readonly<{value: string, label: string, explanation?: string}>} Option */

/**
 * @typedef {Readonly<{
 *   id: string, label: string, type: string, required?: boolean, options?: readonly Option[],
 *   min?: number | string, max?: number | string, default?: Json,
 * }>} Field
 */

/** @typedef {Readonly<{name: string, label: string, primary?: boolean}>} Action */

/**
 * @typedef {Readonly<{
 *   kind: "form" | "choice" | "review" | "status", title: string, description?: string, fallback_text: string,
 *   fields?: readonly Field[], options?: readonly Option[], multiple?: boolean,
 *   items?: readonly Readonly<{label: string, value: string}>[],
 *   steps?: readonly Readonly<{label: string, state: string}>[], actions?: readonly Action[],
 * }>} Template
 */

export const CAPABILITY = "domain:a2ui-present";
export const WIRE_NAME = "a2ui_present";

/** What a tab posts as the result of the call: the host puts its own in its place. */
export const PENDING = Object.freeze({ status: "pending" });

const KINDS = new Set(["form", "choice", "review", "status"]);

/**
 * @param {Json} input
 * @returns {Template | undefined}
 */
export function templateOf(input) {
  const isOne = isObject(input) && KINDS.has(String(input.kind)) && typeof input.title === "string";
  return isOne ? /** @type {Template} */ (/** @type {unknown} */ (input)) : undefined;
}
