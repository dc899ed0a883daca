/**
 * What an identity may not use is shown as unavailable, with the reason.
 *
 * @module
 */

import { policies } from "../surface/policies.js";
import { replace } from "./lib/replace.js";

replace(policies, "vote", (vote) => (chain, context) => {
  const cast = vote(chain, context);
  return cast.vote === "hide" ? { vote: "disable", reason: "You are not allowed to do this" } : cast;
});
