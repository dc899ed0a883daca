/**
 * Contracts are data, handlers are code: here the two become a component that can be put on the surface.
 *
 * @module
 */

import { binding } from "./binding.js";
import { DefinitionError } from "./errors.js";
import { isCapabilityName, isComponentType, isInstanceId } from "./identifiers.js";
import { LIMITS } from "./limits.js";
import { EMPTY_OBJECT, schemas } from "./schema.js";

/** @import { Authority } from "./authority.js" */
/** @import { Binding, BoundValues, Capability, Component, Doing, JsonObject, Level, Link, Policy, Reading } from "./types.js" */

/** @typedef {{description: string, output: JsonObject}} ObservationContract */
/**
 * @typedef {{
 *   description: string, effect: string, input: JsonObject, output?: JsonObject, idempotent?: boolean,
 *   reversible?: boolean, confirmation?: Level,
 * }} ActionContract
 */
/** @typedef {{description: string, effect: string, input: JsonObject, output?: JsonObject, confirmation?: Level}} ProcedureContract */
/**
 * One file of `/web/contracts/`.
 *
 * @typedef {{
 *   component: string, description: string, observations: {[name: string]: ObservationContract},
 *   actions: {[name: string]: ActionContract}, procedures?: {[path: string]: ProcedureContract},
 * }} Contract
 */
/**
 * @typedef {{
 *   reads?: {[name: string]: Reading}, does?: {[name: string]: Doing}, procedures?: readonly Binding[],
 *   instanceId?: string, parent?: Link, priority?: number,
 * }} Handlers
 */

const VIEW_EFFECTS = new Set(["local-state", "navigation"]);
/** @type {{[effect: string]: Level}} */
const SERVER_EFFECTS = {
  "server-query": "never",
  "server-mutation": "optional",
  "external-side-effect": "required",
  destructive: "required",
};
/** @type {readonly Level[]} */
const LEVELS = ["never", "optional", "required"];

/**
 * Join a contract with handlers and have the authority vouch for it.
 *
 * @param {Authority} authority
 * @param {Contract} contract
 * @param {Handlers} handlers
 * @returns {Component}
 * @throws {DefinitionError} where one of the two lacks what the other has, or the contract can't be offered
 */
export function bindContract(authority, contract, handlers) {
  const instanceId = handlers.instanceId ?? "default";
  if (!isComponentType(contract.component)) throw problem("INVALID_ID", contract, "is not a component type");
  if (!isInstanceId(instanceId)) throw problem("INVALID_ID", contract, `${instanceId} is not an instance id`);
  checkText(contract, contract.description, LIMITS.maxComponentDescription);
  checkNames(contract, handlers);
  const capabilities = [
    ...Object.entries(contract.observations).map(([name, item]) => observation(contract, name, item, handlers)),
    ...Object.entries(contract.actions).map(([name, item]) => action(contract, name, item, handlers)),
    ...(handlers.procedures ?? []).map((source) => procedure(contract, source, { type: contract.component, instanceId })),
  ];
  return authority.prove(
    Object.freeze({
      type: contract.component,
      instanceId,
      description: contract.description,
      parent: handlers.parent,
      priority: handlers.priority ?? 0,
      capabilities: Object.freeze(capabilities),
    }),
  );
}

/**
 * Bind an operation of the server to what a component shows; which keys it fills in is asked once, here.
 *
 * @param {Omit<Binding, "boundKeys">} described
 * @returns {Binding}
 */
export function bindProcedure(described) {
  /** @type {BoundValues} */
  let first = {};
  try {
    first = described.bind();
  } catch (error) {
    console.warn(`binding ${described.path} fills in nothing: its first bind() failed`, error);
  }
  return { ...described, boundKeys: Object.keys(first) };
}

/**
 * @param {string} code
 * @param {Contract} contract
 * @param {string} text
 */
function problem(code, contract, text) {
  return new DefinitionError(code, `${contract.component}: ${text}`);
}

/**
 * @param {Contract} contract
 * @param {string} text
 * @param {number} limit
 */
function checkText(contract, text, limit) {
  if (text.trim() === "") throw problem("INVALID_DEFINITION", contract, "a description is empty");
  if (text.length > limit) throw problem("LIMIT_EXCEEDED", contract, `a description is longer than ${limit}`);
}

/**
 * @param {Contract} contract
 * @param {Handlers} handlers
 */
