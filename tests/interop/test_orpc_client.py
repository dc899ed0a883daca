"""The official oRPC client calls the reference app's procedures: what it makes of the answers is what its users will see."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reference_app.settings import Settings
from tests.reference_app.running import client, running

HERE = Path(__file__).parent
pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(
        shutil.which("node") is None or shutil.which("npm") is None, reason="needs node and npm"
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A temporary folder with the client in the version that package.json pins."""
    made: Path = tmp_path_factory.mktemp("interop")
    for name in ("package.json", "call.js"):
        shutil.copy(HERE / name, made)
    subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=made, check=True, timeout=240
    )
    return made


@pytest.fixture(scope="module")
def results(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the client made of each call."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), demo_controls=True)
    with running(settings) as url, client(url) as http:
        cookie = http.post("/api/session", json={"user": "carla"}).headers["set-cookie"].partition(";")[0]
        done = subprocess.run(
            ["node", "call.js", url, cookie],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        yield json.loads(done.stdout)


def test_output_arrives(results: dict[str, Any]) -> None:
    """A call that succeeds gives the procedure's own output."""
    assert {"id", "name"} <= set(results["read"]["data"][0])


def test_undefined_field_is_one_that_is_left_out(results: dict[str, Any]) -> None:
    """JavaScript has two ways to say nothing; the client marks the second one in `meta`."""
    made = results["made"]["data"]

    assert (4200, None) == (made["amount"], made["notes"])


def test_date_is_refused_in_words(results: dict[str, Any]) -> None:
    """The procedures take plain JSON: a value that would arrive as another type is not guessed at."""
    refused = results["date"]

    assert ("BAD_REQUEST", 400, False) == (refused["code"], refused["status"], refused["defined"])
    assert "plain JSON" in refused["message"]


def test_invalid_input_carries_its_issues(results: dict[str, Any]) -> None:
    """A form marks the field that is wrong."""
    refused = results["invalid"]

    assert ("BAD_REQUEST", 400, ["amount"]) == (
        refused["code"],
        refused["status"],
        refused["data"]["issues"][0]["path"],
    )


def test_refusal_of_an_operation_is_a_defined_error(results: dict[str, Any]) -> None:
    """The client tells what a procedure declared from what merely went wrong; callers handle the first."""
    refused = results["refused"]

    assert ("CONFLICT", 409, True) == (refused["code"], refused["status"], refused["defined"])


def test_unknown_procedure_is_not_found(results: dict[str, Any]) -> None:
    """And tells nothing beyond that."""
    refused = results["unknown"]

    assert ("NOT_FOUND", 404, False) == (refused["code"], refused["status"], refused["defined"])


def test_get_is_refused(results: dict[str, Any]) -> None:
    """The client can be told to read by GET; a link must not be able to call a procedure."""
    refused = results["get"]

    assert ("METHOD_NOT_SUPPORTED", 405) == (refused["code"], refused["status"])
