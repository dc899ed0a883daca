"""What an answer to a generated request must satisfy, whatever was asked; each check is a function of what was seen.

What an operation declares about its answers is checked in `conformance.fuzz.description`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from conformance.fuzz.attempt import Request
from conformance.fuzz.leaks import leaks
from conformance.fuzz.problem import Check, Problem
from conformance.wire.answer import Answer
from conformance.wire.frames import StepStart, read_frames
from conformance.wire.grammar import grammar_problems

NDJSON = "application/x-ndjson"


@dataclass(frozen=True)
class Bounds:
    """What the target file says about somebody, as far as answers show it.

    Attributes:
        canaries: texts that no answer may carry.
        hidden: canonical ids of what this identity may not use.
    """

    canaries: tuple[str, ...] = ()
    hidden: frozenset[str] = field(default_factory=frozenset)


def problems_of(request: Request, answer: Answer, bounds: Bounds) -> Iterator[Problem]:
    """Check one answer against everything that holds without a description."""
    for check, detail in (
        *server_error(answer),
        *leaking(request, answer, bounds.canaries),
        *broken_stream(answer),
        *offered(answer, bounds.hidden),
    ):
        yield Problem(check, request.operation, detail)


def server_error(answer: Answer) -> Iterator[tuple[Check, str]]:
    """A request that nobody foresaw is the client's mistake, never the server's failure."""
    if answer.status >= 500:
        yield Check.SERVER_ERROR, f"answered {answer.status}: {answer.text[:120]!r}"


def leaking(request: Request, answer: Answer, canaries: Collection[str]) -> Iterator[tuple[Check, str]]:
    """Errors, and results, carry no internals."""
    asked = request.path + request.body.decode("utf-8", "replace") + request.script
    for leak in leaks(answer.text, asked=asked, canaries=canaries):
        yield Check.LEAK, f"answered {answer.status} with {leak}"


def broken_stream(answer: Answer) -> Iterator[tuple[Check, str]]:
    """A step that runs keeps the grammar of its frames, whatever happens in it."""
    if answer.media_type == NDJSON:
        wrong = grammar_problems(read_frames(answer.body))
        if wrong:
            more = f"; and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            yield Check.FRAMES, f"{wrong[0]}{more}"


def offered(answer: Answer, hidden: Collection[str]) -> Iterator[tuple[Check, str]]:
    """Authority hides: a step announces nothing that its identity may not use."""
    if answer.media_type != NDJSON or not hidden:
        return
    for frame in read_frames(answer.body).frames:
        if isinstance(frame, StepStart):
            seen = [tool.canonical_id for tool in frame.domain_tools if tool.canonical_id in hidden]
            if seen:
                yield Check.HIDDEN, f"the step announces {', '.join(seen)}"


def prompts(request: Request, found: Sequence[str]) -> Iterator[Problem]:
    """What a provider would refuse never reaches the model; `found` is what one would refuse in what it was asked."""
    if found:
        more = f"; and {len(found) - 1} more" if len(found) > 1 else ""
        yield Problem(Check.PROMPT, request.operation, f"the model was asked with {found[0]}{more}")
