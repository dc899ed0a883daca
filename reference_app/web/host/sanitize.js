/**
 * What a model lets slip of its own channel markup is no part of its answer: it is left out of what a person reads.
 *
 * @module
 */

const NAMES = "thought|thinking|analysis|commentary|final";
const HEADER = new RegExp(`<\\|?channel\\|?>\\s*(?:(?:${NAMES})\\b)?\\s*(?:<\\|?message\\|?>)?`, "gi");
const TOKEN = /<\|(?:channel|start|end|message|return|constrain|call)\|>/gi;
const BARE_NAME = new RegExp(`^[ \\t]*(?:${NAMES})[ \\t]*$\\n?`, "gim");

/**
 * @param {string} text
 * @returns {string} the text without channel headers, control tokens and lines that are only a channel's name
 */
export function sanitize(text) {
  if (!text.includes("<")) return text;
  return text.replace(HEADER, "").replace(TOKEN, "").replace(BARE_NAME, "");
}

/**
 * @param {string} text
 * @returns {string} sanitized, without blank space before it and with at most one empty line in a row
 */
export function tidy(text) {
  return sanitize(text)
    .replace(/\n{3,}/g, "\n\n")
    .trimStart();
}
