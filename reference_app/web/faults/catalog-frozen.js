/**
 * The catalog is composed once a tab and posted again with every step.
 *
 * @module
 */

import { catalogs } from "../host/catalog.js";
import { replace } from "./lib/replace.js";

/** @import { Offer } from "../host/catalog.js" */

/** @type {Offer | undefined} */
let kept;

replace(catalogs, "compose", (compose) => (...given) => (kept ??= compose(...given)));
