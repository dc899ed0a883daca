"""One exchange of each driver with a target, to be looked at: whether the file is right shows here first."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from conformance.data import Data
from conformance.errors import Departure, Untested
from conformance.people import People
from conformance.roles import Roles
from conformance.scripts import answer
from conformance.stage import App, Stage
from conformance.target import Target
from conformance.worker import ANYWHERE, ModelPlace, one_worker


@dataclass(frozen=True)
class Shown:
    """What came of one driver's exchange.

    Attributes:
        driver: which one.
        outcome: `ok`, `missing` (the file lacks a key) or `wrong` (the target did otherwise).
        text: what was seen, or what is missing.
        lines: the exchanges, as the transcript has them.
    """

    driver: str
    outcome: str
    text: str
    lines: tuple[str, ...] = ()


def show_each(target: Target, place: ModelPlace = ANYWHERE) -> Iterator[Shown]:
    """Start the target, or connect to it, and have one exchange with each driver.

    Raises:
        LaunchError: it does not start or answer.
    """
    with one_worker(target, place) as worker:
        for driver, exchange in EXCHANGES.items():
            stage = Stage(worker, f"check {driver}")
            worker.model.reset()
            yield _shown(driver, exchange, stage)
            stage.close()


def _shown(driver: str, exchange: Callable[[Stage], str], stage: Stage) -> Shown:
    try:
        outcome, text = "ok", exchange(stage)
    except Untested as untested:
        outcome, text = "missing", str(untested)
    except Departure as departure:
        outcome, text = "wrong", str(departure)
    lines = tuple(
        f"{entry.kind:>5}  {stage.transcript.masked(entry.line)}" for entry in stage.transcript.entries
    )
    return Shown(driver, outcome, text, lines)


def _reset(stage: Stage) -> str:
    if stage.target.controls.reset is None:
        raise Untested("controls.reset", "to put the data back")
    App(stage).reset()
    return "the data is put back"


def _session(stage: Stage) -> str:
    names = [person.name for person in People(stage).everybody()]
    if not names:
        raise Untested("identities")
    return f"{', '.join(names)} signed in"


def _rpc(stage: Stage) -> str:
    people = People(stage)
    look = Data(stage, people).look()
    return f"read {', '.join(look.values)}"


def _role(stage: Stage) -> str:
    people = People(stage)
    role = Roles(stage, people)("read")
    people.full.rpc.value(role.procedure, role.input)
    return f"{role.capability} answered as {role.procedure}"


def _chat(stage: Stage) -> str:
    chat = People(stage).full.chat()
    done = chat.send(answer("Hello from the fake model."))
    offered = len(chat.asked.tool_names)
    return f"the model was asked, offered {offered} tools, and its words came back: {done.text!r}"


def _approvals(stage: Stage) -> str:
    return f"{len(People(stage).approver.approvals.list())} approvals wait"


def _threads(stage: Stage) -> str:
    return f"{len(People(stage).full.threads.ids())} conversations are stored"


def _tab(stage: Stage) -> str:
    seat = People(stage).full.tab()
    seen = seat.open()
    ended = seat.send(answer("Hello from the fake model."))
    return f"opened {seen.route} with {len(seen.rows)} rows; a turn ended as {ended.status}"


EXCHANGES: dict[str, Callable[[Stage], str]] = {
    "reset": _reset,
    "session": _session,
    "rpc": _rpc,
    "role": _role,
    "chat": _chat,
    "approvals": _approvals,
    "threads": _threads,
    "tab": _tab,
}
