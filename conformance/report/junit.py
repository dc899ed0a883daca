"""A report as JUnit XML: a suite an area, a test case a requirement, so that CI shows requirements and not our files."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence

from conformance.catalogue import Catalogue
from conformance.report.document import Document, Row, document_of
from conformance.run import Run
from conformance.verdict import Verdict

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SKIPPED = (Verdict.NOT_CLAIMED, Verdict.UNTESTED)


def to_junit(run: Run, catalogue: Catalogue) -> str:
    """Render a run, with the long form of what is not green."""
    details = {case.case: case.detail for item in run.verdict.graded for case in item.cases if case.detail}
    return render(document_of(run), catalogue, details)


def render(document: Document, catalogue: Catalogue, details: Mapping[str, str] | None = None) -> str:
    """Render a document; untested requirements that make the run red are failures, others are skipped.

    Args:
        document: the report.
        catalogue: says which area a requirement is in; one that it does not know is in the area `other`.
        details: the long form of cases, by their names; a file holds messages only.
    """
    root = ET.Element("testsuites", name="dualplane")
    areas = {row.id: area.name for area in catalogue.areas for row in area.requirements}
    for name in (*(area.name for area in catalogue.areas), "other"):
        rows = [row for row in document.requirements if areas.get(row.id, "other") == name]
        if rows:
            _suite(root, name, rows, document.timings.cases, details or {})
    problems = (*document.problems, *document.findings)
    if problems:
        suite = ET.SubElement(root, "testsuite", name="run", tests="1", errors="1", failures="0", skipped="0")
        case = ET.SubElement(suite, "testcase", classname="dualplane.run", name="the run itself")
        ET.SubElement(case, "error", message=_clean(problems[0])).text = _clean("\n".join(problems))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(
    root: ET.Element, name: str, rows: Sequence[Row], took: Mapping[str, float], details: Mapping[str, str]
) -> None:
    errors = [row for row in rows if row.verdict == Verdict.ERROR]
    suite = ET.SubElement(
        root,
        "testsuite",
        name=name,
        tests=str(len(rows)),
        failures=str(sum(row.red for row in rows) - len(errors)),
        errors=str(len(errors)),
        skipped=str(sum(_is_skipped(row) for row in rows)),
        time=f"{sum(_seconds(row, took) for row in rows):.3f}",
    )
    for row in rows:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=f"dualplane.{name}",
            name=_clean(f"{row.id} {row.sentence}"),
            time=f"{_seconds(row, took):.3f}",
        )
        _tell(case, row, details)


def _seconds(row: Row, took: Mapping[str, float]) -> float:
    return sum(took.get(case.case, 0.0) for case in row.cases)


def _is_skipped(row: Row) -> bool:
    return row.verdict in _SKIPPED and not row.red


def _tell(case: ET.Element, row: Row, details: Mapping[str, str]) -> None:
    told = [details.get(result.case) or result.message for result in row.cases if result.message]
    text = _clean("\n\n".join(told))
    summary = _clean(f"{row.verdict}: {', '.join(row.missing) or row.sentence}")
    if row.verdict == Verdict.ERROR:
        ET.SubElement(case, "error", message=summary).text = text
    elif row.red:
        ET.SubElement(case, "failure", message=summary).text = text
    elif _is_skipped(row):
        ET.SubElement(case, "skipped", message=summary)
    elif row.verdict == Verdict.WARNED:
        ET.SubElement(case, "system-out").text = text


def _clean(text: str) -> str:
    """Drop what XML 1.0 can't hold."""
    return _NOT_XML.sub("\ufffd", text)
