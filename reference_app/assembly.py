"""Putting the application together: one place where every part is built from the settings and handed its neighbours."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from reference_app import identity
from reference_app.a2ui.desk import CardDesk
from reference_app.a2ui.store import InteractionStore
from reference_app.a2ui.tool import PresentTool
from reference_app.capabilities import LAB, PROCEDURES, policies
from reference_app.clock import Clock
from reference_app.database import METADATA, Database, embedded_url
from reference_app.domain.approval_store import ApprovalStore
from reference_app.domain.audit import AuditTrail
from reference_app.domain.decisions import Decisions
from reference_app.domain.pipeline import Bounds, Runtime, Services
from reference_app.domain.policy_book import PolicyBook
from reference_app.domain.registry import Registry
from reference_app.host import instructions, manifest
from reference_app.host.host import Host, HostConfig
from reference_app.host.host_tools import HostTool
from reference_app.host.memory import StepMemory
from reference_app.host.records import StepRecords
from reference_app.host.scope import LAB_ROUTE, ROUTES
from reference_app.host.threads import ThreadStore
from reference_app.identity import Directory, Tokens
from reference_app.ids import Ids
from reference_app.ledger import seed
from reference_app.ledger.tables import CLIENTS
from reference_app.runtime.loop import RunLimits
from reference_app.runtime.model import Model
from reference_app.runtime.providers import model_of
from reference_app.settings import Settings, Tunables


@dataclass(frozen=True)
class Parts:
    """The running application's parts.

    Attributes:
        settings: What it was started with.
        clock: The one source of time.
        directory: The people.
        tokens: Their tokens.
        runtime: The domain plane.
        decisions: Deciding about approvals.
        threads: Conversations.
        host: The agent host.
        database: Where everything is kept.
        cards: Presents and settles cards; None when the model is not offered any.
    """

    settings: Settings
    clock: Clock
    directory: Directory
    tokens: Tokens
    runtime: Runtime
    decisions: Decisions
    threads: ThreadStore
    host: Host
    database: Database
    cards: CardDesk | None

    @property
    def policies(self) -> PolicyBook:
        """The policies."""
        return self.runtime.services.policies

    @property
    def audit(self) -> AuditTrail:
        """The audit."""
        return self.runtime.services.audit

    @property
    def model_ids(self) -> tuple[str, ...]:
        """The models that a request may choose from; none when no provider is configured."""
        return () if self.settings.model is None else self.settings.model.model_ids

    async def reset(self) -> None:
        """Put everything back to how it started: data, people, policies, records and clock."""
        self.clock.reset()
        self.audit.forget()
        async with self.database.writing() as connection:
            for table in reversed(METADATA.sorted_tables):
                if table is not identity.SECRETS:
                    await connection.execute(delete(table))
            await _plant(connection, self.clock)


MakeHostTools = Callable[[Services], tuple[HostTool, ...]]
"""Makes the host's own tools from what the domain plane is built from."""


def no_host_tools(services: Services) -> tuple[HostTool, ...]:
    """A host without tools of its own."""
    del services
    return ()


@asynccontextmanager
async def assemble(settings: Settings, host_tools: MakeHostTools = no_host_tools) -> AsyncIterator[Parts]:
    """Build the application, and take it apart again at the end.

    Args:
        settings: What to start with.
        host_tools: Makes the host's own tools.

    Yields:
        Its parts, with a database that has its tables and its first rows.

    Raises:
        ReferenceAppError: The settings or the manifest cannot be used.
    """
    registry = build_registry(settings.demo_controls)
    contextual = _contextual(settings, registry)
    async with AsyncExitStack() as stack:
        database = Database(settings.database or embedded_url(_data_dir(settings, stack)))
        stack.push_async_callback(database.stop)
        clock = Clock()
        secret = await database.start(lambda connection: _prepare(connection, clock))
        model = model_of(settings.model) if settings.model is not None else None
        if model is not None:
            stack.push_async_callback(model.close)
        parts = _build(
            settings,
            registry=registry,
            contextual=contextual,
            database=database,
            clock=clock,
            secret=secret,
            model=model,
            host_tools=host_tools,
        )
        stack.push_async_callback(parts.audit.flush)
        stack.push_async_callback(parts.host.stop)
        yield parts


