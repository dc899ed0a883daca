"""A difference as JSON; its shape is the shipped schema `diff.schema.json`."""

import json
from typing import Any

from conformance.inventory.page import Page, Row
from conformance.inventory.rules import Direction

FORMAT = "dualplane-inventory-diff"
VERSION = 1


def render(page: Page) -> str:
    """Return the report; pure ASCII, so that it is harmless wherever it is printed."""
    return to_ascii_json(
        {
            "format": FORMAT,
            "version": VERSION,
            "old": page.old,
            "new": page.new,
            "classifiedBy": "public tools" if page.compat else "dualplane",
            "failOn": page.fail_on.value,
            "passed": page.exit_code == 0,
            "counts": {direction.value: page.counts[direction] for direction in Direction},
            "failing": page.failing,
            "approved": page.approved,
            "unusedApprovals": list(page.unused),
            "changes": [_change(row) for row in page.rows],
        }
    )


def to_ascii_json(value: Any) -> str:
    """Print JSON without any character that a terminal, or a CI runner that reads the log, could obey."""
    # a runner looks for `##[` anywhere in a line; inside a JSON string the bracket may be written as an escape
    return json.dumps(value, indent=2, ensure_ascii=True).replace("##[", "##\\u005b") + "\n"


def _change(row: Row) -> dict[str, Any]:
    return {
        "fingerprint": row.fingerprint,
        "rule": row.rule,
        "direction": row.direction.value,
        "inventory": row.kind,
        "subject": row.subject,
        "declaration": row.declaration,
        "detail": row.detail,
        "reason": row.reason,
        "before": row.before,
        "after": row.after,
        "places": list(row.places),
        "status": row.status.value,
        "note": row.note,
        "fails": row.fails,
    }
