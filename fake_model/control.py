"""The endpoints for callers in other languages: load a script, read the journal, release a gate, reset."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fake_model import export, raw_json
from fake_model.errors import FakeModelError
from fake_model.gates import GateKey, Gates
from fake_model.http import HttpRequest
from fake_model.ids import Marker
from fake_model.journal import Journal
from fake_model.loading import parse_script
from fake_model.pointer import JsonValue
from fake_model.providers.base import compact

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """An HTTP answer that is sent at once."""

    status: int
    body: bytes
    content_type: str = JSON


class _Load(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    script: dict[str, JsonValue]
    token: str | None = None


class _Release(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    token: str
    gate: str = Field(min_length=1)


class Control:
    """Answers requests under `/__`.

    Args:
        journal: what is read and reset.
        gates: what is released.
        on_reset: called after a reset, to let go of replies that are still under way.
    """

    def __init__(self, journal: Journal, gates: Gates, on_reset: Callable[[], None]) -> None:
        self._journal = journal
        self._gates = gates
        self._on_reset = on_reset

    def answer(self, request: HttpRequest, path: str) -> JsonAnswer:
        """Answer one request; 404 for a path that is not known, 400 for a body that is not understood."""
        handlers = {
            ("GET", "/__health"): self._health,
            ("GET", "/__journal"): self._read,
            ("GET", "/__scripts"): self._list,
            ("POST", "/__scripts"): self._load,
            ("POST", "/__release"): self._release,
            ("POST", "/__reset"): self._reset,
        }
        handler = handlers.get((request.method, path))
        if handler is None:
            known = ", ".join(f"{method} {name}" for method, name in handlers)
            return _error(404, f"expected one of {known}, got {request.method} {path}")
        try:
            return handler(request)
        except ValidationError as error:
            return _error(400, _explain(error))
        except FakeModelError as error:
            return _error(400, str(error))

    def reset(self) -> None:
        """Begin a new generation and let go of what is still under way."""
        self._journal.reset()
        self._gates.clear()
        self._on_reset()

    def _health(self, _: HttpRequest) -> JsonAnswer:
        return _ok({"ok": True, "generation": self._journal.generation, "exchanges": self._journal.order})

    def _read(self, request: HttpRequest) -> JsonAnswer:
        query = parse_qs(request.target.partition("?")[2])
        token = query.get("token", [None])[0]
        exchanges = self._journal.exchanges(token)
        if query.get("format") == ["jsonl"]:
            return JsonAnswer(200, export.as_jsonl(exchanges), "application/x-ndjson")
        findings = self._journal.findings(token)
        return _ok(
            {
                "generation": self._journal.generation,
                "exchanges": [export.as_json(exchange) for exchange in exchanges],
                "findings": [export.finding_as_json(finding) for finding in findings],
            }
        )

    def _list(self, _: HttpRequest) -> JsonAnswer:
        runs = [
            {"token": token, "name": script.name, **_routes(token)} for token, script in self._journal.runs
        ]
        return _ok({"generation": self._journal.generation, "runs": runs})

    def _load(self, request: HttpRequest) -> JsonAnswer:
        load = _Load.model_validate_json(request.body)
        text = raw_json.members(request.body.decode())["script"]
        token = self._journal.open_run(parse_script(text, "script", yaml=False), load.token)
        return _ok({"token": token, **_routes(token)})

    def _release(self, request: HttpRequest) -> JsonAnswer:
        release = _Release.model_validate_json(request.body)
        return _ok({"released": self._gates.release(GateKey(release.token, release.gate))})

    def _reset(self, _: HttpRequest) -> JsonAnswer:
        self.reset()
        return _ok({"generation": self._journal.generation})


def _routes(token: str) -> dict[str, JsonValue]:
    """Return everything that makes a request belong to a run."""
    return {"marker": str(Marker(token)), "path": f"/run/{token}/v1", "apiKey": f"dp-{token}"}


def _ok(value: JsonValue) -> JsonAnswer:
    return JsonAnswer(200, compact(value))


def _error(status: int, message: str) -> JsonAnswer:
    return JsonAnswer(status, compact({"error": {"message": message}}))


def _explain(error: ValidationError) -> str:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, detail['loc'])) or 'body'}: {detail['msg']}" for detail in details)
