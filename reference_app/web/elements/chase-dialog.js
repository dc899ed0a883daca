/**
 * `<chase-dialog>`: the dialog in which a person chases one invoice, beside the table that it stays next to.
 *
 * It is no modal dialog: the assistant is asked about what is open here, so the rest of the page stays at hand.
 *
 * @module
 */

import { about } from "../console/chase-model.js";
import { storage } from "../console/storage.js";
import { AgentElement } from "./agent-element.js";
import { el, setAttribute, setText, setValue } from "./dom.js";

/** @import { ChaseModel } from "../console/chase-model.js" */
/** @import { Invoice } from "../console/data.js" */
/** @import { JsonObject } from "../surface/types.js" */

export class ChaseDialog extends AgentElement {
  /** @type {ChaseModel} */
  model = /** @type {never} */ (undefined);
  #title = el("h2", { id: "chase-title", "data-part": "title" });
  #text = el("p", { "data-part": "text" });
  #invoiceNote = el("p", { className: "foreign" });
  #reminders = el("input", { type: "number", min: "0", max: "99", required: true, "data-field": "remindersSent" });
  #last = el("input", { type: "date", "data-field": "lastReminderDate" });
  #expected = el("input", { type: "date", "data-field": "expectedPaymentDate" });
  #note = el("textarea", { rows: 2, maxLength: 500, "data-field": "note" });
  #savedNote = el("p", { className: "foreign wide" }, "Saved note: ", el("bdi", { "data-field": "savedNote" }));
  #ask = el("input", { type: "checkbox", "data-act": "ask-before-chasing" });
  #save = el("button", { type: "submit", className: "primary", "data-act": "save-chase" }, "Save");
  #discard = el("button", { type: "button", "data-act": "discard-draft" }, "Discard note");
  #dialog = el("section", { role: "dialog", "aria-labelledby": "chase-title", "data-dialog": "chase" });
  /** @type {Map<HTMLInputElement, string>} what is saved, as it stands in each field */
  #saved = new Map();
  #shownFor = 0;

  component() {
    return this.page.bind("collections.chase", this.model.handlers());
  }

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    super.connectedCallback();
  }

  #build() {
    const { model } = this;
    const close = el("button", { type: "button", className: "quiet", "data-act": "close-chase" }, "Close");
    close.addEventListener("click", () => model.close());
    this.#note.addEventListener("input", () => model.type(this.#note.value));
    this.#discard.addEventListener("click", () => model.discard());
    this.#ask.addEventListener("change", () => {
      storage.keepAskBeforeChasing(this.#ask.checked);
      this.page.touch();
    });
    const form = el(
      "form",
      { onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
      labelled("Reminders sent", this.#reminders),
      labelled("Last reminder", this.#last),
      labelled("Promised for", this.#expected),
      this.#savedNote,
      labelled("New note", this.#note, "wide"),
      el("div", { className: "buttons" }, this.#save, this.#discard, close),
      el("label", { className: "choice" }, this.#ask, "Ask me before the assistant records anything about a chase"),
    );
    this.#dialog.append(el("header", {}, this.#title, this.#text, this.#invoiceNote), form);
    this.#dialog.addEventListener("keydown", ({ key }) => key === "Escape" && model.close());
    this.append(this.#dialog);
  }

  /** Lead a person into the dialog that they opened. */
  enter() {
    this.scrollIntoView({ block: "nearest" });
    this.#reminders.focus({ preventScroll: true });
  }

  update() {
    const invoice = this.model.invoice();
    this.hidden = invoice === undefined;
    this.#ask.checked = storage.asksBeforeChasing();
    if (invoice === undefined) {
      this.#shownFor = 0;
      return;
    }
    setAttribute(this.#dialog, "data-id", String(invoice.id));
    setText(this.#title, `Chase ${invoice.reference}`);
    setText(this.#text, about(invoice));
    setText(this.#invoiceNote, invoice.notes ?? "");
    this.#showFields(invoice);
    this.#save.hidden = !this.page.mayWrite;
    this.#discard.hidden = this.model.draft() === undefined;
  }

  /** @param {Invoice} invoice */
  #showFields({ id, collection }) {
    const isAnother = this.#shownFor !== id;
    this.#shownFor = id;
    this.#showSaved(this.#reminders, String(collection?.reminders_sent ?? 0), isAnother);
    this.#showSaved(this.#last, collection?.last_reminder_date ?? "", isAnother);
    this.#showSaved(this.#expected, collection?.expected_payment_date ?? "", isAnother);
    this.#savedNote.hidden = !collection?.note;
    setText(/** @type {Element} */ (this.#savedNote.lastElementChild), collection?.note ?? "");
    setValue(this.#note, this.model.draft() ?? "");
  }

  /**
   * Show what is saved, but leave alone what the person has changed and not saved yet.
   *
   * @param {HTMLInputElement} field
   * @param {string} value
   * @param {boolean} isAnother whether the field now stands for another invoice
   */
  #showSaved(field, value, isAnother) {
    if (isAnother || field.value === this.#saved.get(field)) field.value = value;
    this.#saved.set(field, value);
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    this.#save.disabled = true;
    void this.page
      .operate(() => this.model.save(this.#changed()))
      .then((done) => {
        if (done) this.#shownFor = 0; // what is saved now is what the fields are to show
        this.#save.disabled = false;
        this.update();
      });
  }

  /** @returns {JsonObject} the fields that a person has changed */
  #changed() {
    const isChanged = (/** @type {HTMLInputElement} */ field) => field.value !== this.#saved.get(field);
    return {
      ...(isChanged(this.#reminders) ? { remindersSent: this.#reminders.valueAsNumber } : {}),
      ...(isChanged(this.#last) ? { lastReminderDate: this.#last.value || null } : {}),
      ...(isChanged(this.#expected) ? { expectedPaymentDate: this.#expected.value || null } : {}),
    };
  }
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [className]
 */
function labelled(label, control, className = "") {
  return el("label", { className }, el("span", {}, label), control);
}

customElements.define("chase-dialog", ChaseDialog);
