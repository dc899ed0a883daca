/**
 * `<chat-thread>`: the conversation, oldest first, kept in view at its end unless a person reads further up.
 *
 * @module
 */

import { ApprovalCard } from "./approval-card.js";
import { ChatMessage } from "./chat-message.js";
import { ChatReasoning } from "./chat-reasoning.js";
import { Keyed, el, make, setAttribute } from "./dom.js";
import { InteractionCard } from "./interaction-card.js";
import { ToolCard } from "./tool-card.js";

/** @import { Approval } from "../host/api.js" */
/** @import { Conversation, Entry } from "../host/conversation.js" */

/** @typedef {ChatMessage | ChatReasoning | ToolCard | ApprovalCard | InteractionCard} EntryElement */

const NEAR_END = 40;

export class ChatThread extends HTMLElement {
  /** @type {(approval: Approval, approved: boolean) => Promise<void>} */
  decide = async () => {};
  /** @type {Pick<InteractionCard, "press" | "dismiss" | "enter"> | undefined} */
  cardHandlers;
  #conversationId = "";
  #list = el("div", { className: "entries" });
  #isFollowing = true;
  #empty = el("p", { className: "hint" }, "Ask about what is on the screen, or have something done. You see every call here.");
  /** @type {Keyed<Entry, EntryElement>} */
  #entries = new Keyed(
    (entry) => this.#create(entry),
    (element, entry) => update(element, entry, this.#conversationId),
  );

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.append(this.#empty, this.#list);
    setAttribute(this, "role", "log");
    setAttribute(this, "aria-label", "Conversation");
    setAttribute(this, "tabindex", "0");
    this.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this;
      this.#isFollowing = scrollHeight - scrollTop - clientHeight < NEAR_END;
    });
    new ResizeObserver(() => this.#follow()).observe(this);
  }

  /** @param {Conversation} conversation */
  update({ id, thread }) {
    this.#conversationId = id;
    this.#empty.hidden = thread.length > 0;
    this.#entries.show(this.#list, thread, ({ key }) => `${id} ${key}`);
    this.#follow();
  }

  #follow() {
    if (this.#isFollowing) this.scrollTop = this.scrollHeight;
  }

  /**
   * @param {Entry} entry
   * @returns {EntryElement}
   */
  #create(entry) {
    switch (entry.kind) {
      case "said":
        return new ChatMessage();
      case "reasoning":
        return new ChatReasoning();
      case "tool":
        return new ToolCard();
      case "approval":
        return make(ApprovalCard, { decide: this.decide });
      case "interaction":
        return make(InteractionCard, { ...this.cardHandlers });
    }
  }
}

/**
 * @param {EntryElement} element
 * @param {Entry} entry
 * @param {string} conversationId
 */
function update(element, entry, conversationId) {
  if (entry.kind === "said" && element instanceof ChatMessage) element.update(entry);
  else if (entry.kind === "reasoning" && element instanceof ChatReasoning) element.update(entry);
  else if (entry.kind === "tool" && element instanceof ToolCard) element.update(entry);
  else if (entry.kind === "approval" && element instanceof ApprovalCard) element.update(entry.approval);
  else if (entry.kind === "interaction" && element instanceof InteractionCard) element.update(entry, conversationId);
}

customElements.define("chat-thread", ChatThread);
