"""Looking over the shoulder of every identity on every route, and writing down what the model was offered."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase

from conformance.errors import Departure, Untested
from conformance.inventory.discovery import read_discovery
from conformance.inventory.errors import InventoryError
from conformance.inventory.formats.offered import write_offered
from conformance.inventory.model import Capability, Offer, Place
from conformance.inventory.sighting import Sighting, capabilities_of
from conformance.inventory.wire_ids import known_names
from conformance.people import People, Person
from conformance.scripts import answer, last_word
from conformance.stage import App, Stage, Worker
from conformance.target import Target
from conformance.worker import ANYWHERE, ModelPlace, one_worker
from fake_model import ModelRequest, call, script, step

DISCOVER = "surface_discover"
META = "meta"
DIRECT = "direct"
NOON = "2030-01-15T12:00:00Z"
"""When every look is taken, where the target's clock can be stopped."""

HIDDEN = "[hidden]"
"""What stands for a token, or for the target's address, wherever a model was shown one."""

Progress = Callable[[str], None]


def observe(target: Target, progress: Progress = lambda _: None, place: ModelPlace = ANYWHERE) -> str:
    """Look at everything that a target offers, and return it as the text of an inventory.

    Args:
        target: the target file; its `[inventory]` table may narrow what is looked at.
        progress: told about each place.
        place: where the fake model listens.

    Raises:
        InventoryError: the target does not do its part, or the file lacks something.
        LaunchError: it does not start, or does not answer.
    """
    with one_worker(target, place) as worker:
        try:
            sightings = tuple(_sightings(worker, progress))
        except Departure as departure:
            raise InventoryError(f"{target.name} could not be observed: {departure}") from None
        except Untested as untested:
            raise InventoryError(
                f"{target.name} could not be observed: its file has no {untested.missing}"
            ) from None
    text = write_offered(target.name, (one.place for one in sightings), offers_of(target, sightings))
    return _without((value for one in sightings for value in one.hidden), text)


def offers_of(target: Target, sightings: Sequence[Sighting]) -> Sequence[Offer]:
    """Put together what is offered alike in several places, without what the target file leaves out."""
    named = [role.capability for role in target.roles.values()] + [
        view.capability for view in target.view.values()
    ]
    known = known_names([*named, *(name for sighting in sightings for name in sighting.ids)])
    places: dict[Capability, set[Place]] = {}
    for sighting in sightings:
        for capability in capabilities_of(sighting, known):
            if not any(fnmatchcase(capability.id, pattern) for pattern in target.inventory.leave_out):
                places.setdefault(capability, set()).add(sighting.place)
    return [Offer(capability, frozenset(where)) for capability, where in places.items()]


def _sightings(worker: Worker, progress: Progress) -> Iterator[Sighting]:
    target = worker.target
    if not target.identities or not target.routes:
        raise Untested("identities" if not target.identities else "routes")
    for identity in target.identities:
        for route in target.inventory.routes or target.routes:
            progress(f"{identity} on {route}")
            with _stage(worker, f"{identity} on {route}") as stage:
                yield from _looks(People(stage).named(identity), route, worker)


@contextmanager
def _stage(worker: Worker, name: str) -> Iterator[Stage]:
    """A stage with the data put back and the clock stopped, as far as the target can."""
    stage = Stage(worker, name)
    worker.model.reset()
    app = App(stage)
    app.reset()
    if worker.target.controls.freeze_clock is not None:
        app.freeze_clock(NOON)
    try:
        yield stage
    finally:
        stage.close()


def _looks(person: Person, route: str, worker: Worker) -> Iterator[Sighting]:
    """Look in every way that the target gives: without a tab of its own only the server's half can be seen."""
    chat = person.chat(route)
    announced = chat.send(answer()).start.domain_tools
    hidden = (person.session.value if person.session else "", worker.instance.url)
    tab = worker.target.tab
    direct = Place(person.name, route, DIRECT)
    request = chat.asked if tab is None else _through_the_tab(person, route)
    yield Sighting(direct, request, announced, hidden=hidden)
    if tab is not None and META in tab.modes:
        request, discovered = _by_discovery(person, route)
        yield Sighting(Place(person.name, route, META), request, announced, discovered, hidden)


def _through_the_tab(person: Person, route: str) -> ModelRequest:
    seat = person.tab()
    seat.open(route)
    seat.send(answer())
    return seat.asked[0]


def _by_discovery(person: Person, route: str) -> tuple[ModelRequest, tuple[Capability, ...]]:
    """In meta mode the model is offered three tools, and asks the first one what there is."""
    seat = person.tab(mode=META)
    seat.open(route)
    seat.send(script(step(call(DISCOVER, {})), last_word()))
    result = seat.asked[-1].last_result
    if result is None:
        raise Departure(f"{DISCOVER} was not answered for {person.name} on {route}")
    return seat.asked[0], read_discovery(result.value)


def _without(hidden: Iterable[str], text: str) -> str:
    """Take out what must not be committed, longest first; it would not be the same in the next run either."""
    for value in sorted(set(filter(None, hidden)), key=len, reverse=True):
        text = text.replace(json.dumps(value, ensure_ascii=False)[1:-1], HIDDEN)
    return text
