"""A difference as JUnit XML, for CI services that show tests; its shape is the shipped `junit.xsd`."""

import xml.etree.ElementTree as ET

from conformance.inventory.gate import Status
from conformance.inventory.page import Page, Row


def render(page: Page) -> str:
    """Return the document: a test case for each change, failed when it fails the comparison, skipped when it is approved."""
    rows = page.rows
    skipped = sum(row.status is Status.APPROVED for row in rows)
    root = ET.Element("testsuites", name="dualplane inventory diff")
    suite = ET.SubElement(
        root,
        "testsuite",
        name=f"{page.old} to {page.new}",
        tests=str(len(rows) or 1),
        failures=str(page.failing),
        errors="0",
        skipped=str(skipped),
    )
    for row in rows:
        _case(suite, row)
    if not rows:
        ET.SubElement(suite, "testcase", classname="inventory", name="no change")
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True).replace("##[", "##&#91;") + "\n"


def _case(suite: ET.Element, row: Row) -> None:
    name = f"{row.direction.value}: {row.subject} {row.detail} ({row.rule} {row.fingerprint})"
    case = ET.SubElement(suite, "testcase", classname=f"inventory.{row.kind.replace(' ', '-')}", name=name)
    text = f"{row.reason}\nwas: {row.before}\nis: {row.after}"
    if row.fails:
        ET.SubElement(case, "failure", message=row.reason).text = text
    elif row.status is Status.APPROVED:
        ET.SubElement(case, "skipped", message=f"approved: {row.note}")
    else:
        ET.SubElement(case, "system-out").text = text
