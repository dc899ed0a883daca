/**
 * `<lab-screen>`: what the console's own screens never do, for tests that need it; there only where it is switched on.
 *
 * @module
 */

import { ROUTES } from "../console/routes.js";
import { el, make } from "../elements/dom.js";
import { SCREENS } from "../elements/console-app.js";
import { LabBench } from "./lab-bench.js";
import { Bench } from "./bench.js";

/** @import { Page } from "../console/page.js" */

export class LabScreen extends HTMLElement {
  /** @type {Page} */
  page = /** @type {never} */ (undefined);
  /** @type {Bench} */
  #bench = /** @type {never} */ (undefined);
  /** @type {LabBench | undefined} */
  #element;
  #levers = el("div", { className: "buttons" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const bench = new Bench(this.page);
    this.#bench = bench;
    const by = el("input", { type: "number", min: "1", value: "1", "aria-label": "Add", "data-field": "by" });
    this.#levers.append(
      by,
      lever("bump", "Bump", () => bench.bump(by.valueAsNumber)),
      lever("let-go", "Let go", () => bench.letGo()),
      lever("take-off", "Take off", () => bench.put(false)),
      lever("put-on", "Put on", () => bench.put(true)),
    );
    this.append(this.#levers);
  }

  update() {
    if (this.#bench.onPage && this.#element === undefined) {
      this.#element = make(LabBench, { page: this.page, bench: this.#bench });
      this.append(this.#element);
    } else if (!this.#bench.onPage) {
      this.#element?.remove();
      this.#element = undefined;
    }
    this.#element?.update();
  }
}

/**
 * @param {string} act
 * @param {string} label
 * @param {() => void} press
 */
function lever(act, label, press) {
  return el("button", { type: "button", "data-act": act, onclick: press }, label);
}

customElements.define("lab-screen", LabScreen);
ROUTES.push({
  path: "/lab",
  title: "Lab",
  scope: ["app", "lab", "invoices", "clients", "reporting", "collections"],
});
SCREENS["/lab"] = { needs: [], element: LabScreen };
