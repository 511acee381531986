"""Search for the changes that break something: those that damage points to first, then half of the rest at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

U = TypeVar("U", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that a change breaks.

    Attributes:
        text: in words.
        path: the file where it is seen; None if that is not known.
        names: that are missing there.
        line: of the changed file, from 1.
    """

    text: str
    path: str | None = None
    names: tuple[str, ...] = ()
    line: int | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class Search(Generic[U]):
    """Finds the units of a change that break nothing together.

    Args:
        damage: returns what some units break together; empty if nothing.
        path_of: the file of a unit.
        needs: units that others need; a unit is after those that it needs.
        blamed: returns the units that damage surely comes from, of those given; None: nothing tells.
        no_time: returns why there is no time for one more check; None if there is.
    """

    damage: Callable[[Sequence[U]], Awaitable[Sequence[Damage]]]
    path_of: Callable[[U], str]
    needs: Mapping[U, Collection[U]]
    rejected: dict[U, str]
    blamed: Callable[[Damage, Sequence[U]], Collection[U]] | None = None
    no_time: Callable[[], str | None] = lambda: None

    async def kept(self, kept: list[U], units: Sequence[U], broken: Sequence[Damage] = ()) -> list[U]:
        """Return `kept` and those of `units` that break nothing beside it; `broken` is the damage of all of them.

        Units of the others that are in the way get their reason in `rejected`.
        """
        units = self._possible(units, kept)
        if not units:
            return kept
        if not broken:
            if (why := self.no_time()) is not None:
                self.rejected.update(dict.fromkeys(units, why))
                return kept
            broken = await self.damage([*kept, *units])
        if not broken:
            return [*kept, *units]
        if len(units) == 1:
            self.rejected[units[0]] = shown(broken)
            return kept
        if culprits := self._culprits(broken, units):
            self.rejected.update(culprits)
            return await self.kept(kept, [unit for unit in units if unit not in culprits])
        first, second = self._cut(units, broken)
        before = len(kept)
        kept = await self.kept(kept, first)
        is_same = len(kept) == before + len(first)
        return await self.kept(kept, second, broken if is_same else ())

    def _possible(self, units: Sequence[U], kept: Collection[U]) -> list[U]:
        """Return the units whose needs are met; the others are rejected."""
        there = {*kept, *units}
        possible: list[U] = []
        for unit in units:
            missing = [one for one in self.needs.get(unit, ()) if one not in there]
            if missing:
                self.rejected[unit] = f"it needs another hunk, of {self.path_of(missing[0])}, which is rejected"
                there.discard(unit)
            else:
                possible.append(unit)
        return possible

    def _culprits(self, broken: Sequence[Damage], units: Sequence[U]) -> dict[U, str]:
        found: dict[U, str] = {}
        for one in broken if self.blamed is not None else ():
            assert self.blamed is not None
            for unit in self.blamed(one, units):
                found.setdefault(unit, one.text)
        return found if len(found) < len(units) else {}

    def _cut(self, units: Sequence[U], broken: Sequence[Damage]) -> tuple[Sequence[U], Sequence[U]]:
        """Return two parts: the files without damage and those with it, or halves, between two files if possible."""
        seen = {one.path for one in broken}
        suspects = [unit for unit in units if self.path_of(unit) in seen]
        others = [unit for unit in units if self.path_of(unit) not in seen]
        needed = {one for unit in others for one in self.needs.get(unit, ())}
        if suspects and others and not needed.intersection(suspects):
            return others, suspects
        half = len(units) // 2
        borders = [
            place for place in range(1, len(units)) if self.path_of(units[place - 1]) != self.path_of(units[place])
        ]
        middle = min(borders, key=lambda place: abs(place - half)) if borders else half
        return units[:middle], units[middle:]


def shown(broken: Sequence[Damage]) -> str:
    """Return the damage in one line."""
    more = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
    return f"{broken[0]}{more}"
