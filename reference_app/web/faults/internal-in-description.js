/**
 * A description carries what only the application should know.
 *
 * @module
 */

import { offers } from "../surface/direct-toolset.js";
import { replace } from "./lib/replace.js";

replace(offers, "describe", (describe) => (item) =>
  `${describe(item)} [${item.registrationId} ${JSON.stringify(item.inputSchema)}]`.slice(0, 900),
);
