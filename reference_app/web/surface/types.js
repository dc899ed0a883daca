/**
 * The shapes that the surface's modules share. There is nothing to run here: types only.
 *
 * @module
 */

/** @typedef {null | boolean | number | string | Json[] | {[key: string]: Json}} Json */
/** @typedef {{[key: string]: Json}} JsonObject */

/**
 * Who looks at the surface and calls it.
 *
 * @typedef {Readonly<{id: string, kind: "embedded" | "webmcp" | "mcp-bridge" | "test" | "other"}>} Consumer
 */

/** @typedef {"no" | "yes" | "after-refresh" | "after-delay" | "with-confirmation" | "with-changes"} Retry */

/**
 * A typed error as the caller reads it.
 *
 * @typedef {Readonly<{code: string, message: string, retry: Retry, details?: JsonObject}>} ErrorPayload
 */

/** @typedef {Readonly<{path: string, message: string}>} Issue */

/** @typedef {"observation" | "action" | "procedure"} Kind */
/** @typedef {"never" | "optional" | "required"} Level */

/**
 * Whether something can be used now, and why not.
 *
 * @typedef {Readonly<{available: boolean, reason?: string}>} Availability
 */

/**
 * What a handler is told besides its input.
 *
 * @typedef {Readonly<{
 *   capabilityId: string, registrationId: string, consumer: Consumer, host: JsonObject, invocationId: string,
 *   signal: AbortSignal, confirmation?: Readonly<{id: string, approvedAt: string}>,
 * }>} HandlerContext
 */

/**
 * What an author's precondition answers when it does not hold.
 *
 * @typedef {Readonly<{message: string, details?: JsonObject}>} PreconditionFailure
 */

/**
 * Conditions that every handler may have.
 *
 * @typedef {{when?: () => boolean, unavailableReason?: string | (() => string)}} Conditional
 */

/** @typedef {Conditional & {read: (context: HandlerContext) => unknown}} Reading */

/**
 * @typedef {Conditional & {
 *   execute: (input: JsonObject, context: HandlerContext) => unknown,
 *   precondition?: (input: JsonObject, context: HandlerContext) => PreconditionFailure | undefined | void,
 * }} Doing
 */

/** @typedef {{[key: string]: Json | undefined}} BoundValues */

/**
 * An operation of the server, bound to what a component shows. `boundKeys` are the keys of one `bind()`, taken when
 * the binding was made.
 *
 * @typedef {Conditional & {
 *   path: string, bind: () => BoundValues, boundKeys: readonly string[], overridable: readonly string[],
 *   describe?: () => string | undefined, policies?: readonly Policy[], context?: Link,
 * }} Binding
 */

/** @typedef {Readonly<{type: string, instanceId: string}>} Link */

/**
 * What a policy may know.
 *
 * @typedef {Readonly<{
 *   capabilityId: string, kind: Kind, effect: string, registrationId: string, consumer: Consumer, host: JsonObject,
 *   now: number,
 * }>} PolicyContext
 */

/** @typedef {Readonly<{vote: "expose" | "hide"} | {vote: "disable", reason: string}>} Vote */

/** @typedef {() => Promise<unknown>} Next */

/**
 * A rule about a capability: what may be seen of it, who may call it, when a person is asked first.
 *
 * @typedef {Readonly<{
 *   name: string, onDiscovery?: (context: PolicyContext) => Vote,
 *   onAuthorize?: (context: PolicyContext, next: Next) => Promise<unknown>,
 *   onInvoke?: (context: PolicyContext & {invocationId: string, effectiveInput: Json}, next: Next) => Promise<unknown>,
 *   escalation?: Readonly<{when: (input: Json) => boolean, summary?: (input: Json) => string}>,
 * }>} Policy
 */

/**
 * One capability of a component, ready to be offered: the declared part, and where its handler is.
 *
 * @typedef {Readonly<{
 *   id: string, kind: Kind, name: string, description: string, effect: string,
 *   inputSchema: JsonObject, fullSchema: JsonObject, outputSchema?: JsonObject,
 *   idempotent: boolean, reversible: boolean, confirmation: Level, declaredConfirmation: Level,
 *   policies: readonly Policy[], source: Reading | Doing | Binding,
 * }>} Capability
 */

/**
 * A component joined with its contract.
 *
 * @typedef {Readonly<{
 *   type: string, instanceId: string, description: string, parent?: Link, priority: number,
 *   capabilities: readonly Capability[],
 * }>} Component
 */

/**
 * One mount of a component.
 *
 * @typedef {{
 *   readonly id: string, readonly component: Component, status: "active" | "unregistered" | "rejected",
 *   enabled: boolean, readonly overrides: Map<string, Availability>,
 * }} Registration
 */

/** @typedef {Readonly<{registration: Registration, capability: Capability}>} Candidate */

/**
 * A call.
 *
 * @typedef {Readonly<{
 *   capabilityId: string, invocationId?: string, instanceId?: string, registrationId?: string, surfaceVersion?: string,
 *   input?: Json, confirmationId?: string,
 * }>} Request
 */

/** @typedef {Readonly<{consumer?: Consumer, signal?: AbortSignal, timeoutMs?: number}>} CallOptions */

/**
 * What a call came to.
 *
 * @typedef {Readonly<{
 *   status: "ok" | "error", invocationId: string, capabilityId: string, output?: Json, error?: ErrorPayload,
 *   surfaceVersion: string, surfaceChanged?: true,
 * }>} Result
 */

/** @typedef {Readonly<{type: string, [key: string]: unknown}>} SurfaceEvent */

export {};
