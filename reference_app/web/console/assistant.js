/**
 * The assistant's side of the page: one conversation, the turn that runs in it, and the questions that wait for a person.
 *
 * @module
 */

import { api } from "../host/api.js";
import { Conversation } from "../host/conversation.js";
import { restore } from "../host/rehydrate.js";
import { Turn } from "../host/turn.js";
import { directToolset } from "../surface/direct-toolset.js";
import { metaToolset } from "../surface/meta-toolset.js";
import { tokens } from "../surface/tokens.js";
import { approvals } from "./approvals.js";
import { Cards, entered } from "./cards.js";
import { scopeFor } from "./routes.js";
import { storage } from "./storage.js";

/** @import { Approval, CardLook, ThreadSummary } from "../host/api.js" */
/** @import { InteractionEntry } from "../host/conversation.js" */
/** @import { TurnEnd, Workbench } from "../host/turn.js" */
/** @import { Clock } from "../surface/clock.js" */
/** @import { Toolset } from "../surface/tools.js" */
/** @import { Consumer, Json } from "../surface/types.js" */
/** @import { Told } from "./approvals.js" */
/** @import { Page } from "./page.js" */
/** @import { Parameters } from "./parameters.js" */

/** @type {Consumer} */
const CONSUMER = Object.freeze({ id: "dashboard-assistant", kind: "embedded" });

export class Assistant {
  /** @type {Conversation} */
  conversation;
  /** @type {Turn | undefined} */
  #turn;
  /** @type {TurnEnd | undefined} */
  lastEnd;
  /** @type {(Told & {id: string}) | undefined} */
  told;
  /** @type {readonly Approval[]} */
  elsewhere = [];
  /** @type {Promise<void>[]} */
  #showing = [];
  #isDue = false;
  #clock;
  #parameters;
  #show;

  /**
   * @param {Page} page
   * @param {Clock} clock
   * @param {Parameters} parameters
   * @param {() => void} show brings what a person sees up to date
   */
  constructor(page, clock, parameters, show) {
    this.page = page;
    this.#clock = clock;
    this.#parameters = parameters;
    this.#show = show;
    this.conversation = this.#newConversation(tokens.conversation());
    this.cards = this.#cardsOf(this.conversation);
    page.registry.confirmations.subscribe(show);
  }

  /** @param {string} id */
  #newConversation(id) {
    return new Conversation(id, () => void this.#showSoon());
  }

  /** @param {Conversation} conversation */
  #cardsOf(conversation) {
    return new Cards(conversation, this.#clock, (look) => this.#resume(look));
  }

  /** Show what was said: as often as the browser takes a turn, not for each piece that arrives. */
  async #showSoon() {
    if (this.#isDue) return;
    this.#isDue = true;
    await this.#clock.nextTask();
    this.#isDue = false;
    this.#show();
  }

  get isBusy() {
    return this.#turn !== undefined;
  }

  /** @returns the questions of the page itself that are open */
  get confirmations() {
    return this.page.registry.confirmations.pending();
  }

  // Turns

  /**
   * Take a person's message and run a turn on it.
   *
   * @param {string} text
   */
  async send(text) {
    if (this.#turn !== undefined) return;
    const { conversation } = this;
    storage.keepConversation(conversation.id);
    const turn = new Turn(this.#bench(conversation), conversation, tokens.turn());
    conversation.ask(text);
    await this.#seeThrough(turn, conversation);
  }

  /**
   * Go on with the turn that presented a card, in the step after that one; the person has just answered.
   *
   * @param {CardLook} look
   */
  #resume({ status, turnId, stepIndex }) {
    if (this.#turn !== undefined || status !== "submitted") return;
    const { conversation } = this;
    void this.#seeThrough(new Turn(this.#bench(conversation), conversation, turnId, stepIndex + 1), conversation);
  }

  /**
   * @param {Turn} turn
   * @param {Conversation} conversation
   */
  async #seeThrough(turn, conversation) {
    this.#turn = turn;
    this.lastEnd = undefined;
    this.#show();
    let end;
    try {
      end = await turn.run();
    } finally {
      await this.#afterTurn(conversation);
      this.lastEnd = end;
      this.#turn = undefined;
      this.#show();
    }
  }

  /** @param {Conversation} conversation */
  async #afterTurn(conversation) {
    conversation.endTurn();
    await Promise.all(this.#showing.splice(0));
    await this.#tell(() => approvals.refresh(conversation));
    await this.page.untilShown();
  }

  /** Give the running turn up, with the questions and cards that it waits for. */
  stop() {
    void this.cards.withdrawAwaited();
    this.stopTurn();
    this.page.registry.confirmations.expireAll();
  }

  stopTurn() {
    this.#turn?.stop();
  }

  /**
   * What the page offers within a scope.
   *
   * @param {readonly string[]} scope
   * @returns {Toolset}
   */
  toolset(scope) {
    const { mode, confirmations } = this.#parameters;
    const make = mode === "meta" ? metaToolset : directToolset;
    return make(this.page.registry, { consumer: CONSUMER, scope, confirmations });
  }

  /**
   * @param {Conversation} conversation
   * @returns {Workbench}
   */
  #bench(conversation) {
    const page = this.page;
    const { mode, turnSteps, turnDeadlineMs, settleMs } = this.#parameters;
    return {
      page,
      clock: this.#clock,
      mode,
      turnSteps,
      turnDeadlineMs,
      settleMs,
      cards: this.cards,
      scopeFor,
      toolset: (scope) => this.toolset(scope),
      watchers: {
        wrote: () => page.refresh(),
        needsApproval: (approvalId, callId) => {
          this.#showing.push(this.#tell(() => approvals.show(conversation, approvalId, callId)));
        },
        notice: (text) => page.notice(text),
      },
    };
  }

