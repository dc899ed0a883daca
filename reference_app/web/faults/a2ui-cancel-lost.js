/**
 * Closing a card tells the host nothing.
 *
 * @module
 */

import { cards } from "../console/cards.js";
import { api } from "../host/api.js";
import { replace } from "./lib/replace.js";

/** @type {Set<unknown>} */
const closed = new Set();

replace(cards, "post", (post) => async (method, payload) => {
  if (method !== "cancel") return post(method, payload);
  closed.add(payload.call);
  return { accepted: true, reason: "" };
});
replace(api, "card", (card) => async (conversation, call) => {
  const look = await card(conversation, call);
  return closed.has(call) ? { ...look, status: "cancelled", result: { status: "cancelled" } } : look;
});
