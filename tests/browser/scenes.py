"""Scenes: a script, the screen on which it is played, and what a person does there before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fake_model import Script, call, say, script, status, step

PENDING = "/receivables/pending"
CLIENTS = "/receivables/clients"
CHASE = "domain:update-collection-status"


@dataclass(frozen=True)
class Scene:
    """A script, where it is played, and what a person does before."""

    name: str
    script: Callable[[], Script]
    route: str = PENDING
    user: str = "carla"
    acts: tuple[tuple[str, dict[str, Any]], ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    mode: str = "direct"


def calling(*calls: Any) -> Callable[[], Script]:
    """A script that makes calls one step after the other and ends."""
    return lambda: script(*[step(made) for made in calls], step(say("Done."), asked=None))


def view(name: str, given: Any = None) -> Any:
    """A call to a view capability."""
    return call(f"view:{name}", given, offered=False)


OPEN_CHASE = (("open-chase", {"key": "16"}),)
SCENES = (
    Scene("offered on the pending screen", calling()),
    Scene("offered on the ledger", calling(), route="/receivables/all"),
    Scene("offered on the clients' screen", calling(), route=CLIENTS),
    Scene("offered on the about page", calling(), route="/about"),
    Scene("offered with the dialog open", calling(), acts=OPEN_CHASE),
    Scene("offered to an analyst", calling(), user="ada", acts=OPEN_CHASE),
    Scene("offered in the lab", calling(), route="/lab", settings={"lab": "on"}),
    Scene(
        "readings",
        calling(
            *[
                view(f"invoices.pending.{name}")
                for name in ("readState", "readFilters", "readColumns", "readColumnFilters", "readSelection")
            ]
        ),
        route=f"{PENDING}?due=overdue&sort=amount.asc&selected=16,99,3&q=p",
    ),
    Scene(
        "filters",
        calling(
            view("invoices.pending.setFilters", {"due": "current", "q": "OKA"}),
            view("invoices.pending.setColumnFilters", {"amount": "5000,", "due_date": ",2027-12-31"}),
            view("invoices.pending.readState"),
            view("invoices.pending.clearFilters"),
            view("invoices.pending.readFilters"),
        ),
    ),
    Scene(
        "columns",
        calling(
            view("invoices.pending.setColumnVisibility", {"id": "segment", "hidden": True}),
            view("invoices.pending.moveColumn", {"id": "amount", "direction": "left"}),
            view("invoices.pending.readColumns"),
            view("invoices.pending.moveColumn", {"id": "reference", "direction": "left"}),
        ),
    ),
    Scene(
        "selection",
        calling(
            view("invoices.pending.clearSelection"),
            view("invoices.pending.selectRows", {"ids": [16, 18]}),
            view("invoices.pending.readSelection"),
            view("invoices.pending.selectRows", {"ids": [16, 999]}),
            view("invoices.pending.clearSelection"),
            view("invoices.pending.readSelection"),
        ),
    ),
    Scene(
        "refused inputs",
        calling(
            view("invoices.pending.setFilters", {"colour": "red", "q": 7}),
            view("invoices.pending.sort", {"direction": "up"}),
            view("invoices.pending.sort", {"key": "colour"}),
        ),
    ),
    Scene(
        "order",
        calling(
            view("invoices.pending.sort", {"key": "client_name", "direction": "asc"}),
            view("invoices.pending.readState"),
            view("invoices.pending.sort", {"key": None}),
            view("invoices.pending.readState"),
        ),
    ),
    Scene(
        "navigation",
        calling(
            view("app.navigation.readCurrentRoute"),
            view("app.navigation.goTo", {"path": "/nowhere"}),
            view("app.navigation.goTo", {"path": "/receivables/all"}),
            view("app.navigation.readCurrentRoute"),
            view("invoices.pending.readState"),
            view("invoices.all.readState"),
        ),
    ),
    Scene("session", calling(view("app.session.read")), user="ada"),
    Scene(
        "a chase",
        calling(
            call(CHASE, {"remindersSent": 9}),
            call(CHASE, {"invoiceId": 16, "remindersSent": 9}),
            call(CHASE, {"remindersSent": 900}),
            call(CHASE, {"note": None, "expectedPaymentDate": "2027-01-31"}),
            view("collections.chase.readDraft"),
            view("collections.chase.discardDraft"),
        ),
        acts=(*OPEN_CHASE, ("type-note", {"text": "Typed."})),
        settings={"confirmation_ttl_ms": "60"},
    ),
    Scene(
        "a chase that the model opens",
        calling(
            call(CHASE, {"remindersSent": 9}),
            view("invoices.pending.setFilters", {"chase": "16"}),
            call(CHASE, {"remindersSent": 9}),
            view("invoices.pending.setFilters", {"chase": ""}),
            call(CHASE, {"remindersSent": 8}),
        ),
    ),
    Scene("a chase by an analyst", calling(call(CHASE, {"remindersSent": 9}, offered=False)), user="ada"),
    Scene(
        "two cards",
        calling(
            call("view:clients.card.showClient@left", {"clientId": 2}),
            call("view:clients.card.readCard@left"),
            call("view:clients.card.showClient@right", {"clientId": 77}),
            call("view:clients.card.clearCard@right"),
        ),
        route=CLIENTS,
    ),
    Scene(
        "one card",
        calling(call("view:clients.card.readCard"), call("view:clients.card.clearCard")),
        route=f"{CLIENTS}?right=3",
        acts=(("close-card", {"side": "left"}),),
    ),
    Scene(
        "the bench",
        calling(
            *[
                view(f"lab.bench.{name}", given)
                for name, given in (
                    ("bump", {"by": 2}),
                    ("readCount", None),
                    ("readBroken", None),
                    ("readHuge", None),
                    ("bump", {"by": 0}),
                )
            ]
        ),
        route="/lab",
        settings={"lab": "on"},
    ),
    Scene(
        "the bench refuses and crashes",
        calling(view("lab.bench.refuse"), view("lab.bench.crash"), view("lab.bench.leaveWhileRunning")),
        route="/lab",
        settings={"lab": "on"},
    ),
    Scene(
        "the bench takes too long",
        calling(view("lab.bench.hold"), view("lab.bench.holdAgain"), view("lab.bench.readSlowly")),
        route="/lab",
        settings={"lab": "on", "action_timeout_ms": "40", "observation_timeout_ms": "30"},
    ),
    Scene(
        "a question that nobody answers",
        calling(view("lab.bench.bumpWhenAsked", {"by": 3}), view("lab.bench.readCount")),
        route="/lab",
        settings={"lab": "on", "confirmation_ttl_ms": "50"},
    ),
    Scene(
        "a question handed to the model",
        calling(view("lab.bench.bumpWhenAsked", {"by": 3})),
        route="/lab",
        settings={"lab": "on", "confirmations": "two-phase"},
    ),
    Scene("the same failure again and again", calling(*[view("invoices.pending.sort", {"key": "x"})] * 4)),
    Scene(
        "failure after failure",
        calling(*[view("invoices.pending.sort", {"key": key}) for key in "abcde"]),
    ),
    Scene(
        "meta mode",
        calling(
            call("surface_discover", {}),
            call("surface_discover", {"scope": ["clients", "invoices"]}),
            call("surface_discover", {"scope": ["lab"]}),
            call("surface_read", {"capabilityId": "view:app.session.read"}),
            call("surface_act", {"capabilityId": "view:invoices.pending.setFilters", "input": '{"q":"OKA"}'}),
            call("surface_read", {"capabilityId": "view:invoices.pending.readState"}),
        ),
        mode="meta",
    ),
    Scene(
        "meta mode, envelopes",
        calling(
            call("surface_read", {"instanceId": ""}),
            call("surface_act", {"capabilityId": CHASE, "colour": "red", "input": []}),
            call("surface_discover", {"scope": "invoices"}),
        ),
        mode="meta",
        acts=OPEN_CHASE,
    ),
    Scene(
        "meta mode, cards",
        calling(
            call("surface_read", {"capabilityId": "view:clients.card.readCard"}),
            call("surface_read", {"capabilityId": "view:clients.card.readCard", "instanceId": "left"}),
            call("surface_act", {"capabilityId": "view:nothing.here.goOn", "input": {}}),
            call("surface_act", {"capabilityId": "domain:issue-invoice", "input": {"id": 9}}),
        ),
        mode="meta",
        route=CLIENTS,
    ),
    Scene(
        "meta mode, a chase",
        calling(
            call("surface_act", {"capabilityId": CHASE}),
            call("surface_act", {"capabilityId": CHASE, "input": {"invoiceId": 3}}),
            call("surface_act", {"capabilityId": CHASE, "input": {"remindersSent": 6}}),
        ),
        mode="meta",
        acts=OPEN_CHASE,
    ),
)

SCENES_FOR_FAULTS = (
    Scene("a guess at the bound value", calling(call(CHASE, {"invoiceId": 16})), acts=OPEN_CHASE),
    Scene(
        "a chase of another row",
        calling(call(CHASE, {"remindersSent": 9})),
        acts=(("open-chase", {"key": "17"}),),
    ),
    Scene(
        "an own note",
        calling(call(CHASE, {"note": "Mine."})),
        acts=(*OPEN_CHASE, ("type-note", {"text": "Yours."})),
    ),
    Scene("a field too many", calling(call(CHASE, {"colour": "red"})), acts=OPEN_CHASE),
    Scene(
        "drafts",
        calling(view("invoices.all.setFilters", {"q": "a"}), call("domain:list-invoices", {"kind": "draft"})),
        route="/receivables/all",
    ),
    Scene(
        "drafts and a chase",
        calling(
            call(CHASE, {"remindersSent": 1}),
            view("app.navigation.goTo", {"path": "/receivables/all"}),
            call("view:invoices.all.readState"),
        ),
        acts=OPEN_CHASE,
    ),
    Scene(
        "a payment", calling(call("domain:mark-invoice-paid", {"id": 16}), view("invoices.pending.readState"))
    ),
    Scene("an approval", calling(call("domain:issue-invoice", {"id": 9}), view("app.session.read"))),
    Scene(
        "leaving in one message",
        lambda: script(
            step(
                view("app.navigation.goTo", {"path": CLIENTS}),
                view("invoices.pending.setFilters", {"q": "PIN"}),
            ),
            step(say("Done."), asked=None),
        ),
    ),
    Scene(
        "too much in one message",
        lambda: script(
            step(*[view("invoices.pending.sort", {"key": "x"})] * 5), step(say("Done."), asked=None)
        ),
    ),
    Scene(
        "nobody answers",
        calling(view("lab.bench.bumpWhenAsked", {"by": 3})),
        route="/lab",
        settings={"lab": "on", "confirmation_ttl_ms": "700"},
    ),
    Scene("aimed with a scope", calling(call("surface_discover", {"scope": ["clients"]})), mode="meta"),
    Scene(
        "hidden and called",
        calling(call("surface_act", {"capabilityId": CHASE, "input": {"remindersSent": 3}})),
        mode="meta",
        user="ada",
        acts=OPEN_CHASE,
    ),
    Scene(
        "which card",
        calling(call("surface_read", {"capabilityId": "view:clients.card.readCard"})),
        mode="meta",
        route=f"{CLIENTS}?left=1",
    ),
    Scene("a narrower look", calling(call("surface_discover", {"scope": ["app"]})), mode="meta"),
    Scene(
        "to the clients",
        calling(view("app.navigation.goTo", {"path": CLIENTS}), view("clients.list.readFilters")),
    ),
    Scene(
        "a dialog for what is not shown",
        calling(call(CHASE, {"remindersSent": 2}, offered=False)),
        route=f"{PENDING}?due=current&chase=16",
    ),
    Scene(
        "a typed note",
        calling(call(CHASE, {"remindersSent": 2})),
        acts=(*OPEN_CHASE, ("type-note", {"text": "Typed."})),
    ),
    Scene(
        "discovery twice",
        calling(
            call("surface_discover", {}),
            call(
                "surface_act", {"capabilityId": "view:invoices.pending.setFilters", "input": {"chase": "16"}}
            ),
            call("surface_discover", {}),
        ),
        mode="meta",
    ),
    Scene(
        "reading an action",
        calling(call("surface_read", {"capabilityId": "view:invoices.pending.clearFilters"})),
        mode="meta",
        route=f"{PENDING}?due=overdue",
    ),
    Scene("a model that fails", lambda: script(step(status(400)))),
    Scene(
        "more steps than a turn may have",
        calling(*[view("app.session.read")] * 3),
        settings={"turn_steps": "2"},
    ),
)
