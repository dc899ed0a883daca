"""SARIF: rules with their reasons, results with fingerprints, approved changes as suppressed results."""

import json
from typing import Any

from conformance.inventory.render.sarif import render
from tests.conformance.inventory.pages import approved_page, hostile_page


def run_of(text: str) -> Any:
    """The one run of a log."""
    (run,) = json.loads(text)["runs"]
    return run


def test_results_point_to_their_rules() -> None:
    """A rule's index is its place in the driver's list."""
    run = run_of(render(hostile_page()))
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]

    assert [] == [result for result in run["results"] if rules[result["ruleIndex"]] != result["ruleId"]]


def test_an_approved_change_is_a_suppressed_result() -> None:
    """Code-scanning services close what is suppressed, and keep the reason."""
    found = [result for result in run_of(render(approved_page()))["results"] if "suppressions" in result]

    assert ["Agreed on. (until 2027-01-31)"] == [
        result["suppressions"][0]["justification"] for result in found
    ]


def test_no_text_becomes_a_link() -> None:
    """A viewer makes links of `[text](target)` in messages, unless the brackets are escaped."""
    messages = [result["message"]["text"] for result in run_of(render(hostile_page()))["results"]]

    assert [] == [text for text in messages if "[" in text.replace("\\\\", "").replace("\\[", "")]


def test_places_in_files_are_addresses() -> None:
    """Paths are percent-encoded, since they are URIs in this format."""
    uris = {
        location["physicalLocation"]["artifactLocation"]["uri"]
        for result in run_of(render(approved_page()))["results"]
        for location in result["locations"]
    }

    assert {"new.json"} == uris
