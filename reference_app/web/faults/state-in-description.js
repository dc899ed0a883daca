/**
 * Availability and binding text are written into the tool's description.
 *
 * @module
 */

import { offers } from "../surface/direct-toolset.js";
import { replace } from "./lib/replace.js";

replace(offers, "describe", (describe) => (item) => {
  const state = item.unavailableReason ?? item.contextualNote ?? "Available now";
  return `${describe(item)} (${state})`;
});
