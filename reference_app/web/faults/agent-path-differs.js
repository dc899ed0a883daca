/**
 * The assistant's filters narrow nothing that a person can see, and are in no address.
 *
 * @module
 */

import { TableModel } from "../console/table-model.js";
import { replace } from "./lib/replace.js";

replace(
  TableModel.prototype,
  "doings",
  (doings) =>
    /** @this {TableModel<{id: number}>} */
    function quieter() {
      return { ...doings.call(this), setFilters: { execute: () => undefined } };
    },
);
