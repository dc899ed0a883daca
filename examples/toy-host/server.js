// A toy host of one page: a list of tasks, an assistant, and nothing that it does not need. Node 18 or newer, no dependencies.
//
// The five sections below are all that a host needs: who somebody is, the operations, approvals, one step of the conversation, the addresses.
"use strict";
const { createServer } = require("node:http");
const { createHmac, randomBytes, randomUUID, timingSafeEqual } = require("node:crypto");

const MODEL_URL = process.env.OPENAI_BASE_URL;
const MODEL_KEY = process.env.OPENAI_API_KEY ?? "";
const MOST_REQUESTS = 5;

// --- Who somebody is ------------------------------------------------------------------------------------------------
const SECRET = randomBytes(32);
const USERS = { alice: { id: "alice", may: "write" }, bea: { id: "bea", may: "write" }, bob: { id: "bob", may: "read" } };

const sign = (payload) => createHmac("sha256", SECRET).update(payload).digest("base64url");

function tokenOf(user) {
  const payload = Buffer.from(JSON.stringify({ user: user.id })).toString("base64url");
  return `${payload}.${sign(payload)}`;
}

function userOf(request) {
  const cookie = /(?:^|;\s*)toy_session=([\w-]+)\.([\w-]+)/.exec(request.headers.cookie ?? "");
  if (!cookie) return undefined;
  const expected = Buffer.from(sign(cookie[1]));
  const given = Buffer.from(cookie[2]);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return USERS[JSON.parse(Buffer.from(cookie[1], "base64url")).user];
}

// --- The operations -------------------------------------------------------------------------------------------------
let tasks, nextId;
function reset() {
  tasks = [
    { id: 1, title: "Water the plants", done: false },
    { id: 2, title: "Call the bank", done: false },
    { id: 3, title: "Write to Ida", done: true },
  ];
  nextId = 4;
  approvals.clear();
}
class Refused extends Error {}

function find(id) {
  const task = tasks.find((one) => one.id === id);
  if (!task) throw new Refused(`There is no task ${id}.`);
  return task;
}

// `effect` decides who may (reading is for everybody) and what waits for a decision; `bound` is reachable through the screen only.
const OPERATIONS = {
  "list-tasks": { effect: "read", takes: {}, run: () => tasks.map((task) => ({ ...task })) },
  "add-task": {
    effect: "write",
    takes: { title: "string" },
    run: ({ title }) => {
      const task = { id: nextId++, title, done: false };
      tasks.push(task);
      return { ...task };
    },
  },
  "rename-task": {
    effect: "write",
    takes: { id: "integer", title: "string" },
    run: ({ id, title }) => ({ ...Object.assign(find(id), { title }) }),
  },
  "remove-task": {
    effect: "destructive",
    takes: { id: "integer" },
    run: ({ id }) => {
      find(id);
      tasks = tasks.filter((task) => task.id !== id);
      return { removed: id };
    },
  },
  "set-done": {
    effect: "write",
    bound: true,
    takes: { id: "integer", done: "boolean" },
    run: ({ id, done }) => ({ ...Object.assign(find(id), { done }) }),
  },
};
const FITS = {
  string: (value) => typeof value === "string" && value.length > 0,
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === "boolean",
};

const mayUse = (user, operation) => operation.effect === "read" || user.may === "write";
const schemaOf = ({ takes }) => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(takes).map(([name, type]) => [name, { type }])),
  required: Object.keys(takes),
  additionalProperties: false,
});
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function issuesOf(operation, input) {
  if (!isObject(input)) return [{ path: [], message: "expected an object" }];
  return Object.entries(operation.takes)
    .filter(([name, type]) => !FITS[type](input[name]))
    .map(([name, type]) => ({ path: [name], message: `expected ${type}` }));
}
const known = (operation, input) => Object.fromEntries(Object.keys(operation.takes).map((name) => [name, input[name]]));

// --- Approvals ------------------------------------------------------------------------------------------------------
const approvals = new Map();
const LIVES = 15 * 60 * 1000;

function statusOf(approval) {
  if (approval.status === "pending" && Date.now() >= approval.expires) approval.status = "expired";
  return approval.status;
}
const cardOf = (approval) => ({
  id: approval.id,
  capabilityId: approval.operation,
  status: statusOf(approval),
  input: approval.input,
  expiresAt: new Date(approval.expires).toISOString(),
  ...(approval.decision && { decision: approval.decision }),
});

