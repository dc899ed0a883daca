"""What holds for any template and any mistake, tried on many that Hypothesis makes up."""

from collections.abc import Mapping
from typing import Any

import pytest

from conformance.a2ui.generated import Templates, for_each, mistaken, mistakes
from conformance.a2ui.official import schema_problems, sdk_problems
from conformance.a2ui.surface import binding_problems, graph_problems
from conformance.a2ui.templates import form
from conformance.interactions import interactions_of, present
from conformance.people import People


@pytest.mark.requirement("A2UI-37")
def test_any_template_compiles(people: People, examples: int) -> None:
    """Cases show the templates that somebody thought of; a model thinks of others."""
    templates = Templates(interactions_of(people.full).table.bounds)

    stage, noted = people.stage, len(people.stage.transcript.entries)

    def check(template: Mapping[str, Any]) -> None:
        stage.transcript.keep_first(noted)
        stage.model.reset()
        shown = present(people.full, template).shown
        assert schema_problems(shown.messages) == ()
        assert sdk_problems(shown.messages) == ()
        assert graph_problems(shown.surface) == ()
        assert binding_problems(shown.surface) == ()

    for_each(templates.any(), examples, people.stage.worker.seed, check)


@pytest.mark.requirement("A2UI-56")
def test_any_mistake_is_refused(people: People, examples: int) -> None:
    """A check that was forgotten is found by whoever tries everything."""
    cards = [present(people.full, form())]
    clicks = [cards[0].click().payload]
    transcript, noted = people.stage.transcript, len(people.stage.transcript.entries)

    def check(mistake: tuple[str, Any]) -> None:
        transcript.keep_first(noted)
        receipt = cards[-1].interactions.submit(mistaken(clicks[-1], mistake))
        if receipt.accepted:  # that card is closed, and the next mistake needs an open one
            cards.append(present(people.full, form()))
            clicks.append(cards[-1].click().payload)
        assert not receipt.accepted, f"accepted with {mistake[0]} changed to {mistake[1]!r}"

    for_each(mistakes(clicks[0]), examples, people.stage.worker.seed, check)

    assert cards[0].press().accepted, "after the refused clicks the valid one is refused"
