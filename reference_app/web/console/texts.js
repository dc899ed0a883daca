/**
 * How amounts, counts and foreign texts are written for a person.
 *
 * @module
 */

/**
 * @param {number} cents
 * @returns {string} whole euros, half a euro rounded up: `€18,400`
 */
export function euros(cents) {
  return `€${Math.floor((cents + 50) / 100).toLocaleString("en-IE")}`;
}

/** @param {number} count */
export function days(count) {
  return count === 1 ? "1 day" : `${count} days`;
}

// Controls but for tab and newline, soft hyphens, everything that steers direction or joins and hides characters,
// line and paragraph separators, fillers, tags and lone surrogates.
const UNSEEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/gu;

/**
 * A text as it may be shown: what could steer, hide or imitate is spelled out and not obeyed.
 *
 * @param {string} text
 * @returns {string} with control pictures such as `␛`, and code points such as `⟦U+202E⟧`
 */
export function visible(text) {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
  });
}

/**
 * @param {unknown} value
 * @returns {string} readable JSON
 */
export function pretty(value) {
  return JSON.stringify(value, null, 2) ?? "";
}
