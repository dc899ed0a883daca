/**
 * `<approval-card>`: something that the assistant wants done and a person decides; it shows exactly what would run.
 *
 * @module
 */

import { approvals } from "../console/approvals.js";
import { pretty } from "../console/texts.js";
import { el, setAttribute, setChildren, setText } from "./dom.js";

/** @import { Approval } from "../host/api.js" */

/** @type {ReadonlyMap<string, string>} */
const STATES = new Map([
  ["pending", "Waits for you"],
  ["consumed", "Approved and carried out"],
  ["rejected", "Denied"],
  ["expired", "Expired"],
  ["cancelled", "Cancelled"],
]);

export const presses = {
  /**
   * While a decision is on its way there is no second one: a double click presses a locked button.
   *
   * @param {readonly HTMLButtonElement[]} buttons
   * @param {boolean} locked
   */
  lock(buttons, locked) {
    for (const button of buttons) button.disabled = locked;
  },
};

export class ApprovalCard extends HTMLElement {
  /** @type {(approval: Approval, approved: boolean) => Promise<void>} */
  decide = async () => {};
  /** @type {Approval | undefined} */
  #approval;
  #title = el("h3", { "data-part": "title" });
  #state = el("span", { className: "state", "data-part": "state" });
  #text = el("p", { "data-part": "text" });
  #input = el("pre", { "data-part": "input", tabIndex: 0, "aria-label": "What would run" });
  #lead = el("p", { className: "detail" });
  #about = el("dl", { className: "about" });
  #expires = el("p", { className: "detail" });
  #approve = el("button", { type: "button", className: "primary", "data-hook": "approve" }, "Approve");
  #deny = el("button", { type: "button", "data-hook": "deny" }, "Deny");
  #buttons = el("div", { className: "buttons" }, this.#approve, this.#deny);
  #foot = el("div");

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.#approve.addEventListener("click", () => void this.#press(true));
    this.#deny.addEventListener("click", () => void this.#press(false));
    this.append(
      el("div", { className: "bar" }, this.#title, this.#state),
      this.#text,
      this.#lead,
      this.#input,
      this.#about,
      this.#expires,
      this.#foot,
    );
    setAttribute(this, "data-card", "approval");
    setAttribute(this, "role", "group");
    setAttribute(this, "tabindex", "-1");
  }

  /** @param {Approval} approval */
  update(approval) {
    this.#approval = approval;
    setAttribute(this, "data-id", approval.id);
    setAttribute(this, "data-capability", `domain:${approval.capabilityId}`);
    setAttribute(this, "data-state", approval.status);
    setAttribute(this, "aria-label", `Approval of ${approval.capabilityId}`);
    setText(this.#title, approval.capabilityId);
    const { status } = approval;
    setText(this.#state, STATES.get(status) ?? status);
    setText(this.#text, [approval.reasons?.join("; "), approval.failure].filter(Boolean).join(" — "));
    setText(this.#input, pretty(approvals.shownInput(approval)));
    this.#showSubject(approval.subject?.shown ?? {});
    setText(this.#lead, status === "pending" ? "This is exactly what would run:" : "This is what was asked for:");
    this.#expires.hidden = status !== "pending";
    setText(this.#expires, `Can be decided until ${timeOf(approval.expiresAt)}. Risk: ${approval.risk ?? "unknown"}.`);
    setChildren(this.#foot, status === "pending" ? [this.#buttons] : []);
  }

  /** @param {{[name: string]: unknown}} shown the record that the call is about, as it was when it was asked */
  #showSubject(shown) {
    const facts = Object.entries(shown).flatMap(([name, value]) => [
      el("dt", {}, name.replaceAll("_", " ")),
      el("dd", {}, typeof value === "string" ? value : JSON.stringify(value)),
    ]);
    this.#about.replaceChildren(...facts);
    this.#about.hidden = facts.length === 0;
  }

  /** @param {boolean} approved */
  async #press(approved) {
    if (this.#approval === undefined) return;
    const buttons = [this.#approve, this.#deny];
    presses.lock(buttons, true);
    await this.decide(this.#approval, approved);
    presses.lock(buttons, false);
    this.focus({ preventScroll: true }); // the button that had it is gone
  }
}

/** @param {string | undefined} instant */
function timeOf(instant) {
  const date = new Date(instant ?? "");
  return Number.isNaN(date.getTime()) ? "an unknown time" : date.toLocaleString();
}

customElements.define("approval-card", ApprovalCard);
