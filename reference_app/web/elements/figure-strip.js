/**
 * `<figure-strip>`: the figures of the whole ledger, and how old what is owed has become.
 *
 * @module
 */

import { days, euros } from "../console/texts.js";
import { el, setText } from "./dom.js";

/** @import { Page } from "../console/page.js" */
/** @import { Bucket, Summary } from "../console/data.js" */

/** @type {readonly [string, (summary: Summary) => string, (summary: Summary) => string][]} */
const FIGURES = [
  ["Outstanding", ({ outstanding }) => euros(outstanding), ({ invoiceCount }) => `${invoiceCount} invoices in the ledger`],
  ["Overdue", ({ overdue }) => euros(overdue), ({ overdueCount }) => `${overdueCount} invoices past due`],
  ["Drafts", ({ draft }) => euros(draft), () => "not issued yet"],
  [
    "Collected",
    ({ collected30d }) => euros(collected30d),
    ({ averageDaysToPay }) => `30 days; ${averageDaysToPay === null ? "nothing paid yet" : `${days(averageDaysToPay)} to pay`}`,
  ],
];

export class FigureStrip extends HTMLElement {
  /** @type {Page} */
  page = /** @type {never} */ (undefined);
  #figures = FIGURES.map(([label]) => ({
    label: el("dt", {}, label),
    value: el("dd", { className: "value", "data-figure": label.toLowerCase() }),
    detail: el("dd", { className: "detail" }),
  }));
  #aging = el("ol", { className: "aging", "aria-label": "What is owed, by age" });

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const tiles = this.#figures.map(({ label, value, detail }) => el("div", {}, label, value, detail));
    this.append(el("dl", { className: "figures" }, ...tiles), this.#aging);
  }

  update() {
    const { summary, aging } = this.page.data;
    if (summary !== undefined) {
      this.#figures.forEach(({ value, detail }, index) => {
        const [, writeValue, writeDetail] = /** @type {typeof FIGURES[number]} */ (FIGURES[index]);
        setText(value, writeValue(summary));
        setText(detail, writeDetail(summary));
      });
    }
    this.#aging.hidden = aging.length === 0;
    const largest = Math.max(1, ...aging.map(({ amount }) => amount));
    this.#aging.replaceChildren(...aging.map((bucket, index) => bar(bucket, index, largest)));
  }
}

/**
 * @param {Bucket} bucket
 * @param {number} age
 * @param {number} largest
 */
function bar({ label, count, amount }, age, largest) {
  const fill = el("span", { className: "fill", "aria-hidden": "true" });
  fill.style.setProperty("inline-size", `${(100 * amount) / largest}%`);
  return el(
    "li",
    { className: `age-${age}` },
    el("span", { className: "label" }, label),
    el("span", { className: "bar" }, fill),
    el("span", { className: "amount" }, `${euros(amount)} · ${count}`),
  );
}

customElements.define("figure-strip", FigureStrip);
