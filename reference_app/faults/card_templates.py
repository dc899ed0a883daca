"""Faults in which templates are taken: bounds that do not hold, and members that ought to be refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from reference_app.a2ui import desk, store, template, tool
from reference_app.a2ui.template import Template, TemplateError
from reference_app.domain.errors import Issue
from reference_app.faults import Fault, Patches, constant, fault
from reference_app.host.catalog import Catalog
from reference_app.host.host import Host
from reference_app.host.scope import floor_for
from reference_app.strict_json import JsonValue, dumps_text

FAULTS: list[Fault] = []

Read = Callable[[JsonValue], Template]
Repair = Callable[[Any, Any, Mapping[str, Any]], bool]
"""Takes what holds the wrong member, the member's key and the error; says whether it has changed anything."""

RAW = frozenset(
    (
        "html",
        "script",
        "style",
        "image",
        "url",
        "components",
        "catalog",
        "catalogId",
        "theme",
        "css",
        "javascript",
    )
)
TEXTS = {"title": 120, "description": 500, "fallback_text": 2000, "explanation": 240}
LISTS = {"fields": 20, "options": 20, "items": 20, "steps": 20, "actions": 3}
_ROUNDS = 200


def _reading(patches: Patches, make: Callable[[Read], Read]) -> None:
    for module in (tool, desk, store):
        patches.wrap(module, "read_template", make)


def _amending(patches: Patches, amend: Callable[[JsonValue], JsonValue]) -> None:
    _reading(patches, lambda read: lambda given: read(amend(given)))


def _repairing(patches: Patches, repair: Repair) -> None:
    """Take a template after what is wrong with it has been put right, error by error."""

    def make(read: Read) -> Read:
        def lenient(given: JsonValue) -> Template:
            repaired = _copy(given)
            for _ in range(_ROUNDS):
                try:
                    return read(repaired)
                except TemplateError as problem:
                    if not _repair_one(repaired, problem, repair):
                        raise
            return read(repaired)

        return lenient

    _reading(patches, make)


def _repair_one(document: Any, problem: TemplateError, repair: Repair) -> bool:
    cause = problem.__cause__
    errors = cause.errors() if isinstance(cause, ValidationError) else []
    for error in errors:
        holder, key = _find(document, template._path(error["loc"]))
        if repair(holder, key, error):
            return True
    return False


def _find(document: Any, path: tuple[str, ...]) -> tuple[Any, Any]:
    """What holds the place that a path leads to, and the key of the place in it; the document itself for no path."""
    if not path:
        return document, None
    holder = document
    for part in path[:-1]:
        holder = holder[int(part)] if isinstance(holder, list) else holder.get(part)
    return holder, int(path[-1]) if isinstance(holder, list) else path[-1]


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(member) for key, member in value.items()}
    return [_copy(member) for member in value] if isinstance(value, list) else value


@fault(FAULTS, "a2ui-offered-by-page", "cards are not offered on a page that is about nothing")
def _offered_by_page(patches: Patches) -> None:
    def make(compose: Callable[..., Any]) -> Any:
        async def narrowed(self: Host, request: Any, owner: Any) -> Catalog:
            catalog: Catalog = await compose(self, request, owner)
            is_bare = floor_for(request.pathname, self._config.routes) == ("app",)
            return replace(catalog, host=()) if is_bare else catalog

        return narrowed

    patches.wrap(Host, "_compose", make)


@fault(FAULTS, "a2ui-bytes-unbounded", "a template may have any size")
def _bytes_unbounded(patches: Patches) -> None:
    patches.replace(tool, "check_size", constant(None))


@fault(FAULTS, "a2ui-bytes-as-characters", "the size of a template is counted in characters")
def _bytes_as_characters(patches: Patches) -> None:
    def count(given: JsonValue, limit: int) -> None:
        if len(dumps_text(given)) > limit:
            raise TemplateError([Issue((), "The template is too large.")])

    patches.replace(tool, "check_size", count)