function checkNames(contract, handlers) {
  const observed = Object.keys(contract.observations);
  const acted = Object.keys(contract.actions);
  const twice = observed.find((name) => acted.includes(name));
  if (twice !== undefined) throw problem("DUPLICATE_CAPABILITY", contract, `${twice} is declared twice`);
  const bad = [...observed, ...acted].find((name) => !isCapabilityName(name));
  if (bad !== undefined) throw problem("INVALID_ID", contract, `${bad} is not a capability name`);
  compareNames(contract, observed, Object.keys(handlers.reads ?? {}));
  compareNames(contract, acted, Object.keys(handlers.does ?? {}));
  const bound = (handlers.procedures ?? []).map(({ path }) => path);
  compareNames(contract, Object.keys(contract.procedures ?? {}), bound);
}

/**
 * @param {Contract} contract
 * @param {string[]} declared
 * @param {string[]} handled
 */
function compareNames(contract, declared, handled) {
  const missing = declared.find((name) => !handled.includes(name));
  if (missing !== undefined) throw problem("INVALID_DEFINITION", contract, `${missing} has no handler`);
  const extra = handled.find((name) => !declared.includes(name));
  if (extra !== undefined) throw problem("INVALID_DEFINITION", contract, `${extra} is not declared`);
}

/**
 * @param {Contract} contract
 * @param {string} name
 * @param {ObservationContract} item
 * @param {Handlers} handlers
 * @returns {Capability}
 */
function observation(contract, name, item, handlers) {
  const id = `view:${contract.component}.${name}`;
  checkText(contract, item.description, LIMITS.maxCapabilityDescription);
  schemas.check(item.output, `${id} output`, LIMITS);
  return {
    id,
    kind: "observation",
    name,
    description: item.description,
    effect: "read",
    inputSchema: EMPTY_OBJECT,
    fullSchema: EMPTY_OBJECT,
    outputSchema: item.output,
    idempotent: true,
    reversible: true,
    confirmation: "never",
    declaredConfirmation: "never",
    policies: [],
    source: /** @type {Reading} */ (handlers.reads?.[name]),
  };
}

/**
 * @param {Contract} contract
 * @param {string} name
 * @param {ActionContract} item
 * @param {Handlers} handlers
 * @returns {Capability}
 */
function action(contract, name, item, handlers) {
  const id = `view:${contract.component}.${name}`;
  if (!VIEW_EFFECTS.has(item.effect)) {
    const code = item.effect in SERVER_EFFECTS ? "PLANE_VIOLATION" : "INVALID_DEFINITION";
    throw problem(code, contract, `${name} has the effect ${item.effect}; a view action has none on the server`);
  }
  checkText(contract, item.description, LIMITS.maxCapabilityDescription);
  schemas.check(item.input, `${id} input`, LIMITS);
  if (item.output !== undefined) schemas.check(item.output, `${id} output`, LIMITS);
  const confirmation = item.confirmation ?? "never";
  return {
    id,
    kind: "action",
    name,
    description: item.description,
    effect: item.effect,
    inputSchema: item.input,
    fullSchema: item.input,
    outputSchema: item.output,
    idempotent: item.idempotent ?? false,
    reversible: item.reversible ?? true,
    confirmation,
    declaredConfirmation: confirmation,
    policies: [],
    source: /** @type {Doing} */ (handlers.does?.[name]),
  };
}

/**
 * @param {Contract} contract
 * @param {Binding} source
 * @param {Link} owner
 * @returns {Capability}
 */
function procedure(contract, source, owner) {
  const item = /** @type {ProcedureContract} */ (contract.procedures?.[source.path]);
  const floor = SERVER_EFFECTS[item.effect];
  if (floor === undefined) throw problem("PLANE_VIOLATION", contract, `${source.path} has the effect ${item.effect}`);
  checkText(contract, item.description, LIMITS.maxCapabilityDescription);
  schemas.check(item.input, `${source.path} input`, LIMITS);
  return {
    id: `domain:${source.path}`,
    kind: "procedure",
    name: source.path,
    description: item.description,
    effect: item.effect,
    inputSchema: binding.reduceSchema(item.input, source.boundKeys, source.overridable),
    fullSchema: item.input,
    outputSchema: item.output,
    idempotent: item.effect === "server-query",
    reversible: false,
    confirmation: highest(floor, item.confirmation ?? "never"),
    declaredConfirmation: item.confirmation ?? "never",
    policies: /** @type {readonly Policy[]} */ (source.policies ?? []),
    source: { ...source, context: source.context ?? owner },
  };
}

/**
 * @param {Level} left
 * @param {Level} right
 * @returns {Level}
 */
export function highest(left, right) {
  return LEVELS.indexOf(left) > LEVELS.indexOf(right) ? left : right;
}
