"""Playing a scene on the page, and what the model and the person were shown of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fake_model import FakeModel, Run
from tests.browser.person import Person
from tests.browser.scenes import Scene

VARIES = frozenset({"message", "capturedAt", "expiresAt", "surfaceVersion"})
"""What differs between two implementations that are both right, or from one run to the next."""

VARIES_BY_RUN = VARIES - {"message"}
MINTED = re.compile(r"\b(?:reg|srf|inv|cnf|apr)_[0-9A-Za-z-]+|\bcall_dp_r\d+_")


def on_the_page(
    person: Person, model: FakeModel, scene: Scene, *, varies: frozenset[str] = VARIES, **parameters: str
) -> Iterator[Any]:
    """Play a scene; yields how the turn ended, what the person sees, and what the model was shown.

    Args:
        person: Whose tab it is.
        model: What plays the script.
        scene: What is played.
        varies: Members of results that are left out.
        parameters: More page parameters.
    """
    person.sign_in(scene.user)
    setting = ",".join(f"{name}:{value}" for name, value in scene.settings.items())
    person.open(scene.route, mode=scene.mode, setting=setting, **parameters)
    for name, args in scene.acts:
        _act(person, name, args)
    run = model.play(scene.script())
    seen = person.send(run.prompt("Go on."))
    yield person.turn
    yield person.route
    yield [row["key"] for row in seen.rows]
    yield list(seen.selected)
    yield from shown(run, varies)


def _act(person: Person, name: str, args: dict[str, Any]) -> None:
    if name == "type-note":
        person.type('[data-field="note"]', args["text"])
    elif "side" in args:
        person.click(f'[data-act="{name}"][data-side="{args["side"]}"]')
    else:
        person.act(name, args.get("key", ""))


def shown(run: Run, varies: frozenset[str] = VARIES) -> Iterator[Any]:
    """What the model was shown, step by step, with ids by their first appearance and without free texts."""
    names: dict[str, str] = {}
    for exchange in run.exchanges:
        request = exchange.request
        yield [(tool.name, tool.description, tool.parameters) for tool in request.tools]
        yield [line.text for line in request.state_lines]
        yield [_plain(result.value, names, varies) for result in request.results]


def _plain(value: Any, names: dict[str, str], varies: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item, names, varies) for key, item in value.items() if key not in varies}
    if isinstance(value, list):
        return [_plain(item, names, varies) for item in value]
    if isinstance(value, str):
        return MINTED.sub(lambda found: names.setdefault(found[0], f"<id {len(names)}>"), value)
    return value
