/**
 * What nothing but an approval may bring about: a draft is issued.
 *
 * @module
 */

import { api } from "../../host/api.js";

export async function issueFirstDraft() {
  const drafts = /** @type {{id: number}[]} */ (await api.rpc("list-invoices", { kind: "draft" }));
  if (drafts[0] !== undefined) await api.rpc("issue-invoice", { id: drafts[0].id });
}
