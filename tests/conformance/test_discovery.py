"""Reading what discovery tells."""

from typing import Any

import pytest

from conformance.discovery import Disclosed, disclosed

ANSWER = {
    "components": [
        {
            "type": "cards.client",
            "instanceId": "left",
            "observations": [{"capabilityId": "view:cards.client.read", "available": True}],
            "actions": [
                {"capabilityId": "view:cards.client.clear", "available": False, "unavailableReason": "Empty."}
            ],
        }
    ],
    "procedures": [{"procedureId": "domain:chase", "available": False, "unavailableReason": "Nothing open."}],
}


def test_every_capability_is_told_with_its_state() -> None:
    """Of both planes, each component's with its instance."""
    expected = (
        Disclosed("view:cards.client.read", True, "", "left"),
        Disclosed("view:cards.client.clear", False, "Empty.", "left"),
        Disclosed("domain:chase", False, "Nothing open."),
    )

    assert expected == disclosed(ANSWER)


@pytest.mark.parametrize("answer", [None, "text", [], {"error": {"code": "X"}}, {"components": ["no", {}]}])
def test_what_is_not_readable_is_nothing(answer: Any) -> None:
    """A target's answer is a finding of the case, never a crash of the reader."""
    assert () == disclosed(answer)
