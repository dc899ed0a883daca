/**
 * A call to what is unavailable runs, on the first row if nothing is open.
 *
 * @module
 */

import { ChaseModel } from "../console/chase-model.js";
import { phases } from "../surface/invocation.js";
import { replace } from "./lib/replace.js";

replace(phases, "checkAvailable", () => () => {});
replace(
  ChaseModel.prototype,
  "bind",
  (bind) =>
    /** @this {ChaseModel} */
    function openOrFirst() {
      const values = bind.call(this);
      return { ...values, invoiceId: values.invoiceId ?? this.page.data.pending[0]?.id };
    },
);
