"""What each case needs of a target file, read from the source of the cases without running them.

A case says what it needs by what it asks for: `roles("gated")`, `app.freeze_clock(…)`, `people.peer`, `raise Untested("…")`. Functions
that it calls, in its own file or in the suite's, are followed. Names that are decided at run time are taken from the lists that the
file gives them, as far as they stand there as texts.
"""

import ast
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from conformance.case_index import CASES, all_cases

PACKAGE = Path(__file__).parent
FOLLOWED = ("asking", "bound", "interactions", "people", "data", "roles", "seat", "stage")
"""The suite's own modules whose functions are followed; methods are known by their effect, see below."""

BY_CALL: Mapping[str, str] = {
    "roles": "roles.{}",
    "role": "roles.{}",
    "view_role": "view.{}",
    "route": "routes.{}",
    "variant": "launch.variants.{}",
    "named_act": "tab.acts.{}",
    "set_policy": "policies.{}",
}
"""Calls whose first argument names a key."""

BY_NAME: Mapping[str, tuple[str, ...]] = {
    "freeze_clock": ("controls.freeze_clock",),
    "advance_clock": ("controls.advance_clock",),
    "change_rights": ("controls.change_rights",),
    "set_policy": ("controls.disable_policy",),
    "restart": ("launch",),
    "twin": ("launch",),
    "approvals": ("paths.approvals",),
    "threads": ("paths.threads",),
    "audit": ("paths.audit",),
    "approval_ttl": ("timers.approval_ttl",),
    "peer": ("identities (two with full rights)",),
    "outsider": ("identities (two with full rights)",),
    "restricted": ("identities (one with restricted rights)",),
    "full": ("identities (one with full rights)",),
    "hidden_from_restricted": ("hidden_from",),
    "look": ("reads",),
    "tab": ("tab",),
    "surface": ("a2ui.surface",),
    "shown": ("a2ui.surface",),
    "a2ui_deadline": ("timers.a2ui_deadline",),
}
"""Attributes that need something by being used."""


@dataclass
class _File:
    """The functions of one file, and the lists of texts that stand in it."""

    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)


def needs_of(file: str, name: str, folder: Path = CASES) -> tuple[str, ...]:
    """The keys that a case may ask for, sorted."""
    source = _read(folder / file)
    found: set[str] = set()
    _walk(source.functions[name], source, found, set())
    return tuple(sorted(found))


def all_needs(folder: Path = CASES) -> Mapping[str, tuple[str, ...]]:
    """The keys that the cases of each requirement may ask for."""
    needs: dict[str, set[str]] = {}
    for case in all_cases(folder):
        needs.setdefault(case.requirement, set()).update(needs_of(case.file, case.name, folder))
    return {requirement: tuple(sorted(keys)) for requirement, keys in needs.items()}


@functools.cache
def _read(path: Path) -> _File:
    found = _File()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.functions[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                found.lists[target.id] = tuple(_texts(node.value))
    return found


@functools.cache
def _shared() -> _File:
    shared = _File()
    for name in FOLLOWED:
        shared.functions |= _read(PACKAGE / f"{name}.py").functions
    return shared


def _walk(function: ast.FunctionDef, source: _File, found: set[str], seen: set[str]) -> None:
    seen.add(function.name)
    values = _values(function, source)
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and node.attr in BY_NAME:
            found.update(BY_NAME[node.attr])
        if isinstance(node, ast.Call):
            found.update(_asked(node, values))
        if isinstance(node, ast.Name) and node.id not in seen:
            called = source.functions.get(node.id) or _shared().functions.get(node.id)
            if called is not None:
                _walk(called, source if node.id in source.functions else _shared(), found, seen)


def _asked(call: ast.Call, values: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name == "getattr" and len(call.args) == 2:
        yield from (key for text in _names(call.args[1], values) for key in BY_NAME.get(text, ()))
    if name == "Untested" and call.args:
        yield from (text for text in _names(call.args[0], values) if "." in text or text.islower())
    if name in BY_CALL and call.args:
        yield from (BY_CALL[name].format(text) for text in _names(call.args[0], values) if text)
    for keyword in call.keywords:
        if name == "tab" and keyword.arg in ("mode", "variant"):
            yield from (f"tab.{keyword.arg}s.{text}" for text in _names(keyword.value, values) if text)
        if name == "chat" and keyword.arg == "route":
            yield from (f"routes.{text}" for text in _names(keyword.value, values))


def _names(node: ast.AST, values: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _names(node.body, values)
        yield from _names(node.orelse, values)
    elif isinstance(node, ast.Name):
        yield from values.get(node.id, ())
    elif isinstance(node, ast.JoinedStr):
        texts = [""]
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            texts = [text + name for text in texts for name in (*_names(inner, values),) or ("*",)]
        yield from texts


def _values(function: ast.FunctionDef, source: _File) -> Mapping[str, tuple[str, ...]]:
    """The texts that names may stand for: parameters by their marks, others by the loops that set them."""
    values = dict(source.lists)
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.parametrize":
            name, given = decorator.args[0], decorator.args[1]
            if isinstance(name, ast.Constant):
                values[str(name.value)] = _given(given, values)
    looped: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
            # Of a name that two loops set it can't be said which one a use is about.
            looped_name = node.target.id
            values[looped_name] = () if looped_name in looped else _given(node.iter, values)
            looped.add(looped_name)
    return values


def _given(node: ast.AST, values: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return values.get(node.id, ()) if isinstance(node, ast.Name) else tuple(_texts(node))


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts of a list or a tuple, those of lists in it as well, or the keys of a table."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        items = node.elts
    elif isinstance(node, ast.Dict):
        items = [key for key in node.keys if key is not None]
    else:
        items = []
    for item in items:
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            yield item.value
        else:
            yield from _texts(item)
