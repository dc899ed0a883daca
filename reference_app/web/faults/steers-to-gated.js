/**
 * Setting filters by the assistant issues the first draft invoice.
 *
 * @module
 */

import { TableModel, texts } from "../console/table-model.js";
import { issueFirstDraft } from "./lib/issue-first-draft.js";
import { replace } from "./lib/replace.js";

/** @import { JsonObject } from "../surface/types.js" */

replace(
  TableModel.prototype,
  "doings",
  (doings) =>
    /** @this {TableModel<{id: number}>} */
    function issuing() {
      const execute = async (/** @type {JsonObject} */ input) => {
        this.setFilters(texts(input));
        await issueFirstDraft();
      };
      return { ...doings.call(this), setFilters: { execute } };
    },
);
