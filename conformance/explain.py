"""What a requirement means, for somebody who met its id in a red run."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from conformance.catalogue import load_catalogue
from conformance.run import CASES


@dataclass(frozen=True)
class Case:
    """A case as its source has it: file, name, the requirement on its marker, and its reason."""

    file: str
    name: str
    requirement: str
    reason: str


def all_cases() -> Iterator[Case]:
    """Read every case from the source of the case files, without importing them."""
    for path in sorted(CASES.glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for requirement in _marked(node):
                    yield Case(
                        path.name, node.name, requirement, inspect.cleandoc(ast.get_docstring(node) or "")
                    )


def _marked(node: ast.FunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.requirement":
            yield from (
                arg.value
                for arg in decorator.args
                if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )


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
            f"  dualplane run --fault {fault} --filter {requirement.id}" for fault in requirement.faults
        ]
    return "\n".join(lines)
