"""A first look at a running application: which of the usual addresses answer, and a target file to begin with.

Only harmless requests are made: reads, a step in a version that nobody serves, and a procedure that nobody has.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from conformance.errors import LaunchError

DEADLINE = 10.0
CANDIDATES: Mapping[str, Sequence[str]] = {
    "health": ("/api/health", "/health", "/healthz"),
    "session": ("/api/session", "/session"),
    "approvals": ("/api/approvals",),
    "threads": ("/api/threads",),
    "openapi": ("/openapi.json", "/api/openapi.json"),
    "audit": ("/api/audit",),
}
CHATS = ("/agent/chat", "/api/agent/chat")
PREFIXES = ("/rpc", "/api/rpc")


@dataclass(frozen=True)
class Seen:
    """What was seen at an application.

    Attributes:
        url: its address.
        paths: where something of the protocol answers, by the key of `[paths]`.
        procedures: ids of procedures that its published description names.
        notes: what was seen, as sentences.
    """

    url: str
    paths: Mapping[str, str]
    procedures: tuple[str, ...]
    notes: tuple[str, ...]


def look(url: str) -> Seen:
    """Look around.

    Raises:
        LaunchError: nothing answers there.
    """
    base = url.rstrip("/")
    with httpx.Client(base_url=base, timeout=DEADLINE, trust_env=False) as client:
        try:
            client.get("/")
        except httpx.HTTPError as error:
            raise LaunchError(f"nothing answers at {base}: {error}") from None
        paths = {key: path for key, found in CANDIDATES.items() if (path := _answering(client, found))}
        notes = [f"GET {path} answers" for path in paths.values()]
        if chat := next((path for path in CHATS if _is_chat(client, path)), ""):
            paths["chat"] = chat
            notes.append(f"POST {chat} refuses an unknown version as the protocol has it")
        if prefix := next((prefix for prefix in PREFIXES if _is_rpc(client, prefix)), ""):
            paths["rpc"] = f"{prefix}/{{procedure}}"
            notes.append(f"POST {prefix}/… is served")
        procedures = _procedures(client, paths.get("openapi", ""))
    return Seen(base, paths, procedures, tuple(notes))


def _answering(client: httpx.Client, paths: Sequence[str]) -> str:
    """The first address that answers with JSON, or asks for a token."""
    for path in paths:
        answer = client.get(path)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        if (answer.status_code == 200 and is_json) or answer.status_code in (401, 403):
            return path
    return ""


def _is_chat(client: httpx.Client, path: str) -> bool:
    answer = client.post(path, json={"protocolVersion": 99})
    return answer.status_code in (400, 401, 403, 409, 415)


def _is_rpc(client: httpx.Client, prefix: str) -> bool:
    answer = client.post(f"{prefix}/no-such-procedure", json={"json": {}})
    return answer.status_code in (400, 401, 403, 404) and "json" in answer.text[:200]


def _procedures(client: httpx.Client, path: str) -> tuple[str, ...]:
    if not path:
        return ()
    try:
        described = client.get(path).json()
    except ValueError:
        return ()
    found = described.get("paths", {}) if isinstance(described, dict) else {}
    return tuple(name.rpartition("/")[2] for name in found if "/rpc/" in name)


def starting_file(seen: Seen) -> str:
    """A target file to complete, with a comment wherever something is to be said."""
    return "\n".join(_lines(seen)) + "\n"


def _lines(seen: Seen) -> Iterator[str]:
    host = urlsplit(seen.url).netloc
    yield "#:schema ./target.schema.json"
    yield f"# A target file for {seen.url}, begun by `dualplane target init`."
    yield from (f"# seen: {note}" for note in seen.notes)
    yield "# `dualplane target check FILE` says what is missing; docs/target-file.md explains each table."
    yield f"name = {json.dumps(host)}"
    yield ""
    yield "# What you claim, and are held to. Begin with little: what is claimed and can't be tested is red."
    yield f"profiles = {json.dumps(_profiles(seen))}"
    yield ""
    yield "# It runs already, so its model must be the fake one: start it with its model's address at, say, port 9099, and run"
    yield "#     dualplane run --target FILE --model-port 9099"
    yield "[connect]"
    yield f"url = {json.dumps(seen.url)}"
    yield ""
    yield "# Better: let the suite start it, in a private folder, as often as it needs."
    yield "# [launch]"
    yield '# command = ["npm", "run", "start"]'
    yield '# env = { PORT = "{port}" }'
    yield f'# ready = {{ path = "{seen.paths.get("health", "/")}" }}'
    yield "# [model]"
    yield '# provider = "openai-chat"              # or openai-responses, anthropic'
    yield '# env = { OPENAI_BASE_URL = "{model_url}/v1", OPENAI_API_KEY = "unused" }'
    yield ""
    yield "[paths]"
    yield from (f"{key} = {json.dumps(path)}" for key, path in sorted(seen.paths.items()))
    yield from _to_complete(seen)


def _profiles(seen: Seen) -> list[str]:
    by_path = {"chat": "host-v2", "rpc": "domain", "approvals": "approvals", "threads": "threads"}
    return [profile for key, profile in by_path.items() if key in seen.paths] or ["host-v2"]


def _to_complete(seen: Seen) -> Iterator[str]:
    known = ", ".join(seen.procedures) or "unknown"
    yield ""
    yield "# How the data is put back before each case. Without it a run needs --allow-writes."
    yield "# [controls]"
    yield '# reset = { path = "/api/demo/reset" }'
    yield ""
    yield "# Who can sign in, and the cookie (or bearer token) that they get."
    yield "# [identities.alice]"
    yield '# rights = "full"                        # another one with rights = "restricted" is worth having'
    yield f'# sign_in = {{ path = "{seen.paths.get("session", "/api/session")}", body = {{ user = "alice" }} }}'
    yield '# token = { name = "session", scheme = "payload.signature" }'
    yield ""
    yield "# Pages, as a chat step names them, with the scope that the page gives the catalog."
    yield "# [routes]"
    yield '# main = { pathname = "/", scope = [] }'
    yield ""
    yield "# What a case looks at to see whether data moved."
    yield "# [reads]"
    yield '# everything = { procedure = "list-things", input = {} }'
    yield ""
    yield f"# Which of your capabilities play which role. Procedures that were seen: {known}."
    yield "# [roles.read]"
    yield '# capability = "domain:list-things"'
    yield "# [roles.write]"
    yield '# capability = "domain:change-thing"'
    yield '# prepare = { procedure = "create-thing", input = { name = "one" }, pick = "/id" }'
    yield '# input = { id = "{prepared}", name = "two" }'
    yield '# invalid_input = { id = "{prepared}", name = 7 }'
    yield '# effect = { read = "everything", find = { id = "{prepared}" }, at = "/name" }'
