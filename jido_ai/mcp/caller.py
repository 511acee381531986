"""Caller: the scope and the permissions of a request. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from jido_ai.values import Scope

Permission = Literal["run", "read", "memory"]
_ALL: Final[frozenset[Permission]] = frozenset({"run", "read", "memory"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of a request.

    Attributes:
        scope: owner of the runs and lessons that the request may see.
        may: "run": start runs and critiques; "read": read runs; "memory": search and add lessons.
        id: of the token, for quotas; "" without one.
    """

    scope: Scope = field(default_factory=Scope)
    may: frozenset[Permission] = _ALL
    id: str = ""


CallerOf = Callable[[Any], Caller]
"""Returns the caller of a request, given `mcp`'s `ServerRequestContext`. Over HTTP its `request` is the HTTP request.
"""


def anybody(context: object) -> Caller:
    """Return the caller of a server without tokens: the default scope, and everything is allowed."""
    return Caller()
