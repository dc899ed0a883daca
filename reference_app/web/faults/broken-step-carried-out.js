/**
 * The calls of a step whose stream breaks off are carried out.
 *
 * @module
 */

import { steps } from "../host/step.js";
import { wireNames } from "../surface/wire-names.js";
import { replace } from "./lib/replace.js";

replace(steps, "run", (run) => async (address, conversation, offer, watchers, signal) => {
  const log = await run(address, conversation, offer, watchers, signal);
  if (log.finish !== undefined) return log;
  const begun = conversation.thread.flatMap((entry) =>
    entry.kind === "tool" && entry.state === "running" && log.inputs.has(entry.id) ? [entry] : [],
  );
  if (begun.length === 0) return log;
  const pendingToolCalls = begun.map(({ id, capability, input }) => ({
    toolCallId: id,
    wireName: wireNames.encode(capability),
    canonicalId: capability,
    input,
  }));
  return { ...log, error: undefined, finish: { responseMessages: [], pendingToolCalls } };
});
