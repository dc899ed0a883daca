/**
 * Two instances of one component are offered under the same wire names.
 *
 * @module
 */

import { offers } from "../surface/direct-toolset.js";
import { replace } from "./lib/replace.js";

replace(offers, "keys", (keys) => (snapshot) => keys(snapshot).map(({ id, item }) => ({ id, item })));
