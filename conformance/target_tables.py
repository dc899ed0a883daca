"""The tables of a target file, one frozen value each; an unknown key is an error."""

import enum
import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    model_validator,
)

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$")]
Pointer = Annotated[str, StringConstraints(pattern=r"^(/([^~/]|~[01])*)*$")]
Seconds = Annotated[float, Field(gt=0)]
UrlPath = Annotated[str, StringConstraints(pattern=r"^/")]
ProviderName = Literal["openai-chat", "openai-responses", "anthropic"]
CapabilityId = Annotated[str, StringConstraints(pattern=r"^(view|domain):.+$")]


class Part(BaseModel):
    """Base of every table of the file: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _pattern(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return value


class Ready(Part):
    """How the suite knows that a started target accepts connections: by a line that it prints, or by an answering path."""

    stdout: Annotated[str, AfterValidator(_pattern)] | None = Field(
        default=None,
        description="A regular expression, searched in each line; its group `url`, if it has one, is the address.",
    )
    path: UrlPath | None = Field(
        default=None, description="A path that answers below 500 once the target is ready."
    )
    within: Seconds = Field(default=20, description="Deadline in seconds.")

    @model_validator(mode="after")
    def _one_way(self) -> "Ready":
        if self.stdout is None and self.path is None:
            raise ValueError("needs `stdout` or `path`")
        return self


class Variant(Part):
    """The same target started another way: more arguments, other environment."""

    args: tuple[str, ...] = ()
    env: Mapping[str, str] = Field(default_factory=dict)


class Launch(Part):
    """How to start the target. `{python}`, `{port}`, `{folder}` (a private, empty folder) and `{model_url}` are filled in."""

    command: Annotated[tuple[str, ...], Field(min_length=1)]
    env: Mapping[str, str] = Field(default_factory=dict)
    cwd: str | None = Field(
        default=None, description="Where it runs, from the folder of this file; by default there."
    )
    ready: Ready
    fault: tuple[str, ...] = Field(
        default=(), description="Arguments that switch a deliberate fault on; `{fault}` is its name."
    )
    variants: Mapping[Name, Variant] = Field(default_factory=dict)


class Connect(Part):
    """A target that runs already; it is driven serially."""

    url: Annotated[str, StringConstraints(pattern=r"^https?://[^/]+/?$")]


class SideCall(Part):
    """A call that the target makes on its own account (a thread title, moderation), what tells it, and its answer."""

    name: Name
    say: str = Field(description="The answer, as the model's text.")
    path: str | None = Field(default=None, description="The end of the request's path.")
    model: str | None = Field(default=None, description="The model that the request names.")
    system: str | None = Field(default=None, description="The first system text, the whole of it.")
    offers_tools: bool | None = Field(default=None, description="Whether the request offers tools.")

    @model_validator(mode="after")
    def _told_by_something(self) -> "SideCall":
        if self.path is None and self.model is None and self.system is None and self.offers_tools is None:
            raise ValueError("needs one of path, model, system and offers_tools to be told by")
        return self


class Model(Part):
    """Where the target looks for its model: `{model_url}` in its environment is the fake model's address."""

    provider: ProviderName = "openai-chat"
    env: Mapping[str, str] = Field(default_factory=dict)
    providers: Mapping[ProviderName, Mapping[str, str]] = Field(
        default_factory=dict,
        description="More environment for each wire format that the target can speak to its model.",
    )
    side_calls: tuple[SideCall, ...] = ()


class HttpCall(Part):
    """One request, as data. Placeholders in `{braces}` are filled in where the key's description names them."""

    method: Literal["GET", "POST", "PUT", "DELETE"] = "POST"
    path: UrlPath
    body: JsonValue = None
    headers: Mapping[str, str] = Field(default_factory=dict)


class Paths(Part):
    """Where the parts of the protocol live."""

    chat: UrlPath = "/agent/chat"
    rpc: UrlPath = Field(default="/rpc/{procedure}", description="`{procedure}` is the procedure's id.")
    session: UrlPath | None = "/api/session"
    approvals: UrlPath | None = None
    threads: UrlPath | None = None
    health: UrlPath | None = None
    openapi: UrlPath | None = None
    audit: UrlPath | None = Field(
        default=None, description="The caller's own audit: a list of events with `type` and `capabilityId`."
    )