function decide(approval, user, approved) {
  approval.status = approved ? "consumed" : "rejected";
  approval.decision = { status: approved ? "approved" : "denied", approver: user.id, decidedAt: new Date().toISOString() };
  if (!approved) return { receipt: { ok: false, text: "Nothing was changed." }, resolution: { status: "rejected" } };
  const operation = OPERATIONS[approval.operation];
  try {
    if (!mayUse(user, operation)) throw new Refused("You may not do this any more.");
    return { receipt: { ok: true, text: "Done." }, resolution: { status: "completed", output: operation.run(approval.input) } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { receipt: { ok: false, text: error.message }, resolution: { status: "failed", error: { message: error.message } } };
  }
}

// --- One step of the conversation -----------------------------------------------------------------------------------
const failed = (code, message, more = {}) => ({ status: "error", error: { code, message, retryable: false, ...more } });

// What a model's call comes to. Everything is looked up when the call is made, and never taken from what was offered.
function callAsModel(user, name, text) {
  const operation = OPERATIONS[name];
  let input;
  try {
    input = JSON.parse(text);
  } catch {
    return failed("INPUT_INVALID", "The arguments are no JSON.");
  }
  const issues = issuesOf(operation, input);
  if (issues.length) return failed("INPUT_INVALID", "The input does not fit.", { details: { issues } });
  if (operation.effect === "destructive") {
    const approval = { id: `apr_${randomUUID()}`, operation: name, input: known(operation, input), status: "pending" };
    approvals.set(approval.id, { ...approval, owner: user.id, expires: Date.now() + LIVES });
    return { status: "approval-required", approvalId: approval.id, message: "A person has to approve this." };
  }
  try {
    return { status: "ok", data: operation.run(known(operation, input)) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return failed("REFUSED", error.message);
  }
}

// The server's own tools come first; a tab may add view tools, and the bound operations that its person may use, under names that are free.
function catalogOf(user, declared) {
  const server = new Map();
  for (const [name, operation] of Object.entries(OPERATIONS))
    if (!operation.bound && mayUse(user, operation)) server.set(`domain_${name}`, { id: `domain:${name}`, name, operation });
  const offered = new Set([...server.values()].map((tool) => tool.id));
  const browser = new Map();
  const dropped = [];
  for (const tool of declared) {
    const operation = OPERATIONS[String(tool.canonicalId).replace(/^domain:/, "")];
    const bindable = String(tool.canonicalId).startsWith("domain:") && operation?.bound && mayUse(user, operation);
    const viewable = /^view(:|\.)[^.]+(\.[^.]+)*$/.test(tool.canonicalId) && /^[\w-]{1,64}$/.test(tool.wireName);
    const free = !server.has(tool.wireName) && !browser.has(tool.wireName) && !offered.has(tool.canonicalId);
    if (!(bindable || viewable) || !free) {
      dropped.push(tool.canonicalId);
      continue;
    }
    offered.add(tool.canonicalId);
    browser.set(tool.wireName, tool);
  }
  return { server, browser, dropped };
}

function stateBlock(states, browser) {
  const oneLine = (text) => String(text).replace(/\s+/g, " ");
  const lines = states
    .filter((state) => browser.has(state.wireName))
    .map((state) => {
      const id = browser.get(state.wireName).canonicalId;
      if (!state.available) return `${id} — unavailable: ${oneLine(state.unavailableReason ?? "not now")}`;
      return state.note ? `${id} — available; ${oneLine(state.note)}` : "";
    })
    .filter(Boolean);
  return lines.length ? [{ role: "system", content: `Capability state:\n${lines.join("\n")}` }] : [];
}

// The posted history as the provider takes it: a call without a result gets one, a result without a call is left out.
function asProvider(messages) {
  const parts = (message) => (Array.isArray(message.content) ? message.content : [{ type: "text", text: message.content }]);
  const textOf = (output) => (output?.type === "text" ? String(output.value) : JSON.stringify(output?.value ?? null));
  const results = new Map();
  for (const message of messages)
    for (const part of parts(message)) if (part.type === "tool-result") results.set(part.toolCallId, textOf(part.output));
  const told = [];
  for (const message of messages) {
    const content = parts(message).filter((part) => part.type === "text").map((part) => part.text).join("");
    if (message.role === "user") told.push({ role: "user", content });
    if (message.role !== "assistant") continue;
    const calls = parts(message).filter((part) => part.type === "tool-call");
    const tool_calls = calls.map((part) => ({
      id: part.toolCallId,
      type: "function",
      function: { name: part.toolName, arguments: typeof part.input === "string" ? part.input : JSON.stringify(part.input ?? {}) },
    }));
    told.push(calls.length ? { role: "assistant", content, tool_calls } : { role: "assistant", content });
    for (const part of calls) {
      const lost = JSON.stringify(failed("CALL_LOST", "This call was not answered."));
      told.push({ role: "tool", tool_call_id: part.toolCallId, content: results.get(part.toolCallId) ?? lost });
    }
  }
  return told;
}

// Ask once; text is passed on as it comes.
async function ask(messages, tools, onText) {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${MODEL_KEY}` },
    body: JSON.stringify({ model: "toy", messages, ...(tools.length && { tools }), stream: true, stream_options: { include_usage: true } }),
  });
  if (!response.ok) throw new Error(`the provider answered ${response.status}`);
  const said = { text: "", calls: [], finish: "unknown", usage: undefined };
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.startsWith("data:") && !line.includes("[DONE]")) takeEvent(JSON.parse(line.slice(5)), said, onText);
  }
  if (said.finish === "unknown") throw new Error("the provider broke off");
  return said;
}

function takeEvent(event, said, onText) {
  if (event.error) throw new Error("the provider reported an error");
  if (event.usage) said.usage = event.usage;
  for (const { delta, finish_reason } of event.choices ?? []) {
    if (delta?.content) {
      said.text += delta.content;
      onText(delta.content);
    }
    for (const piece of delta?.tool_calls ?? []) {
      const call = (said.calls[piece.index] ??= { id: piece.id, name: piece.function.name, text: "" });
      call.text += piece.function.arguments ?? "";
    }
    if (finish_reason) said.finish = finish_reason === "tool_calls" ? "tool-calls" : finish_reason;
  }
}

async function runStep(user, body, send) {
  const { server, browser, dropped } = catalogOf(user, body.catalog.frontendTools);
  const tools = [
    ...[...server].map(([name, { operation }]) => ({ name, description: `${operation.effect}: ${name}`, parameters: schemaOf(operation) })),
    ...[...browser].map(([name, tool]) => ({ name, description: tool.description, parameters: tool.inputSchema })),
  ].map((fn) => ({ type: "function", function: fn }));
  const stepId = `stp_${randomUUID()}`;
  const correlation = { conversationId: body.conversationId, turnId: body.turnId, stepId };
  const added = [];
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0, reportedSteps: 0 };
  const domainTools = [...server].map(([wireName, { id, operation }]) => ({
    wireName,
    canonicalId: id,
    description: `${operation.effect}: ${wireName}`,
    requiresApproval: operation.effect === "destructive",
    sideEffect: operation.effect,
  }));
  send({ type: "step-start", ...correlation, domainTools, scope: [], catalogMode: body.catalog.mode ?? "direct" });
  for (const id of dropped) {
    const eventType = [...server.values()].some((tool) => tool.id === id) ? "catalog.collision" : "catalog.refused";
    send({ type: "inspector", lane: "host", eventType, summary: `${id} is not the tab's to offer`, correlation, data: { capabilityIds: [id] } });
  }
  if (body.catalog.truncated) {
    const { dropped: left, reason } = body.catalog.truncated;
    send({ type: "inspector", lane: "host", eventType: "catalog.truncated", summary: `the tab left ${left} tools out: ${reason}`, correlation, data: { dropped: left } });
  }
  let finishReason = "stop";
  let pending = [];
  try {
    for (let request = 0; ; request++) {
      if (request === MOST_REQUESTS) {
        send({ type: "error", error: { code: "RUN_LIMIT_EXCEEDED", message: "The assistant asked too often." } });
        finishReason = "error";
        break;
      }
      const messages = [...asProvider([...body.messages, ...added]), ...stateBlock(body.catalog.frontendState ?? [], browser)];
      const said = await ask(messages, tools, (text) => send({ type: "text-delta", text }));
      finishReason = said.finish;
      countUsage(usage, said.usage);
      pending = settle(user, said, { server, browser, added, send });
      if (pending.length || !said.calls.length) break;
    }
  } catch (error) {
    send({ type: "error", error: { code: "MODEL_ERROR", message: error.message } });
    finishReason = "error";
  }
  send({ type: "step-finish", stepId, finishReason, responseMessages: added, pendingToolCalls: pending, ...(usage.reportedSteps && { usage }) });
}

function countUsage(usage, reported) {
  if (!reported) return;
  usage.inputTokens += reported.prompt_tokens;
  usage.outputTokens += reported.completion_tokens;
  usage.totalTokens += reported.total_tokens;
  usage.reportedSteps += 1;
}

// Tell of the calls, run those of the server, and leave the tab's to the tab.
function settle(user, said, { server, browser, added, send }) {
  const parts = said.text ? [{ type: "text", text: said.text }] : [];
  const results = [];
  const pending = [];
  for (const call of said.calls) {
    let input = call.text; // arguments that can't be read stay as they came
    try {
      input = JSON.parse(call.text);
    } catch {}
    parts.push({ type: "tool-call", toolCallId: call.id, toolName: call.name, input });
    const tool = server.get(call.name) ?? browser.get(call.name);
    const named = { toolCallId: call.id, wireName: call.name, canonicalId: tool?.id ?? tool?.canonicalId ?? call.name };
    const isTabs = browser.has(call.name) && isObject(input);
    send({ type: "tool-call", ...named, executor: isTabs ? "browser" : "server", input });
    if (isTabs) {
      pending.push({ ...named, input });
      continue;
    }
    let result;
    if (server.has(call.name)) result = callAsModel(user, server.get(call.name).name, call.text);
    else if (tool) result = failed("INPUT_INVALID", "The arguments are no JSON object.");
    else result = { error: { code: "NO_SUCH_TOOL", message: "There is no such tool in this step.", retry: "no" } };
    send({ type: "tool-result", ...named, ok: result.status === "ok" || result.status === "approval-required", result });
    results.push({ type: "tool-result", toolCallId: call.id, toolName: call.name, output: { type: "json", value: result } });
  }
  if (parts.length) added.push({ role: "assistant", content: parts });
  if (results.length) added.push({ role: "tool", content: results });
  return pending;
}

// --- The addresses --------------------------------------------------------------------------------------------------
class Answer extends Error {
  constructor(status, body, headers = {}) {
    super();
    Object.assign(this, { status, body, headers });
  }
}
const rpcError = (status, code, message, data) => new Answer(status, { json: { defined: false, status, code, message, ...(data && { data }) } });
const hostError = (status, code, message) => new Answer(status, { error: { code, message } });

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

const ROUTES = [
  ["GET", /^\/health$/, () => new Answer(200, { ok: true })],
  ["GET", /^\/$/, () => new Answer(200, PAGE, { "content-type": "text/html; charset=utf-8" })],
  ["GET", /^\/api\/session$/, ({ user }) => new Answer(200, { user: user ?? null })],
  ["POST", /^\/api\/session$/, signIn],
  ["POST", /^\/api\/test\/reset$/, () => (reset(), new Answer(200, { ok: true }))],
  ["GET", /^\/api\/approvals$/, ({ user }) => new Answer(200, mine(need(user)).filter((one) => statusOf(one) === "pending").map(cardOf))],
  ["GET", /^\/api\/approvals\/([^/]+)$/, ({ user, match }) => new Answer(200, cardOf(one(need(user), match[1])))],
  ["POST", /^\/api\/approvals\/([^/]+)$/, decision],
  ["POST", /^\/rpc\/([^/]+)$/, procedure],
  ["POST", /^\/agent\/chat$/, chat],
];
const PAGE = "<!doctype html><title>Tasks</title><h1>Tasks</h1><p>The page that belongs to this toy is its tab process, tab.js.</p>";

function need(user) {
  if (!user) throw hostError(401, "UNAUTHENTICATED", "Sign in first.");
  return user;
}
const mine = (user) => [...approvals.values()].filter((approval) => approval.owner === user.id);
function one(user, id) {
  const approval = mine(user).find((each) => each.id === id);
  if (!approval) throw hostError(404, "NOT_FOUND", "There is no such approval.");
  return approval;
}

function signIn({ body }) {
  const user = Object.hasOwn(USERS, body?.user ?? "") ? USERS[body.user] : undefined;
  if (!user) throw hostError(400, "BAD_REQUEST", "There is no such user.");
  return new Answer(200, { user }, { "set-cookie": `toy_session=${tokenOf(user)}; Path=/; HttpOnly; SameSite=Lax` });
}

function decision({ user, body, match }) {
  const approval = one(need(user), match[1]);
  if (typeof body?.approved !== "boolean") throw hostError(400, "BAD_REQUEST", "A decision is {approved: true} or {approved: false}.");
  if (statusOf(approval) !== "pending") throw hostError(409, "NOT_PENDING", `This approval is ${approval.status}.`);
  return new Answer(200, decide(approval, user, body.approved));
}

// Hiding comes before validation: for somebody who may not, an operation is one that never was.
function procedure({ user, body, match }) {
  const name = match[1];
  if (!user) throw rpcError(401, "UNAUTHORIZED", "Sign in first.");
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (!operation || !mayUse(user, operation)) throw rpcError(404, "NOT_FOUND", "There is no such procedure.");
  if (body === undefined) throw rpcError(400, "BAD_REQUEST", "The body is no JSON.");
  const input = body?.json ?? {};
  const issues = issuesOf(operation, input);
  if (issues.length) throw rpcError(400, "BAD_REQUEST", "The input does not fit.", { issues });
  try {
    return new Answer(200, { json: operation.run(known(operation, input)) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw rpcError(409, "CONFLICT", error.message);
  }
}

async function chat({ user, body, response }) {
  if (!isObject(body)) throw hostError(400, "PROTOCOL_DECODE_ERROR", "The body is no JSON object.");
  if (body.protocolVersion !== 2) throw hostError(409, "PROTOCOL_VERSION_MISMATCH", "This host speaks version 2.");
  need(user);
  const isStep =
    typeof body.conversationId === "string" && typeof body.turnId === "string" && Number.isInteger(body.stepIndex) &&
    Array.isArray(body.messages) && typeof body.pathname === "string" && Array.isArray(body.catalog?.frontendTools);
  if (!isStep) throw hostError(400, "PROTOCOL_DECODE_ERROR", "The step lacks a field.");
  if (!MODEL_URL) throw hostError(503, "MODEL_NOT_CONFIGURED", "Set OPENAI_BASE_URL.");
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store", "x-dpas-protocol-version": "2" });
  await runStep(user, body, (frame) => response.write(`${JSON.stringify(frame)}\n`));
  response.end();
}

// Whoever lets another site's page, or a form, act in a person's name has given everything away.
function refuseForeign(request) {
  const origin = request.headers.origin;
  if (origin && origin !== `http://${request.headers.host}`) throw hostError(403, "FOREIGN_ORIGIN", "This comes from another site.");
  const type = (request.headers["content-type"] ?? "").split(";")[0];
  if (type && type !== "application/json") throw hostError(415, "UNSUPPORTED_MEDIA_TYPE", "Send JSON.");
}

async function answer(request, response) {
  const path = request.url.split("?")[0];
  const fitting = ROUTES.filter(([, pattern]) => pattern.test(path));
  if (!fitting.length) throw hostError(404, "NOT_FOUND", "There is nothing here.");
  const route = fitting.find(([method]) => method === request.method);
  if (!route) throw hostError(405, "METHOD_NOT_SUPPORTED", "Not this way.");
  const user = userOf(request);
  if (request.method !== "GET") refuseForeign(request);
  const body = request.method === "GET" ? undefined : await bodyOf(request);
  const sent = await route[2]({ user, body, match: route[1].exec(path), response });
  if (sent) throw sent;
}

createServer(async (request, response) => {
  try {
    await answer(request, response);
  } catch (error) {
    const sent = error instanceof Answer ? error : hostError(500, "INTERNAL", "Something went wrong.");
    if (!(error instanceof Answer)) console.error(error);
    if (response.headersSent) return void response.end();
    const isText = typeof sent.body === "string";
    response.writeHead(sent.status, { ...(!isText && { "content-type": "application/json" }), ...sent.headers });
    response.end(isText ? sent.body : JSON.stringify(sent.body));
  }
}).listen(Number(process.argv[2] ?? 3000), "127.0.0.1", function () {
  console.log(`listening on http://127.0.0.1:${this.address().port}`);
});
reset();