  // Questions

  /**
   * Answer a question of the page itself.
   *
   * @param {string} id
   * @param {boolean} approved
   */
  confirm(id, approved) {
    const taken = this.page.registry.confirmations.resolve(id, approved);
    const yes = "You allowed it.";
    const no = "You declined it. Nothing was changed.";
    this.told = { id, ok: taken, text: taken ? (approved ? yes : no) : "This question is no longer open." };
    this.#show();
  }

  /**
   * Decide about an approval; what was executed may have changed any row.
   *
   * @param {Approval} approval
   * @param {boolean} approved
   */
  async decide(approval, approved) {
    try {
      const told = await approvals.decide(this.conversation, approval, approved, this.isBusy);
      this.told = { id: approval.id, ...told };
      if (approved) this.page.refresh();
    } catch (error) {
      this.told = { id: approval.id, ok: false, text: /** @type {Error} */ (error).message };
    }
    this.elsewhere = this.elsewhere.filter(({ id }) => id !== approval.id);
    this.#show();
  }

  // Interaction cards

  /**
   * @param {InteractionEntry} entry
   * @param {string} member
   * @param {Json} value
   */
  enterCard(entry, member, value) {
    this.conversation.enterInteraction(entry.id, entered(entry.values, member, value));
  }

  /**
   * @param {InteractionEntry} entry
   * @param {string} action
   */
  async pressCard(entry, action) {
    return this.#toldBy(entry, await this.cards.press(entry, action));
  }

  /** @param {InteractionEntry} entry */
  async closeCard(entry) {
    return this.#toldBy(entry, await this.cards.close(entry));
  }

  /**
   * @param {InteractionEntry} entry
   * @param {Told} told
   */
  #toldBy({ id }, told) {
    this.told = { id, ...told };
    this.#show();
    return told;
  }

  // Conversations

  /**
   * Bring the conversation of before back, if there is one, and find what waits for the person besides.
   *
   * @param {string | undefined} wanted an id, or `new`
   */
  async restore(wanted) {
    const kept = wanted ?? storage.conversation();
    if (kept === "new") storage.keepConversation(null);
    else if (kept !== undefined) await this.open(kept);
    await this.#tell(() => this.#lookElsewhere());
  }

  /** @param {string} id */
  async open(id) {
    const conversation = this.#newConversation(id);
    await this.#tell(async () => {
      restore(conversation, await api.threadMessages(id));
      await approvals.restore(conversation);
    });
    this.#enter(conversation);
    storage.keepConversation(id);
    await this.#tell(() => this.cards.restore());
  }

  /** Leave this conversation for a fresh one. */
  startAnew() {
    storage.keepConversation(null);
    this.#enter(this.#newConversation(tokens.conversation()));
  }

  /** @returns {Promise<readonly ThreadSummary[]>} */
  async threads() {
    return api.threads();
  }

  /** Show an approval of another conversation in this one. */
  showElsewhere() {
    for (const approval of this.elsewhere) this.conversation.showApproval(approval);
    this.elsewhere = [];
    this.#show();
  }

  /** @param {Conversation} conversation */
  #enter(conversation) {
    if (this.isBusy) this.stop();
    this.cards.leave();
    this.conversation = conversation;
    this.cards = this.#cardsOf(conversation);
    this.lastEnd = undefined;
    this.told = undefined;
    this.#show();
  }

  async #lookElsewhere() {
    const here = new Set(this.conversation.approvals.map(({ id }) => id));
    this.elsewhere = (await api.approvals()).filter(({ id }) => !here.has(id));
    this.#show();
  }

  /** @param {() => Promise<unknown>} work */
  async #tell(work) {
    try {
      await work();
    } catch (error) {
      this.page.notice(/** @type {Error} */ (error).message);
    }
  }
}
