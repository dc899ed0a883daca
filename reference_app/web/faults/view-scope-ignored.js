/**
 * The view plane's catalog is not narrowed to the screen's scope.
 *
 * @module
 */

import { scopes } from "../surface/scope.js";
import { replace } from "./lib/replace.js";

replace(scopes, "includes", () => () => true);
