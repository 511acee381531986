"""Names that are kept by a registry instead of the system."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from jido_ai.actors.ref import ActorRef


@dataclass(frozen=True, slots=True)
class Via:
    """A key of a unique registry, in the place of a name. Made by `via`.

    Attributes:
        registry: the registry's ref or its name, which must be alive when the actor starts.
        key, value: as in `register`.
    """

    registry: ActorRef | str
    key: Hashable
    value: object = None

    def __str__(self) -> str:
        return f"{self.key!r} in {self.registry}"
