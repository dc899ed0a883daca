/**
 * The bound operation is aimed at the first row of the table, whatever the dialog shows.
 *
 * @module
 */

import { ChaseModel } from "../console/chase-model.js";
import { replace } from "./lib/replace.js";

replace(
  ChaseModel.prototype,
  "bind",
  (bind) =>
    /** @this {ChaseModel} */
    function firstRow() {
      const values = bind.call(this);
      const first = this.page.data.pending[0];
      return values.invoiceId === undefined || first === undefined ? values : { ...values, invoiceId: first.id };
    },
);
