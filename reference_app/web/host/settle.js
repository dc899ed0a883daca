/**
 * Waiting until the surface has caught up with what was done to it.
 *
 * A call returns before the screen that it changed is shown; a snapshot in between would tell the model of a page that
 * is no more. (Architecture, The transport.)
 *
 * @module
 */

/** @import { Clock } from "../surface/clock.js" */
/** @import { Registry } from "../surface/registry.js" */

/**
 * What is waited for: the page's committed view, and the surface under it.
 *
 * @typedef {Readonly<{registry: Registry, isCaughtUp: () => boolean, untilShown: () => Promise<void>}>} Settling
 */

const QUIET_TASKS = 2;
const MOVEMENTS = new Set(["surface-changed", "availability-changed"]);

export const settling = {
  /**
   * Wait until the page shows what was asked for and nothing moves any more, but not longer than a budget; that it is
   * spent is no error.
   *
   * @param {Settling} page
   * @param {Clock} clock
   * @param {number} budgetMs
   */
  async settle(page, clock, budgetMs) {
    let moved = false;
    let spent = false;
    const unsubscribe = page.registry.subscribe(({ type }) => {
      moved ||= MOVEMENTS.has(type);
    });
    const { promise: budget, resolve: stop } = Promise.withResolvers();
    const cancelTimer = clock.later(budgetMs, () => {
      spent = true;
      stop(undefined);
    });
    try {
      for (let quiet = 0; !spent && !page.registry.disposed && !(quiet >= QUIET_TASKS && page.isCaughtUp()); ) {
        await Promise.race([page.untilShown(), budget]);
        moved = false;
        await clock.nextTask();
        quiet = moved ? 0 : quiet + 1;
      }
    } finally {
      cancelTimer();
      unsubscribe();
    }
  },
};
