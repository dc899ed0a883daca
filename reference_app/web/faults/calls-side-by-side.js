/**
 * The calls of one message are carried out all at once.
 *
 * @module
 */

import { turns } from "../host/turn.js";
import { replace } from "./lib/replace.js";

replace(turns, "inOrder", () => async (calls, carryOut) => {
  const ends = await Promise.all(calls.map(carryOut));
  return ends.find((end) => end !== undefined);
});
