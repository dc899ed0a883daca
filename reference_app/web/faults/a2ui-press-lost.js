/**
 * A press sends the card as it was at first, not what was entered.
 *
 * @module
 */

import { compiling } from "../cards/compile.js";
import { cards } from "../console/cards.js";
import { replace } from "./lib/replace.js";

replace(cards, "payload", (payload) => (conversation, entry, action, now) => ({
  ...payload(conversation, entry, action, now),
  dataModel: compiling.model(entry.template),
}));
