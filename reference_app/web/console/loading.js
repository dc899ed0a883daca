/**
 * What the page loads before it starts: the contracts as data, and where it is asked for a deliberate defect.
 *
 * @module
 */

import { Authority } from "../surface/authority.js";

/** @import { Contract } from "../surface/contracts.js" */
/** @import { JsonObject } from "../surface/types.js" */
/** @import { Contracts } from "./page.js" */

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} can't be loaded: the server answered ${response.status}`);
  return response.json();
}

/**
 * The contracts that the components are bound to, the compiled inventory that proves them, and what may be bound.
 *
 * @param {boolean} withLab whether the lab's are among them
 * @returns {Promise<Contracts>}
 */
export async function loadContracts(withLab) {
  const bundle = /** @type {{compiled: unknown, components: Contract[], manifest: {tools: JsonObject}}} */ (
    await load(withLab ? "/web/lab/bundle.json" : "/web/contracts/bundle.json")
  );
  return {
    authority: await Authority.mint(bundle.compiled),
    components: Object.fromEntries(bundle.components.map((contract) => [contract.component, contract])),
    bindable: Object.keys(bundle.manifest.tools),
  };
}

/** Put the lab among the screens; the server has it in demonstrations only. */
export async function loadLab() {
  await import("/web/lab/lab-screen.js");
}

/**
 * Build deliberate defects in, before anything else happens; the server has them in demonstrations only.
 *
 * @param {readonly string[]} names
 */
export async function loadFaults(names) {
  for (const name of names) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`There is no fault ${name}.`);
    try {
      await import(`/web/faults/${name}.js`);
    } catch {
      throw new Error(`The fault ${name} can't be loaded.`);
    }
  }
}
