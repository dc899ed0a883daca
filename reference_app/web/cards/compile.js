/**
 * A template, compiled in the page to the same three messages that the host compiles: from the durable arguments alone.
 *
 * (Architecture (A2UI): the browser reconstructs the same surface from durable Tool arguments.)
 *
 * @module
 */

/** @import { Json, JsonObject } from "../surface/types.js" */
/** @import { Action, Field, Option, Template } from "./template.js" */

/** @typedef {{[name: string]: Json}} Component flat: `id`, `component`, and the component's own properties */
/** @typedef {Readonly<{id: string, components: readonly Component[], model: JsonObject}>} Surface */

const VERSION = "v0.9";
const CATALOG_ID = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";

/** @type {ReadonlyMap<string, string>} */
const STEP_ICONS = new Map([
  ["pending", "moreHoriz"],
  ["running", "refresh"],
  ["done", "check"],
  ["failed", "error"],
]);

export const compiling = {
  /**
   * @param {string} conversationId
   * @param {string} callId
   */
  surfaceId(conversationId, callId) {
    return `a2ui:${encodeURIComponent(conversationId)}:${encodeURIComponent(callId)}`;
  },

  /**
   * @param {Template} template
   * @param {string} id the surface's
   * @returns {Surface}
   */
  compile(template, id) {
    const body = [...heading(template), ...content(template), ...footer(template.actions ?? [])];
    const column = component("body", "Column", { children: body.map(([first]) => first?.id ?? null) });
    const root = component("root", "Card", { child: "body" });
    return { id, components: [root, column, ...body.flat()], model: compiling.model(template) };
  },

  /**
   * The data model at first, each value of the type that its component needs.
   *
   * @param {Template} template
   * @returns {JsonObject}
   */
  model({ kind, fields = [] }) {
    if (kind === "form") return Object.fromEntries(fields.map((field) => [field.id, initial(field)]));
    return kind === "choice" ? { choice: [] } : {};
  },
};

/**
 * The three messages, in their order.
 *
 * @param {Surface} surface
 * @returns {JsonObject[]}
 */
export function messages({ id: surfaceId, components, model }) {
  return [
    { version: VERSION, createSurface: { surfaceId, catalogId: CATALOG_ID } },
    { version: VERSION, updateComponents: { surfaceId, components: [...components] } },
    { version: VERSION, updateDataModel: { surfaceId, path: "/", value: model } },
  ];
}

/**
 * @param {Template} template
 * @returns {Component[][]} each component of the body with everything below it, itself first
 */
function heading({ title, description }) {
  const first = [text("title", title, "h3")];
  return description === undefined ? [first] : [first, [text("description", description, "body")]];
}

/**
 * @param {Template} template
 * @returns {Component[][]}
 */
function content({ kind, title, fields = [], options = [], items = [], steps = [], multiple = false }) {
  switch (kind) {
    case "form":
      return fields.map((field) => [input(field)]);
    case "choice":
      return [[picker("choice", "choice", title, options, multiple)], ...explanations(options)];
    case "review":
      return items.map(({ label, value }, index) => {
        const name = `item-${index + 1}`;
        return row(name, [text(`${name}-label`, label, "caption"), text(`${name}-value`, value, "body")]);
      });
    case "status":
      return steps.map(({ label, state }, index) => {
        const name = `step-${index + 1}`;
        const icon = component(`${name}-icon`, "Icon", { name: STEP_ICONS.get(state) ?? "help" });
        return row(name, [icon, text(`${name}-label`, label, "body"), text(`${name}-state`, state, "caption")]);
      });
  }
}

/**
 * @param {readonly Option[]} options
 * @returns {Component[][]}
 */
function explanations(options) {
  return options.flatMap(({ label, explanation }, index) =>
    explanation === undefined ? [] : [[text(`explanation-${index + 1}`, `${label}: ${explanation}`, "caption")]],
  );
}

/**
 * @param {readonly Action[]} actions
 * @returns {Component[][]}
 */
function footer(actions) {
  if (actions.length === 0) return [];
  const buttons = actions.flatMap(({ name, label, primary = false }) => {
    const id = `action-${name}`;
    const variant = primary ? "primary" : "default";
    const button = component(id, "Button", { child: `${id}-label`, variant, action: { event: { name } } });
    return [button, text(`${id}-label`, label, "body")];
  });
  const children = actions.map(({ name }) => `action-${name}`);
  return [[component("rule", "Divider", {})], [component("actions", "Row", { children }), ...buttons]];
}

/**
 * @param {Field} field
 * @returns {Component}
 */
function input({ id, label, type, options = [], min, max }) {
  const name = `field-${id}`;
  const common = { label, value: { path: `/${id}` } };
  switch (type) {
    case "long_text":
      return component(name, "TextField", { ...common, variant: "longText" });
    case "number":
      return component(name, "TextField", { ...common, variant: "number" });
    case "boolean":
      return component(name, "CheckBox", common);
    case "date":
    case "datetime": {
      const limits = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
      return component(name, "DateTimeInput", {
        ...common,
        enableDate: true,
        enableTime: type === "datetime",
        ...limits,
      });
    }
    case "range":
      return component(name, "Slider", { ...common, min: min ?? 0, max: max ?? 0 });
    case "single_choice":
    case "multi_choice":
      return picker(name, id, label, options, type === "multi_choice");
    default:
      return component(name, "TextField", { ...common, variant: "shortText" });
  }
}

/**
 * @param {string} name
 * @param {string} member
 * @param {string} label
 * @param {readonly Option[]} options
 * @param {boolean} multiple
 */
function picker(name, member, label, options, multiple) {
  const offered = options.map((option) => ({ label: option.label, value: option.value }));
  const variant = multiple ? "multipleSelection" : "mutuallyExclusive";
  return component(name, "ChoicePicker", { label, value: { path: `/${member}` }, options: offered, variant });
}

/**
 * @param {Field} field
 * @returns {Json}
 */
function initial({ type, min, default: given }) {
  switch (type) {
    case "boolean":
      return given ?? false;
    case "range":
      return given ?? min ?? 0;
    case "number":
      return given === undefined ? "" : String(given);
    case "single_choice":
      return given === undefined ? [] : [given];
    case "multi_choice":
      return given ?? [];
    default:
      return given ?? "";
  }
}

/**
 * @param {string} name
 * @param {Component[]} parts
 * @returns {Component[]}
 */
function row(name, parts) {
  return [component(name, "Row", { children: parts.map(({ id }) => id ?? null) }), ...parts];
}

/**
 * @param {string} id
 * @param {string} words
 * @param {string} variant
 */
function text(id, words, variant) {
  return component(id, "Text", { text: words, variant });
}

/**
 * @param {string} id
 * @param {string} kind
 * @param {JsonObject} properties
 * @returns {Component}
 */
function component(id, kind, properties) {
  return { id, component: kind, ...properties };
}
