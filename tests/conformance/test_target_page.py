"""The page's tables of a target file."""

import pytest
from pydantic import ValidationError

from conformance.target_file import load_target
from conformance.target_page import Gesture


@pytest.mark.parametrize("given", [{}, {"click": "#a", "fill": "#b"}, {"value": "x"}])
def test_a_gesture_is_one(given: dict[str, str]) -> None:
    """Two in one would leave open which comes first."""
    with pytest.raises(
        ValidationError, match="needs exactly one of click, fill, select, check, press and goto"
    ):
        Gesture.model_validate(given)


def test_the_reference_page_can_do_what_its_tab_can() -> None:
    """A case asks for an act by its name and does not care which kind of tab does it."""
    target = load_target("reference")
    assert target.tab is not None
    assert target.page is not None
    views = target.view.values()
    by_role = [act for role in views for act in (*role.enable, *role.disable, *role.rebind, *role.confirm)]
    by_role += [act for role in views for act in (*role.override_default, *role.hide_target)]
    wanted = {act.name for act in (*target.tab.acts.values(), *by_role)}

    assert set() == wanted - set(target.page.acts)
    assert set(target.tab.modes) == set(target.page.modes)
    assert set(target.tab.variants) == set(target.page.variants)
