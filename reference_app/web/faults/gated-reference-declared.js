/**
 * A gated operation is declared by the tab as a contextual reference, and carried out by its id.
 *
 * @module
 */

import { api } from "../host/api.js";
import { dispatching } from "../host/dispatch.js";
import { isObject } from "../surface/json.js";
import { offerAlso, strayTool } from "./lib/extra-tools.js";
import { replace } from "./lib/replace.js";

const GATED = "domain:issue-invoice";

offerAlso([strayTool(GATED, "destructive", "Issue the invoice that is open.")]);
replace(dispatching, "dispatch", (dispatch) => async (toolset, offer, call, signal) => {
  if (!isObject(call.input) || call.input.capabilityId !== GATED) return dispatch(toolset, offer, call, signal);
  const value = await api.rpc("issue-invoice", isObject(call.input.input) ? call.input.input : {});
  return { ok: true, value, effect: "destructive" };
});
