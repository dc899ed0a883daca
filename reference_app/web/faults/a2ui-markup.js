/**
 * What a card says is taken for markup.
 *
 * @module
 */

import { drawers } from "../elements/interaction-card.js";
import { replace } from "./lib/replace.js";

const TAG = /<(b|i|img|a)((?:\s+[\w-]+=(?:"[^"]*"|[^\s>]+))*)\s*\/?>/g;
const ATTRIBUTE = /([\w-]+)=(?:"([^"]*)"|([^\s>]+))/g;

replace(drawers, "text", (text) => (component) => {
  const element = text(component);
  for (const [, name, attributes] of String(component.text).matchAll(TAG)) {
    const made = document.createElement(/** @type {string} */ (name));
    for (const [, key, quoted, bare] of (attributes ?? "").matchAll(ATTRIBUTE)) {
      // The page's policy lets nobody set a handler as text; that would end the drawing, and not show the defect.
      if (key !== undefined && !key.startsWith("on")) made.setAttribute(key, quoted ?? bare ?? "");
    }
    element.append(made);
  }
  return element;
});
