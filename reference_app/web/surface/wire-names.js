/**
 * Names that every model provider accepts for capability ids: at most 64 letters, digits, `_` and `-`.
 *
 * A short name is the id with its punctuation replaced; a long or doubtful one is cut and carries a hash. What a name
 * stands for is looked up in the map that goes with it; only a stored name without a map is decoded.
 *
 * @module
 */

import { parseId } from "./identifiers.js";

const MAX_LENGTH = 64;
const LAST_LEVEL = 3;

/** @typedef {Readonly<{id: string, suffix?: string}>} NameKey */

/** @param {NameKey} key */
const keyText = (key) => `${key.id}#${key.suffix ?? ""}`;

export const wireNames = {
  /**
   * The name of one capability at one level of shortening.
   *
   * @param {string} id
   * @param {string} [suffix] what tells instances apart, where there are several
   * @param {number} [level]
   * @returns {string}
   */
  encode(id, suffix = "", level = 0) {
    const plain = id.replace(":", "_").replaceAll(".", "__");
    const raw = suffix === "" ? plain : `${plain}_at_${suffix}`;
    if (level === 0 && raw.length <= MAX_LENGTH && !id.includes("_")) return raw;
    const size = 7 + 2 * level;
    return `${raw.slice(0, MAX_LENGTH - 3 - size)}_0_${hash36(`${id}#${suffix}#${level}`, size)}`;
  },

  /**
   * Names for a whole catalog, each once: whatever shares a name moves on to a longer hash, together.
   *
   * @param {readonly NameKey[]} keys
   * @returns {Map<string, string>} the name of each key, by `id#suffix`
   */
  assign(keys) {
    const unique = new Map(keys.map((key) => [keyText(key), key]));
    const levels = new Map([...unique.keys()].map((text) => [text, 0]));
    for (let round = 0; round < LAST_LEVEL; round += 1) {
      const clashing = clashes(named(unique, levels));
      if (clashing.length === 0) break;
      for (const text of clashing.flat()) levels.set(text, (levels.get(text) ?? 0) + 1);
    }
    const names = named(unique, levels);
    for (const group of clashes(names)) breakTie(group, names);
    return names;
  },

  /**
   * The key under which a name is found in what `assign` returns.
   *
   * @param {string} id
   * @param {string} [suffix]
   */
  key(id, suffix) {
    return keyText({ id, suffix });
  },

  /**
   * The id that a name spells out, where it is sure.
   *
   * @param {string} name
   * @returns {string | undefined} undefined for shortened names, suffixed names and everything else
   */
  decode(name) {
    const cut = name.indexOf("_");
    const plane = name.slice(0, Math.max(cut, 0));
    const rest = name.slice(cut + 1);
    if ((plane !== "view" && plane !== "domain") || rest.includes("___")) return undefined;
    const segments = rest.split("__");
    if (segments.includes("")) return undefined;
    const id = `${plane}:${segments.join(".")}`;
    if (id.includes("_") || parseId(id) === undefined || wireNames.encode(id) !== name) return undefined;
    return id;
  },
};

/**
 * @param {Map<string, NameKey>} keys
 * @param {Map<string, number>} levels
 * @returns {Map<string, string>}
 */
function named(keys, levels) {
  return new Map([...keys].map(([text, key]) => [text, wireNames.encode(key.id, key.suffix, levels.get(text))]));
}

/**
 * The groups of keys that share a name.
 *
 * @param {Map<string, string>} names
 * @returns {string[][]}
 */
function clashes(names) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const [text, name] of names) groups.set(name, [...(groups.get(name) ?? []), text]);
  return [...groups.values()].filter((group) => group.length > 1);
}

/**
 * @param {string[]} group
 * @param {Map<string, string>} names
 */
function breakTie(group, names) {
  [...group].sort().forEach((text, rank) => {
    const ending = `_0_${rank}`;
    names.set(text, `${(names.get(text) ?? "").slice(0, MAX_LENGTH - ending.length)}${ending}`);
  });
}

/**
 * A hash in base 36: one 32-bit FNV-1a round after the other until there are enough digits.
 *
 * @param {string} text
 * @param {number} length
 * @returns {string}
 */
export function hash36(text, length) {
  let digits = "";
  for (let round = 0; digits.length < length; round += 1) {
    let hash = (0x811c9dc5 ^ round) >>> 0;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
    digits += hash.toString(36).padStart(7, "0");
  }
  return digits.slice(0, length);
}
