// The headless tab of the toy: the page's list of tasks, and the browser's half of a turn, over standard input and output.
// The suite's side of this is described in docs/tab-protocol.md: one JSON object a line, each request answered once.
"use strict";
const BASE = process.argv[2];
const CLOSED = { type: "object", properties: {}, additionalProperties: false };
const MOST_STEPS = 16;
const SETS = { all: () => true, open: (task) => !task.done, done: (task) => task.done };

const tab = { headers: {}, tasks: [], filter: "all", chosen: undefined, transcript: [], cards: [], messages: [], conversation: "", turn: 0, busy: false };

async function post(path, body) {
  const response = await fetch(BASE + path, { method: "POST", headers: { "content-type": "application/json", ...tab.headers }, body: JSON.stringify(body) });
  return response;
}
async function rpc(procedure, input) {
  const body = await (await post(`/rpc/${procedure}`, { json: input })).json();
  if (body.json?.code) throw fail("ACT_FAILED", body.json.message);
  return body.json;
}
const fail = (code, message, retry) => Object.assign(new Error(message), { code, retry });
const refresh = async () => void (tab.tasks = await rpc("list-tasks", {}));
const rows = () => tab.tasks.filter(SETS[tab.filter]);

// What the page lets an assistant do. `available` gives a reason while it can't be done; everything is checked again when it is called.
const CAPABILITIES = {
  "view:tasks.list.setFilter": {
    effect: "local-state",
    description: "[view · local-state] Show all, open or done tasks.",
    schema: { type: "object", properties: { show: { type: "string", enum: Object.keys(SETS) } }, required: ["show"], additionalProperties: false },
    run: ({ show }) => void (tab.filter = show),
  },
  "view:tasks.list.readState": {
    effect: "read",
    description: "[view · read] The tasks on the screen.",
    schema: CLOSED,
    run: () => ({ visibleRows: rows(), filter: tab.filter }),
  },
  // Bound: which task it is about comes from the screen, and the model has no field to name another.
  "domain:set-done": {
    effect: "write",
    description: "[contextual · write] Mark the chosen task as done, or not.",
    schema: { type: "object", properties: { done: { type: "boolean" } }, required: ["done"], additionalProperties: false },
    reason: () => (tab.chosen === undefined ? "Choose a task first." : ""),
    note: () => (tab.chosen === undefined ? "" : `about task ${tab.chosen}`),
    run: async ({ done }) => {
      const output = await rpc("set-done", { id: tab.chosen, done });
      await refresh();
      return output;
    },
  },
};
const wireName = (id) => id.replace(":", "_").replaceAll(".", "__");

function fits(schema, input) {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return false;
  if (Object.keys(input).some((key) => !(key in schema.properties))) return false;
  if ((schema.required ?? []).some((key) => !(key in input))) return false;
  return Object.entries(input).every(([key, value]) => {
    const { type, enum: words } = schema.properties[key];
    return typeof value === type && (!words || words.includes(value));
  });
}

async function execute(call) {
  const capability = CAPABILITIES[call.canonicalId];
  try {
    if (!capability) throw fail("UNKNOWN_CAPABILITY", "The page has no such capability.", "no");
    if (!fits(capability.schema, call.input)) throw fail("INPUT_INVALID", "The input does not fit.", "with-changes");
    const reason = capability.reason?.();
    if (reason) throw fail("UNAVAILABLE", reason, "after-refresh");
    const value = await capability.run(call.input);
    return value ?? { done: true };
  } catch (error) {
    return { error: { code: error.code ?? "EXECUTION_FAILED", message: error.code ? error.message : "It failed.", retry: error.retry ?? "no" } };
  }
}

function catalog() {
  const entries = Object.entries(CAPABILITIES);
  return {
    mode: "direct",
    frontendTools: entries.map(([id, { description, schema, effect }]) => ({
      wireName: wireName(id), canonicalId: id, plane: id.split(":")[0], description, inputSchema: schema, effect, confirmation: "never",
    })),
    frontendState: entries.map(([id, { reason, note }]) => {
      const why = reason?.() ?? "";
      return { wireName: wireName(id), available: !why, ...(why && { unavailableReason: why }), ...(note?.() && { note: note() }) };
    }),
  };
}

// One turn: post a step, do what it leaves to the page, post the next, until nothing is left.
async function send({ text }) {
  if (tab.busy) throw fail("BUSY", "A turn is running.");
  tab.busy = true;
  tab.turn += 1;
  tab.messages.push({ role: "user", content: text });
  tab.transcript.push({ role: "user", text });
  try {
    for (let stepIndex = 0; stepIndex < MOST_STEPS; stepIndex++) {
      const { finish, error } = await step(stepIndex).catch(() => ({ error: { code: "OFFLINE", message: "The server can't be reached." } }));
      if (error) return { status: "error", error, conversation: tab.conversation, steps: stepIndex + 1 };
      tab.messages.push(...finish.responseMessages);
      if (!finish.pendingToolCalls.length) return { status: "completed", conversation: tab.conversation, steps: stepIndex + 1 };
      for (const call of finish.pendingToolCalls) {
        const value = await execute(call);
        cardOf(call.toolCallId).state = value?.error ? "failed" : "done";
        tab.messages.push({ role: "tool", content: [{ type: "tool-result", toolCallId: call.toolCallId, toolName: call.wireName, output: { type: "json", value } }] });
      }
    }
    return { status: "error", error: { code: "TOO_MANY_STEPS", message: "The turn did not end." }, conversation: tab.conversation, steps: MOST_STEPS };
  } finally {
    tab.busy = false;
  }
}

