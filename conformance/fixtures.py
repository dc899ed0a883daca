"""The fixtures that cases ask for, each named for what it is to the case."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.data import Data
from conformance.drivers.http import Budget, open_connections
from conformance.drivers.tabs.base import Tabs
from conformance.drivers.tabs.browser_pool import BrowserPool
from conformance.drivers.tabs.pool import TabPool
from conformance.errors import LaunchError
from conformance.launch import Plan, connect, start
from conformance.people import People
from conformance.plugin import PHASES, SERVED, STAGE, TARGET, Phases
from conformance.probe import look_for_unclaimed
from conformance.roles import Roles
from conformance.safety import bounded
from conformance.stage import App, Stage, Worker
from conformance.target import Target
from conformance.target_tables import Model as ModelTable
from conformance.unanswered import deny_leftovers
from conformance.verdict import Outcome
from fake_model import FakeModel, SideCall


@pytest.fixture(scope="session")
def model(pytestconfig: pytest.Config) -> Iterator[FakeModel]:
    """The fake model, one a worker."""
    target: Target = pytestconfig.stash[TARGET]
    with FakeModel(
        host=pytestconfig.getoption("--dp-model-host"),
        port=pytestconfig.getoption("--dp-model-port"),
        side_calls=side_calls_of(target.model),
    ) as running:
        yield running


def side_calls_of(table: ModelTable) -> list[SideCall]:
    """The calls that the target makes on its own account, as the fake model takes them."""
    return [SideCall(**call.model_dump()) for call in table.side_calls]


@pytest.fixture(scope="session")
def worker(pytestconfig: pytest.Config, model: FakeModel) -> Iterator[Worker]:
    """The running target, one a worker, so that workers share nothing."""
    target: Target = pytestconfig.stash[TARGET]
    faults = tuple(pytestconfig.getoption("--dp-fault"))
    ledger = pytestconfig.getoption("--dp-ledger")
    plan = Plan(
        target,
        pytestconfig.getoption("--dp-model-url") or model.url,
        faults,
        provider=pytestconfig.getoption("--dp-provider") or None,
        ledger=Path(ledger) if ledger else None,
    )
    instance = connect(target) if target.connect is not None else start(plan)
    tabs = tabs_of(target, pytestconfig)
    with open_connections() as client:
        made = Worker(
            target=target,
            model=model,
            instance=instance,
            client=client,
            budget=Budget(bounded(target)),
            faults=faults,
            tabs=tabs,
            tab_kind=pytestconfig.getoption("--dp-tab"),
            seed=pytestconfig.getoption("--dp-seed"),
            nonce="" if target.controls.reset is not None else f"{os.getpid()}-{time.time_ns()}",
        )
        if pytestconfig.getoption("--dp-probe") and is_first_worker(pytestconfig):
            pytestconfig.stash[SERVED] = look_for_unclaimed(made)
        yield made
    made.end()


def tabs_of(target: Target, config: pytest.Config) -> Tabs:
    """Where tabs of the wanted kind come from."""
    faults = tuple(config.getoption("--dp-tab-fault"))
    if config.getoption("--dp-tab") == "process":
        return TabPool(target, faults)
    folder = config.getoption("--dp-report-dir")
    return BrowserPool(target, faults, Path(folder) / "traces" if folder else None)


def is_first_worker(config: pytest.Config) -> bool:
    """Whether this is the only worker, or the one that looks around for all of them."""
    inside: dict[str, str] = getattr(config, "workerinput", {})
    return inside.get("workerid", "gw0") == "gw0"


@pytest.fixture
def stage(request: pytest.FixtureRequest, worker: Worker) -> Iterator[Stage]:
    """The stage of this case: a living target with its data put back, and a fresh journal."""
    _require_alive(worker, f"before {request.node.name}")
    made = Stage(worker, request.node.nodeid)
    request.node.stash[STAGE] = made
    worker.model.reset()
    App(made).reset()
    deny_leftovers(made)
    yield made
    phases = request.node.stash.get(PHASES, Phases())
    made.failed = phases.outcome in (Outcome.FAILED, Outcome.ERROR)
    made.close()
    _require_alive(worker, f"in {request.node.name}")


def _require_alive(worker: Worker, when: str) -> None:
    """End the run when the target is gone, whether a case noticed or not."""
    if not worker.instance.alive:
        raise LaunchError(f"{worker.target.name} died {when}{worker.instance.last_words()}")


@pytest.fixture
def examples(pytestconfig: pytest.Config) -> int:
    """How many made-up values a property is tried on."""
    return int(pytestconfig.getoption("--dp-examples"))


@pytest.fixture
def target(stage: Stage) -> Target:
    """The target file."""
    return stage.target


@pytest.fixture
def app(stage: Stage) -> App:
    """The running target, and what can be done to its process and its clock."""
    return App(stage)


@pytest.fixture
def people(stage: Stage) -> People:
    """The people in front of the target."""
    return People(stage)


@pytest.fixture
def roles(stage: Stage, people: People) -> Roles:
    """The target's capabilities by what they are for."""
    return Roles(stage, people)


@pytest.fixture
def data(stage: Stage, people: People) -> Data:
    """The target's data."""
    return Data(stage, people)
