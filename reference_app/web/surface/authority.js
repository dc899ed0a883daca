/**
 * The compiled contract as authority: only what it proves can be put on the surface, in the very shape that it proves.
 *
 * @module
 */

import { digests } from "./digests.js";
import { DefinitionError } from "./errors.js";
import { deepFreeze, copy, equal, isObject } from "./json.js";

/** @import { Component, JsonObject, Capability } from "./types.js" */

const FORMAT_VERSION = 5;
/** @type {readonly ["never", "optional", "required"]} */
const LEVELS = ["never", "optional", "required"];

/**
 * @param {string} problem
 * @returns {DefinitionError}
 */
const invalid = (problem) => new DefinitionError("INVALID_DEFINITION", problem);

export class Authority {
  /** @type {ReadonlyMap<string, JsonObject>} */
  #entries;
  /** @type {WeakSet<Component>} */
  #proven = new WeakSet();

  /** @param {ReadonlyMap<string, JsonObject>} entries by capability id; only `mint` makes them */
  constructor(entries) {
    this.#entries = entries;
  }

  /**
   * Take a compiled inventory for true once every hash in it holds.
   *
   * @param {unknown} compiled
   * @returns {Promise<Authority>}
   * @throws {DefinitionError} `INVALID_DEFINITION`, or `DUPLICATE_CAPABILITY` where an id is declared twice
   */
  static async mint(compiled) {
    if (!isObject(compiled)) throw invalid("the compiled inventory is not an object");
    if (compiled.formatVersion !== FORMAT_VERSION) throw invalid(`expected format version ${FORMAT_VERSION}`);
    if (!isObject(compiled.completeness) || compiled.completeness.status !== "proven") {
      throw invalid("the compiled inventory is not proven to be complete");
    }
    const { hash, ...body } = copy(compiled);
    if (hash !== (await digests.sha256(digests.contractText(body)))) {
      throw invalid("the compiled inventory's hash is not that of its content");
    }
    const entries = Array.isArray(compiled.capabilities) ? copy(compiled.capabilities).filter(isObject) : [];
    return new Authority(await verified(entries));
  }

  /**
   * Vouch for a component that was joined with its contract.
   *
   * @param {Component} component
   * @returns {Component}
   * @throws {DefinitionError} where it differs from what is compiled
   */
  prove(component) {
    for (const capability of component.capabilities) this.#compare(capability);
    const prefix = `view:${component.type}.`;
    const declared = [...this.#entries.keys()].filter((id) => id.startsWith(prefix) && !id.slice(prefix.length).includes("."));
    const missing = declared.find((id) => !component.capabilities.some((capability) => capability.id === id));
    if (missing !== undefined) throw invalid(`${missing} is compiled and has no handler`);
    this.#proven.add(component);
    return component;
  }

  /**
   * @param {Component} component
   * @returns {boolean} false for whatever merely looks like a component
   */
  vouchesFor(component) {
    return this.#proven.has(component);
  }

  /** @param {Capability} capability */
  #compare(capability) {
    const entry = this.#entries.get(capability.id);
    if (entry === undefined) throw invalid(`${capability.id} is not in the compiled inventory`);
    const schemaKey = capability.kind === "observation" ? undefined : capability.fullSchema;
    const differs =
      entry.kind !== capability.kind ||
      entry.description !== capability.description ||
      entry.effect !== capability.effect ||
      !equal(entry.inputSchema, schemaKey) ||
      !equal(entry.outputSchema, capability.outputSchema);
    if (differs) throw invalid(`${capability.id} is not what the compiled inventory declares`);
    checkConfirmation(entry, capability);
    checkPolicies(entry, capability);
  }
}

/**
 * @param {JsonObject[]} entries
 * @returns {Promise<ReadonlyMap<string, JsonObject>>}
 */
async function verified(entries) {
  const byId = new Map();
  for (const entry of entries) {
    const { contractHash, targets: _targets, ...body } = entry;
    if (contractHash !== (await digests.sha256(digests.contractText(body)))) {
      throw invalid(`${entry.capabilityId}: the entry's hash is not that of its content`);
    }
    if (byId.has(entry.capabilityId)) {
      throw new DefinitionError("DUPLICATE_CAPABILITY", `${entry.capabilityId} is declared twice`);
    }
    byId.set(entry.capabilityId, deepFreeze(entry));
  }
  return byId;
}

/**
 * A confirmation may be raised above what is declared, never lowered.
 *
 * @param {JsonObject} entry
 * @param {Capability} capability
 */
function checkConfirmation(entry, capability) {
  const declared = LEVELS.indexOf(/** @type {"never"} */ (entry.confirmation ?? "never"));
  if (LEVELS.indexOf(capability.declaredConfirmation) < declared) {
    throw invalid(`${capability.id} asks for less confirmation than is declared`);
  }
}

/**
 * @param {JsonObject} entry
 * @param {Capability} capability
 */
function checkPolicies(entry, capability) {
  for (const declared of Array.isArray(entry.policies) ? entry.policies : []) {
    const { name, phase } = /** @type {{name: string, phase?: string}} */ (declared);
    const hook = { discovery: "onDiscovery", authorize: "onAuthorize", invoke: "onInvoke" }[phase ?? ""];
    const policy = capability.policies.find((candidate) => candidate.name === name);
    if (policy === undefined || (hook !== undefined && !(hook in policy))) {
      throw invalid(`${capability.id} lacks its policy ${name}${phase ? ` in the phase ${phase}` : ""}`);
    }
  }
}
