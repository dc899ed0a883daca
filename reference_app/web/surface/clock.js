/**
 * Time, as everything on the page takes it: one clock, handed in.
 *
 * @module
 */

/**
 * @typedef {Readonly<{
 *   now: () => number, later: (ms: number, action: () => void) => () => void, nextTask: () => Promise<void>,
 * }>} Clock `now` is milliseconds since 1970; `later` returns what cancels it; `nextTask` waits for one turn of the
 *   event loop
 */

/** @returns {Clock} the browser's own */
export function browserClock() {
  return {
    now: () => Date.now(),
    later: (ms, action) => {
      const timer = setTimeout(action, ms);
      return () => clearTimeout(timer);
    },
    nextTask: () =>
      // a message, unlike a timer, is not held back in a tab that nobody looks at
      new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          channel.port1.close();
          resolve();
        };
        channel.port2.postMessage(null);
      }),
  };
}

/**
 * @param {number} ms
 * @returns {string} ISO 8601
 */
export function iso(ms) {
  return new Date(ms).toISOString();
}
