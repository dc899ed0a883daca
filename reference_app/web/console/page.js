/**
 * The open page: an address, the screen that shows it, and the surface that the screen's components are on.
 *
 * What is asked for and what is shown are two things: a change of address or data is shown at the next commit, which
 * mounts, unmounts and then tells the surface what became available.
 *
 * @module
 */

import { api } from "../host/api.js";
import { bindContract } from "../surface/contracts.js";
import { policies } from "../surface/policies.js";
import { Registry } from "../surface/registry.js";
import { addressText, parseAddress } from "./address.js";
import { Data } from "./data.js";
import { rpcExecutor } from "./executor.js";
import { mounting } from "./mounting.js";
import { knownPaths, routeOf } from "./routes.js";

/** @import { Person, RpcCall } from "../host/api.js" */
/** @import { Authority } from "../surface/authority.js" */
/** @import { Clock } from "../surface/clock.js" */
/** @import { Contract, Handlers } from "../surface/contracts.js" */
/** @import { Component, Json, JsonObject } from "../surface/types.js" */
/** @import { Address } from "./address.js" */
/** @import { Need } from "./data.js" */
/** @import { Mounted } from "./mounting.js" */
/** @import { Parameters } from "./parameters.js" */

/**
 * The contracts that the page's components are bound to, and the operations that may be bound at all.
 *
 * @typedef {Readonly<{authority: Authority, components: {[type: string]: Contract}, bindable: readonly string[]}>} Contracts
 */

/**
 * Where the page is shown. `needs` says what a path has to have read, `show` brings the screen for the page's shown
 * address about, anew where `remount` says so.
 *
 * @typedef {Readonly<{
 *   needs: (path: string) => readonly Need[], show: (remount: boolean) => void, settled: (settled: boolean) => void,
 *   notice: (text: string) => void,
 * }>} Stage
 */

export class Page {
  data = new Data();
  /** @type {Person | null} */
  person = null;
  #contracts;
  #stage;
  /** @type {Address} */
  #asked = parseAddress(routeOf("").path);
  /** @type {Address} */
  #shown = this.#asked;
  #isDirty = false;
  #remount = false;
  /** @type {Promise<void> | undefined} */
  #committing;
  #operations = 0;
  /** @type {Set<Mounted>} */
  #mounted = new Set();

