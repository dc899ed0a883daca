/**
 * The calls that were open when a tab was closed are carried out when it is opened again.
 *
 * @module
 */

import { Assistant } from "../console/assistant.js";
import { scopeFor } from "../console/routes.js";
import { catalogs } from "../host/catalog.js";
import { dispatching } from "../host/dispatch.js";
import { wireNames } from "../surface/wire-names.js";
import { replace } from "./lib/replace.js";

replace(
  Assistant.prototype,
  "open",
  (open) =>
    /** @this {Assistant} */
    async function andFinish(id) {
      await open.call(this, id);
      await this.page.untilShown();
      const scope = scopeFor(this.page.path());
      const toolset = this.toolset(scope);
      const offer = catalogs.compose("direct", scope, toolset.tools());
      for (const entry of this.conversation.thread) {
        if (entry.kind !== "tool" || entry.state !== "failed") continue;
        const { id: toolCallId, capability: canonicalId, input } = entry;
        const call = { toolCallId, wireName: wireNames.encode(canonicalId), canonicalId, input };
        void dispatching.dispatch(toolset, offer, call, new AbortController().signal);
      }
    },
);