async function step(stepIndex) {
  const response = await post("/agent/chat", {
    protocolVersion: 2, conversationId: tab.conversation, turnId: `${tab.conversation}-${tab.turn}`, stepIndex,
    messages: tab.messages, pathname: "/tasks", catalog: catalog(),
  });
  if (response.headers.get("content-type") !== "application/x-ndjson") return { error: (await response.json()).error };
  const frames = (await response.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
  for (const frame of frames) await take(frame);
  const finish = frames.find((frame) => frame.type === "step-finish");
  return { finish, error: frames.find((frame) => frame.type === "error")?.error ?? (finish ? undefined : { code: "NO_FINISH", message: "The step broke off." }) };
}

const cardOf = (id) => tab.cards.find((card) => card.id === id);

async function take(frame) {
  if (frame.type === "text-delta") {
    const last = tab.transcript.at(-1);
    if (last.role === "assistant") last.text += frame.text;
    else tab.transcript.push({ role: "assistant", text: frame.text });
  }
  if (frame.type === "tool-call") tab.cards.push({ kind: "tool", id: frame.toolCallId, capability: frame.canonicalId, state: "running", text: "" });
  if (frame.type !== "tool-result") return;
  cardOf(frame.toolCallId).state = frame.ok ? "done" : "failed";
  if (frame.result.status === "approval-required") {
    cardOf(frame.toolCallId).state = "waiting";
    const response = await fetch(`${BASE}/api/approvals/${frame.result.approvalId}`, { headers: tab.headers });
    const card = await response.json();
    tab.cards.push({ kind: "approval", id: card.id, capability: `domain:${card.capabilityId}`, state: card.status, text: "", input: card.input });
  } else if (frame.canonicalId !== "domain:list-tasks") await refresh();
}

async function decide({ kind, approved, id }) {
  const open = tab.cards.filter((card) => card.kind === kind && card.state === "pending" && (!id || card.id === id));
  if (!open.length) throw fail("NOTHING_TO_DECIDE", "Nothing waits here.");
  const body = await (await post(`/api/approvals/${open[0].id}`, { approved })).json();
  open[0].state = approved ? "consumed" : "rejected";
  await refresh();
  return { id: open[0].id, ok: body.receipt?.ok ?? false, text: body.receipt?.text ?? body.error?.message ?? "" };
}

const ACTS = {
  choose: ({ key }) => void (tab.chosen = Number(key)),
  "let-go": () => void (tab.chosen = undefined),
  show: ({ which }) => void (tab.filter = which),
};

// The address says which tasks are shown, so that what the assistant brought about can be bookmarked.
function filterOf(route) {
  const wanted = new URL(route, BASE).searchParams.get("show") ?? "all";
  return Object.hasOwn(SETS, wanted) ? wanted : "all";
}

const VERBS = {
  async open({ route, session, fresh }) {
    Object.assign(tab, { headers: session.headers, filter: filterOf(route), chosen: undefined, cards: [], transcript: [], messages: [], turn: 0 });
    tab.conversation = `toy-${process.pid}-${(VERBS.opened = (VERBS.opened ?? 0) + 1)}${fresh ? "f" : ""}`;
    await refresh();
    return visible();
  },
  send,
  async act({ name, args }) {
    if (!Object.hasOwn(ACTS, name)) throw fail("UNKNOWN_ACT", `There is no act ${name}.`);
    ACTS[name](args ?? {});
    return visible();
  },
  decide,
  visible,
  close: () => ({}),
};

function visible() {
  return {
    route: `/tasks?show=${tab.filter}`,
    title: "Tasks",
    rows: rows().map((task) => ({ key: String(task.id), cells: { title: task.title, done: task.done ? "yes" : "no" } })),
    dialogs: tab.chosen === undefined ? [] : [{ kind: "task", id: String(tab.chosen) }],
    cards: tab.cards,
    transcript: tab.transcript,
    busy: tab.busy,
    conversation: tab.conversation,
  };
}

const reply = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function obey(line) {
  let request;
  try {
    request = JSON.parse(line);
    if (typeof request !== "object" || !Object.hasOwn(VERBS, request.verb)) throw new Error();
  } catch {
    return reply({ id: request?.id ?? null, error: { code: "BAD_REQUEST", message: "Not a request of the tab protocol." } });
  }
  try {
    reply({ id: request.id, result: await VERBS[request.verb](request.params ?? {}) });
  } catch (error) {
    if (!error.code) console.error(error);
    reply({ id: request.id, error: { code: error.code ?? "TAB_FAILED", message: error.message } });
  }
  if (request.verb === "close") process.exit(0);
}

require("node:readline").createInterface({ input: process.stdin }).on("line", obey).on("close", () => process.exit(0));
reply({ ready: true, protocol: 1 });
