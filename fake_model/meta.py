"""Calls through the meta tools, where a target offers those in place of one tool for each capability.

Which meta tool carries a call is what an earlier discovery disclosed, else what the script says, else (on the view
plane) an action. It is never guessed from the name.
"""

import json
from collections.abc import Iterator

from fake_model.names import CanonicalName, read_canonical
from fake_model.pointer import JsonValue
from fake_model.request import ModelRequest
from fake_model.script import Call, MetaTool

DISCOVER = "surface_discover"
"""The meta tool that lists what is there."""

_KINDS = {"observations": MetaTool.READ, "actions": MetaTool.ACT, "procedures": MetaTool.ACT}


def carried(call: Call, arguments: str, request: ModelRequest) -> tuple[str, str] | None:
    """Return name and argument text of the meta call that carries `call`, or None if none can.

    `arguments` is spliced in as it is, so that arguments that are no JSON stay none.
    """
    target = read_canonical(call.name)
    if target is None:
        return None
    tool = _tool_for(call, target, request)
    if tool is None or tool not in request.tool_names:
        return None
    fields = [f'"capabilityId":{json.dumps(target.canonical_id)}']
    if target.instance:
        fields.append(f'"instanceId":{json.dumps(target.instance)}')
    if tool is MetaTool.ACT:
        fields.append(f'"input":{arguments}')
    return tool.value, "{" + ",".join(fields) + "}"


def _tool_for(call: Call, target: CanonicalName, request: ModelRequest) -> MetaTool | None:
    disclosed = dict(_disclosed_in(request)).get(target.canonical_id)
    fallback = MetaTool.ACT if target.plane == "view" and call.offered else None
    return disclosed or call.through or fallback


def _disclosed_in(request: ModelRequest) -> Iterator[tuple[str, MetaTool]]:
    """Yield what the discoveries in the conversation have disclosed, with the meta tool for each."""
    asked = {call.id for call in request.all_calls if call.name == DISCOVER}
    for result in request.all_results:
        if result.call_id in asked:
            yield from _disclosed(result.value)


def _disclosed(value: JsonValue) -> Iterator[tuple[str, MetaTool]]:
    if isinstance(value, list):
        for item in value:
            yield from _disclosed(item)
    elif isinstance(value, dict):
        for key, items in value.items():
            if key in _KINDS and isinstance(items, list):
                ids = (
                    item.get("capabilityId", item.get("procedureId"))
                    for item in items
                    if isinstance(item, dict)
                )
                yield from ((name, _KINDS[key]) for name in ids if isinstance(name, str))
            yield from _disclosed(items)
