"""Asking the fake model by bare HTTP, and reading what came."""

import json
from typing import Any

import httpx

from fake_model import FakeModel, FindingKind


def body(prompt: str, *, stream: bool = True, **more: Any) -> dict[str, Any]:
    """Return a small request."""
    return {"model": "m", "stream": stream, "messages": [{"role": "user", "content": prompt}], **more}


def ask(
    http: httpx.Client, prompt: str, *, path: str = "/v1/chat/completions", **more: Any
) -> httpx.Response:
    """Ask once."""
    return http.post(path, json=body(prompt, **more))


def text(response: httpx.Response) -> str:
    """Return what a stream said."""
    found = ""
    for line in response.text.splitlines():
        if line.startswith("data: {"):
            for choice in json.loads(line[6:])["choices"]:
                found += choice["delta"].get("content") or ""
    return found


def kinds(model: FakeModel) -> list[FindingKind]:
    """Return the kinds of all findings."""
    return [finding.kind for finding in model.findings]
