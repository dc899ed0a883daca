"""The shape of the project: who may know whom, and what no file may hold."""

import ast

import pytest

from tests.sources import PACKAGES, ROOT, Source, sources

MAY_KNOW = {
    "conformance": {"conformance", "fake_model"},
    "fake_model": {"fake_model"},
    "reference_app": {"reference_app"},
}
FORBIDDEN_INSIDE = {
    "reference_app/domain": (
        "fastapi",
        "starlette",
        "uvicorn",
        "httpx",
        "reference_app.host",
        "reference_app.api",
    ),
    "reference_app/surface": (
        "sqlalchemy",
        "fastapi",
        "starlette",
        "httpx",
        "reference_app.ledger",
        "reference_app.domain",
    ),
    "reference_app/capabilities": ("fastapi", "starlette", "reference_app.host", "reference_app.api"),
    "reference_app/runtime": (
        "fastapi",
        "reference_app.host",
        "reference_app.api",
        "reference_app.capabilities",
    ),
    "conformance/wire": ("conformance.drivers", "conformance.plugin", "conformance.stage", "httpx"),
}
LONGEST = {"module": 420, "test": 620}
"""In lines; a test file is a list of separate sentences, so it may be longer."""


def imported(source: Source, names: tuple[str, ...]) -> list[str]:
    """What a file imports from among some packages and modules."""
    return [name for name in source.imports for other in names if f"{name}.".startswith(f"{other}.")]


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_do_not_know_each_other(package: str) -> None:
    """The suite is an independent reading of the protocol: a mistake in one package must not be able to hide in another."""
    others = tuple(name for name in PACKAGES if name not in MAY_KNOW[package])

    found = {source.name: names for source in sources(package) if (names := imported(source, others))}

    assert {} == found


def test_packages_do_not_borrow_from_the_tests() -> None:
    """Tests are not installed."""
    found = {source.name: names for source in sources(*PACKAGES) if (names := imported(source, ("tests",)))}

    assert {} == found


@pytest.mark.parametrize("folder", FORBIDDEN_INSIDE)
def test_layers_know_only_what_lies_below_them(folder: str) -> None:
    """The domain knows no HTTP, the surface no table, a capability no host; the reader of frames knows no driver."""
    names = FORBIDDEN_INSIDE[folder]

    found = {source.name: hits for source in sources(folder) if (hits := imported(source, names))}

    assert {} == found


def is_a_pause(call: ast.Call) -> bool:
    """Whether a call waits for the clock: `time.sleep`, or a sleep of an event loop that is more than a turn of it."""
    name = ast.unparse(call.func)
    if name in ("time.sleep", "sleep"):
        return True
    if name not in ("asyncio.sleep", "anyio.sleep"):
        return False
    return not (call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0)


def test_nothing_is_waited_for_by_the_clock() -> None:
    """A pause is either too long or too short; tests and cases wait for what they need to have happened."""
    found = {
        source.name: lines
        for source in sources("tests", "conformance/cases", "conformance/drivers")
        if (lines := [call.lineno for call in source.calls if is_a_pause(call)])
    }

    assert {} == found


def test_a_module_is_one_idea() -> None:
    """What has grown beyond a few screens is two ideas, and what is called `utils` is none."""
    files = list(sources(*PACKAGES, "tests"))
    long = {
        source.name: length
        for source in files
        if (length := source.text.count("\n"))
        > LONGEST["test" if source.path.stem.startswith("test_") else "module"]
    }
    nameless = [
        source.name for source in files if source.path.stem in ("utils", "util", "helpers", "misc", "common")
    ]

    assert ({}, []) == (long, nameless)


def test_every_module_says_what_it_is() -> None:
    """The first line of a file tells whether a reader is in the right one."""
    silent = [
        source.name
        for source in sources(*PACKAGES, "tests")
        if source.text.strip() and not ast.get_docstring(source.tree)
    ]

    assert [] == silent


def test_every_test_says_what_must_hold() -> None:
    """A test that fails in a year must tell its reader what was lost."""
    silent = [
        f"{source.name}::{node.name}"
        for source in sources("tests", "conformance/cases")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]

    assert [] == silent


def test_tests_mirror_the_tree() -> None:
    """A package's tests are found where its name says."""
    folders = {
        path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and (path / "__init__.py").exists()
    }

    assert set(PACKAGES) <= folders
