/**
 * The assistant's filters narrow what is on the screen, and are in no address.
 *
 * @module
 */

import { TableModel, texts } from "../console/table-model.js";
import { replace } from "./lib/replace.js";

/** @import { JsonObject } from "../surface/types.js" */

/** @type {WeakMap<TableModel<{id: number}>, {[name: string]: string}>} */
const kept = new WeakMap();

replace(
  TableModel.prototype,
  "doings",
  (doings) =>
    /** @this {TableModel<{id: number}>} */
    function beside() {
      const execute = (/** @type {JsonObject} */ input) => {
        kept.set(this, { ...kept.get(this), ...texts(input) });
        this.page.touch();
      };
      return { ...doings.call(this), setFilters: { execute } };
    },
);
replace(
  TableModel.prototype,
  "view",
  (view) =>
    /** @this {TableModel<{id: number}>} */
    function withKept() {
      const seen = view.call(this);
      return { ...seen, filters: { ...seen.filters, ...kept.get(this) } };
    },
);
