/**
 * What the browser keeps: for this tab its conversation and page parameters, for this person's browser their own settings.
 *
 * A browser that keeps nothing is no error: the page then forgets.
 *
 * @module
 */

/** @import { Layout } from "./table.js" */

/**
 * @param {() => Storage} storage
 * @param {string} key
 * @returns {unknown}
 */
function read(storage, key) {
  try {
    return JSON.parse(storage().getItem(`console:${key}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {() => Storage} storage
 * @param {string} key
 * @param {unknown} value null forgets
 */
function write(storage, key, value) {
  try {
    if (value === null) storage().removeItem(`console:${key}`);
    else storage().setItem(`console:${key}`, JSON.stringify(value));
  } catch {
    // full, or switched off
  }
}

const tab = () => sessionStorage;
const browser = () => localStorage;

export const storage = {
  /** @returns {string | undefined} */
  conversation() {
    const id = read(tab, "conversation");
    return typeof id === "string" ? id : undefined;
  },

  /** @param {string | null} id */
  keepConversation(id) {
    write(tab, "conversation", id);
  },

  /** @returns {{[name: string]: string}} */
  parameters() {
    const kept = read(tab, "parameters");
    if (typeof kept !== "object" || kept === null) return {};
    const texts = Object.entries(kept).filter(([, value]) => typeof value === "string");
    return Object.fromEntries(/** @type {[string, string][]} */ (texts));
  },

  /** @param {{[name: string]: string}} parameters */
  keepParameters(parameters) {
    write(tab, "parameters", parameters);
  },

  /**
   * @param {string} table
   * @returns {Layout | undefined}
   */
  layout(table) {
    const kept = /** @type {Partial<Layout> | null} */ (read(browser, `columns:${table}`));
    return Array.isArray(kept?.order) && Array.isArray(kept.hidden) ? /** @type {Layout} */ (kept) : undefined;
  },

  /**
   * @param {string} table
   * @param {Layout} layout
   */
  keepLayout(table, layout) {
    write(browser, `columns:${table}`, layout);
  },

  asksBeforeChasing: () => read(browser, "ask-before-chasing") === true,

  /** @param {boolean} on */
  keepAskBeforeChasing(on) {
    write(browser, "ask-before-chasing", on);
  },
};
