/**
 * The errors of the view plane give no hint whether calling again can help.
 *
 * @module
 */

import { dispatching } from "../host/dispatch.js";
import { replace } from "./lib/replace.js";

replace(dispatching, "answer", (typed) => (result, effect) => {
  if (result.error === undefined) return typed(result, effect);
  const { retry: _retry, ...error } = result.error;
  return { ok: false, value: { error }, effect };
});
