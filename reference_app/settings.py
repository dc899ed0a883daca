"""What can be set from outside: command line, ``--setting name=value`` and the environment, validated in one place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from reference_app.errors import SettingsError


@dataclass(frozen=True)
class Provider:
    """A wire format to a model, and how the environment configures it.

    Attributes:
        address: The variable with the provider's address, without the path of the format.
        key: The variable with the credential.
        model: The model when ``MODEL_ID`` names none.
    """

    address: str
    key: str
    model: str


PROVIDERS: Mapping[str, Provider] = {
    "openai-chat": Provider("OPENAI_BASE_URL", "OPENAI_API_KEY", "gpt-4.1"),
    "openai-responses": Provider("OPENAI_BASE_URL", "OPENAI_API_KEY", "gpt-4.1"),
    "anthropic": Provider("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "claude-opus-4-8"),
}
"""The model providers that ``MODEL_PROVIDER`` may name; the first is the default."""


@dataclass(frozen=True)
class Tunables:
    """Everything that ``--setting name=value`` reaches; times are in seconds.

    Attributes:
        approval_ttl: How long an approval can be decided.
        model_silence: How long the model may stay silent within a run.
        run_deadline: How long one POST to ``/agent/chat`` may run altogether.
        tool_timeout: How long one operation may run.
        policy_timeout: How long all policies of one evaluation may take together.
        discovery_budget: How long composing one catalog may take.
        step_memory: How long a step that ran is remembered, so that posting it again runs nothing.
        shutdown_grace: How long open connections may finish when the process is asked to stop.
        model_steps: The most model requests in one POST.
        model_output_limit: The most characters that one model reply may have.
        body_limit: The largest request body, in bytes.
        inspector_backlog: The most inspector frames that wait for a slow reader.
        threads_kept: The most threads that are kept for a person.
        instructions: ``standard``, or ``none`` to send the model no instructions at all.
        session_secret: The key of the session cookie; minted and kept in the database when it is empty.
        manifest: Another contextual manifest than the one that the page's contracts carry.
        id_seed: Makes identifiers repeat from run to run; negative for random ones.
        a2ui_deadline: How long a card can be answered.
        a2ui_payload_limit: The most bytes of a card's template, and of the body of a submission.
        a2ui_authority: ``loopback``, or ``trusted-host`` to let further hosts reach the cards.
        a2ui_trusted_hosts: These hosts, separated by commas; with a port exactly that one, without one any.
    """

    approval_ttl: float = 900.0
    model_silence: float = 45.0
    run_deadline: float = 300.0
    tool_timeout: float = 30.0
    policy_timeout: float = 5.0
    discovery_budget: float = 30.0
    step_memory: float = 86_400.0
    shutdown_grace: float = 3.0
    model_steps: int = 5
    model_output_limit: int = 1_000_000
    body_limit: int = 16 * 1024 * 1024
    inspector_backlog: int = 200
    threads_kept: int = 50
    instructions: str = "standard"
    session_secret: str = ""
    manifest: str = ""
    id_seed: int = -1
    a2ui_deadline: float = 600.0
    a2ui_payload_limit: int = 65_536
    a2ui_authority: str = "loopback"
    a2ui_trusted_hosts: str = ""


@dataclass(frozen=True)
class ModelSettings:
    """Which model provider is used, and where.

    Attributes:
        provider: One of :data:`PROVIDERS`.
        base_url: The provider's address, or None for the SDK's own.
        api_key: The credential, or None when the environment gives none.
        model_ids: The models that a request may choose from; the first is the default.
    """

    provider: str
    base_url: str | None
    api_key: str | None = field(repr=False)
    model_ids: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """One start of the application.

    Attributes:
        host: The address to listen on.
        port: The port to listen on, 0 for a free one.
        database: A SQLAlchemy URL, or None for an embedded SQLite file.
        data_dir: Where the embedded file lives, or None for a temporary folder.
        demo_controls: Whether reset, clock, role and policy controls and the lab exist.
        a2ui: Whether the model is offered cards.
        faults: The deliberate faults to switch on, by name.
        tunables: Everything that ``--setting`` reaches.
        model: The model provider, or None when the environment configures none.
    """

    host: str = "127.0.0.1"
    port: int = 0
    database: str | None = None
    data_dir: Path | None = None
    demo_controls: bool = False
    a2ui: bool = False
    faults: tuple[str, ...] = ()
    tunables: Tunables = Tunables()
    model: ModelSettings | None = None


def parse_tunables(assignments: Iterable[str]) -> Tunables:
    """Read ``name=value`` assignments, later ones winning.

    Raises:
        SettingsError: An assignment has no ``=``, names no setting, or its value has the wrong type.
    """
    tunables = Tunables()
    types = {item.name: type(getattr(tunables, item.name)) for item in fields(Tunables)}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise SettingsError(f"--setting {assignment!r} has no '='; write name=value.")
        if name not in types:
            raise SettingsError(f"There is no setting {name!r}{nearest(name, types)}.")
        try:
            tunables = replace(tunables, **{name: types[name](value)})
        except ValueError as problem:
            raise SettingsError(f"Setting {name} must be {types[name].__name__}, not {value!r}.") from problem
    return tunables


def model_from_environment(environment: Mapping[str, str]) -> ModelSettings | None:
    """Find the model provider that the environment configures.

    Reads ``MODEL_PROVIDER``, ``MODEL_ID`` (several are separated by commas) and the provider's own two variables.

    Returns:
        The provider, or None when neither an address nor a key is given.

    Raises:
        SettingsError: ``MODEL_PROVIDER`` names an unknown provider.
    """
    name = environment.get("MODEL_PROVIDER") or next(iter(PROVIDERS))
    if name not in PROVIDERS:
        raise SettingsError(f"MODEL_PROVIDER {name!r} is not known; use {', '.join(PROVIDERS)}.")
    provider = PROVIDERS[name]
    base_url = environment.get(provider.address) or None
    api_key = environment.get(provider.key) or None
    if base_url is None and api_key is None:
        return None
    named = tuple(name.strip() for name in environment.get("MODEL_ID", "").split(",") if name.strip())
    return ModelSettings(name, base_url, api_key, named or (provider.model,))


def nearest(name: str, names: Iterable[str]) -> str:
    """Words that point at the names most like one that does not exist, or nothing."""
    close = difflib.get_close_matches(name, list(names), n=3, cutoff=0.4)
    return f"; nearest: {', '.join(close)}" if close else ""
