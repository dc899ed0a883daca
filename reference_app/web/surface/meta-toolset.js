/**
 * Meta mode: three tools that never change, through which the whole surface is discovered, read and acted on.
 *
 * @module
 */

import { refusals } from "./errors.js";
import { isObject } from "./json.js";
import { ACT_SCHEMA, DISCOVER_SCHEMA, READ_SCHEMA, envelopeIssues, repairedInput } from "./meta-envelope.js";
import { scopes } from "./scope.js";
import { snapshotJson } from "./snapshot-json.js";
import { tokens } from "./tokens.js";
import { calls } from "./tools.js";

/** @import { Registry } from "./registry.js" */
/** @import { Described } from "./snapshot.js" */
/** @import { ConfirmationMode, Tool, ToolCall, Toolset } from "./tools.js" */
/** @import { Consumer, Json, JsonObject, Request, Result } from "./types.js" */

/**
 * @param {string} verb
 * @param {string} description
 * @param {JsonObject} inputSchema
 * @param {string} effect
 * @returns {Tool}
 */
function metaTool(verb, description, inputSchema, effect) {
  return Object.freeze({
    name: `surface_${verb}`,
    canonicalId: `meta:surface.${verb}`,
    plane: "view",
    description: `[meta] ${description}`,
    inputSchema,
    effect,
    confirmation: "never",
    state: Object.freeze({ available: true }),
  });
}

const DISCOVER = metaTool(
  "discover",
  "List what the open page offers now: components, their capabilities, and what is unavailable and why.",
  DISCOVER_SCHEMA,
  "read",
);
const READ = metaTool("read", "Read one observation of the open page by its capability id.", READ_SCHEMA, "read");
const ACT = metaTool(
  "act",
  "Carry out one action or bound operation of the open page by its capability id.",
  ACT_SCHEMA,
  "unknown",
);

/**
 * @param {Registry} registry
 * @param {{consumer: Consumer, scope: readonly string[], confirmations: ConfirmationMode}} options
 * @returns {Toolset}
 */
export function metaToolset(registry, options) {
  const { consumer, scope } = options;
  return {
    tools: () => [DISCOVER, READ, ACT],
    effectOf: (tool, input) => {
      if (tool.effect === "read") return "read";
      return targets(registry, consumer, targetOf(input), undefined)[0]?.effect ?? tool.effect;
    },
    canonicalIdOf: (tool, input) => targetOf(input) ?? `meta:${tool.name}`,
    execute: async (tool, call) => {
      const given = call.input ?? {};
      const issues = envelopeIssues(tool.inputSchema, given);
      if (issues.length > 0 || !isObject(given)) {
        const error = refusals.invalidInput(issues).payload;
        const capabilityId = targetOf(given) ?? tool.canonicalId;
        return { status: "error", invocationId: call.id, capabilityId, error, surfaceVersion: registry.version };
      }
      if (tool.name === DISCOVER.name) return discovered(registry, consumer, given, scope);
      return calls.invoke(registry, requestOf(registry, consumer, tool, given, call), { ...options, signal: call.signal });
    },
  };
}

/**
 * @param {Registry} registry
 * @param {Consumer} consumer
 * @param {JsonObject} given
 * @param {readonly string[]} floor
 * @returns {Result}
 */
function discovered(registry, consumer, given, floor) {
  const requested = Array.isArray(given.scope) ? given.scope.map(String) : [];
  const { prefixes, rejected, nothing } = scopes.admit(requested, floor);
  const output = snapshotJson(registry.snapshot({ consumer, scope: prefixes }));
  if (nothing) Object.assign(output, { components: [], procedures: [] });
  if (rejected.length > 0) output.scopeRejected = { prefixes: rejected };
  return {
    status: "ok",
    invocationId: tokens.invocation(),
    capabilityId: DISCOVER.canonicalId,
    output,
    surfaceVersion: registry.version,
  };
}

/**
 * Aim at the one visible match; none or several leave it to the registry to say so.
 *
 * @param {Registry} registry
 * @param {Consumer} consumer
 * @param {Tool} tool
 * @param {JsonObject} given
 * @param {ToolCall} call
 * @returns {Request}
 */
function requestOf(registry, consumer, tool, given, call) {
  const matches = targets(registry, consumer, targetOf(given), textOf(given, "instanceId"));
  const only = matches.length === 1 ? matches[0] : undefined;
  return {
    capabilityId: targetOf(given) ?? "",
    invocationId: textOf(given, "invocationId") ?? call.id,
    instanceId: textOf(given, "instanceId"),
    registrationId: only?.registrationId,
    surfaceVersion: textOf(given, "surfaceVersion") ?? registry.version,
    confirmationId: textOf(given, "confirmationId"),
    ...(tool.name === ACT.name ? { input: repairedInput(given.input ?? {}, only?.inputSchema) } : {}),
  };
}

/**
 * @param {Registry} registry
 * @param {Consumer} consumer
 * @param {string | undefined} capabilityId
 * @param {string | undefined} instanceId
 * @returns {Described[]}
 */
function targets(registry, consumer, capabilityId, instanceId) {
  const { components, procedures } = registry.snapshot({ consumer });
  return [...components.flatMap(({ observations, actions }) => [...observations, ...actions]), ...procedures].filter(
    (item) => item.capabilityId === capabilityId && (instanceId === undefined || item.instanceId === instanceId),
  );
}

/** @param {Json} given */
function targetOf(given) {
  return isObject(given) ? textOf(given, "capabilityId") : undefined;
}

/**
 * @param {JsonObject} given
 * @param {string} key
 */
function textOf(given, key) {
  const value = given[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
