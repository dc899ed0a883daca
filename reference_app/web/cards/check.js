/**
 * What a person has entered, checked before anything is sent; the host checks it again.
 *
 * @module
 */

/** @import { Json, JsonObject } from "../surface/types.js" */
/** @import { Field, Option, Template } from "./template.js" */

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const INSTANT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;
const MAX_NUMBER_TEXT = 32;

export const checking = {
  /**
   * @param {Template} template
   * @param {JsonObject} values
   * @returns {Map<string, string>} what is wrong, by field; empty when everything fits
   */
  problems({ kind, fields = [], options = [], multiple = false }, values) {
    /** @type {[string, string | undefined][]} */
    const found = kind === "form" ? fields.map((field) => [field.id, problem(field, values[field.id] ?? null)]) : [];
    if (kind === "choice") found.push(["choice", chosen(values.choice ?? null, options, multiple)]);
    return new Map(found.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
  },
};

/**
 * @param {Field} field
 * @param {Json} value
 * @returns {string | undefined}
 */
function problem(field, value) {
  if (value === "" || (Array.isArray(value) && value.length === 0)) {
    return field.required === true ? "this has to be filled in" : undefined;
  }
  switch (field.type) {
    case "number":
      return typeof value === "string" ? typedNumber(value, field) : "expected a number";
    case "range":
      return typeof value === "number" ? within(value, field) : "expected a number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "expected yes or no";
    case "date":
    case "datetime":
      return typeof value === "string" ? dated(value, field) : "expected a date";
    case "single_choice":
    case "multi_choice":
      return chosen(value, field.options ?? [], field.type === "multi_choice");
    default:
      return typeof value === "string" && (field.type === "long_text" || !/[\r\n]/.test(value))
        ? undefined
        : "expected a text of one line";
  }
}

/**
 * @param {string} text
 * @param {Field} field
 */
function typedNumber(text, field) {
  if (text.length > MAX_NUMBER_TEXT || !NUMBER.test(text)) return "expected a number";
  return within(Number(text), field);
}

/**
 * @param {number} number
 * @param {Field} bounds
 */
function within(number, { min, max }) {
  if (!Number.isFinite(number)) return "expected a finite number";
  if (typeof min === "number" && number < min) return `at least ${min}`;
  if (typeof max === "number" && number > max) return `at most ${max}`;
  return undefined;
}

/**
 * @param {string} text
 * @param {Field} field
 */
function dated(text, { type, min, max }) {
  const at = moment(text, type);
  if (at === undefined) return type === "date" ? "expected YYYY-MM-DD" : "expected YYYY-MM-DDTHH:MM:SS and a zone";
  const least = typeof min === "string" ? moment(min, type) : undefined;
  const largest = typeof max === "string" ? moment(max, type) : undefined;
  if (least !== undefined && at < least) return `not before ${min}`;
  return largest !== undefined && at > largest ? `not after ${max}` : undefined;
}

/**
 * @param {string} text
 * @param {string} type
 * @returns {number | undefined} milliseconds since 1970, or nothing where the calendar has no such day
 */
function moment(text, type) {
  const day = DATE.exec(type === "date" ? text : (INSTANT.exec(text)?.[1] ?? ""));
  if (day === null) return undefined;
  const [year, month, date] = [Number(day[1]), Number(day[2]), Number(day[3])];
  const inMonth = month >= 1 && month <= 12 ? new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate() : 0;
  if (year < 1 || date < 1 || date > inMonth) return undefined;
  return Date.parse(text);
}

/**
 * @param {Json} value
 * @param {readonly Option[]} options
 * @param {boolean} multiple
 */
function chosen(value, options, multiple) {
  if (!Array.isArray(value)) return "expected a choice";
  const offered = new Set(options.map((option) => option.value));
  if (value.some((one) => !offered.has(String(one))) || new Set(value).size < value.length) return "expected what is offered";
  return multiple || value.length <= 1 ? undefined : "only one can be chosen";
}
