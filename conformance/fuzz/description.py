"""An OpenAPI description at work through schemathesis: requests that follow from it, and whether an answer is one that it declares.

Schemathesis knows no newline-delimited JSON; the deserializer here makes a list of it, so that a stream has an array schema.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import httpx
import schemathesis
from hypothesis import strategies as st
from schemathesis import Case, DeserializationContext, GenerationMode, Response
from schemathesis.core.errors import LoaderError
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from conformance.fuzz.attempt import Request
from conformance.fuzz.errors import FuzzError
from conformance.fuzz.openapi import NDJSON
from conformance.fuzz.problem import Check, Problem
from conformance.wire import strict_json
from conformance.wire.answer import Answer

Operation = APIOperation[Any, Any, Any, Any]
Call = Case[Any]

_PARAMETER = re.compile(r"\{(\w+)\}")
_HOST = "http://target"
_CHECKS = (
    (Check.STATUS, status_code_conformance),
    (Check.MEDIA_TYPE, content_type_conformance),
    (Check.SCHEMA, response_schema_conformance),
)
# The constants analysis would read the suite's own source; the database would make a run depend on the one before it.
_CONFIG = {
    "analysis": {"constants": {"enabled": False}},
    "generation": {"deterministic": True, "database": "none", "with-security-parameters": False},
}


@schemathesis.deserializer(NDJSON)
def _frames(_: DeserializationContext, response: Response) -> list[Any]:
    """Read a stream as the list of its lines."""
    return [strict_json.loads(line) for line in response.content.split(b"\n") if line.strip()]


class Description:
    """Some operations of a target as an OpenAPI document describes them.

    Args:
        document: the document, version 3.
        source: where it comes from, for messages.

    Raises:
        FuzzError: it is not one that can be used.
    """

    def __init__(self, document: Mapping[str, Any], source: str) -> None:
        config = schemathesis.Config.from_dict(_CONFIG)
        try:
            self.schema: OpenApiSchema = schemathesis.openapi.from_dict(dict(document), config=config)
        except LoaderError as error:
            raise FuzzError(
                f"{source} is no OpenAPI description that can be used: {_flat(error.message)}"
            ) from None
        self._source = source

    @cached_property
    def _operations(self) -> Mapping[str, Operation]:
        operations = {}
        for result in self.schema.get_all_operations():
            if not isinstance(result, Ok):
                raise FuzzError(
                    f"{self._source} describes an operation that can't be used: {_flat(result.err())}"
                )
            operation = result.ok()
            operations[operation.label] = operation
        return operations

    @property
    def labels(self) -> tuple[str, ...]:
        """The operations, as `POST /rpc/list-invoices`, in their order."""
        return tuple(self._operations)

    def cases(self, labels: Sequence[str]) -> st.SearchStrategy[Call]:
        """Generate calls of some operations, such as the description allows and such as it does not, half and half."""
        valid = [self._cases(label, GenerationMode.POSITIVE) for label in labels]
        invalid = [self._cases(label, GenerationMode.NEGATIVE) for label in labels]
        return st.one_of(st.one_of(valid), st.one_of(invalid))

    def valid_cases(self, label: str) -> st.SearchStrategy[Call]:
        """Generate calls of one operation such as the description allows."""
        return self._cases(label, GenerationMode.POSITIVE)

    def _cases(self, label: str, mode: GenerationMode) -> st.SearchStrategy[Call]:
        return self._operations[label].as_strategy(generation_mode=mode, feedback=NO_FEEDBACK)

    def problems(self, request: Request, answer: Answer) -> Iterator[Problem]:
        """Say in what an answer differs from what is declared; nothing for an operation that is not described here."""
        operation = self._operations.get(request.operation)
        if operation is None:
            return
        case = operation.Case(path_parameters=dict.fromkeys(_PARAMETER.findall(operation.path), "0"))
        response = as_response(request, answer)
        for check, function in _CHECKS:
            try:
                case.validate_response(response, checks=[function])
            except FailureGroup as group:
                first = group.exceptions[0]
                yield Problem(check, request.operation, _one_line(first, answer))


def to_request(case: Call) -> Request:
    """Write a generated call down as it goes over the wire, without anything that differs from run to run."""
    sent = case.as_transport_kwargs(base_url=_HOST)
    path = sent["url"].removeprefix(_HOST)
    if sent.get("params"):
        path += "?" + (
            sent["params"] if isinstance(sent["params"], str) else urlencode(sent["params"], doseq=True)
        )
    body = _body(sent)
    media_type = str(sent["headers"].get("content-type", "")) if body else ""
    return Request(case.operation.label, case.method, path, body, media_type)


def json_bytes(value: Any) -> bytes:
    """JSON as all generated bodies are written; a lone surrogate is an escape in it."""
    return json.dumps(value, separators=(",", ":")).encode()


def _body(sent: Mapping[str, Any]) -> bytes:
    if "json" in sent:
        return json_bytes(sent["json"])
    data = sent.get("data", b"")
    if isinstance(data, bytes):
        return data
    return data.encode() if isinstance(data, str) else json_bytes(data)


def as_response(request: Request, answer: Answer) -> Response:
    """An answer as schemathesis takes it."""
    asked = httpx.Request(request.method, _HOST + "/", content=request.body)
    headers = {name: value for name, value in answer.headers.items() if name.lower() != "content-encoding"}
    response = httpx.Response(answer.status, headers=headers, content=answer.body, request=asked)
    response.elapsed = timedelta(0)
    return Response.from_any(response)


def _one_line(failure: BaseException, answer: Answer) -> str:
    """The gist of what schemathesis says, with what was answered."""
    title = getattr(failure, "title", type(failure).__name__)
    message = str(getattr(failure, "validation_message", "") or getattr(failure, "message", "") or failure)
    return f"{title}: {_flat(message)[:160]}; answered {answer.status} {answer.text[:80]!r}"


def _flat(message: object) -> str:
    """A message of several lines as one."""
    return " ".join(str(message).split())
