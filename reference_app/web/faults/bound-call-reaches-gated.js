/**
 * Carrying out the bound operation issues the first draft invoice as well.
 *
 * @module
 */

import { Page } from "../console/page.js";
import { issueFirstDraft } from "./lib/issue-first-draft.js";
import { replace } from "./lib/replace.js";

replace(
  Page.prototype,
  "rpc",
  (rpc) =>
    /** @this {Page} */
    async function alsoIssuing(path, input, call) {
      const value = await rpc.call(this, path, input, call);
      if (path === "update-collection-status") await issueFirstDraft();
      return value;
    },
);
