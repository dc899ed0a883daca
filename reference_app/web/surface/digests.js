/**
 * Texts that stand for values: canonical JSON in the surface's and in the contract's form, and their hashes.
 *
 * @module
 */

/** @import { Json } from "./types.js" */

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const MASK_64 = 0xffffffffffffffffn;

export const digests = {
  /**
   * The one text of a value: keys in the order of their UTF-16 code units, no spaces, what is undefined left out.
   *
   * @param {unknown} value
   * @returns {string}
   * @throws {TypeError} for a number that is not finite
   */
  canonicalJson(value) {
    if (value === undefined || value === null) return "null";
    if (typeof value === "number") return numberText(value);
    if (Array.isArray(value)) return `[${value.map((item) => digests.canonicalJson(item)).join(",")}]`;
    if (typeof value !== "object") return JSON.stringify(value);
    const members = Object.entries(value).filter(([, item]) => item !== undefined);
    members.sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${digests.canonicalJson(item)}`).join(",")}}`;
  },

  /**
   * The text over which contracts are hashed: canonical JSON with a newline, which belongs to it.
   *
   * @param {Json} value
   * @returns {string}
   */
  contractText(value) {
    return `${digests.canonicalJson(value)}\n`;
  },

  /**
   * FNV-1a over the UTF-16 code units of a text, 64 bits in lower-case hexadecimal.
   *
   * @param {string} text
   * @returns {string}
   */
  fnv1a64(text) {
    let hash = FNV_OFFSET;
    for (let at = 0; at < text.length; at += 1) {
      hash = ((hash ^ BigInt(text.charCodeAt(at))) * FNV_PRIME) & MASK_64;
    }
    return hash.toString(16).padStart(16, "0");
  },

  /**
   * SHA-256 of a text's UTF-8 form, in hexadecimal.
   *
   * @param {string} text
   * @returns {Promise<string>}
   */
  async sha256(text) {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
};

/** @param {number} value */
function numberText(value) {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON text; only finite numbers do`);
  return JSON.stringify(value === 0 ? 0 : value);
}
