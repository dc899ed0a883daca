/**
 * The browser's half of a step's catalog: what is declared, and apart from it the state that it is in.
 *
 * @module
 */

import { shorten } from "../surface/errors.js";
import { copy } from "../surface/json.js";

/** @import { Tool } from "../surface/tools.js" */
/** @import { JsonObject } from "../surface/types.js" */

/** @typedef {Readonly<{mode: string, scope: readonly string[], tools: readonly Tool[]}>} Offer */

const MAX_TOOLS = 128;
const MAX_MESSAGES = 400;
const MAX_DESCRIPTION = 1000;
const MAX_STATE_TEXT = 300;

export const catalogs = {
  /**
   * What one step offers. Taken anew for every step.
   *
   * @param {string} mode
   * @param {readonly string[]} scope
   * @param {readonly Tool[]} tools
   * @returns {Offer}
   */
  compose(mode, scope, tools) {
    return { mode, scope, tools };
  },

  /**
   * The catalog as it is posted; a page without a scope sends none.
   *
   * @param {Offer} offer
   * @returns {JsonObject}
   */
  json({ mode, scope, tools }) {
    return {
      mode,
      ...(scope.length === 0 ? {} : { scope: [...scope] }),
      frontendTools: tools.map((tool) => catalogs.declaration(tool)),
      frontendState: tools.map((tool) => catalogs.state(tool)),
    };
  },

  /**
   * Declare a tool; nothing that moves with the page's state is in it.
   *
   * @param {Tool} tool
   * @returns {JsonObject}
   */
  declaration({ name, canonicalId, plane, description, inputSchema, effect, confirmation }) {
    return {
      wireName: name,
      canonicalId,
      plane,
      description: shorten(description, MAX_DESCRIPTION),
      inputSchema: copy(inputSchema),
      effect,
      confirmation,
    };
  },

  /**
   * @param {Tool} tool
   * @returns {JsonObject}
   */
  state({ name, state: { available, unavailableReason, note } }) {
    return {
      wireName: name,
      available,
      ...(unavailableReason === undefined ? {} : { unavailableReason: shorten(unavailableReason, MAX_STATE_TEXT) }),
      ...(note === undefined ? {} : { note: shorten(note, MAX_STATE_TEXT) }),
    };
  },

  /**
   * What is too much to be posted at all, with its count and its limit.
   *
   * @param {Offer} offer
   * @param {readonly unknown[]} messages
   * @returns {string | undefined}
   */
  excess({ tools }, messages) {
    if (tools.length > MAX_TOOLS) return `The page offers ${tools.length} view tools; at most ${MAX_TOOLS} can be sent.`;
    if (messages.length > MAX_MESSAGES) {
      return `The conversation has ${messages.length} messages; at most ${MAX_MESSAGES} can be sent.`;
    }
    return undefined;
  },
};