@fault(FAULTS, "a2ui-bytes-off-by-one", "a template of exactly the largest size is refused")
def _bytes_off_by_one(patches: Patches) -> None:
    patches.wrap(tool, "check_size", lambda check: lambda given, limit: check(given, limit - 1))


@fault(FAULTS, "a2ui-unknown-kinds", "a template of an unknown kind is presented as a review")
def _unknown_kinds(patches: Patches) -> None:
    def as_review(given: JsonValue) -> JsonValue:
        if not isinstance(given, Mapping) or given.get("kind") in ("form", "choice", "review", "status"):
            return given
        return {
            "kind": "review",
            "title": given.get("title", "Card"),
            "fallback_text": given.get("fallback_text", "Card"),
            "items": [{"label": "Kind", "value": str(given.get("kind"))[:80]}],
            "actions": [{"name": "ok", "label": "OK"}],
        }

    _amending(patches, as_review)


@fault(
    FAULTS,
    "a2ui-raw-catalog",
    "markup, scripts, styles, images and components are dropped from a template, not refused",
)
def _raw_catalog(patches: Patches) -> None:
    def drop(given: JsonValue) -> JsonValue:
        if isinstance(given, Mapping):
            return {key: drop(member) for key, member in given.items() if key not in RAW}
        return [drop(member) for member in given] if isinstance(given, list) else given

    _amending(patches, drop)


@fault(FAULTS, "a2ui-password-field", "a field for a secret is taken as a text")
def _password_field(patches: Patches) -> None:
    def as_text(given: JsonValue) -> JsonValue:
        if not isinstance(given, Mapping) or not isinstance(given.get("fields"), list):
            return given
        entries = given["fields"]
        assert isinstance(entries, list)  # just looked
        return {**given, "fields": [_without_secret(entry) for entry in entries]}

    _amending(patches, as_text)


def _without_secret(entry: JsonValue) -> JsonValue:
    secret = ("password", "secret", "obscured", "credential", "pin")
    is_secret = isinstance(entry, Mapping) and entry.get("type") in secret
    return {**entry, "type": "text"} if is_secret and isinstance(entry, Mapping) else entry


@fault(FAULTS, "a2ui-long-texts", "a text may be longer than its bound")
def _long_texts(patches: Patches) -> None:
    def cut(holder: Any, key: Any, error: Mapping[str, Any]) -> bool:
        if error["type"] != "string_too_long":
            return False
        holder[key] = holder[key][: error["ctx"]["max_length"]]
        return True

    _repairing(patches, cut)


@fault(FAULTS, "a2ui-short-texts", "a text of exactly its bound is refused")
def _short_texts(patches: Patches) -> None:
    def make(read: Read) -> Read:
        def stricter(given: JsonValue) -> Template:
            _refuse_full_texts(given, "")
            return read(given)

        return stricter

    _reading(patches, make)


def _refuse_full_texts(value: JsonValue, place: str) -> None:
    if isinstance(value, list):
        for member in value:
            _refuse_full_texts(member, place)
    if not isinstance(value, Mapping):
        return
    for key, member in value.items():
        bound = TEXTS.get(key, 0)
        if key == "label":
            bound = 40 if place == "actions" else 80
        if key == "value":
            bound = 500 if place == "items" else 64
        if isinstance(member, str) and len(member) == bound:
            raise TemplateError([Issue((key,), "This is too long.")])
        _refuse_full_texts(member, key)


@fault(FAULTS, "a2ui-long-lists", "a list may be longer than its bound")
def _long_lists(patches: Patches) -> None:
    def cut(holder: Any, key: Any, error: Mapping[str, Any]) -> bool:
        if error["type"] != "too_long":
            return False
        holder[key] = holder[key][: error["ctx"]["max_length"]]
        return True

    _repairing(patches, cut)


