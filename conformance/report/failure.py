"""What a verdict that is not green says: the rule, what was expected and seen, what happened, and how to run it again."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.catalogue import Requirement
from conformance.transcript import Transcript, printable
from conformance.verdict import CaseResult, Outcome

_SEEN_LINES = 40
_HINT = "Use -v to get more diff"
"""What pytest adds to a comparison; it is no option of ours."""


def describe(
    case: CaseResult, requirement: Requirement, transcript: Transcript, config: pytest.Config
) -> CaseResult:
    """Add the long form to a case's result, and write its transcript where a report folder was given."""
    file = _write(case, transcript, config.getoption("--dp-report-dir"))
    said = "\n".join(line for line in case.message.splitlines() if line.strip() != _HINT)
    case = replace(case, message=printable(transcript.masked(said.rstrip())))
    seen = "\n".join(case.message.splitlines()[:_SEEN_LINES])
    detail = f"{requirement.id} ({requirement.level}): {requirement.sentence}\nsource: {requirement.source}\n\n{seen}"
    if case.outcome is not Outcome.UNTESTED and transcript.entries:
        detail += f"\n\nwhat happened:\n{transcript.excerpt()}"
    if file:
        detail += f"\n\nthe whole transcript: {file}"
    detail += f"\nrun it alone: {command(case, requirement, config)}"
    return replace(case, detail=detail, transcript=file)


def command(case: CaseResult, requirement: Requirement, config: pytest.Config) -> str:
    """The command that runs this case alone, with the same options."""
    parts = ["dualplane", "run", "--target", config.getoption("--dp-target"), "--filter", requirement.id]
    name = case.case.rpartition("::")[2]
    parts += ["--case", name]
    if provider := config.getoption("--dp-provider"):
        parts += ["--provider", provider]
    if (tab := config.getoption("--dp-tab")) != "process":
        parts += ["--tab", tab]
    for fault in config.getoption("--dp-fault"):
        parts += ["--fault", fault]
    for fault in config.getoption("--dp-tab-fault"):
        parts += ["--tab-fault", fault]
    return shlex.join(parts)


def _write(case: CaseResult, transcript: Transcript, folder: str) -> str:
    """Write the transcript file; returns its path, or nothing where there is no folder or nothing to write."""
    if not folder or not transcript.entries:
        return ""
    path = Path(folder) / "transcripts" / f"{_file_name(case.case)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(transcript.to_json(), encoding="utf-8")
    return str(path)


def _file_name(case: str) -> str:
    return "".join(char if char.isalnum() or char in "-_" else "-" for char in case.replace(".py::", "--"))