class Controls(Part):
    """What a test installation can be told to do; every one is optional."""

    reset: HttpCall | None = Field(default=None, description="Put all data back to the start.")
    freeze_clock: HttpCall | None = Field(
        default=None, description="Stop the clock at `{now}`, an ISO 8601 instant."
    )
    advance_clock: HttpCall | None = Field(
        default=None, description="Move the stopped clock on by `{seconds}`."
    )
    change_rights: HttpCall | None = Field(
        default=None,
        description="Give the person `{user}` the rights `{rights}` (the identity's `user` and `rights_value`).",
    )
    disable_policy: HttpCall | None = Field(
        default=None, description="Switch the policy `{name}` off or on (`{enabled}`)."
    )


class Timers(Part):
    """The target's own deadlines in seconds, so that no case waits for one that it could ask for."""

    approval_ttl: Seconds | None = None
    model_silence: Seconds | None = None
    tool_timeout: Seconds | None = None
    a2ui_deadline: Seconds | None = None


class Rights(enum.StrEnum):
    """What an identity may do, as far as cases care."""

    FULL = "full"
    RESTRICTED = "restricted"


class Token(Part):
    """How a signed-in person is recognised, so that the suite can mutate the token where it matters."""

    kind: Literal["cookie", "bearer"] = "cookie"
    name: str = "session"
    scheme: Literal["payload.signature", "jwt", "opaque"] = "opaque"
    default_secret: str | None = Field(
        default=None, description="A published default of the signing secret, if there is one."
    )


class Identity(Part):
    """One person who can sign in."""

    rights: Rights
    user: str = Field(
        default="", description="What the target calls this person, in approvals and in controls."
    )
    rights_value: str = Field(
        default="", description="What the target calls these rights, for `controls.change_rights`."
    )
    sign_in: HttpCall
    token: Token = Field(default_factory=Token)


class Route(Part):
    """A page of the application, as the chat step's `pathname` names it."""

    pathname: UrlPath
    scope: tuple[str, ...] = Field(default=(), description="The scope floor there; empty is unscoped.")


class Read(Part):
    """One read whose answer, together with the others', is all that a case looks at to see whether data moved."""

    procedure: str
    input: JsonValue = Field(default_factory=dict)


class Prepare(Part):
    """How to make the thing that a role works on: a call, and a pointer into its answer that becomes `{prepared}`."""

    procedure: str
    input: JsonValue = Field(default_factory=dict)
    pick: Pointer = "/id"


class Change(Part):
    """What somebody else does to the thing that a role works on, between two moments of a case."""

    procedure: str
    input: JsonValue = Field(default_factory=dict)


class Effect(Part):
    """Where one execution shows: the value at `at` in a read, once `find` has picked the row."""

    read: str
    find: Mapping[str, JsonValue] = Field(default_factory=dict)
    at: Pointer = ""


class Role(Part):
    """What one of the target's capabilities is for in the cases. `{prepared}` is filled into the inputs."""

    capability: CapabilityId
    procedure: str = Field(default="", description="Its id at /rpc; by default what follows the plane.")
    input: JsonValue = Field(default_factory=dict)
    other_input: JsonValue = Field(default=None, description="A second valid input that has another effect.")
    invalid_input: JsonValue = Field(default=None, description="An input that validation refuses.")
    failing_input: JsonValue = Field(
        default=None, description="A valid input that the operation itself refuses."
    )
    prepare: Prepare | None = None
    effect: Effect | None = None
    change: Change | None = Field(
        default=None, description="Changes what `{prepared}` names, without using it up."
    )
    removal: Change | None = Field(default=None, description="Takes away what `{prepared}` names.")
    tag: str = Field(default="", description="The scope token that offers it, where scopes are used.")
    route: Name = Field(default="main", description="The route on which it is offered.")
    canary: str = Field(default="", description="A text that the handler knows and that no answer may carry.")
    withheld: str = Field(
        default="", description="A text in the output that the page reads and no model may read."
    )

    @model_validator(mode="after")
    def _default_procedure(self) -> "Role":
        if not self.procedure:
            object.__setattr__(self, "procedure", self.capability.partition(":")[2])
        return self


class Act(Part):
    """Something that a person does on a screen, by the name that the tab knows it under."""

    name: str
    args: Mapping[str, JsonValue] = Field(default_factory=dict)


class ViewCall(Part):
    """A call to a view capability."""

    capability: CapabilityId
    input: JsonValue = Field(default_factory=dict)


