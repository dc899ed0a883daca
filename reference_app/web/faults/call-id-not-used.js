/**
 * A browser call is carried out under a new id, so that a repeat runs again.
 *
 * @module
 */

import { dispatching } from "../host/dispatch.js";
import { tokens } from "../surface/tokens.js";
import { replace } from "./lib/replace.js";

replace(dispatching, "dispatch", (dispatch) => (toolset, offer, call, signal) =>
  dispatch(toolset, offer, { ...call, toolCallId: tokens.invocation() }, signal),
);
