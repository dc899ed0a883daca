"""Which mount a call means: found, gone, replaced, or one of several.

Only what the caller may know of takes part, so that a hidden capability answers as one that never existed, mounted
or not (The dual-plane model, The invariants, 4).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reference_app.surface import refusals
from reference_app.surface.identifiers import parse_id
from reference_app.surface.invocation_types import InvocationRequest
from reference_app.surface.json_value import Json
from reference_app.surface.live import Candidate

VERSIONED_EFFECTS = frozenset({"destructive", "external-side-effect"})


@dataclass(frozen=True, slots=True)
class Scene:
    """What a call can mean: the visible candidates that are mounted, and those that were."""

    live: Sequence[Candidate]
    buried: Sequence[Candidate]
    surface_version: str


def resolve(request: InvocationRequest, scene: Scene) -> Candidate:
    """Find the mount that a call means.

    Raises:
        CapabilityError: ``CAPABILITY_NOT_FOUND``, ``COMPONENT_UNMOUNTED``, ``AMBIGUOUS_INSTANCE`` or
            ``STALE_CAPABILITY``.
    """
    if parse_id(request.capability_id) is None:
        raise refusals.not_found(request.capability_id)
    live = [
        candidate
        for candidate in scene.live
        if request.instance_id is None or candidate.registration.definition.instance_id == request.instance_id
    ]
    found = (
        by_registration(request, live, scene) if request.registration_id else only_one(request, live, scene)
    )
    check_version(request, found, scene)
    return found


def by_registration(request: InvocationRequest, live: Sequence[Candidate], scene: Scene) -> Candidate:
    """Find the very mount that the caller saw, or say what became of it."""
    for candidate in live:
        if candidate.registration.id == request.registration_id:
            return candidate
    was_here = any(candidate.registration.id == request.registration_id for candidate in scene.buried)
    if live:
        reason = "registration-replaced" if was_here else "surface-reloaded"
        raise refusals.stale(reason, live[0].registration.id)
    if was_here:
        raise refusals.unmounted("resolve")
    raise refusals.not_found(request.capability_id)


def only_one(request: InvocationRequest, live: Sequence[Candidate], scene: Scene) -> Candidate:
    """Find the one mount that offers the id; never pick among several."""
    if len(live) > 1:
        raise refusals.ambiguous([describe_instance(candidate) for candidate in live])
    if live:
        return live[0]
    if scene.buried:
        raise refusals.unmounted("resolve")
    raise refusals.not_found(request.capability_id)


def describe_instance(candidate: Candidate) -> dict[str, Json]:
    """What tells one of several instances from the others."""
    registration = candidate.registration
    entry: dict[str, Json] = {
        "instanceId": registration.definition.instance_id,
        "registrationId": registration.id,
    }
    if candidate.capability.kind != "procedure":
        entry["description"] = registration.definition.description
        return entry
    context = registration.context_of(candidate.capability)
    if context is not None:
        entry["context"] = context.to_json()
    return entry


def check_version(request: InvocationRequest, found: Candidate, scene: Scene) -> None:
    """Let nothing irreversible run against a page that moved since the caller looked.

    Raises:
        CapabilityError: ``STALE_CAPABILITY``.
    """
    if found.capability.kind != "procedure" or found.capability.effect not in VERSIONED_EFFECTS:
        return
    if request.surface_version is not None and request.surface_version != scene.surface_version:
        raise refusals.stale("surface-version-mismatch")
