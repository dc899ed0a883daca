"""The run for machines: one JSON document, the same bytes for the same run, timings aside.

Its shape is the shipped schema `report.schema.json`; everything that depends on the clock stands under the last key, `timings`.
"""

import json

from pydantic import ValidationError

from conformance.errors import ConformanceError
from conformance.report.document import Document, document_of
from conformance.run import Run


def to_json(run: Run) -> str:
    """Render a run."""
    return render(document_of(run))


def render(document: Document) -> str:
    """Render a document."""
    return json.dumps(document.model_dump(mode="json", by_alias=True), indent=2, ensure_ascii=False) + "\n"


def read(text: str, file: str) -> Document:
    """Read a report back.

    Raises:
        ConformanceError: it is none of this version.
    """
    try:
        return Document.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConformanceError(
            f"{file}: not a report of `dualplane run --json`: {where}: {first['msg']}"
        ) from None
