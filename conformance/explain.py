"""What a requirement means, for somebody who met its id in a red run."""

import textwrap

from conformance.case_index import all_cases
from conformance.catalogue import load_catalogue
from conformance.selftest import Fault


def explain_requirement(requirement_id: str) -> str:
    """Render one requirement: the sentence, where it comes from, its cases with their reasons, and the fault that kills it.

    Raises:
        ConformanceError: there is no such requirement.
    """
    catalogue = load_catalogue()
    requirement = catalogue[requirement_id.upper()]
    lines = [
        f"{requirement.id}  {requirement.level}  profile {requirement.profile}  ({catalogue.area_of(requirement.id).title})",
        "",
        requirement.sentence,
        "",
        f"Source: {requirement.source}",
    ]
    if requirement.own_contract:
        lines.append(
            "It rests on a contract that this project published itself; for other targets it is a SHOULD."
        )
    for case in all_cases():
        if case.requirement == requirement.id:
            lines += ["", f"Case {case.file}::{case.name}", textwrap.indent(case.reason, "  ")]
    if requirement.faults:
        lines += ["", "Deliberate faults of the reference app that turn it red:"]
        lines += [
            f"  dualplane run {' '.join(Fault(name, ()).options)} --filter {requirement.id}"
            for name in requirement.faults
        ]
    return "\n".join(lines)
