/**
 * Stopping the assistant leaves the question open that it has put.
 *
 * @module
 */

import { Assistant } from "../console/assistant.js";
import { replace } from "./lib/replace.js";

replace(
  Assistant.prototype,
  "stop",
  () =>
    /** @this {Assistant} */
    function turnOnly() {
      this.stopTurn();
    },
);
