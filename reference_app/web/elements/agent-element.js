/**
 * An element whose capabilities are on the surface for exactly as long as it is on the page.
 *
 * @module
 */

/** @import { Component } from "../surface/types.js" */
/** @import { Mounted } from "../console/mounting.js" */
/** @import { Page } from "../console/page.js" */

export class AgentElement extends HTMLElement {
  /** @type {Page} */
  page = /** @type {never} */ (undefined);
  /** @type {Mounted | undefined} */
  #mounted;

  /** @returns {Component} what it offers; asked once, when it comes onto the page */
  component() {
    throw new Error(`${this.localName} says nothing of what it offers`);
  }

  /** Show what the page shows now. */
  update() {}

  connectedCallback() {
    this.#mounted = this.page.mount(this.component());
  }

  disconnectedCallback() {
    if (this.#mounted !== undefined) this.page.unmount(this.#mounted);
    this.#mounted = undefined;
  }
}
