/**
 * `<console-app>`: the frame around the screens: brand, navigation, person, the screen that is shown, the assistant.
 *
 * @module
 */

import { AboutScreen } from "./about-screen.js";
import { AssistantDock } from "./assistant-dock.js";
import { ClientsScreen } from "./clients-screen.js";
import { ConsoleNav } from "./console-nav.js";
import { ConsolePerson } from "./console-person.js";
import { el, make, setAttribute, setText } from "./dom.js";
import { LedgerScreen } from "./ledger-screen.js";
import { NoticeList } from "./notice-list.js";
import { PendingScreen } from "./pending-screen.js";
import { SignIn } from "./sign-in.js";

/** @import { Assistant } from "../console/assistant.js" */
/** @import { Need } from "../console/data.js" */
/** @import { Page } from "../console/page.js" */

/** @typedef {HTMLElement & {update: () => void, page?: Page}} Screen */

/**
 * What shows each path, and what has to be read before it can.
 *
 * @type {{[path: string]: {needs: readonly Need[], element: new () => Screen}}}
 */
export const SCREENS = {
  "/receivables/pending": { needs: ["pending", "summary", "aging"], element: PendingScreen },
  "/receivables/all": { needs: ["all", "summary", "aging"], element: LedgerScreen },
  "/receivables/clients": { needs: ["clients"], element: ClientsScreen },
  "/about": { needs: [], element: AboutScreen },
};

/**
 * @param {string} path
 * @returns {readonly Need[]} what has to be read before a path can be shown
 */
export function needsOf(path) {
  return SCREENS[path]?.needs ?? [];
}

export class ConsoleApp extends HTMLElement {
  /** @type {Page} */
  page = /** @type {never} */ (undefined);
  /** @type {Assistant} */
  assistant = /** @type {never} */ (undefined);
  /** @type {(user: string) => void} */
  switchTo = () => {};
  /** what this tab was set up with and a person should see, such as a deliberate defect */
  badges = /** @type {readonly string[]} */ ([]);
  notices = make(NoticeList, {});
  #title = el("h1", { "data-part": "title" });
  #main = el("main", { id: "main", tabIndex: -1 });
  /** @type {ConsoleNav | undefined} */
  #nav;
  /** @type {ConsolePerson | undefined} */
  #person;
  /** @type {AssistantDock | undefined} */
  #dock;
  /** @type {Screen | undefined} */
  #screen;
  #shownPath = "";

  /** Build what stays on the page whichever screen is open; without a person that is only the door. */
  build() {
    const { page, assistant, switchTo } = this;
    if (page.person === null) {
      const door = make(SignIn, { switchTo }, { role: "main" });
      this.append(door);
      door.append(this.notices);
      return;
    }
    this.#nav = make(ConsoleNav, { page }, { role: "navigation", "aria-label": "Screens" });
    this.#person = make(ConsolePerson, { page, switchTo });
    this.#dock = make(
      AssistantDock,
      { page, assistant, close: () => this.#toggle(false) },
      { role: "complementary", "aria-label": "Assistant" },
    );
    const reload = el("button", { type: "button", className: "quiet", "data-act": "reload-screen" }, "Reload");
    reload.addEventListener("click", () => page.remount());
    const opener = el("button", { type: "button", className: "opener", "data-act": "open-assistant" }, "Assistant");
    opener.addEventListener("click", () => this.#toggle(true));
    this.#main.append(el("header", {}, this.#title, reload), this.notices);
    this.append(
      el("a", { href: "#main", className: "skip" }, "Skip to the screen"),
      el("header", { className: "top" }, el("span", { className: "brand" }, "Receivables"), ...this.#badges(), this.#person),
      this.#nav,
      this.#main,
      this.#dock,
      opener,
    );
  }

  /**
   * Bring the screen for the page's shown address about, and everything else up to date.
   *
   * @param {boolean} remount whether the screen is built anew though it is the same
   */
  show(remount) {
    const { page } = this;
    if (page.person === null) return;
    const path = page.path();
    if (this.#shownPath !== path || remount) {
      this.#replaceScreen(path);
    }
    setText(this.#title, page.title);
    document.title = `${page.title} — Receivables`;
    this.#nav?.update();
    this.#person?.update();
    this.#screen?.update();
  }

  /** Show what became of the conversation. */
  showAssistant() {
    this.#dock?.update();
  }

  /** @param {string} path */
  #replaceScreen(path) {
    const Element = SCREENS[path]?.element ?? AboutScreen;
    this.#screen?.remove();
    this.#screen = Object.assign(new Element(), { page: this.page });
    this.#main.append(this.#screen);
    this.#shownPath = path;
  }

  /** @param {boolean} isOpen */
  #toggle(isOpen) {
    setAttribute(this, "data-assistant", isOpen ? "open" : undefined);
    const target = isOpen ? '[data-hook="composer"]' : '[data-act="open-assistant"]';
    /** @type {HTMLElement | null} */ (this.querySelector(target))?.focus();
  }

  #badges() {
    return this.badges.map((badge) => el("span", { className: "badge" }, badge));
  }
}

customElements.define("console-app", ConsoleApp);
