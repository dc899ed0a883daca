/**
 * A call to one of several components of a kind is carried out by the first.
 *
 * @module
 */

import { resolution } from "../surface/resolution.js";
import { replace } from "./lib/replace.js";

replace(resolution, "byRegistration", (exact) => (request, live, scene) =>
  live.length > 1 && live[0] !== undefined ? live[0] : exact(request, live, scene),
);
