/**
 * `<lab-bench>`: the bench on the page and on the surface.
 *
 * @module
 */

import { AgentElement } from "../elements/agent-element.js";
import { el, setText } from "../elements/dom.js";

/** @import { Bench } from "./bench.js" */

export class LabBench extends AgentElement {
  /** @type {Bench} */
  bench = /** @type {never} */ (undefined);
  #text = el("p", { "data-part": "text" });
  #count = el("output", { "data-field": "count" });

  component() {
    return this.page.bind("lab.bench", this.bench.handlers());
  }

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.append(
        el(
          "section",
          { "data-dialog": "counter", "data-id": "bench", "aria-label": "Bench" },
          el("h2", { "data-part": "title" }, "Bench"),
          this.#text,
          this.#count,
        ),
      );
    }
    super.connectedCallback();
  }

  update() {
    setText(this.#text, `Bumped ${this.bench.count} times.`);
    setText(this.#count, String(this.bench.count));
  }
}

customElements.define("lab-bench", LabBench);
