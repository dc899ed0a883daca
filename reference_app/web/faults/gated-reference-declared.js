/**
 * A gated operation is declared by the tab as a contextual reference.
 *
 * @module
 */

import { offerAlso, strayTool } from "./lib/extra-tools.js";

offerAlso([strayTool("domain:issue-invoice", "destructive", "Issue the invoice that is open.")]);
