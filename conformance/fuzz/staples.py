"""What the target file's roles give a fuzzing run to work with: scripts that call them, and requests that come before."""

from conformance.fuzz.attempt import MARKER, Request, reference
from conformance.fuzz.description import json_bytes
from conformance.fuzz.scripts import PLAIN, calling
from conformance.target import Target, expand
from conformance.wire.chat import StepRequest, user_message

_CALLED = ("read", "write", "gated")


def scripts_of(target: Target) -> dict[str, str]:
    """Scripts by the role that the model calls in them, and one in which it only talks.

    What a role works on is a reference to an answer to `before_sequences`; in a request that stands alone it is nothing.
    """
    made = _made_by(target)
    scripts = {"answer": PLAIN}
    for name in _CALLED:
        role = target.roles.get(name)
        if role is not None:
            scripts[name] = calling(role.capability, expand(role.input, {"prepared": made.get(name, "")}))
    return scripts


def before_sequences(target: Target) -> tuple[Request, ...]:
    """The requests before each sequence: they make what the roles work on, and leave an approval and two threads."""
    scripts = scripts_of(target)
    route = next(iter(target.routes.values()), None)
    steps = []
    for number, name in enumerate(
        name for name in ("gated", "read") if name in scripts and route is not None
    ):
        step = StepRequest(
            conversation_id=f"fuzz-{number}",
            turn_id="1",
            step_index=0,
            messages=(user_message(MARKER),),
            pathname=route.pathname if route is not None else "/",
        )
        chat = target.paths.chat
        steps.append(
            Request(f"POST {chat}", "POST", chat, json_bytes(step.body()), "application/json", scripts[name])
        )
    return (*_preparing(target), *steps)


def _prepared_roles(target: Target) -> list[str]:
    return [name for name in _CALLED if name in target.roles and target.roles[name].prepare is not None]


def _made_by(target: Target) -> dict[str, str]:
    """What stands for the thing that a role works on, in the order of `_preparing`."""
    pointers = {}
    for index, name in enumerate(_prepared_roles(target)):
        prepare = target.roles[name].prepare
        if prepare is not None:
            pointers[name] = reference(index, f"/json{prepare.pick}")
    return pointers


def _preparing(target: Target) -> tuple[Request, ...]:
    requests = []
    for name in _prepared_roles(target):
        prepare = target.roles[name].prepare
        if prepare is not None:
            path = target.paths.rpc.replace("{procedure}", prepare.procedure)
            body = json_bytes({"json": prepare.input})
            requests.append(Request(f"POST {path}", "POST", path, body, "application/json"))
    return tuple(requests)
