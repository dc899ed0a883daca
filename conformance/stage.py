"""The stage of one case: the running target and the fake model, what can be done to them, and what must be undone.

Whatever the target file or the machine can't give raises `Untested` with the missing key.
"""

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from conformance.drivers.http import Budget, Http
from conformance.drivers.tabs.base import Tabs
from conformance.errors import Departure, LaunchError, Untested
from conformance.launch import Instance, start
from conformance.target import Target, expand
from conformance.target_tables import HttpCall
from conformance.transcript import Transcript
from fake_model import FakeModel


@dataclass
class Worker:
    """What one worker process shares between its cases.

    Attributes:
        target: the target file.
        model: the fake model.
        instance: the running target; replaced when a case restarts it.
        client: open connections.
        budget: how much may still be sent.
        tabs: the target's own tabs.
        faults: deliberate faults that this run switched on.
        tab_kind: `process` or `browser`.
        nonce: distinguishes conversation ids of this run where the target can't be reset.
        seed: the seed of this run.
        variants: other instances that were started so far, by the name of their variant.
        asked_for_approval: whether a case may have left an approval waiting, see `conformance.unanswered`.
    """

    target: Target
    model: FakeModel
    instance: Instance
    client: httpx.Client
    budget: Budget
    tabs: Tabs
    faults: tuple[str, ...] = ()
    tab_kind: str = "process"
    nonce: str = ""
    seed: int = 0
    variants: dict[str, Instance] = field(default_factory=dict)
    asked_for_approval: bool = False

    def become(self, faults: tuple[str, ...]) -> None:
        """Go on with a target that has these deliberate faults, started anew where the present one has others, or is none.

        Raises:
            LaunchError: it does not start with them, or the suite did not start it.
        """
        if faults == self.faults and self.instance.alive:
            return
        plan = self.instance.plan
        if plan is None:
            raise LaunchError("a connected target can't be started by the suite")
        self._discard()
        self.instance = start(replace(plan, faults=faults))
        self.faults = faults

    def end(self) -> None:
        """Stop everything that this worker started."""
        self.tabs.close()
        self._discard()

    def _discard(self) -> None:
        for instance in (self.instance, *self.variants.values()):
            instance.discard()
        self.variants.clear()


@dataclass
class Stage:
    """Everything of one case; `failed` says at its end whether something must be kept for a report."""

    worker: Worker
    case: str
    transcript: Transcript = field(default_factory=Transcript)
    failed: bool = False
    _closing: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _conversations: int = 0

    @property
    def target(self) -> Target:
        """The target file."""
        return self.worker.target

    @property
    def model(self) -> FakeModel:
        """The fake model."""
        return self.worker.model

    def http(self, headers: Mapping[str, str] | None = None, instance: Instance | None = None) -> Http:
        """A client of the target, or of another instance of it."""
        worker = self.worker
        url = (lambda: instance.url) if instance is not None else (lambda: worker.instance.url)
        return Http(url, worker.client, worker.budget, self.transcript, dict(headers or {}))

    @property
    def kept_name(self) -> str:
        """The file name, without its end, for what is kept of this case; empty while nothing has to be."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.case) if self.failed else ""

    def on_close(self, action: Callable[[], None]) -> None:
        """Do something when the case is over, newest first."""
        self._closing.callback(action)

    def close(self) -> None:
        """Let go of everything that the case opened."""
        self._closing.close()

    def new_conversation_id(self) -> str:
        """An id that follows from the case and a counter alone, so that runs are alike; at most 64 characters."""
        self._conversations += 1
        digest = hashlib.sha256(f"{self.case}|{self.worker.nonce}".encode()).hexdigest()[:12]
        return f"cnv-{digest}-{self._conversations}"

    def control(self, name: str, why: str = "", /, *, instance: Instance | None = None, **fills: Any) -> None:
        """Have the target, or another instance of it, do what a control of its file describes.

        Raises:
            Untested: the file has no such control.
            Departure: the target refuses it.
        """
        call: HttpCall | None = getattr(self.target.controls, name)
        if call is None:
            raise Untested(f"controls.{name}", why)
        body = expand(call.body, fills)
        answer = self.http(instance=instance).request(call.method, call.path, json=body, headers=call.headers)
        if answer.status >= 300:
            raise Departure(f"controls.{name} was refused with {answer.status}: {answer.text[:120]!r}")


@dataclass
class App:
    """The running target, and what can be done to its process."""

    stage: Stage

    @property
    def instance(self) -> Instance:
        """The instance that the other drivers talk to."""
        return self.stage.worker.instance

    def reset(self) -> None:
        """Put all data back, where the target can."""
        if self.stage.target.controls.reset is not None:
            self.stage.control("reset")

    def set_policy(self, role: str, *, enabled: bool) -> None:
        """Put a policy, by its role in the target file, into force or out of it, until the case ends."""
        policy = self.stage.target.policy(role)

        def switch(state: bool) -> None:
            self.stage.control("disable_policy", "to switch a policy", name=policy, enabled=state)

        switch(enabled)
        self.stage.on_close(lambda: switch(not enabled))

    def freeze_clock(self, now: str) -> None:
        """Stop the target's clock at an ISO 8601 instant."""
        self.stage.control("freeze_clock", "to set the clock", now=now)

    def advance_clock(self, seconds: float) -> None:
        """Move the target's stopped clock on."""
        self.stage.control("advance_clock", "to move the clock", seconds=seconds)

    def change_rights(self, user: str, rights: str) -> None:
        """Give somebody other rights; both as the target calls them."""
        self.stage.control("change_rights", "to change somebody's rights", user=user, rights=rights)

    def restart(self, *, crash: bool = False) -> None:
        """Stop the process, or kill it as a crash would, and start it again on the same data."""
        self._own()
        if crash:
            self.instance.kill()
        self.stage.worker.instance = self._started(self.instance.restart)

    def twin(self) -> Instance:
        """A second process on the same data; it ends with the case."""
        self._own()
        twin = self._started(self.instance.twin)
        self.stage.on_close(twin.stop)
        return twin

    def variant(self, name: str = "") -> Instance:
        """Another process with data of its own, plain or as a variant of the target file.

        It is shared by the cases of this worker and its data is put back for each, as those of the first one are.
        """
        self._own()
        launch = self.stage.target.launch
        if name and (launch is None or name not in launch.variants):
            raise Untested(f"launch.variants.{name}")
        variants = self.stage.worker.variants
        if name in variants and not variants[name].alive:
            variants.pop(name).discard()
        if name not in variants:
            variants[name] = self._started(lambda: self.instance.sibling(name))
        if self.stage.target.controls.reset is not None:
            self.stage.control("reset", instance=variants[name])
        return variants[name]

    def _own(self) -> None:
        if self.instance.process is None:
            raise Untested("launch", "the suite can't restart a target that it did not start")

    @staticmethod
    def _started(start: Callable[[], Instance]) -> Instance:
        try:
            return start()
        except LaunchError as error:
            raise Departure(f"the target did not start again: {error}") from None
