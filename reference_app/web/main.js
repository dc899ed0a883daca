/**
 * Starting the page: its parameters, the contracts, who is signed in, the view in the address, the conversation of before.
 *
 * @module
 */

import { parseAddress } from "./console/address.js";
import { Assistant } from "./console/assistant.js";
import { loadContracts, loadFaults, loadLab } from "./console/loading.js";
import { Page } from "./console/page.js";
import { takeParameters } from "./console/parameters.js";
import { storage } from "./console/storage.js";
import { ConsoleApp, needsOf } from "./elements/console-app.js";
import { make } from "./elements/dom.js";
import { api } from "./host/api.js";
import { browserClock } from "./surface/clock.js";

/** @import { Parameters } from "./console/parameters.js" */

const root = document.documentElement;

async function start() {
  const { address, parameters, conversation, problems } = takeParameters(parseAddress(location.href));
  const clock = browserClock();
  const app = make(ConsoleApp, { badges: badgesOf(parameters) });
  const notice = (/** @type {string} */ text) => app.notices.add(text);
  problems.forEach(notice);
  await loadFaults(parameters.faults).catch((error) => notice(error.message));
  if (parameters.hasLab) await loadLab();
  const [contracts, person] = await Promise.all([loadContracts(parameters.hasLab), api.person()]);
  const page = new Page(contracts, clock, parameters, {
    needs: needsOf,
    show: (remount) => app.show(remount),
    settled: (settled) => (root.dataset.settled = String(settled)),
    notice,
  });
  page.person = person;
  const assistant = new Assistant(page, clock, parameters, () => app.showAssistant());
  Object.assign(app, { page, assistant, switchTo: (/** @type {string} */ user) => void switchTo(page, user) });
  document.body.append(app);
  app.build();
  addEventListener("popstate", () => page.go(parseAddress(location.href), { history: "none" }));
  await page.operate(async () => {
    page.go(address, { history: "replace" });
    if (person !== null) await assistant.restore(conversation);
  });
}

/**
 * @param {Parameters} parameters
 * @returns {string[]}
 */
function badgesOf({ mode, faults }) {
  return [...(mode === "meta" ? ["meta mode"] : []), ...faults.map((fault) => `fault: ${fault}`)];
}

/**
 * Sign in as somebody else, or as nobody: the page and the conversation of the one before are gone.
 *
 * @param {Page} page
 * @param {string} user
 */
async function switchTo(page, user) {
  if (user === "") return;
  await page.operate(async () => {
    await (user === "nobody" ? api.signOut() : api.signIn(user));
    page.registry.dispose();
    storage.keepConversation(null);
    location.reload();
    await new Promise(() => {}); // the reload ends the page; it does not settle before
  });
}

start().catch((error) => {
  document.body.append(`The page can't be started: ${error.message}`);
  root.dataset.settled = "failed";
  throw error;
});
