"""Putting the shards of one run together, and refusing to when they are not the shards of one run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conformance.catalogue import Catalogue
from conformance.errors import ConformanceError
from conformance.report.document import Document, Timings, counts_of
from conformance.shard import Shard, parse_shard
from conformance.verdict import GRADED, Verdict


@dataclass(frozen=True)
class Piece:
    """One report, and the file it came from."""

    file: str
    document: Document

    @property
    def shard(self) -> Shard:
        """Which shard it is."""
        return parse_shard(self.document.shard or "")


def merge(pieces: Sequence[Piece], catalogue: Catalogue) -> Document:
    """Put shards together into the report that one run would have given.

    Raises:
        ConformanceError: a shard is missing, is there twice, or is of another run; all that is wrong is named.
    """
    if not pieces:
        raise ConformanceError("there is no report to put together")
    if wrong := list(_mismatches(pieces)) or list(_gaps(pieces)):
        raise ConformanceError("; ".join(wrong))
    documents = [piece.document for piece in pieces]
    order = {name: place for place, name in enumerate(catalogue.by_id)}
    rows = sorted(
        (row for document in documents for row in document.requirements),
        key=lambda row: order.get(row.id, len(order)),
    )
    problems = tuple(dict.fromkeys(text for document in documents for text in document.problems))
    if not any(row.verdict in GRADED or row.verdict == Verdict.ERROR for row in rows):
        problems = (*problems, "nothing was graded in any shard")
    findings = tuple(dict.fromkeys(text for document in documents for text in document.findings))
    is_two = bool(problems) or any(row.verdict == Verdict.ERROR for row in rows)
    is_red = bool(findings) or any(row.red for row in rows)
    return documents[0].model_copy(
        update={
            "shard": None,
            "exit_code": 2 if is_two else int(is_red),
            "counts": counts_of(row.verdict for row in rows),
            "problems": problems,
            "findings": findings,
            "requirements": tuple(rows),
            "timings": Timings(
                seconds=round(sum(document.timings.seconds for document in documents), 3),
                cases={name: took for document in documents for name, took in document.timings.cases.items()},
            ),
        }
    )


def _mismatches(pieces: Sequence[Piece]) -> Iterator[str]:
    first = pieces[0]
    for piece in pieces[1:]:
        for what, one, other in (
            ("suite version", first.document.suite.version, piece.document.suite.version),
            ("target", _target(first.document), _target(piece.document)),
            ("seed", first.document.seed, piece.document.seed),
            ("tab", first.document.tab, piece.document.tab),
            ("provider", first.document.provider, piece.document.provider),
            ("strictness", first.document.strict, piece.document.strict),
            ("faults", first.document.faults, piece.document.faults),
            ("number of shards", first.shard.of, piece.shard.of),
        ):
            if one != other:
                yield f"{piece.file} is of another run: its {what} is {other}, that of {first.file} is {one}"


def _target(document: Document) -> str:
    return f"{document.target.name} ({document.target.digest})"


def _gaps(pieces: Sequence[Piece]) -> Iterator[str]:
    """Say which shards are missing or there twice, and which requirements are in the wrong one."""
    of = pieces[0].shard.of
    seen: dict[int, str] = {}
    for piece in pieces:
        if piece.shard.number in seen:
            yield f"{piece.file} and {seen[piece.shard.number]} are both shard {piece.shard}"
        seen[piece.shard.number] = piece.file
        astray = [row.id for row in piece.document.requirements if not piece.shard.holds(row.id)]
        if astray:
            yield f"{piece.file} holds {', '.join(astray[:5])}, which is not of shard {piece.shard}"
    missing = [str(Shard(number, of)) for number in range(1, of + 1) if number not in seen]
    if missing:
        yield f"shard {', '.join(missing)} is missing"