class ViewRole(Part):
    """A view capability, or a procedure bound by a component, and how to bring its component about."""

    capability: CapabilityId
    route: Name = Field(default="", description="The route on which its component is mounted.")
    input: JsonValue = Field(default_factory=dict)
    other_input: JsonValue = None
    invalid_input: JsonValue = Field(default=None, description="An input that its schema refuses.")
    refused_input: JsonValue = Field(
        default=None, description="An input that fits its schema and that the component refuses."
    )
    instances: tuple[str, ...] = Field(
        default=(), description="Where several components of its kind are mounted: their instance ids."
    )
    rows: Pointer = Field(
        default="", description="For an observation: pointer to the rows on the screen, in its output."
    )
    row_key: Pointer = Field(default="/id", description="Pointer to the key of such a row.")
    canary: str = Field(default="", description="A text that its handler knows and that no answer may carry.")
    enable: tuple[Act, ...] = Field(default=(), description="What a person does to make it available.")
    enable_call: ViewCall | None = Field(
        default=None, description="The view capability that makes it available."
    )
    disable: tuple[Act, ...] = Field(
        default=(), description="What a person does to make it unavailable again."
    )
    rebind: tuple[Act, ...] = Field(
        default=(), description="What a person does to bind it to something else."
    )
    out_of_reach: ViewCall | None = Field(
        default=None,
        description="What a model could call to have it bound to `rebound_find` while the screen does not show that.",
    )
    hide_target: tuple[Act, ...] = Field(
        default=(), description="What a person does so that the screen shows `rebound_find` no more."
    )
    bound: tuple[str, ...] = Field(default=(), description="Keys that the component fills in.")
    locked: tuple[str, ...] = Field(default=(), description="Bound keys that the model may not fill in.")
    overridable: tuple[str, ...] = Field(
        default=(), description="Bound keys that the model may fill in itself."
    )
    overriding_input: JsonValue = Field(default=None, description="An input that fills one of those in.")
    override_default: tuple[Act, ...] = Field(
        default=(), description="What a person does so that the component has a value of its own for it."
    )
    override_at: Pointer = Field(default="", description="Pointer in the row to what they change.")
    confirm: tuple[Act, ...] = Field(
        default=(), description="What a person does so that calls to it have to be confirmed."
    )
    target_read: str = Field(
        default="", description="The read (a name under `reads`) that shows what was written."
    )
    target_find: Mapping[str, JsonValue] = Field(
        default_factory=dict, description="Picks the row bound by `enable`."
    )
    rebound_find: Mapping[str, JsonValue] = Field(
        default_factory=dict, description="Picks the row bound by `rebind`."
    )
    at: Pointer = Field(default="", description="Pointer in that row to what `input` changes.")


class Tab(Part):
    """The target's own headless tab. `{python}` and `{base_url}` are filled in."""

    command: Annotated[tuple[str, ...], Field(min_length=1)]
    env: Mapping[str, str] = Field(default_factory=dict)
    fault: tuple[str, ...] = ()
    modes: Mapping[Name, tuple[str, ...]] = Field(
        default_factory=dict, description="Arguments for `direct` and `meta`."
    )
    variants: Mapping[Name, tuple[str, ...]] = Field(
        default_factory=dict,
        description="More arguments for tabs of another temper: `impatient` has short time-outs, `two_phase` hands "
        "a confirmation to the model instead of waiting for it.",
    )
    within: Seconds = 15
    acts: Mapping[Name, Act] = Field(default_factory=dict, description="Named things a person does there.")


class Inventory(Part):
    """What `dualplane inventory` needs beyond the rest of the file; every key is optional."""

    domain: tuple[str, ...] = Field(
        default=(),
        description="A command that prints the domain snapshot on standard output; `{python}` is filled in.",
    )
    routes: tuple[Name, ...] = Field(
        default=(), description="Routes on which is observed what is offered; empty means every one."
    )
    leave_out: tuple[str, ...] = Field(
        default=(),
        description="Ids, `*` allowed, of what exists only for tests and stays out of the inventories.",
    )


class Limits(Part):
    """What the suite allows itself against this target."""

    deadline: Seconds = Field(
        default=10, description="How long one answer may take before that is a finding."
    )
    step_deadline: Seconds = Field(
        default=30, description="How long one chat step may take from its first byte to its last."
    )
    requests_per_second: float = Field(default=0, ge=0, description="0 is unlimited.")
    max_requests: int = Field(default=0, ge=0, description="0 is unlimited.")


class Departure(Part):
    """A known difference, kept in the target file where people who read it will see it."""

    requirement: str
    reason: Annotated[str, StringConstraints(min_length=5)]
