"""JSON Schemas compared by what they accept."""

from conformance.inventory.schema.compare import SchemaChange, compare_schemas
from conformance.inventory.schema.keywords import Gap, GapKind

__all__ = ["Gap", "GapKind", "SchemaChange", "compare_schemas"]
