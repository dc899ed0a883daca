"""The people in front of a target, and everything that one of them can reach."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.drivers.approvals import Approvals
from conformance.drivers.audit import Audit
from conformance.drivers.chat import Conversation
from conformance.drivers.http import Http
from conformance.drivers.rpc import Rpc
from conformance.drivers.session import Session, sign_in
from conformance.drivers.tabs.base import Place
from conformance.drivers.threads import Threads
from conformance.errors import Untested
from conformance.launch import Instance
from conformance.seat import Seat
from conformance.stage import Stage
from conformance.target_tables import Identity, Rights
from conformance.wire.chat import Catalog


@dataclass
class Person:
    """Somebody who uses the target: signed in, or nobody in particular."""

    stage: Stage
    name: str
    identity: Identity | None
    session: Session | None
    instance: Instance | None = None

    @property
    def http(self) -> Http:
        """A client that carries this person's session."""
        headers = self.session.headers if self.session is not None else {}
        return self.stage.http(headers, self.instance)

    @property
    def rpc(self) -> Rpc:
        """The buttons of the application."""
        return Rpc(self.http, self.stage.target.paths)

    @property
    def approvals(self) -> Approvals:
        """The approval cards."""
        return Approvals(self.http, self.stage.target.paths)

    @property
    def threads(self) -> Threads:
        """The stored conversations."""
        return Threads(self.http, self.stage.target.paths)

    @property
    def audit(self) -> Audit:
        """What was recorded of this person's calls."""
        return Audit(self.http, self.stage.target.paths)

    @property
    def user(self) -> str:
        """What the target calls this person."""
        return self.identity.user if self.identity is not None else ""

    def chat(self, route: str = "main", catalog: Catalog | None = None, *, version: int = 2) -> Conversation:
        """A new conversation on a page of the target."""
        return Conversation(
            http=self.http,
            paths=self.stage.target.paths,
            model=self.stage.model,
            id=self.stage.new_conversation_id(),
            route=self.stage.target.route(route),
            catalog=catalog or Catalog(),
            version=version,
        )

    def tab(self, *, mode: str = "direct", variant: str = "", beside: Seat | None = None) -> Seat:
        """A seat in front of a tab of the target's own, not opened yet; it closes with the case.

        Args:
            mode: how the catalog is offered, `direct` or `meta`.
            variant: a variant of the target file's tab.
            beside: another tab, in whose browser this one is opened.
        """
        if self.session is None:
            raise Untested("identities", "a tab needs somebody in front of it")
        worker, instance = self.stage.worker, self.instance
        place = Place(instance.url if instance is not None else "", mode, variant)
        tab = worker.tabs.take(
            place,
            lambda: (instance or worker.instance).url,
            self.session,
            self.stage.transcript,
            beside.tab if beside is not None else None,
        )
        self.stage.on_close(lambda: worker.tabs.give_back(tab, keep_as=self.stage.kept_name))
        return Seat(tab, self.stage.model, self.stage.target)

    def with_session(self, session: Session | None) -> "Person":
        """The same client with another token, or with none."""
        return Person(self.stage, self.name, self.identity, session, self.instance)

    def at(self, instance: Instance) -> "Person":
        """The same person, with the same token, at another instance."""
        return Person(self.stage, self.name, self.identity, self.session, instance)


@dataclass
class People:
    """The identities of the target file, by what they may do. Each signs in once a case.

    Attributes:
        stage: the stage of the case.
        instance: the instance that they use, where it is not the one that all cases share.
    """

    stage: Stage
    instance: Instance | None = None
    _sessions: dict[str, Session] = field(default_factory=dict)

    @property
    def full(self) -> Person:
        """Somebody who may use every capability."""
        return self._by_rights(Rights.FULL, 0)

    @property
    def peer(self) -> Person:
        """Somebody else who may use every capability."""
        return self._by_rights(Rights.FULL, 1)

    @property
    def restricted(self) -> Person:
        """Somebody from whom some capabilities are hidden."""
        return self._by_rights(Rights.RESTRICTED, 0)

    @property
    def approver(self) -> Person:
        """Whoever may decide what `full` asked for, as the target file declares it."""
        return self.full if self.stage.target.approvers == "requester" else self.peer

    @property
    def outsider(self) -> Person:
        """Somebody with full rights who may not decide what `full` asked for."""
        return self.peer if self.stage.target.approvers == "requester" else self.full

    @property
    def nobody(self) -> Person:
        """A client without any token."""
        return Person(self.stage, "nobody", None, None, self.instance)

    def everybody(self) -> Iterator[Person]:
        """Every identity of the target file, signed in."""
        for name in self.stage.target.identities:
            yield self.named(name)

    def named(self, name: str) -> Person:
        """Sign an identity in by its name in the file."""
        identity = self.stage.target.identity(name)
        if name not in self._sessions:
            self._sessions[name] = sign_in(self.stage.http(instance=self.instance), identity)
        return Person(self.stage, name, identity, self._sessions[name], self.instance)

    def _by_rights(self, rights: Rights, index: int) -> Person:
        names = [name for name, identity in self.stage.target.identities.items() if identity.rights is rights]
        if len(names) <= index:
            raise Untested("identities", f"{index + 1} of them with rights = {rights.value!r}")
        return self.named(names[index])
