/**
 * Building and updating elements. Texts that come from elsewhere are only ever set as texts, and what in them could steer
 * or hide is spelled out.
 *
 * @module
 */

import { visible } from "../console/texts.js";

/** @typedef {{[name: string]: unknown}} Properties */
/** @typedef {Node | string | undefined | false} Child */

/**
 * Make an element.
 *
 * A property that begins with `on` is a listener, one with a dash or `role` an attribute, everything else is set on the
 * element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (isRead(name)) element.setAttribute(name, visible(String(value)));
    else if (name.includes("-") || name === "role") element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  for (const child of children) {
    if (child !== undefined && child !== false) element.append(typeof child === "string" ? visible(child) : child);
  }
  return element;
}

/**
 * Make an element of the console's own, with what it needs before it comes onto the page.
 *
 * @template {HTMLElement} E
 * @param {new () => E} type
 * @param {Partial<E>} properties
 * @param {{[attribute: string]: string}} [attributes]
 * @returns {E}
 */
export function make(type, properties, attributes = {}) {
  const element = Object.assign(new type(), properties);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/**
 * Set an element's text, if it is another one.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  const shown = visible(text);
  if (element.textContent !== shown) element.textContent = shown;
}

/**
 * Set or remove an attribute, if that changes anything.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string | undefined} value
 */
export function setAttribute(element, name, value) {
  const written = value !== undefined && isRead(name) ? visible(value) : value;
  if (written === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== written) element.setAttribute(name, written);
}

/**
 * Whether a person sees or hears an attribute's text.
 *
 * @param {string} name
 */
function isRead(name) {
  return name === "title" || name === "aria-label";
}

/**
 * Set what a control shows, unless a person is at it.
 *
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control
 * @param {string} value
 */
export function setValue(control, value) {
  if (control.value !== value && document.activeElement !== control) control.value = value;
}

/**
 * Make a parent hold exactly these elements in this order, touching only what differs, so that focus stays where it is.
 *
 * @param {Element} parent
 * @param {readonly Element[]} wanted
 */
export function setChildren(parent, wanted) {
  const kept = new Set(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  wanted.forEach((child, index) => {
    const there = parent.children[index];
    if (there !== child) parent.insertBefore(child, there ?? null);
  });
}

/**
 * Elements that stand for keyed things, made once and updated from then on.
 *
 * @template Item
 * @template {Element} E
 */
export class Keyed {
  /** @type {Map<string, E>} */
  #known = new Map();
  #create;
  #update;

  /**
   * @param {(item: Item) => E} create
   * @param {(element: E, item: Item) => void} update
   */
  constructor(create, update) {
    this.#create = create;
    this.#update = update;
  }

  /**
   * @param {Element} parent
   * @param {readonly Item[]} items
   * @param {(item: Item) => string} keyOf
   */
  show(parent, items, keyOf) {
    /** @type {Map<string, E>} */
    const next = new Map();
    for (const item of items) {
      const element = this.#known.get(keyOf(item)) ?? this.#create(item);
      this.#update(element, item);
      next.set(keyOf(item), element);
    }
    this.#known = next;
    setChildren(parent, [...next.values()]);
  }
}
