"""The real application, the fake model, and the suite's own drivers in front of both; it can be stopped and started again."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from conformance.drivers.http import Budget, open_connections
from conformance.drivers.tabs.pool import TabPool
from conformance.launch import Instance
from conformance.people import People, Person
from conformance.stage import App, Stage, Worker
from conformance.target_file import load_target
from fake_model import FakeModel
from reference_app.faults import installed
from reference_app.settings import Settings
from tests.reference_app.running import running, with_model

START = "2026-03-02T09:00:00.000Z"
"""When every example begins; the clock stands still but for what an example does to it."""

COUNTER = "lab-count"


@dataclass
class World:
    """Everything that an example needs.

    Attributes:
        settings: how the application is started, again and again on the same data.
        worker: the application's address and the fake model, as drivers want them.
        stage: the stage of the present example.
        people: who is in front of it; they sign in once an example.
        seconds: how far the clock stands from the start of the example.
        faults: the deliberate defects of each process that is started.
    """

    settings: Settings
    worker: Worker
    stage: Stage = field(init=False)
    people: People = field(init=False)
    seconds: float = 0.0
    faults: tuple[str, ...] = ()
    _server: ExitStack = field(default_factory=ExitStack)

    def begin(self) -> None:
        """Put everything back: data, clock, journal."""
        self.worker.model.reset()
        self.stage = Stage(self.worker, "an example")
        self.people = People(self.stage)
        self.seconds = 0.0
        self.app.reset()
        self.app.freeze_clock(START)

    @property
    def app(self) -> App:
        """The application's controls."""
        return App(self.stage)

    def person(self, name: str) -> Person:
        """Somebody who is signed in."""
        return self.people.named(name)

    def count(self) -> int:
        """What the counter shows that every operation of these tests moves."""
        value = self.person("carla").rpc.value(COUNTER, {})["value"]
        assert isinstance(value, int)
        return value

    def advance(self, seconds: float) -> None:
        """Move the clock on."""
        self.seconds += seconds
        self.app.advance_clock(seconds)

    def restart(self) -> None:
        """Stop the application and start it on the same data; its clock, which is its own, is set again."""
        self.stop()
        self.start()
        self.app.freeze_clock(START)
        self.app.advance_clock(self.seconds)

    @contextmanager
    def defective(self, fault: str) -> Iterator[None]:
        """Have the application run with a defect, which every process that is started has anew."""
        self._become((fault,))
        try:
            yield
        finally:
            self._become(())

    def _become(self, faults: tuple[str, ...]) -> None:
        self.stop()
        self.faults = faults
        self.start()

    def start(self) -> None:
        """Start the application."""
        self._server.enter_context(installed(self.faults))
        self.worker.instance = Instance(self._server.enter_context(running(self.settings)))

    def stop(self) -> None:
        """Stop it."""
        self._server.close()


@contextmanager
def open_world(folder: Path) -> Iterator[World]:
    """Start the application on a folder, with a model of its own."""
    target = load_target("reference")
    with FakeModel() as model, open_connections() as client:
        settings = with_model(Settings(demo_controls=True, data_dir=folder), model.url)
        settings = replace(settings, tunables=replace(settings.tunables, shutdown_grace=0.5))
        worker = Worker(target, model, Instance(""), client, Budget(target.limits), TabPool(target))
        world = World(settings, worker)
        world.start()
        try:
            yield world
        finally:
            world.stop()
