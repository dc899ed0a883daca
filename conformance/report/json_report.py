"""The run for machines: one JSON document, the same bytes for the same run, timings aside."""

import json
from typing import Any

from conformance.run import Run
from conformance.verdict import Graded, Verdict

FORMAT_VERSION = 1


def to_json(run: Run) -> str:
    """Render a run. Everything that depends on the clock stands under the last key, `timings`."""
    document = {
        "format": FORMAT_VERSION,
        "suite": {"name": "dualplane", "version": run.version},
        "target": {"name": run.target.name, "profiles": [profile.value for profile in run.target.profiles]},
        "seed": run.options.seed,
        "tab": run.options.tab,
        "provider": run.options.provider or run.target.model.provider,
        "faults": list(run.options.faults + run.options.tab_faults),
        "exitCode": run.exit_code,
        "counts": {verdict.value: run.verdict.count(verdict) for verdict in Verdict},
        "problems": [*run.problems, *run.verdict.baseline_problems],
        "requirements": [_requirement(item) for item in run.verdict.graded],
        "timings": {
            "seconds": round(run.seconds, 3),
            "cases": {case.case: case.seconds for item in run.verdict.graded for case in item.cases},
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _requirement(item: Graded) -> dict[str, Any]:
    requirement = item.requirement
    return {
        "id": requirement.id,
        "level": requirement.level.value,
        "profile": requirement.profile.value,
        "sentence": requirement.sentence,
        "source": requirement.source,
        "tab": item.tab or None,
        "verdict": item.verdict.value,
        "missing": list(item.missing),
        "cases": [
            {"case": case.case, "outcome": case.outcome.value, "message": case.message} for case in item.cases
        ],
    }
