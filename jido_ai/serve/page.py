"""The observer's page: its files, as they are in the package."""

from __future__ import annotations

from importlib import resources
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOLDER: Final = resources.files("jido_ai.serve") / "observer"


def _files() -> dict[str, tuple[bytes, str]]:
    """Return content and media type of each file, by its path on the server."""
    found: dict[str, tuple[bytes, str]] = {}
    for file in sorted(_FOLDER.iterdir(), key=lambda one: one.name):
        kind = _KINDS.get(file.name[file.name.rfind(".") :])
        if kind is not None:
            path = "/" if file.name == "index.html" else f"/observer/{file.name}"
            found[path] = (file.read_bytes(), kind)
    return found


_FILES: Final = _files()
PAGE_PATHS: Final = frozenset(_FILES)
"""Where the page's files are; they have no data."""


def page_routes() -> APIRouter:
    """Return the routes of the page."""
    router = APIRouter()
    for path, (content, kind) in _FILES.items():
        router.add_api_route(path, _sender(content, kind), include_in_schema=False, methods=["GET"])
    return router


def _sender(content: bytes, kind: str):
    async def send() -> Response:
        return Response(content, media_type=kind, headers={"cache-control": "no-cache"})

    return send
