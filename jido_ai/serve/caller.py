"""Caller: the scope and the rights of a request, and whether the caller still waits."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar, cast

from fastapi import Depends
from starlette.requests import ClientDisconnect, Request

from jido_ai.serve.problems import Problem
from jido_ai.serve.tokens import ALL_RIGHTS, Right, Token
from jido_ai.values import Scope


@dataclass(frozen=True, slots=True)
class HttpCaller:
    """The caller of a request.

    Attributes:
        token: None on a server without tokens.
    """

    scope: Scope
    rights: tuple[Right, ...]
    token: Token | None = None

    @property
    def token_id(self) -> str:
        """Id of the token; "" without one."""
        return "" if self.token is None else self.token.id

    def need(self, *rights: Right) -> None:
        """Raise `Problem` ("forbidden") unless one of the rights is there."""
        if not any(right in self.rights for right in rights):
            raise Problem("forbidden", f"this needs a token with the scope {' or '.join(rights)}")


ANYBODY: Final = HttpCaller(Scope(), ALL_RIGHTS)


def caller_of(request: Request) -> HttpCaller:
    """Return the caller of a request, as the guard found it."""
    return cast("HttpCaller", request.scope["jido.caller"])


def is_head(request: Request) -> bool:
    """Tell whether the body of the answer is not sent."""
    return "jido.is_head" in request.scope


def prefix_of(request: Request) -> str:
    """Return the prefix under which the server is reached, as in "/jido"; "" without one."""
    return str(request.scope.get("root_path", "")).rstrip("/")


def _with(*rights: Right) -> Any:
    """Return the dependency of a route: its caller, who has one of the rights."""

    async def allowed(request: Request) -> HttpCaller:
        caller = caller_of(request)
        caller.need(*rights)
        return caller

    return Depends(allowed)


Administrator = Annotated[HttpCaller, _with("admin")]
AnyReader = Annotated[HttpCaller, _with("read", "run")]
Learner = Annotated[HttpCaller, _with("memory")]
Overseer = Annotated[HttpCaller, _with("read", "admin")]
Reader = Annotated[HttpCaller, _with("read")]
RunCaller = Annotated[HttpCaller, _with("run")]


T = TypeVar("T")


async def gone(request: Request) -> None:
    """Wait until the caller of a request, whose body was read, is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of work, which is cancelled when its caller is gone. Raises `ClientDisconnect` then."""
    done = asyncio.create_task(work, name="work for a caller")
    left = asyncio.create_task(gone(request), name="caller of work")
    try:
        await asyncio.wait({done, left}, return_when=asyncio.FIRST_COMPLETED)
        if done.done():
            return done.result()
        raise ClientDisconnect
    finally:
        for task in (done, left):
            task.cancel()
        await asyncio.wait({done, left})
