/**
 * A step that fails counts as one that had nothing to say.
 *
 * @module
 */

import { steps } from "../host/step.js";
import { replace } from "./lib/replace.js";

replace(steps, "takeIn", (takeIn) => (frame, log, conversation, watchers) => {
  if (frame.type !== "error") takeIn(frame, log, conversation, watchers);
});
