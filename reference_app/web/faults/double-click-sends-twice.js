/**
 * A message that is sent by a double click is sent twice.
 *
 * @module
 */

import { Assistant } from "../console/assistant.js";
import { replace } from "./lib/replace.js";

replace(
  Assistant.prototype,
  "send",
  (send) =>
    /** @this {Assistant} */
    async function again(text) {
      await send.call(this, text);
      await send.call(this, text);
    },
);
