"""A finding as a file: it reads well, and sends the same bytes again."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.fuzz.attempt import Attempt, Request
from conformance.fuzz.errors import FuzzError
from conformance.fuzz.hunt import Found
from conformance.fuzz.problem import Check, Problem
from conformance.fuzz.reproduction import Reproduction, read, write

PROBLEM = Problem(Check.SERVER_ERROR, "POST /rpc/add", "answered 500: '…'")


def round_trip(request: Request, folder: Path) -> Request:
    """The request after it was written and read."""
    path = write(Found(PROBLEM, Attempt("carla", (request,))), "odd.toml", folder)
    (again,) = read(path).attempt().requests
    return again


@given(
    st.binary(max_size=60)
    | st.text(max_size=20).map(str.encode)
    | st.integers().map(lambda n: f"[{n}]".encode())
)
def test_every_body_comes_back_byte_for_byte(tmp_path_factory: pytest.TempPathFactory, body: bytes) -> None:
    """What showed the problem was these bytes and no others."""
    request = Request(
        "POST /rpc/add", "POST", "/rpc/add?x=1", body, "application/json", '{"steps": [{"say": "x"}]}'
    )

    assert request == round_trip(request, tmp_path_factory.mktemp("findings"))


def test_a_finding_reads_well(tmp_path: Path) -> None:
    """JSON stands there as JSON, under a name that says what was found."""
    request = Request("POST /rpc/add", "POST", "/rpc/add", b'{"json":{"size":10}}', "application/json")

    path = write(Found(PROBLEM, Attempt("carla", (request,))), "odd.toml", tmp_path)

    assert "server-error-carla-post-rpc-add.json" == path.name
    assert {
        "target": "odd.toml",
        "identity": "carla",
        "check": "server-error",
        "operation": "POST /rpc/add",
        "detail": "answered 500: '…'",
        "requests": [
            {
                "operation": "POST /rpc/add",
                "method": "POST",
                "path": "/rpc/add",
                "media_type": "application/json",
                "body_json": {"json": {"size": 10}},
            }
        ],
    } == json.loads(path.read_text())


TWO_BODIES = """
{"target": "t", "identity": "i", "check": "c", "operation": "o", "detail": "d", "requests": [
  {"operation": "o", "method": "GET", "path": "/", "body_json": 1, "body_text": "1"}
]}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("{}", "target: Field required"),
        ('{"version": 2}', "version: Input should be 1"),
        (
            '{"target":"t","identity":"i","check":"c","operation":"o","detail":"d","requests":[]}',
            "requests: Tuple should have at least 1 item",
        ),
        (TWO_BODIES, "requests.0: a request has one body, not body_json and body_text"),
    ],
)
def test_a_file_that_is_no_finding_says_why(tmp_path: Path, text: str, message: str) -> None:
    """A person may change such a file, and has to be told what went wrong: file, field, reason."""
    (tmp_path / "x.json").write_text(text)

    with pytest.raises(FuzzError) as refused:
        read(tmp_path / "x.json")

    assert f"{tmp_path / 'x.json'}" in str(refused.value)
    assert message in str(refused.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    """Nor is a missing file a traceback."""
    with pytest.raises(FuzzError, match=r"nowhere\.json can't be read: No such file"):
        read(tmp_path / "nowhere.json")


def test_the_format_has_a_version() -> None:
    """A later suite must be able to tell."""
    assert 1 == Reproduction.model_fields["version"].default
