"""What `dualplane fuzz` does and prints."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from conformance.errors import Departure
from conformance.fuzz.bench import Bench, TargetGoneError
from conformance.fuzz.campaign import Family, Outcome, descriptions_for, identities_of, run
from conformance.fuzz.errors import FuzzError
from conformance.fuzz.hunt import Found
from conformance.fuzz.problem import MEANING, Problem
from conformance.fuzz.reproduction import read, write
from conformance.target import Target
from conformance.target_file import load_target
from conformance.transcript import printable
from conformance.worker import ANYWHERE, ModelPlace, one_worker

Echo = Callable[[str], None]


def fuzz(
    target: Target,
    name: str,
    chosen: Sequence[str],
    *,
    cases: int,
    seed: int,
    folder: Path,
    echo: Echo,
    place: ModelPlace = ANYWHERE,
) -> int:
    """Fuzz a target, print what is found, write it down, and return the exit code."""
    identities = identities_of(target, chosen)
    echo(f"{target.name}: {cases} cases as {', '.join(identities)}; seed {seed}")

    def tell(family: Family) -> None:
        noted = f", {_counted(len(family.found), 'finding')}" if family.found else ""
        echo(f"  {family.identity:<12}{family.name:<12}{_counted(family.cases, 'case')}{noted}")

    outcome = run(target, identities, cases=cases, seed=seed, watcher=tell, place=place)
    for found in outcome.found:
        for line in told(found, write(found, name, folder)):
            echo(line)
    echo(_summary(outcome))
    return outcome.exit_code


def replay(
    path: Path,
    name: str,
    echo: Echo,
    permit: Callable[[Target], None] = lambda _: None,
    place: ModelPlace = ANYWHERE,
) -> int:
    """Send a finding's requests again; 1 when something is still wrong, 0 when nothing is, 2 when the target dies of it.

    Args:
        path: the finding's file.
        name: the target file; empty for the one that the finding names.
        echo: told each line that is printed.
        permit: called with the target before anything is sent to it.
        place: where the fake model listens.

    Raises:
        FuzzError: the file can't be used.
    """
    reproduction = read(path)
    target = load_target(name or reproduction.target)
    permit(target)
    identities_of(target, (reproduction.identity,))
    with one_worker(target, place) as worker:
        try:
            bench = Bench(worker, reproduction.identity)
            bench.descriptions = descriptions_for(bench)
            problems = bench.make(reproduction.attempt())
        except TargetGoneError as gone:
            echo(_line(gone.problem))
            return 2
        except Departure as departure:
            raise FuzzError(
                f"{target.name} can't be fuzzed as {reproduction.identity}: {departure}"
            ) from None
    for problem in problems:
        echo(_line(problem))
    if not problems:
        echo(f"{reproduction.check} at {reproduction.operation} is gone: nothing is wrong with the answers")
    return int(bool(problems))


def told(found: Found, path: Path) -> Sequence[str]:
    """What is printed of a finding."""
    requests = _counted(len(found.attempt.requests), "request")
    again = "" if found.steady else " It did not come again when the same was sent once more."
    return (
        _line(found.problem),
        f"    as {found.attempt.identity}, {requests}. {MEANING[found.problem.check]}{again}",
        f"    dualplane fuzz --replay {shlex.quote(str(path))}",
    )


def _line(problem: Problem) -> str:
    return printable(f"finding  {problem.check.value}  {problem.operation}: {problem.detail}")


def _summary(outcome: Outcome) -> str:
    ended = "; the target did not live to the end" if outcome.gone else ""
    return f"{_counted(outcome.cases, 'case')}, {_counted(len(outcome.found), 'finding')}{ended}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
