"""Internals in a body: what a person who attacks the target would be glad to read.

(The dual-plane model, The invariants, 7: errors never carry internals.)
"""

import re
from collections.abc import Iterable, Iterator

_QUOTE = r'\\?"'
_PATTERNS = (
    ("a traceback", r"Traceback \(most recent call last\)"),
    ("a stack frame", rf"File {_QUOTE}[^\"]{{1,300}}{_QUOTE}, line \d+"),
    ("a stack frame", r"(?:\n|\\n)\s+at [^\n]{1,300}?:\d+:\d+\)?"),
    ("a stack frame", r"\bat [\w.$]+\(\w+\.java:\d+\)"),
    ("a file path", r"(?<![\w.:/])/(?:home|root|usr|opt|var|tmp|srv|Users|private)/[\w.@+-]+(?:/[\w.@+-]+)*"),
    ("a file path", r"\b[A-Z]:\\\\?[\w. -]+\\\\?[\w. -]+"),
    ("a file path", r"\b(?:site-packages|node_modules)/[\w.@-]+"),
    ("SQL", r"\bSELECT\b[^\n]{1,500}\bFROM\b"),
    ("SQL", r"\b(?:INSERT INTO|DELETE FROM)\s+[\w\".`]+"),
    ("SQL", r"\bUPDATE\s+[\w\".`]+\s+SET\b"),
    (
        "a database error",
        r"\bSQLSTATE\b|\bORA-\d{5}\b|\bsqlite3?\.\w*Error\b|\(sqlite3\.|\bpsycopg2?\.|\basyncpg\.",
    ),
    ("a library's error", r"\bsqlalchemy\.|\bpydantic_core\.|errors\.pydantic\.dev|\bsqlalche\.me\b"),
)
_COMPILED = tuple((what, re.compile(pattern)) for what, pattern in _PATTERNS)
_SHOWN = 80


def leaks(body: str, *, asked: str, canaries: Iterable[str]) -> Iterator[str]:
    """Say which internals a body carries, one line each.

    Args:
        body: the answer.
        asked: the request: what stands in it may come back.
        canaries: texts that handlers of the target know and that no answer may carry.
    """
    for what, pattern in _COMPILED:
        found = next((match[0] for match in pattern.finditer(body) if match[0] not in asked), None)
        if found is not None:
            yield f"{what}: {found[:_SHOWN]!r}"
    for canary in canaries:
        if canary in body and canary not in asked:
            yield f"the canary {canary!r}"
