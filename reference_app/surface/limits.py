"""The bounds of one surface, each a number that a registry may be given differently."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a registry. Times are milliseconds, sizes UTF-16 code units of JSON text, the rest counts."""

    max_component_description: int = 500
    max_capability_description: int = 300
    max_meta_size: int = 2048
    max_output_size: int = 32768
    max_schema_size: int = 16384
    max_schema_depth: int = 8
    observation_timeout_ms: int = 5000
    action_timeout_ms: int = 10000
    procedure_timeout_ms: int = 30000
    action_queue_depth: int = 2
    max_observations_per_consumer: int = 8
    max_observations_total: int = 32
    max_queued_observations_per_consumer: int = 8
    dedupe_size: int = 200
    dedupe_ttl_ms: int = 600_000
    tombstone_size: int = 100
    tombstone_ttl_ms: int = 300_000
    confirmation_ttl_ms: int = 120_000
    max_pending_confirmations: int = 32
    max_resolved_confirmations: int = 200
