"""The run for machines."""

import json

from syrupy.assertion import SnapshotAssertion

from conformance.report.json_report import to_json
from tests.conformance.report.runs import RESULTS, run


def test_the_report_has_everything_and_the_clock_last(snapshot: SnapshotAssertion) -> None:
    """A consumer can rely on names and order; what depends on the clock stands under one key, the last."""
    document = json.loads(to_json(run()))

    assert "timings" == list(document)[-1]
    assert snapshot == to_json(run())


def test_the_same_run_is_the_same_bytes_timings_aside() -> None:
    """Neither the order in which workers finished nor how long they took may show."""
    first = json.loads(to_json(run(RESULTS, seconds=1)))
    second = json.loads(to_json(run(RESULTS[::-1], seconds=2)))
    for document in (first, second):
        del document["timings"]

    assert json.dumps(first) == json.dumps(second)


def test_counts_and_exit_code_agree_with_the_verdicts() -> None:
    """Nobody should have to count again."""
    document = json.loads(to_json(run()))
    verdicts = [row["verdict"] for row in document["requirements"]]

    assert {name: verdicts.count(name) for name in document["counts"]} == document["counts"]
    assert 2 == document["exitCode"]
