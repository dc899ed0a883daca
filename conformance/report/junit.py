"""The run as JUnit XML: a suite an area, a test case a requirement, so that CI shows requirements and not our files."""

import re
import xml.etree.ElementTree as ET

from conformance.catalogue import Catalogue
from conformance.run import Run
from conformance.verdict import Graded, Verdict

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(run: Run, catalogue: Catalogue) -> str:
    """Render a run; untested requirements that make the run red are failures, others are skipped."""
    root = ET.Element("testsuites", name="dualplane")
    for area in catalogue.areas:
        rows = [item for item in run.verdict.graded if catalogue.area_of(item.requirement.id) is area]
        if rows:
            _suite(root, area.name, rows, run)
    problems = (*run.problems, *run.verdict.findings)
    if problems:
        suite = ET.SubElement(root, "testsuite", name="run", tests="1", errors="1", failures="0", skipped="0")
        case = ET.SubElement(suite, "testcase", classname="dualplane.run", name="the run itself")
        ET.SubElement(case, "error", message=_clean(problems[0])).text = _clean("\n".join(problems))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, name: str, rows: list[Graded], run: Run) -> None:
    red = [item for item in rows if run.verdict.is_red(item) and item.verdict is not Verdict.ERROR]
    skipped = [item for item in rows if _is_skipped(item, run)]
    suite = ET.SubElement(
        root,
        "testsuite",
        name=name,
        tests=str(len(rows)),
        failures=str(len(red)),
        errors=str(sum(item.verdict is Verdict.ERROR for item in rows)),
        skipped=str(len(skipped)),
        time=f"{sum(case.seconds for item in rows for case in item.cases):.3f}",
    )
    for item in rows:
        _case(suite, name, item, run)


def _is_skipped(item: Graded, run: Run) -> bool:
    return item.verdict in (Verdict.NOT_CLAIMED, Verdict.UNTESTED) and not run.verdict.is_red(item)


def _case(suite: ET.Element, area: str, item: Graded, run: Run) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        classname=f"dualplane.{area}",
        name=f"{item.requirement.id} {item.requirement.sentence}",
        time=f"{sum(result.seconds for result in item.cases):.3f}",
    )
    text = _clean("\n\n".join(result.detail or result.message for result in item.cases if result.message))
    summary = _clean(f"{item.verdict.value}: {', '.join(item.missing) or item.requirement.sentence}")
    if item.verdict is Verdict.ERROR:
        ET.SubElement(case, "error", message=summary).text = text
    elif run.verdict.is_red(item):
        ET.SubElement(case, "failure", message=summary).text = text
    elif _is_skipped(item, run):
        ET.SubElement(case, "skipped", message=summary)
    elif item.verdict is Verdict.WARNED:
        ET.SubElement(case, "system-out").text = text


def _clean(text: str) -> str:
    """Drop what XML 1.0 can't hold."""
    return _NOT_XML.sub("\ufffd", text)