  /**
   * @param {Contracts} contracts
   * @param {Clock} clock
   * @param {Parameters} parameters
   * @param {Stage} stage
   */
  constructor(contracts, clock, parameters, stage) {
    this.#contracts = contracts;
    this.#stage = stage;
    this.registry = new Registry({
      authority: contracts.authority,
      clock,
      limits: parameters.limits,
      policies: [policies.authenticated()],
      host: () => this.hostContext(),
      route: () => addressText(this.#shown),
      executor: rpcExecutor(contracts.bindable, (path, input, call) => this.rpc(path, input, call)),
    });
  }

  /** @returns {Address} the address whose view is on the screen */
  get shown() {
    return this.#shown;
  }

  /** @returns {Address} the address that was asked for last; the address bar shows it */
  get asked() {
    return this.#asked;
  }

  /** @returns {string} the path of the screen that is shown */
  path() {
    return this.#shown.path;
  }

  get title() {
    return routeOf(this.#shown.path).title;
  }

  /** @returns {boolean} whether the signed-in person may write, as far as the page knows; the server decides */
  get mayWrite() {
    return this.person?.role === "controller";
  }

  /** @returns {JsonObject} what policies may know */
  hostContext() {
    return this.person === null ? {} : { user: { ...this.person } };
  }

  // Asking for a view

  /**
   * Ask for another address; an unknown path leads to the first screen.
   *
   * @param {Address} address
   * @param {{history?: "push" | "replace" | "none"}} [options]
   */
  go(address, { history: entry } = {}) {
    const target = knownPaths().includes(address.path) ? address : parseAddress(routeOf("").path);
    const how = entry ?? (target.path === this.#asked.path ? "replace" : "push");
    this.#asked = target;
    if (how === "push") history.pushState(null, "", addressText(target));
    else if (how === "replace") history.replaceState(null, "", addressText(target));
    this.touch();
  }

  /** Ask for a commit: something that is shown has changed. */
  touch() {
    this.#isDirty = true;
    this.#committing ??= this.#commit();
    this.#reflect();
  }

  /** Read everything again: a button or the assistant may have changed anything. */
  refresh() {
    this.data.invalidate();
    this.touch();
  }

  /** Build the screen anew: its components leave, and others take their places. */
  remount() {
    this.#remount = true;
    this.refresh();
  }

  /** @returns {boolean} whether what was asked for is what is shown */
  isCaughtUp() {
    return this.#committing === undefined && !this.#isDirty;
  }

  /** Wait until what was asked for is shown. */
  async untilShown() {
    while (this.#committing !== undefined) await this.#committing;
  }

  // Working with the server

  /**
   * Call a procedure in the person's session, and read everything again after it.
   *
   * @param {string} path
   * @param {JsonObject} input
   * @param {RpcCall} [call] the assistant's call, if it is one
   * @returns {Promise<Json>}
   */
  async rpc(path, input, call) {
    const value = await api.rpc(path, input, call);
    this.refresh();
    return value;
  }

  /**
   * Do what a person asked for by a control; what goes wrong is told.
   *
   * @param {() => Promise<unknown>} work
   * @returns {Promise<boolean>} whether it was done
   */
  async operate(work) {
    this.#operations += 1;
    this.#reflect();
    try {
      await work();
      await this.untilShown();
      return true;
    } catch (error) {
      this.notice(/** @type {Error} */ (error).message);
      return false;
    } finally {
      this.#operations -= 1;
      this.#reflect();
    }
  }

  /** @param {string} text */
  notice(text) {
    this.#stage.notice(text);
  }

  // Components

  /**
   * Join a contract with handlers.
   *
   * @param {string} type
   * @param {Handlers} handlers
   * @returns {Component}
   */
  bind(type, handlers) {
    const contract = this.#contracts.components[type];
    if (contract === undefined) throw new Error(`there is no contract for ${type}`);
    return bindContract(this.#contracts.authority, contract, handlers);
  }

  /**
   * Put a component on the surface for as long as its element is on the page.
   *
   * @param {Component} component
   * @returns {Mounted}
   */
  mount(component) {
    const mounted = mounting.enter(this.registry, component);
    this.#mounted.add(mounted);
    return mounted;
  }

  /** @param {Mounted} mounted */
  unmount(mounted) {
    this.#mounted.delete(mounted);
    mounting.leave(mounted);
  }

  // Commits

  /** Show what was asked for; what is asked for meanwhile is shown right after. */
  async #commit() {
    await null; // changes that are made together are shown together
    while (this.#isDirty && !this.registry.disposed) {
      this.#isDirty = false;
      const target = this.#asked;
      await this.#read(target.path);
      if (this.#isDirty && this.#asked.path !== target.path) continue;
      this.#show(target);
    }
    this.#committing = undefined;
    this.#reflect();
  }

  /** @param {string} path */
  async #read(path) {
    if (this.person === null) return;
    try {
      await this.data.load(this.#stage.needs(path));
    } catch (error) {
      this.notice(`The rows can't be read. ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {Address} target */
  #show(target) {
    const remount = this.#remount;
    this.#remount = false;
    this.#shown = target;
    try {
      this.#stage.show(remount);
      for (const mounted of this.#mounted) mounting.committed(mounted);
    } catch (error) {
      reportError(error); // a defect in one screen must not stop the page from showing the next
    }
  }

  #reflect() {
    this.#stage.settled(this.isCaughtUp() && this.#operations === 0);
  }
}
