/**
 * `<assistant-dock>`: the assistant beside the page: thread, questions, and the place to write.
 *
 * @module
 */

import { ChatComposer } from "./chat-composer.js";
import { ChatThread } from "./chat-thread.js";
import { ConfirmationDialog } from "./confirmation-dialog.js";
import { ConversationMenu } from "./conversation-menu.js";
import { Keyed, el, make, setAttribute, setText } from "./dom.js";

/** @import { ConfirmationRecord } from "../surface/confirmations.js" */
/** @import { Assistant } from "../console/assistant.js" */
/** @import { Told } from "../console/cards.js" */
/** @import { Page } from "../console/page.js" */

export class AssistantDock extends HTMLElement {
  /** @type {Page} */
  page = /** @type {never} */ (undefined);
  /** @type {Assistant} */
  assistant = /** @type {never} */ (undefined);
  /** @type {() => void} */
  close = () => {};
  #thread = make(ChatThread, {});
  #composer = make(ChatComposer, {});
  #questions = el("div", { className: "questions", "aria-live": "assertive" });
  /** @type {Keyed<ConfirmationRecord, ConfirmationDialog>} */
  #open = new Keyed(
    () => make(ConfirmationDialog, { decide: (id, approved) => this.assistant.confirm(id, approved) }),
    (element, record) => element.update(record),
  );
  #waiting = el("button", { type: "button", className: "waiting", "data-act": "show-waiting" });
  #told = el("p", { className: "told unseen", role: "status", "data-hook": "told" });
  #error = el("p", { className: "error", role: "alert" }, el("span", { "data-notice": "" }));

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const { assistant } = this;
    this.#thread.decide = (approval, approved) =>
      this.page.operate(() => assistant.decide(approval, approved)).then(() => undefined);
    this.#thread.cardHandlers = {
      press: (entry, action) => this.#toldOf(() => assistant.pressCard(entry, action)),
      dismiss: (entry) => this.#toldOf(() => assistant.closeCard(entry)),
      enter: (entry, member, value) => assistant.enterCard(entry, member, value),
    };
    this.#composer.send = (text) => void assistant.send(text);
    this.#composer.stop = () => assistant.stop();
    this.#waiting.addEventListener("click", () => assistant.showElsewhere());
    const close = el("button", { type: "button", className: "quiet close", "aria-label": "Close the assistant" }, "×");
    close.addEventListener("click", () => this.close());
    const menu = make(ConversationMenu, { assistant, operate: (work) => void this.page.operate(work) });
    this.append(
      el("div", { className: "bar" }, el("h2", {}, "Assistant"), menu, close),
      this.#waiting,
      this.#thread,
      this.#questions,
      this.#told,
      this.#error,
      this.#composer,
    );
    setAttribute(this, "data-hook", "assistant");
  }

  /**
   * @param {() => Promise<Told>} work
   * @returns {Promise<Told>} what the person is told, once the page has caught up
   */
  async #toldOf(work) {
    /** @type {Told} */
    let told = { ok: false, text: "This could not be done." };
    await this.page.operate(async () => {
      told = await work();
    });
    return told;
  }

  update() {
    const { conversation, confirmations, elsewhere, isBusy, lastEnd, told } = this.assistant;
    this.#thread.update(conversation);
    this.#open.show(this.#questions, confirmations, ({ id }) => id);
    this.#composer.update(isBusy);
    this.#waiting.hidden = elsewhere.length === 0;
    setText(this.#waiting, `${elsewhere.length} waiting for your decision`);
    setText(this.#told, told?.text ?? "");
    setAttribute(this.#told, "data-id", told?.id);
    setAttribute(this.#told, "data-ok", told && String(told.ok));
    const error = lastEnd?.error;
    this.#error.hidden = error === undefined;
    setText(/** @type {Element} */ (this.#error.firstElementChild), error ? `${error.code}: ${error.message}` : "");
    this.#reflect({ isBusy, conversationId: conversation.id });
  }

  /** @param {{isBusy: boolean, conversationId: string}} state */
  #reflect({ isBusy, conversationId }) {
    const { lastEnd } = this.assistant;
    setAttribute(this, "data-conversation", conversationId);
    setAttribute(this, "data-turn-status", lastEnd?.status);
    setAttribute(this, "data-turn-steps", lastEnd && String(lastEnd.steps));
    setAttribute(this, "data-turn-error", lastEnd?.error?.code);
    setAttribute(this, "data-busy", String(isBusy));
  }
}

customElements.define("assistant-dock", AssistantDock);
