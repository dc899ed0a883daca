/**
 * A tool that clicks an element by its selector is offered.
 *
 * @module
 */

import { offerAlso, strayTool } from "./lib/extra-tools.js";

offerAlso([strayTool("view:app.page.clickElement", "local-state", "Click the element that a CSS selector names.")]);
