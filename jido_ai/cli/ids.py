"""Ids as people type them: whole, or any beginning that only one of them has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from jido_ai.errors import ConfigurationError, NotFoundError

if TYPE_CHECKING:
    from jido_ai.loop.journal import RunJournal
    from jido_ai.memory.reflexion_memory import ReflexionMemory
    from jido_ai.values import Scope

_SHOWN: Final = 3
_MANY: Final = 10**9


def only_match(given: str, known: Iterable[str], noun: str) -> str | None:
    """Return the only known id that begins with `given`; None when none does.

    Raises:
        ConfigurationError: several do.
    """
    found = sorted({id for id in known if id.startswith(given)})
    if len(found) > 1:
        shown = ", ".join(found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        raise ConfigurationError(f"{given!r} is the beginning of {len(found)} {noun}: {shown}; give more of it")
    return found[0] if found else None


async def entry_id(memory: ReflexionMemory, given: str) -> str:
    """Return the id of the entry that is meant.

    Raises:
        ConfigurationError: several entries begin like that.
        NotFoundError: none does.
    """
    try:
        return (await memory.get(given)).id
    except NotFoundError:
        if not given:
            raise
        found = only_match(given, [entry.id async for entry in memory.entries()], "entries")
        if found is None:
            raise
        return found


async def run_id(journal: RunJournal, given: str, scope: Scope | None) -> str:
    """Return the id of the run that is meant: the whole id as it is, else the only one that begins like that.

    The runs of a graph's nodes ("RUN/node") count only if `given` has a slash.

    Raises:
        ConfigurationError: several runs begin like that.
    """
    runs: Sequence[str] = [summary.run_id for summary in await journal.list(scope, limit=_MANY)]
    if not given or given in runs:
        return given
    known = set(runs)
    tops = [run for run in runs if "/" in given or "/" not in run or run.partition("/")[0] not in known]
    return only_match(given, tops, "runs") or given
