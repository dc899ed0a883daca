"""What is on record about a capability, as labelled texts in a fixed order: for people to read, and to be bound by approvals."""

from collections.abc import Iterable, Iterator

from conformance.inventory.canonical import canonical
from conformance.inventory.finding import Facts
from conformance.inventory.model import Approval, Capability, Retry, State


def facts_of(capability: Capability) -> Facts:
    """Return every fact that is on record; what is not has no line."""
    return tuple((label, text) for label, text in _facts(capability) if text)


def exact_text(capability: Capability) -> str:
    """Return everything on record as one text that differs whenever anything does."""
    return canonical([capability.id, *facts_of(capability)])


def _facts(capability: Capability) -> Iterator[tuple[str, str]]:
    yield "description", capability.description or ""
    yield "kind", capability.kind
    yield "effect", capability.effect or ""
    yield "risk", capability.risk or ""
    yield "exposed on", _listed(capability.surfaces)
    yield "built for", _listed(capability.targets)
    yield "names", ", ".join(f"{named.where}: {named.name}" for named in capability.names)
    yield "approval", _approval(capability.approval)
    yield "confirmation", capability.confirmation or ""
    yield "policies", ", ".join(str(policy) for policy in capability.policies)
    yield "redacted", _listed(capability.redacted)
    yield "idempotent", _yes_no(capability.idempotent)
    yield "retry", retry_text(capability.retry)
    yield "time-out", "" if capability.timeout_ms is None else f"{canonical(capability.timeout_ms)} ms"
    yield "tags", _listed(capability.tags)
    yield "state", _state(capability.state)
    yield "input", capability.input.text if capability.input else ""
    yield "output", capability.output.text if capability.output else ""
    yield "declared in", capability.declaration
    yield "origin", capability.origin or ""
    for unknown in capability.unknown:
        yield unknown.field, unknown.text


def _listed(items: Iterable[str]) -> str:
    return ", ".join(sorted(items))


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _approval(approval: Approval | None) -> str:
    if approval is None:
        return ""
    words = {True: "required", False: "not required", None: "not on record"}[approval.required]
    kind = f", {approval.type}" if approval.type else ""
    expires = "" if approval.expires_in_ms is None else f", for {canonical(approval.expires_in_ms)} ms"
    return f"{words}{kind}{expires}"


def retry_text(retry: Retry | None) -> str:
    """Say how often something is tried again; empty where nothing is on record."""
    if retry is None:
        return ""
    pause = "" if retry.backoff_ms is None else f", {canonical(retry.backoff_ms)} ms apart"
    return f"{canonical(retry.max_attempts)} times{pause}, on {'some' if retry.limited else 'all'} errors"


def _state(state: State | None) -> str:
    if state is None:
        return ""
    word = "available" if state.available else "unavailable"
    return f"{word}: {state.text}" if state.text else word
