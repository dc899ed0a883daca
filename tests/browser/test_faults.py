"""The page's deliberate defects: with one in, a scene looks another way.

Those that show only when a person acts as well are in `test_races.py` and `test_loop_breaks.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fake_model import FakeModel
from tests.browser.person import Person
from tests.browser.scenes import SCENES, SCENES_FOR_FAULTS
from tests.browser.showing import VARIES_BY_RUN, on_the_page

SHOWN_BY = {
    "bound-key-in-schema": "offered with the dialog open",
    "bind-to-first-row": "a chase of another row",
    "binding-without-target": "offered on the pending screen",
    "locked-field-accepted": "a guess at the bound value",
    "locked-field-same-value": "a guess at the bound value",
    "locked-field-ignored": "a guess at the bound value",
    "locked-field-untyped": "a guess at the bound value",
    "override-ignored": "an own note",
    "bound-input-unchecked": "a field too many",
    "gated-reference-declared": "offered on the pending screen",
    "bound-call-reaches-gated": "drafts and a chase",
    "steers-to-gated": "drafts",
    "note-in-description": "offered with the dialog open",
    "availability-not-rechecked": "a chase that the model opens",
    "unavailable-untyped": "a chase that the model opens",
    "unmounted-callable": "leaving in one message",
    "ambiguous-guessed": "which card",
    "view-input-unchecked": "refused inputs",
    "precondition-skipped": "selection",
    "output-unchecked": "the bench",
    "view-internals-leak": "the bench refuses and crashes",
    "view-retry-missing": "refused inputs",
    "view-retry-wrong": "refused inputs",
    "agent-path-differs": "drafts",
    "confirmation-skipped": "nobody answers",
    "confirmation-decides-itself": "nobody answers",
    "confirmation-error-untyped": "nobody answers",
    "no-settle": "navigation",
    "loop-guard-off": "the same failure again and again",
    "no-reconcile": "a payment",
    "navigation-not-followed": "to the clients",
    "error-as-success": "refused inputs",
    "unmounted-offered": "offered on the about page",
    "unavailable-hidden": "offered on the pending screen",
    "reason-missing": "offered on the pending screen",
    "availability-cached": "a chase that the model opens",
    "state-in-description": "offered on the pending screen",
    "dom-verb-offered": "offered on the about page",
    "catalog-frozen": "navigation",
    "view-scope-ignored": "a narrower look",
    "discover-widens-scope": "aimed with a scope",
    "instances-share-a-name": "offered on the clients' screen",
    "hidden-reference-offered": "offered to an analyst",
    "hidden-disclosed": "offered to an analyst",
    "hidden-callable": "hidden and called",
    "internal-in-description": "offered on the about page",
    "approval-decides-itself": "an approval",
    "address-not-moved": "filters",
    "binds-off-screen": "a dialog for what is not shown",
    "calls-side-by-side": "leaving in one message",
    "discovery-cached": "discovery twice",
    "envelope-unchecked": "meta mode, envelopes",
    "error-frame-ignored": "a model that fails",
    "instance-ignored": "two cards",
    "meta-tools-tell-the-screen": "meta mode",
    "observes-unfiltered": "readings",
    "override-default-lost": "a typed note",
    "read-runs-actions": "reading an action",
    "stringified-input-refused": "meta mode",
    "turn-limit-off": "more steps than a turn may have",
}

SCENE = {scene.name: scene for scene in (*SCENES, *SCENES_FOR_FAULTS)}


def seen_with(fault: str, person: Person, model: FakeModel, name: str) -> Any:
    """Everything that model and person see of a scene with a defect in, or with none."""
    shown = list(on_the_page(person, model, SCENE[name], varies=VARIES_BY_RUN, fault=fault))
    seen = person.see()
    cards = [(card.capability, card.state, card.input) for card in seen.cards]
    return [*shown, cards, seen.notices, person.find('[data-field="savedNote"]').all_text_contents()]


@pytest.fixture(scope="module")
def sound() -> dict[str, Any]:
    """What each scene looks like on a sound page; filled as it is needed."""
    return {}


@pytest.mark.parametrize(("fault", "name"), SHOWN_BY.items())
def test_a_defect_shows(
    visitor: Callable[[], Person], model: FakeModel, sound: dict[str, Any], fault: str, name: str
) -> None:
    """A defect that nobody could see would prove nothing."""
    if name not in sound:
        sound[name] = seen_with("", visitor(), model, name)
        visitor().reset()

    assert sound[name] != seen_with(fault, visitor(), model, name)
