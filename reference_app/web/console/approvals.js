/**
 * Approvals as the page handles them: a card for each in the thread, and the person's decision on its way to the server.
 *
 * @module
 */

import { api } from "../host/api.js";
import { approvalIdOf } from "../host/conversation.js";

/** @import { Approval } from "../host/api.js" */
/** @import { Conversation } from "../host/conversation.js" */
/** @import { Json } from "../surface/types.js" */

/** @typedef {Readonly<{text: string, ok: boolean}>} Told */

export const approvals = {
  /**
   * Show the card of an approval, as the server has it now.
   *
   * @param {Conversation} conversation
   * @param {string} approvalId
   * @param {string} [callId] the call that asked for it
   */
  async show(conversation, approvalId, callId) {
    conversation.showApproval(await api.approval(approvalId), callId);
  },

  /**
   * Show the cards of a restored thread, each below the call that asked for it.
   *
   * @param {Conversation} conversation
   */
  async restore(conversation) {
    const calls = conversation.thread.flatMap((entry) => {
      const approvalId = entry.kind === "tool" ? approvalIdOf(entry.result) : undefined;
      return entry.kind === "tool" && approvalId !== undefined ? [{ approvalId, callId: entry.id }] : [];
    });
    for (const { approvalId, callId } of calls) await approvals.show(conversation, approvalId, callId);
  },

  /**
   * Look again at the cards that wait: they may have been decided elsewhere, or have expired.
   *
   * @param {Conversation} conversation
   */
  async refresh(conversation) {
    const waiting = conversation.approvals.filter(({ status }) => status === "pending");
    for (const { id } of waiting) await approvals.show(conversation, id);
  },

  /**
   * Decide at the server, about the input that the card shows.
   *
   * @param {Conversation} conversation
   * @param {Approval} approval
   * @param {boolean} approved
   * @param {boolean} inTurn
   * @returns {Promise<Told>}
   */
  async decide(conversation, approval, approved, inTurn) {
    try {
      const receipt = await api.decide(approval, approved, conversation.id);
      conversation.receipt(receipt.text, inTurn);
      return receipt;
    } finally {
      await approvals.show(conversation, approval.id).catch(() => undefined); // what went wrong is told already
    }
  },

  /**
   * Exactly what would run.
   *
   * @param {Approval} approval
   * @returns {Json}
   */
  shownInput({ input }) {
    return input;
  },
};
