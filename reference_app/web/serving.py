"""Serving the page: its shell for the console's routes, and everything else of it under ``/web``, read-only.

Nothing is built. What the browser gets is what stands in this folder, the contracts as data, and their compiled inventory.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from reference_app.strict_json import JsonObject, dumps, loads
from reference_app.surface.compile import declarations
from reference_app.surface.contract_files import contract_folder
from reference_app.surface.manifest import compile_manifest

Endpoint = Callable[[Request], Awaitable[Response]]

SHELL_PATHS = ("/", "/receivables", "/receivables/{rest:path}", "/about")
"""The console's routes; the page itself finds out which screen it shows."""

LAB_PATH = "/lab"
"""Where demonstrations have the lab."""

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Nothing inline, nothing from elsewhere, and no text ever read as markup."""

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}
_MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOLDER = Path(__file__).parent
_FAULTS = "faults/"
_DEMO_ONLY = (_FAULTS, "lab/")
_DEFECT = re.compile(r"\A/\*\*\n \* (?P<sentence>.+?)\n \*(?:/|\n)", re.DOTALL)


@dataclass(frozen=True)
class Asset:
    """Something that is served as it stands.

    Attributes:
        body: The bytes.
        media_type: What they are.
        etag: What tells them from others.
    """

    body: bytes
    media_type: str
    etag: str


def endpoints(*, demo_controls: bool) -> Iterator[tuple[str, list[str], Endpoint]]:
    """The page's paths, methods and endpoints.

    Args:
        demo_controls: Whether the lab and the deliberate defects of the page are served.
    """
    web = Web(demo_controls=demo_controls)
    for path in (*SHELL_PATHS, LAB_PATH) if demo_controls else SHELL_PATHS:
        yield path, ["GET"], web.shell
    yield "/web/{name:path}", ["GET"], web.file
    yield "/web", ["GET"], web.file


class Web:
    """Serves the page.

    Args:
        demo_controls: Whether the lab and the deliberate defects of the page are served.
    """

    def __init__(self, *, demo_controls: bool) -> None:
        self._demo_controls = demo_controls

    async def shell(self, request: Request) -> Response:
        """The document in which the page starts."""
        return _respond(request, shell())

    async def file(self, request: Request) -> Response:
        """A module, a style sheet, the contracts; what is not there is 404."""
        asset = self._find(request.path_params.get("name", ""))
        if asset is None:
            return Response(
                "There is no such file.\n", status_code=404, headers=HEADERS, media_type="text/plain"
            )
        return _respond(request, asset)

    def _find(self, name: str) -> Asset | None:
        if name.startswith(_DEMO_ONLY) and not self._demo_controls:
            return None
        return assets().get(name)


def _respond(request: Request, asset: Asset) -> Response:
    headers = {**HEADERS, "etag": asset.etag}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(status_code=304, headers=headers)
    return Response(asset.body, headers={**headers, "content-type": asset.media_type})


@functools.cache
def assets() -> dict[str, Asset]:
    """Everything under ``/web`` by its name there."""
    found = {
        path.relative_to(_FOLDER).as_posix(): _asset(path.read_bytes(), _MEDIA_TYPES[path.suffix])
        for path in sorted(_FOLDER.rglob("*"))
        if path.suffix in _MEDIA_TYPES
    }
    found["contracts/bundle.json"] = _json(contract_bundle())
    found["lab/bundle.json"] = _json(contract_bundle("lab"))
    found["faults/index.json"] = _json({"faults": list(fault_list())})
    return found


@functools.cache
def shell() -> Asset:
    """The shell, with every module announced so that the browser fetches them side by side."""
    modules = [name for name in assets() if _is_loaded_at_start(name)]
    links = "\n    ".join(f'<link rel="modulepreload" href="/web/{name}">' for name in modules)
    text = (_FOLDER / "index.html").read_text("utf-8").replace("<!-- modules -->", links)
    return _asset(text.encode("utf-8"), "text/html; charset=utf-8")


def _is_loaded_at_start(name: str) -> bool:
    """Whether the page imports a module when it starts: not lab and defects, and not what holds types alone."""
    return name.endswith(".js") and not name.startswith(_DEMO_ONLY) and name != "surface/types.js"


def contract_bundle(*more: str) -> JsonObject:
    """The component contracts and the contextual manifest as they are written, and the inventory compiled from them.

    Args:
        more: Folders of further contracts inside the contract folder.
    """
    folder = contract_folder()
    declared = [(folder, declaration) for declaration in declarations()]
    declared += [(folder / part, declaration) for part in more for declaration in declarations(part)]
    return {
        "components": [loads((place / Path(d.origin).name).read_bytes()) for place, d in declared],
        "manifest": loads((folder / "manifest.json").read_bytes()),
        "compiled": compile_manifest(declaration for _, declaration in declared).to_json(),
    }


def fault_list() -> Iterator[JsonObject]:
    """The page's deliberate defects: the name, and the sentence at the head of the module."""
    for path in sorted((_FOLDER / "faults").glob("*.js")):
        match = _DEFECT.match(path.read_text("utf-8"))
        sentence = match["sentence"].replace("\n * ", " ") if match else ""
        yield {"name": path.stem, "defect": sentence}


def _json(value: JsonObject) -> Asset:
    return _asset(dumps(value), "application/json")


def _asset(body: bytes, media_type: str) -> Asset:
    return Asset(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
