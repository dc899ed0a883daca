/**
 * The dialog opens for an invoice that the screen does not show.
 *
 * @module
 */

import { param } from "../console/address.js";
import { ChaseModel } from "../console/chase-model.js";
import { replace } from "./lib/replace.js";

replace(
  ChaseModel.prototype,
  "invoice",
  () =>
    /** @this {ChaseModel} */
    function anywhere() {
      const named = param(this.page.shown, "chase");
      return this.page.data.pending.find(({ id }) => String(id) === named);
    },
);
