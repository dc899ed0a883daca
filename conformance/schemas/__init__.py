"""The shapes of the files that people and pipelines meet: a target file, and the JSON report."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from conformance.report.document import Document
from conformance.target import Target

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def target_schema() -> str:
    """The JSON Schema of a target file, made from the tables that read it."""
    return _text(Target.model_json_schema(by_alias=True), "A dualplane target file")


def report_schema() -> str:
    """The JSON Schema of the report that `dualplane run --json` writes."""
    schema = Document.model_json_schema(by_alias=True, mode="serialization")
    return _text(schema, "A report of dualplane run")


SCHEMAS: Mapping[str, Callable[[], str]] = {
    "target.schema.json": target_schema,
    "report.schema.json": report_schema,
}
"""The shipped files, which lie beside this module, and what makes them."""


def _text(schema: dict[str, Any], title: str) -> str:
    return json.dumps({"$schema": DIALECT, **schema, "title": title}, indent=2, ensure_ascii=False) + "\n"