@fault(FAULTS, "a2ui-short-lists", "a list of exactly its bound is refused")
def _short_lists(patches: Patches) -> None:
    def make(read: Read) -> Read:
        def stricter(given: JsonValue) -> Template:
            _refuse_full_lists(given)
            return read(given)

        return stricter

    _reading(patches, make)


def _refuse_full_lists(value: JsonValue) -> None:
    members = (
        value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        if isinstance(member, list) and len(member) == LISTS.get(str(key)):
            raise TemplateError([Issue((str(key),), "These are too many.")])
        _refuse_full_lists(member)


@fault(FAULTS, "a2ui-empty-texts", "a text that must not be empty may be")
def _empty_texts(patches: Patches) -> None:
    def fill(holder: Any, key: Any, error: Mapping[str, Any]) -> bool:
        if error["type"] != "string_too_short":
            return False
        holder[key] = "-"
        return True

    _repairing(patches, fill)


@fault(FAULTS, "a2ui-unknown-members", "unknown members of a template are dropped, not refused")
def _unknown_members(patches: Patches) -> None:
    def drop(holder: Any, key: Any, error: Mapping[str, Any]) -> bool:
        if error["type"] != "extra_forbidden" or key in RAW or key == "actions":
            return False
        del holder[key]
        return True

    _repairing(patches, drop)


@fault(FAULTS, "a2ui-any-names", "fields and actions may be called anything")
def _any_names(patches: Patches) -> None:
    def rename(holder: Any, key: Any, error: Mapping[str, Any]) -> bool:
        if key not in ("id", "name") or error["type"] not in ("string_pattern_mismatch", "value_error"):
            return False
        holder[key] = f"x{len(str(holder[key]))}"
        return True

    _repairing(patches, rename)


@fault(
    FAULTS, "a2ui-duplicates", "of fields, options and actions of one name the later are dropped, not refused"
)
def _duplicates(patches: Patches) -> None:
    def drop(holder: Any, key: Any, error: Mapping[str, Any]) -> bool:
        if error["type"] != "value_error" or "has to be another one" not in error["msg"]:
            return False
        target = holder if key is None else holder[key]
        for name, member in (("fields", "id"), ("options", "value"), ("actions", "name")):
            if isinstance(target.get(name), list):
                target[name] = list({entry[member]: entry for entry in reversed(target[name])}.values())[::-1]
        return True

    _repairing(patches, drop)


@fault(FAULTS, "a2ui-no-fallback", "a template may come without its text")
def _no_fallback(patches: Patches) -> None:
    def add(holder: Any, key: Any, error: Mapping[str, Any]) -> bool:
        if error["type"] != "missing" or key != "fallback_text":
            return False
        holder[key] = "A card."
        return True

    _repairing(patches, add)


@fault(
    FAULTS,
    "a2ui-odd-defaults",
    "defaults that are no valid values, and bounds that exclude everything, are dropped",
)
def _odd_defaults(patches: Patches) -> None:
    def drop(holder: Any, key: Any, error: Mapping[str, Any]) -> bool:
        entry = holder[key] if isinstance(holder, list) else None
        if error["type"] != "value_error" or not isinstance(entry, dict) or "type" not in entry:
            return False
        entry.pop("default", None)
        if "min has to be less" in error["msg"] and entry["type"] == "range":
            entry["max"] = entry["min"] + 1
        elif "min has to be less" in error["msg"]:
            entry.pop("max", None)
        return True

    _repairing(patches, drop)


@fault(FAULTS, "a2ui-issues-without-paths", "a refused template is answered without saying where it is wrong")
def _issues_without_paths(patches: Patches) -> None:
    patches.replace(template, "_path", constant(()))


@fault(FAULTS, "a2ui-status-with-actions", "the buttons of a status card are dropped, not refused")
def _status_with_actions(patches: Patches) -> None:
    def drop(given: JsonValue) -> JsonValue:
        if not isinstance(given, Mapping) or given.get("kind") != "status":
            return given
        return {key: member for key, member in given.items() if key != "actions"}

    _amending(patches, drop)
