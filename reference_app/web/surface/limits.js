/**
 * The surface's bounds. Times are milliseconds, sizes are UTF-16 code units of the JSON text.
 *
 * @module
 */

export const LIMITS = Object.freeze({
  maxComponentDescription: 500,
  maxCapabilityDescription: 300,
  maxOutputBytes: 32_768,
  maxSchemaBytes: 16_384,
  maxSchemaDepth: 8,
  observationTimeoutMs: 5_000,
  actionTimeoutMs: 10_000,
  procedureTimeoutMs: 30_000,
  actionQueueDepth: 2,
  maxConcurrentObservationsPerConsumer: 8,
  maxConcurrentObservationsTotal: 32,
  maxQueuedObservationsPerConsumer: 8,
  dedupeCacheSize: 200,
  dedupeCacheTtlMs: 600_000,
  tombstoneSize: 100,
  tombstoneTtlMs: 300_000,
  confirmationTtlMs: 120_000,
  maxPendingConfirmations: 32,
  maxResolvedConfirmations: 200,
});

/** @typedef {Readonly<{[name in keyof typeof LIMITS]: number}>} Limits */
