/**
 * The descriptions of the meta tools list what is on the screen.
 *
 * @module
 */

import { metaRules } from "../surface/meta-toolset.js";
import { replace } from "./lib/replace.js";

replace(metaRules, "tools", (tools) => (registry, consumer) => {
  const listed = registry.snapshot({ consumer }).components.map(({ type }) => type).join(", ");
  return tools(registry, consumer).map((tool) => ({ ...tool, description: `${tool.description} Now: ${listed}.` }));
});
