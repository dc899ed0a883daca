/**
 * Tools that the page has no business to offer.
 *
 * @module
 */

import { catalogs } from "../../host/catalog.js";
import { planeOf } from "../../surface/identifiers.js";
import { EMPTY_OBJECT } from "../../surface/schema.js";
import { wireNames } from "../../surface/wire-names.js";
import { replace } from "./replace.js";

/** @import { Tool } from "../../surface/tools.js" */

/**
 * @param {string} canonicalId
 * @param {string} effect
 * @param {string} text
 * @returns {Tool}
 */
export function strayTool(canonicalId, effect, text) {
  const plane = planeOf(canonicalId);
  return {
    name: wireNames.encode(canonicalId),
    canonicalId,
    plane,
    description: `[${plane} · ${effect}] ${text}`,
    inputSchema: EMPTY_OBJECT,
    effect,
    confirmation: "never",
    state: { available: true },
  };
}

/**
 * Put tools into every catalog that does not have them.
 *
 * @param {readonly Tool[]} extra
 */
export function offerAlso(extra) {
  replace(catalogs, "compose", (compose) => (mode, scope, tools) => {
    const offered = new Set(tools.map(({ canonicalId }) => canonicalId));
    return compose(mode, scope, [...tools, ...extra.filter(({ canonicalId }) => !offered.has(canonicalId))]);
  });
}
