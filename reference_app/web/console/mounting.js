/**
 * Mounting: what is on the page is on the surface, and leaves it with the page.
 *
 * @module
 */

import { availability } from "../surface/availability.js";

/** @import { Handle, Registry } from "../surface/registry.js" */
/** @import { Availability, Component } from "../surface/types.js" */

/** @typedef {{readonly component: Component, readonly handle: Handle}} Mounted */

export const mounting = {
  /**
   * Put a component on the surface.
   *
   * @param {Registry} registry
   * @param {Component} component
   * @returns {Mounted}
   */
  enter(registry, component) {
    return { component, handle: registry.register(component) };
  },

  /**
   * Take it off: its capabilities are gone with it.
   *
   * @param {Mounted} mounted
   */
  leave({ handle }) {
    handle.unregister();
  },

  /**
   * Tell the surface what the view that is now shown makes available.
   *
   * @param {Mounted} mounted
   */
  committed({ component, handle }) {
    /** @type {{[name: string]: Availability}} */
    const states = {};
    for (const { name, source } of component.capabilities) {
      if (source.when !== undefined) states[name] = availability.byState(source);
    }
    handle.push(states);
  },
};
