"""What the model is offered for somebody, and arguments for it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from hypothesis import strategies as st

from conformance.drivers.step import Step
from conformance.fuzz.description import Description, to_request
from conformance.fuzz.openapi import as_document
from conformance.fuzz.texts import weighted
from fake_model import ModelRequest


@dataclass(frozen=True)
class Tool:
    """A server tool as the model sees it.

    Attributes:
        canonical_id: as `step-start` announces it.
        wire_name: under which the model calls it.
        parameters: its input schema, as JSON text.
    """

    canonical_id: str
    wire_name: str
    parameters: str


def tools_of(step: Step, request: ModelRequest, leave_out: Sequence[str]) -> tuple[Tool, ...]:
    """Put together what a step announced and what the model was shown of it.

    Args:
        step: the step.
        request: what the model was asked in it.
        leave_out: ids, `*` allowed, of what exists only for tests.
    """
    tools = []
    for announced in step.start.domain_tools:
        shown = request.tool(announced.wire_name)
        if shown is not None and not any(
            fnmatchcase(announced.canonical_id, pattern) for pattern in leave_out
        ):
            parameters = json.dumps(shown.parameters, sort_keys=True)
            tools.append(Tool(announced.canonical_id, announced.wire_name, parameters))
    return tuple(tools)


class Arguments:
    """Arguments for tools, as the text that a model sends: such as their schemas allow, and others."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        paths = {f"/{tool.wire_name}": _as_operation(json.loads(tool.parameters)) for tool in tools}
        self._description = Description(as_document(paths, {}), "the tools that the model is offered")
        self._labels = frozenset(self._description.labels)

    def of(self, wire_name: str) -> st.SearchStrategy[str]:
        """Generate arguments for one tool."""
        label = f"POST /{wire_name}"
        if label not in self._labels:
            return st.just("{}")
        cases = weighted((3, self._description.valid_cases(label)), (1, self._description.cases([label])))
        return cases.map(lambda case: to_request(case).body.decode("utf-8", "replace"))


def _as_operation(parameters: Any) -> Mapping[str, Any]:
    schema = parameters if isinstance(parameters, dict) else {"type": "object"}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    return {"post": {"requestBody": body, "responses": {"200": {"description": "."}}}}
