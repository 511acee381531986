"""Bodies in and JSON out, for all routes, and how OpenAPI describes both."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from fastapi import Depends
from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from jido_ai.argument_hints import nearest
from jido_ai.serve.bodies import checked, parsed
from jido_ai.serve.caller import caller_of
from jido_ai.serve.problems import TITLES, Problem

MOST_BODY_BYTES: Final = 10 << 20
_BODY_S: Final = 60.0
_LARGE_BYTES: Final = 32_768
T = TypeVar("T", bound=BaseModel)
V = TypeVar("V")


# -- in --------------------------------------------------------------------------------------------


async def body_of(request: Request, model: type[T]) -> T:
    """Return the body of a request.

    Raises:
        Problem: it is too large, late, not JSON, or impossible.
    """
    return await checked_body(request, partial(checked, model))


async def checked_body(request: Request, check: Callable[[dict[str, Any]], V]) -> V:
    """Return the result of `check` for the fields of a body, in a thread for a large one. Raises as `body_of`."""
    raw = await body_within_limits(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem("not-json", f"the body must have the content type application/json, got {kind[:100] or 'none'}")
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding != "identity":
        raise Problem("not-json", f"the body must be plain, got the content encoding {coding[:100]!r}")
    if len(raw) > _LARGE_BYTES:
        return await asyncio.to_thread(lambda: check(parsed(raw)))
    return check(parsed(raw))


async def body_within_limits(request: Request) -> bytes:
    """Return the body of a request. Raises `Problem` if it is too large for its token, or does not come in time."""
    token = caller_of(request).token
    most = MOST_BODY_BYTES
    if token is not None and token.quota.body_bytes is not None:
        most = min(most, token.quota.body_bytes)
    length = request.headers.get("content-length", "")
    if length.isdecimal() and len(length) < 20 and int(length) > most:
        raise Problem("too-large", f"the body has {length} bytes; the maximum is {most}")
    pieces: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_BODY_S):
            async for piece in request.stream():
                size += len(piece)
                if size > most:
                    raise Problem("too-large", f"the body has more than {most} bytes")
                pieces.append(piece)
    except TimeoutError as error:
        raise Problem("timeout", f"the body did not arrive within {_BODY_S:g} s") from error
    except ClientDisconnect as error:
        raise Problem("malformed", "the body ended too early") from error
    return b"".join(pieces)


def int_in(text: str | None, name: str, least: int, most: int, usual: int) -> int:
    """Return a whole number of a query. Raises `Problem` ("impossible")."""
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) <= 18 and least <= int(text) <= most):
        raise Problem(
            "impossible", f"{name} must be a whole number from {least} to {most}, got {text[:100]!r}", field=name
        )
    return int(text)


async def _check_parameters(request: Request) -> None:
    """Raise `Problem` ("impossible") if a query has a parameter that the route does not describe."""
    if not request.query_params:
        return
    route: Any = request.scope.get("route")
    extra: Mapping[str, Any] = route.openapi_extra or {}
    known = [one["name"] for one in extra.get("parameters", ()) if one["in"] == "query"]
    for name in request.query_params:
        if name not in known:
            message = f"unknown parameter {name[:100]!r}; {nearest(name[:100], known)}"
            raise Problem("impossible", message, field=name[:100])


KnownParameters: Final[Any] = Depends(_check_parameters)
"""A dependency of routers: a query has no other parameters than those that its route describes."""


# -- out -------------------------------------------------------------------------------------------


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON response. Even a large one is written here: a thread would keep the interpreter as long."""
    try:
        body = to_json(value)
    except PydanticSerializationError:  # half of a surrogate pair
        body = json.dumps(value, separators=(",", ":")).encode()
    return Response(body, status, headers, "application/json")


# -- described -------------------------------------------------------------------------------------


def described(schema: str | None, *problems: str, status: int = 200, **more: str) -> dict[int | str, dict[str, Any]]:
    """Return the responses of a route for OpenAPI.

    Args:
        schema: of the response, a name among the components; None: none.
        problems: kinds that may come, beside those that every route has.
        more: other statuses with that schema: `s202="started"`.
    """
    found: dict[int | str, dict[str, Any]] = {}
    content = {} if schema is None else {"content": {"application/json": {"schema": _ref(schema)}}}
    found[status] = {"description": "It is there.", **content}
    for code, description in more.items():
        found[int(code[1:])] = {"description": description, **content}
    always = ("malformed", "unauthorized", "forbidden", "foreign-host", "failed", "store-failed")
    for kind in dict.fromkeys((*always, *problems)):
        code, title = TITLES[kind]
        if code in found and "application/problem+json" in found[code].get("content", {}):
            found[code]["description"] += f"; or: {title}"
            continue
        found[code] = {"description": title, "content": {"application/problem+json": {"schema": _ref("Problem")}}}
    return found


def parameter(name: str, place: str = "query", *, description: str | None = None, **schema: Any) -> dict[str, Any]:
    """Return a parameter of a route for OpenAPI; one of the path is required."""
    about: dict[str, Any] = {"name": name, "in": place, "schema": schema}
    if place == "path":
        about["required"] = True
    return about if description is None else {**about, "description": description}


def takes(schema: str, *, is_required: bool = True) -> dict[str, Any]:
    """Return the body of a route for OpenAPI; its schema is a name among the components."""
    content = {"application/json": {"schema": _ref(schema)}}
    return {"requestBody": {"required": is_required, "content": content}}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
