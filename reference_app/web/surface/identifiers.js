/**
 * The grammar of identifiers: `view:<component type>.<name>` and `domain:<path>`, instances and names.
 *
 * @module
 */

const MAX_LENGTH = 128;
const COMPONENT_TYPE = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*$/;
const CAPABILITY_NAME = /^[a-z][A-Za-z0-9]*$/;
const INSTANCE_ID = /^[A-Za-z0-9_-]+$/;

/** @typedef {Readonly<{plane: "view", type: string, name: string} | {plane: "domain", path: string}>} CapabilityId */

/** @param {string} text */
export function isComponentType(text) {
  return text.length <= MAX_LENGTH && COMPONENT_TYPE.test(text);
}

/** @param {string} text */
export function isCapabilityName(text) {
  return CAPABILITY_NAME.test(text);
}

/** @param {string} text */
export function isInstanceId(text) {
  return text.length <= MAX_LENGTH && INSTANCE_ID.test(text);
}

/**
 * Read a capability id.
 *
 * @param {unknown} text
 * @returns {CapabilityId | undefined} undefined for everything that is not one
 */
export function parseId(text) {
  if (typeof text !== "string" || text.length > MAX_LENGTH) return undefined;
  if (text.startsWith("domain:")) {
    const path = text.slice("domain:".length);
    return path === "" ? undefined : { plane: "domain", path };
  }
  if (!text.startsWith("view:")) return undefined;
  const rest = text.slice("view:".length);
  const dot = rest.lastIndexOf(".");
  if (dot <= 0) return undefined;
  const type = rest.slice(0, dot);
  const name = rest.slice(dot + 1);
  return isComponentType(type) && isCapabilityName(name) ? { plane: "view", type, name } : undefined;
}

/**
 * The plane that an id is on; anything but `domain:` counts as the page's own.
 *
 * @param {string} id
 * @returns {"view" | "domain"}
 */
export function planeOf(id) {
  return id.startsWith("domain:") ? "domain" : "view";
}
