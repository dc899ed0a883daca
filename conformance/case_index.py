"""Which case shows which requirement, read from the source of the case files without importing them."""

import ast
import inspect
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """A case as its source has it: file, name, the requirement on its marker, and its reason."""

    file: str
    name: str
    requirement: str
    reason: str


def all_cases(folder: Path = CASES) -> Iterator[Case]:
    """Read every case of a folder, in the order of files and lines."""
    for path in sorted(folder.glob("test_*.py")):
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


def files_with(requirements: Collection[str], folder: Path = CASES) -> tuple[Path, ...]:
    """The case files that show any of these requirements; only they need to be imported."""
    names = dict.fromkeys(case.file for case in all_cases(folder) if case.requirement in requirements)
    return tuple(folder / name for name in names)
