/**
 * Supplying a locked field is answered with a text instead of a typed error.
 *
 * @module
 */

import { dispatching } from "../host/dispatch.js";
import { replace } from "./lib/replace.js";

replace(dispatching, "answer", (typed) => (result, effect) =>
  result.error?.details?.lockedFields === undefined ? typed(result, effect) : { ok: false, value: "That did not work.", effect },
);