def build_registry(demo_controls: bool) -> Registry:
    """Every operation; the lab's only for demonstrations."""
    return Registry((*PROCEDURES, *LAB) if demo_controls else PROCEDURES)


def _build(
    settings: Settings,
    *,
    registry: Registry,
    contextual: tuple[str, ...],
    database: Database,
    clock: Clock,
    secret: str,
    model: Model | None,
    host_tools: MakeHostTools,
) -> Parts:
    tunables = settings.tunables
    optional = policies.OPTIONAL if settings.demo_controls else ()
    services = Services(
        registry=registry,
        policies=PolicyBook(policies.STANDING, optional, database if settings.demo_controls else None),
        database=database,
        clock=clock,
        ids=Ids(tunables.id_seed if tunables.id_seed >= 0 else None),
        audit=AuditTrail(database, clock),
        approvals=ApprovalStore(database),
        bounds=_bounds(tunables),
    )
    runtime = Runtime(services)
    steps = StepRecords(database, clock, tunables.step_memory)
    threads = ThreadStore(database, clock, tunables.threads_kept)
    cards = _card_desk(database, clock, tunables) if settings.a2ui else None
    own_tools = (*host_tools(services), *_card_tools(cards, tunables))
    config = replace(_host_config(settings, contextual), host_tools=own_tools)
    return Parts(
        settings=settings,
        clock=clock,
        directory=Directory(database),
        tokens=Tokens(tunables.session_secret or secret),
        runtime=runtime,
        decisions=Decisions(runtime),
        threads=threads,
        host=Host(config, model, runtime, steps, StepMemory(database, steps, threads)),
        database=database,
        cards=cards,
    )


def _card_desk(database: Database, clock: Clock, tunables: Tunables) -> CardDesk:
    # Never from a seed: a process must not take its predecessor's cards for its own.
    boot_id = Ids().uuid("boot")
    return CardDesk(InteractionStore(database), clock, boot_id, tunables.a2ui_deadline)


def _card_tools(cards: CardDesk | None, tunables: Tunables) -> tuple[HostTool, ...]:
    return () if cards is None else (PresentTool(cards, tunables.a2ui_payload_limit),)


def _bounds(tunables: Tunables) -> Bounds:
    return Bounds(
        tool_timeout=tunables.tool_timeout,
        policy_timeout=tunables.policy_timeout,
        discovery_budget=tunables.discovery_budget,
        approval_ttl=tunables.approval_ttl,
    )


def _host_config(settings: Settings, contextual: tuple[str, ...]) -> HostConfig:
    tunables = settings.tunables
    return HostConfig(
        model_ids=settings.model.model_ids if settings.model is not None else (),
        limits=RunLimits(
            model_steps=tunables.model_steps,
            silence=tunables.model_silence,
            deadline=tunables.run_deadline,
            output=tunables.model_output_limit,
        ),
        routes=(*ROUTES, LAB_ROUTE) if settings.demo_controls else ROUTES,
        contextual=contextual,
        instructions=instructions.STANDARD if tunables.instructions == "standard" else "",
        backlog=tunables.inspector_backlog,
    )


def _contextual(settings: Settings, registry: Registry) -> tuple[str, ...]:
    path = Path(settings.tunables.manifest) if settings.tunables.manifest else None
    rules = manifest.ManifestRules(registry, policies.is_gated)
    return manifest.check_manifest(manifest.read_manifest(path), rules)


def _data_dir(settings: Settings, stack: AsyncExitStack) -> Path:
    if settings.data_dir is None:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reference-app-")))
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    return settings.data_dir


async def _prepare(connection: AsyncConnection, clock: Clock) -> str:
    """Fill an empty database, and return the key that its session tokens are signed with."""
    if (await connection.execute(select(CLIENTS.c.id).limit(1))).first() is None:
        await _plant(connection, clock)
    return await identity.session_secret(connection)


async def _plant(connection: AsyncConnection, clock: Clock) -> None:
    await seed.plant(connection, clock.today())
    await identity.plant(connection)
