/**
 * Capabilities of components that are not on the page are offered too.
 *
 * @module
 */

import { offerAlso, strayTool } from "./lib/extra-tools.js";

const bundle = await (await fetch("/web/contracts/bundle.json")).json();
const ids = /** @type {{capabilityId: string}[]} */ (bundle.compiled.capabilities).map(({ capabilityId }) => capabilityId);

offerAlso(
  ids
    .filter((id) => id.startsWith("view:"))
    .map((id) => strayTool(id, "local-state", "A capability of another screen.")),
);
