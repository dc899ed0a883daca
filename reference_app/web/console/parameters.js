/**
 * Page parameters: how a tab is set up, apart from the view in its address.
 *
 * `?mode=meta`, `?fault=NAME` and `?setting=NAME:VALUE,NAME:VALUE` are taken out of the address
 * once they are read, so that the address stays one that can be shared, and kept for this tab until they are given anew;
 * an empty value takes one back. `?conversation=ID` opens a stored thread, `?conversation=new` a fresh one.
 *
 * @module
 */

import { LIMITS } from "../surface/limits.js";
import { storage } from "./storage.js";

/** @import { Limits } from "../surface/limits.js" */
/** @import { Address } from "./address.js" */

/**
 * @typedef {Readonly<{
 *   mode: "direct" | "meta", faults: readonly string[], confirmations: "wait" | "two-phase", turnSteps: number,
 *   turnDeadlineMs: number, settleMs: number, limits: Limits, hasLab: boolean,
 * }>} Parameters
 */

const NAMES = ["mode", "fault", "setting"];

/** The settings that are numbers, by the name that the headless tab gives them too. */
const NUMBERS = Object.freeze({
  turn_steps: 8,
  turn_deadline_ms: 180_000,
  settle_ms: 1500,
  observation_timeout_ms: LIMITS.observationTimeoutMs,
  action_timeout_ms: LIMITS.actionTimeoutMs,
  procedure_timeout_ms: LIMITS.procedureTimeoutMs,
  confirmation_ttl_ms: LIMITS.confirmationTtlMs,
  max_pending_confirmations: LIMITS.maxPendingConfirmations,
});

/**
 * Take the page parameters out of an address.
 *
 * @param {Address} address
 * @returns {{address: Address, parameters: Parameters, conversation: string | undefined, problems: string[]}}
 */
export function takeParameters({ path, params }) {
  const given = [...params].filter(([name]) => NAMES.includes(name));
  const kept = { ...storage.parameters(), ...Object.fromEntries(given) };
  storage.keepParameters(kept);
  const rest = new Map([...params].filter(([name]) => !NAMES.includes(name) && name !== "conversation"));
  return { address: { path, params: rest }, conversation: params.get("conversation"), ...read(kept) };
}

/**
 * @param {{[name: string]: string}} kept
 * @returns {{parameters: Parameters, problems: string[]}}
 */
function read(kept) {
  const { settings, problems } = readSettings(kept.setting ?? "");
  if (!["", "direct", "meta"].includes(kept.mode ?? "")) problems.push(`There is no mode ${kept.mode}.`);
  return {
    parameters: {
      mode: kept.mode === "meta" ? "meta" : "direct",
      faults: (kept.fault ?? "").split(",").filter((name) => name !== ""),
      confirmations: settings.confirmations === "two-phase" ? "two-phase" : "wait",
      hasLab: settings.lab === "on",
      turnSteps: number(settings, "turn_steps"),
      turnDeadlineMs: number(settings, "turn_deadline_ms"),
      settleMs: number(settings, "settle_ms"),
      limits: {
        ...LIMITS,
        observationTimeoutMs: number(settings, "observation_timeout_ms"),
        actionTimeoutMs: number(settings, "action_timeout_ms"),
        procedureTimeoutMs: number(settings, "procedure_timeout_ms"),
        confirmationTtlMs: number(settings, "confirmation_ttl_ms"),
        maxPendingConfirmations: number(settings, "max_pending_confirmations"),
      },
    },
    problems,
  };
}

/**
 * @param {string} text `name:value,name:value`
 * @returns {{settings: {[name: string]: string}, problems: string[]}}
 */
function readSettings(text) {
  const pairs = text.split(",").filter((pair) => pair !== "");
  const read = pairs.map((pair) => /** @type {[string, string]} */ (pair.split(/[:=](.*)/s, 2)));
  const problems = read.filter(([name, value]) => !fits(name, value)).map(([name]) => `Setting ${name} was not understood.`);
  return { settings: Object.fromEntries(read.filter(([name, value]) => fits(name, value))), problems };
}

/**
 * @param {string} name
 * @param {string} value
 */
function fits(name, value) {
  if (name === "confirmations") return value === "wait" || value === "two-phase";
  if (name === "lab") return value === "on" || value === "off";
  return Object.hasOwn(NUMBERS, name) && /^[1-9]\d{0,8}$/.test(value ?? "");
}

/**
 * @param {{[name: string]: string}} settings
 * @param {keyof typeof NUMBERS} name
 */
function number(settings, name) {
  return settings[name] === undefined ? NUMBERS[name] : Number(settings[name]);
}
