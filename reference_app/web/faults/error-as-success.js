/**
 * A call of the browser's that failed is reported as done.
 *
 * @module
 */

import { dispatching } from "../host/dispatch.js";
import { replace } from "./lib/replace.js";

replace(dispatching, "dispatch", (dispatch) => async (toolset, offer, call, signal) => {
  const answer = await dispatch(toolset, offer, call, signal);
  return answer.ok ? answer : { ok: true, value: { done: true }, effect: answer.effect };
});
