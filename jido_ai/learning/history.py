"""Learning progress of a task type, computed from the attempts recorded in a memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final

from jido_ai.errors import ConfigurationError, NotFoundError, describe
from jido_ai.learning import progress
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.scope_index import CHARS_PER_MS, aside, turns_of
from jido_ai.text.large_json import size_of
from jido_ai.values import Episode, LearningProgress, MemoryEntry, MemoryQuery, Scope
from jido_ai.values.record import Record

_PAGE: Final = 200
_LESSONS: Final = 1_000
_FEW: Final = 1_000
_FEW_CHARS: Final = 20_000


async def learning_progress(memory: ReflexionMemory, task_type: str, scope: Scope | None = None) -> LearningProgress:
    """Return the learning progress of a task type, from its attempts in the log "episodes".

    A run counts as one attempt, by its best one; a candidate that the caller gave is none. Without attempts all numbers
    are 0. Records that cannot be read are skipped.

    Args:
        memory: an open memory. Pipelines and `Pipeline.observe` record attempts in it.
        task_type: "" selects the attempts without a task type.
        scope: None is the default scope.

    Raises:
        ConfigurationError: an argument is invalid, or the memory is not open.
        StoreError: the log cannot be read.

    Source: SPEC M33 to M38.
    """
    if not isinstance(memory, ReflexionMemory):
        raise ConfigurationError(f"learning_progress needs a ReflexionMemory, got {describe(memory)}")
    if not isinstance(task_type, str):
        raise ConfigurationError(f'task_type must be a string ("" for attempts without one), got {describe(task_type)}')
    scope = scope or Scope()
    found, _ = await attempts_of(memory, scope, task_type)
    attempts = progress.results_of_runs(found)
    lessons = await lessons_of(memory, (scope,), task_type, attempts)
    if len(attempts) <= _FEW:
        return progress.learning_progress(task_type, attempts, lessons)
    return await asyncio.to_thread(progress.learning_progress, task_type, attempts, lessons)


async def attempts_of(memory: ReflexionMemory, scope: Scope | None, task_type: str | None) -> tuple[list[Episode], int]:
    """Return the attempts, oldest first, without traces and texts, and the number of unreadable records.

    Of duplicate episodes the last one counts. `scope` or `task_type` None selects all.
    """
    found: dict[tuple[Scope, str], Episode] = {}
    unreadable = after = 0
    while page := await memory.records("episodes", scope=scope, kind=task_type, after=after, limit=_PAGE):
        episodes = await read_attempts(page)
        found.update({(episode.scope, key): episode for key, episode in episodes})
        unreadable += len(page) - len(episodes)
        after = page[-1].row
    return sorted(found.values(), key=lambda episode: episode.timestamp), unreadable


async def read_attempts(page: Sequence[Record]) -> list[tuple[str, Episode]]:
    """Return the records that are valid episodes, without traces and texts, each with its key."""
    ms = size_of([record.data for record in page], enough=_FEW_CHARS) / CHARS_PER_MS
    return await aside(ms, _read, page, turns_of(ms))


def _read(page: Sequence[Record], others_turn: Callable[[], None]) -> list[tuple[str, Episode]]:
    """Return the records that are valid episodes, each with its key."""
    found: list[tuple[str, Episode]] = []
    for record in page:
        others_turn()
        with suppress(ConfigurationError):
            found.append((record.key, Episode.model_validate({**record.data, "events": (), "candidate": None})))
    return found


async def lessons_of(
    memory: ReflexionMemory, scopes: Iterable[Scope], task_type: str, attempts: Sequence[Episode]
) -> list[MemoryEntry]:
    """Return the lessons of a task type and those its attempts used, at most a thousand of each in a scope."""
    found: dict[tuple[Scope, str], MemoryEntry] = {}
    for scope in scopes:
        if task_type:
            where = MemoryQuery(task_type=task_type, scope=scope)
            for entry in await memory.list_entries(scope, limit=_LESSONS, where=where):
                found[scope, entry.id] = entry
        mine = (episode for episode in reversed(attempts) if episode.scope == scope)
        used = dict.fromkeys(id for episode in mine for id in episode.memories_used)
        for id in list(used)[:_LESSONS]:
            if (scope, id) not in found:
                try:
                    found[scope, id] = await memory.get(id, scope=scope)
                except NotFoundError:
                    continue  # removed meanwhile
    return list(found.values())
