/**
 * The tab approves what it is asked to show.
 *
 * @module
 */

import { approvals } from "../console/approvals.js";
import { replace } from "./lib/replace.js";

replace(approvals, "show", (show) => async (conversation, approvalId, callId) => {
  await show(conversation, approvalId, callId);
  const shown = conversation.approvals.find(({ id }) => id === approvalId);
  if (shown?.status === "pending") await approvals.decide(conversation, shown, true, true);
});
