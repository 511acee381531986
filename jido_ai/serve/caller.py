"""Who calls: the scope and the rights that a request has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from starlette.requests import Request

from jido_ai.serve.problems import Problem
from jido_ai.serve.tokens import ALL_RIGHTS, Right, Token
from jido_ai.values import Scope

__all__ = ["ANYBODY", "Caller", "caller_of"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls.

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


ANYBODY: Final = Caller(Scope(), ALL_RIGHTS)


def caller_of(request: Request) -> Caller:
    """Return who sent a request; the guard has found out."""
    return cast("Caller", request.scope["jido.caller"])
