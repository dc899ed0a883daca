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
/** @import { Consumer, Issue, Json, JsonObject, Request, Result } from "./types.js" */

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

export const metaRules = {
  /**
   * Always the same three, whatever is on the page.
   *
   * @param {Registry} _registry
   * @param {Consumer} _consumer
   * @returns {Tool[]}
   */
  tools(_registry, _consumer) {
    return [DISCOVER, READ, ACT];
  },

  /**
   * What is wrong with an envelope.
   *
   * @param {JsonObject} schema
   * @param {Json} given
   * @returns {Issue[]}
   */
  issues(schema, given) {
    return envelopeIssues(schema, given);
  },

  /**
   * Whether a tool may be aimed at what a call names: reading reaches observations, and nothing that could write.
   *
   * @param {Registry} registry
   * @param {Consumer} consumer
   * @param {Tool} tool
   * @param {JsonObject} given
   */
  mayReach(registry, consumer, tool, given) {
    if (tool.name !== READ.name) return true;
    return targets(registry, consumer, targetOf(given), undefined).every(({ kind }) => kind === "observation");
  },

  /**
   * What discovery answers within what is admitted of a requested scope.
   *
   * @param {Registry} registry
   * @param {Consumer} consumer
   * @param {readonly string[]} requested
   * @param {readonly string[]} floor
   * @returns {JsonObject}
   */
  discovered(registry, consumer, requested, floor) {
    const { prefixes, rejected, nothing } = scopes.admit(requested, floor);
    const output = snapshotJson(registry.snapshot({ consumer, scope: prefixes }));
    if (nothing) Object.assign(output, { components: [], procedures: [] });
    if (rejected.length > 0) output.scopeRejected = { prefixes: rejected };
    return output;
  },

  /**
   * The input of an act, read where it came as a text.
   *
   * @param {Json | undefined} input
   * @param {JsonObject | undefined} targetSchema
   */
  input(input, targetSchema) {
    return repairedInput(input, targetSchema);
  },
};

/**
 * @param {Registry} registry
 * @param {{consumer: Consumer, scope: readonly string[], confirmations: ConfirmationMode}} options
 * @returns {Toolset}
 */
export function metaToolset(registry, options) {
  const { consumer } = options;
  return {
    tools: () => metaRules.tools(registry, consumer),
    effectOf: (tool, input) => {
      if (tool.effect === "read") return "read";
      return targets(registry, consumer, targetOf(input), undefined)[0]?.effect ?? tool.effect;
    },
    canonicalIdOf: (tool, input) => targetOf(input) ?? `meta:${tool.name}`,
    execute: (tool, call) => execute(registry, options, tool, call),
  };
}

/**
 * Check the envelope, then discover, read or act.
 *
 * @param {Registry} registry
 * @param {{consumer: Consumer, scope: readonly string[], confirmations: ConfirmationMode}} options
 * @param {Tool} tool
 * @param {ToolCall} call
 * @returns {Promise<Result>}
 */
async function execute(registry, options, tool, call) {
  const { consumer, scope } = options;
  const given = call.input ?? {};
  const issues = metaRules.issues(tool.inputSchema, given);
  if (issues.length > 0 || !isObject(given)) return refused(registry, tool, call, issues);
  if (tool.name === DISCOVER.name) {
    const requested = Array.isArray(given.scope) ? given.scope.map(String) : [];
    return {
      status: "ok",
      invocationId: tokens.invocation(),
      capabilityId: DISCOVER.canonicalId,
      output: metaRules.discovered(registry, consumer, requested, scope),
      surfaceVersion: registry.version,
    };
  }
  if (!metaRules.mayReach(registry, consumer, tool, given)) {
    const message = "is not an observation; surface_act carries actions out";
    return refused(registry, tool, call, [{ path: "capabilityId", message }]);
  }
  return calls.invoke(registry, requestOf(registry, consumer, tool, given, call), { ...options, signal: call.signal });
}

/**
 * @param {Registry} registry
 * @param {Tool} tool
 * @param {ToolCall} call
 * @param {readonly Issue[]} issues
 * @returns {Result}
 */
function refused(registry, tool, { id, input }, issues) {
  return {
    status: "error",
    invocationId: id,
    capabilityId: targetOf(input) ?? tool.canonicalId,
    error: refusals.invalidInput(issues).payload,
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
    ...(tool.name === ACT.name ? { input: metaRules.input(given.input ?? {}, only?.inputSchema) } : {}),
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
