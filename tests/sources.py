"""The project's own source files, as tests of its shape read them."""

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("conformance", "fake_model", "reference_app")


@dataclass(frozen=True)
class Source:
    """One Python file of the project."""

    path: Path

    @property
    def name(self) -> str:
        """Its path from the root."""
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def text(self) -> str:
        """Its text."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.text, self.name)

    @property
    def imports(self) -> Iterator[str]:
        """The dotted names of everything that it imports, wherever the import stands."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                yield from (f"{base}.{alias.name}" for alias in node.names)

    @property
    def calls(self) -> Iterator[ast.Call]:
        """Every call in it."""
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.Call))

    @property
    def strings(self) -> Iterator[str]:
        """Every string in it that is not a docstring, parts of f-strings included."""
        documentation = {id(node.value) for node in ast.walk(self.tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in documentation
            ):
                yield node.value


def sources(*folders: str) -> Iterator[Source]:
    """The Python files under folders of the project, in order; what git ignores is not the project's."""
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return (Source(path) for path in sorted(found))


def tracked_files() -> list[str]:
    """Every file that git tracks; all files where this is no git checkout."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return listed.stdout.splitlines()
    return [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()]
