"""The page against the headless tab: two implementations that share nothing but the contracts show a model the same.

The same script is played for both, each on fresh data; what the model was offered and answered has to be equal, but for
the wording of messages, for times, and for ids and versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from fake_model import FakeModel
from tests.browser.headless import HeadlessTab
from tests.browser.person import Person
from tests.browser.scenes import SCENES, Scene
from tests.browser.showing import on_the_page, shown


def test_the_scenes_have_names_of_their_own() -> None:
    """A report that names a scene names one."""
    assert len({scene.name for scene in SCENES}) == len(SCENES)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name.replace(" ", "-"))
def test_a_model_is_shown_the_same(
    visitor: Callable[[], Person], app_url: str, model: FakeModel, scene: Scene
) -> None:
    """Tools to the byte, state, results with code, retry and details; and the person sees the same rows."""
    on_page = list(on_the_page(visitor(), model, scene))
    httpx.post(f"{app_url}/api/demo/reset", trust_env=False).raise_for_status()
    headless = list(_in_the_process(app_url, model, scene))

    assert headless == on_page


def _in_the_process(url: str, model: FakeModel, scene: Scene) -> Iterator[Any]:
    answer = httpx.post(f"{url}/api/session", json={"user": scene.user}, trust_env=False)
    cookie = answer.headers["set-cookie"].partition(";")[0]
    settings = [part for pair in scene.settings.items() for part in ("--setting", "=".join(pair))]
    with HeadlessTab(url, cookie, ("--mode", scene.mode, *settings)) as tab:
        tab.open(scene.route)
        for name, args in scene.acts:
            tab.act(name, args)
        run = model.play(scene.script())
        end = tab.send(run.prompt("Go on."))
        seen = tab.visible()
    yield end["status"], end.get("error", {}).get("code")
    yield seen["route"]
    yield [row["key"] for row in seen["rows"]]
    yield seen["selected"]
    yield from shown(run)
