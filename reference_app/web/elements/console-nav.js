/**
 * `<console-nav>`: the console's navigation, for a person and for the assistant.
 *
 * @module
 */

import { parseAddress } from "../console/address.js";
import { ROUTES, knownPaths } from "../console/routes.js";
import { AgentElement } from "./agent-element.js";
import { el, setAttribute } from "./dom.js";

export class ConsoleNav extends AgentElement {
  #shownPath = "";
  #links = ROUTES.map(({ path, title }) => el("a", { href: path, "data-act": "go", "data-path": path }, title));

  component() {
    return this.page.bind("app.navigation", {
      reads: {
        readCurrentRoute: { read: () => ({ path: this.page.path(), title: this.page.title, knownRoutes: knownPaths() }) },
      },
      does: {
        goTo: {
          execute: ({ path }) => this.#open(String(path)),
          precondition: ({ path }) =>
            knownPaths().includes(String(path))
              ? undefined
              : { message: "There is no such screen.", details: { knownRoutes: knownPaths() } },
        },
      },
    });
  }

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.append(el("ul", {}, ...this.#links.map((link) => el("li", {}, link))));
      this.addEventListener("click", (event) => this.#follow(event));
    }
    super.connectedCallback();
  }

  update() {
    const path = this.page.path();
    for (const link of this.#links) {
      setAttribute(link, "aria-current", link.dataset.path === path ? "page" : undefined);
    }
    if (path === this.#shownPath) return;
    const isFirst = this.#shownPath === "";
    this.#shownPath = path;
    this.#reveal(path, isFirst ? "instant" : "auto");
  }

  /**
   * Scroll a screen's entry into the strip that the navigation is on a narrow page; focus stays where it is.
   *
   * @param {string} path
   * @param {ScrollBehavior} behavior `auto` is what the styles say, who ask whether motion is wanted
   */
  #reveal(path, behavior) {
    const link = this.#links.find(({ dataset }) => dataset.path === path);
    link?.scrollIntoView({ behavior, block: "nearest", inline: "nearest" });
  }

  /**
   * Open a screen, with nothing set on it; the one that is open stays as it is.
   *
   * @param {string} path
   */
  #open(path) {
    if (path !== this.page.asked.path) this.page.go(parseAddress(path));
  }

  /** @param {MouseEvent} event */
  #follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (link === null || !isPlain) return;
    event.preventDefault();
    this.page.go(parseAddress(link.dataset.path ?? "/"));
  }
}

customElements.define("console-nav", ConsoleNav);
