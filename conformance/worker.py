"""One worker outside of a run: a target and a fake model, for commands that look at a target without grading it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from conformance.drivers.http import Budget, open_connections
from conformance.drivers.tabs.pool import TabPool
from conformance.launch import Plan, connect, start
from conformance.safety import bounded
from conformance.stage import Worker
from conformance.target import Target
from fake_model import FakeModel


@dataclass(frozen=True)
class ModelPlace:
    """Where the fake model listens: an address of this machine, and a port, of which 0 is a free one.

    A target that runs already can only be told a port that is known beforehand.
    """

    host: str = "127.0.0.1"
    port: int = 0


ANYWHERE = ModelPlace()


@contextmanager
def one_worker(target: Target, place: ModelPlace = ANYWHERE) -> Iterator[Worker]:
    """Start a target, or connect to it, beside a fake model; end both at the end.

    Raises:
        LaunchError: it does not start, or does not answer.
    """
    with FakeModel(host=place.host, port=place.port) as model, open_connections() as client:
        instance = connect(target) if target.connect is not None else start(Plan(target, model.url))
        worker = Worker(target, model, instance, client, Budget(bounded(target)), tabs=TabPool(target))
        try:
            yield worker
        finally:
            worker.end()
