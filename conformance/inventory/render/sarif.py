"""A difference as SARIF 2.1.0, for code-scanning services; the part of the format that is used is the shipped `sarif.schema.json`.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0, sections 3.13 (log), 3.14 (run), 3.27 (result), 3.35 (suppression).
"""

from importlib import metadata
from typing import Any
from urllib.parse import quote

from conformance.inventory.changed_words import cut_to_difference
from conformance.inventory.gate import Status
from conformance.inventory.page import Page, Row
from conformance.inventory.render.json_report import to_ascii_json
from conformance.inventory.rules import RULES, Direction

_WIDTH = 1000
_LEVELS = {
    Direction.BREACH: "error",
    Direction.WIDENING: "error",
    Direction.PROMPT: "warning",
    Direction.NARROWING: "note",
    Direction.NEUTRAL: "note",
}


def render(page: Page) -> str:
    """Return the log; an approved change is a suppressed result."""
    rules = sorted({row.rule for row in page.rows})
    driver = {
        "name": "dualplane inventory diff",
        "version": metadata.version("dualplane"),
        "rules": [_rule(name) for name in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "results": [_result(row, rules.index(row.rule)) for row in page.rows],
    }
    return to_ascii_json(
        {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    )


def _rule(name: str) -> dict[str, Any]:
    known = RULES.get(name)
    text = known.reason if known else "As the public tool classifies it."
    level = _LEVELS[known.direction] if known else "note"
    return {
        "id": name,
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": level},
    }


def _result(row: Row, rule_index: int) -> dict[str, Any]:
    location: dict[str, Any] = {
        "logicalLocations": [{"name": row.subject, "fullyQualifiedName": f"{row.kind}/{row.subject}"}]
    }
    if row.location:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": quote(row.location.file)},
            "region": {"startLine": row.location.line},
        }
    result = {
        "ruleId": row.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[row.direction],
        "message": {"text": _message(row)},
        "locations": [location],
        "partialFingerprints": {"dualplaneChange/v1": row.fingerprint},
        "properties": {"direction": row.direction.value, "fails": row.fails, "places": list(row.places)},
    }
    if row.status is Status.APPROVED:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": row.note}]
    return result


def _message(row: Row) -> str:
    before, after = cut_to_difference(row.before, row.after, _WIDTH)
    parts = (
        f"{row.subject} {row.detail}".strip() + ":",
        row.reason,
        f"Was: {before}." if before else "",
        f"Is: {after}." if after else "",
    )
    # in SARIF a message may hold links in square brackets; a backslash takes that meaning away
    text = " ".join(part for part in parts if part)
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
