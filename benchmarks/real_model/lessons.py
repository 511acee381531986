"""Do lessons help with other tasks? 40 tasks are worked on with a memory, then 40 others of the same kinds.

The others are worked on without lessons, with lessons of their own kind, and with lessons of another kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final

from jido_ai import MemoryEntry, ReflexionMemory
from jido_ai.memory.index.similarity import jaccard
from jido_ai.values import Scope, Scored, extract_keywords
from real_model.methods import TASK_METHODS, Method, Outcome, Trial

__all__ = ["ARMS", "STRATEGIES", "interleaved", "lessons_in", "offering", "with_memory"]

STRATEGIES: Final = ("adaptive", "documented")
ARMS: Final = ("without", "with", "wrong")
_OTHER_KIND: Final = {"form": "code", "code": "word", "word": "form"}
_CANDIDATES: Final = 10
_LEAST: Final = 0.01


class Offers(ReflexionMemory):
    """A memory for one run: it offers the lessons that are most like the prompt, however little that is."""

    def __init__(self, lessons: Sequence[MemoryEntry]) -> None:
        super().__init__()
        self._lessons = lessons

    async def retrieve_similar(
        self, prompt: str, max_results: int = 5, threshold: float | None = None, *, scope: Scope | None = None
    ) -> list[Scored]:
        del threshold, scope
        words = extract_keywords(prompt)
        found = [Scored(one, max(_LEAST, jaccard(words, extract_keywords(one.prompt)))) for one in self._lessons]
        return sorted(found, key=lambda one: -one.similarity)[: min(max_results, _CANDIDATES)]


def interleaved(tasks: Sequence[Any]) -> list[Any]:
    """Return the tasks with the kinds in turn, so that a run that ends early has some of each."""
    kinds = [[task for task in tasks if task.family == kind] for kind in dict.fromkeys(task.family for task in tasks)]
    return [task for turn in zip_longest(*kinds) for task in turn if task is not None]


def lessons_in(rows: Sequence[dict[str, Any]]) -> list[MemoryEntry]:
    """Return the lessons that runs stored."""
    return [MemoryEntry.model_validate(lesson) for row in rows for lesson in row["lessons"]]


def offering(learned: dict[str, Sequence[MemoryEntry]]) -> dict[str, Method]:
    """Return each strategy without lessons, with those of the task's kind, and with those of another kind.

    Args:
        learned: by name of the strategy that they were learned with.
    """

    def memory(strategy: str, arm: str) -> Callable[[Trial], ReflexionMemory | None]:
        def of(trial: Trial) -> ReflexionMemory | None:
            kind = trial.family if arm == "with" else _OTHER_KIND[trial.family]
            return None if arm == "without" else Offers([one for one in learned[strategy] if one.task_type == kind])

        return of

    return {f"{name} {arm}": with_memory(name, memory(name, arm)) for name in learned for arm in ARMS}


def with_memory(name: str, memory: ReflexionMemory | Callable[[Trial], ReflexionMemory | None]) -> Method:
    """Return a strategy with a memory: one that its runs share, or one for each."""

    async def run(trial: Trial) -> Outcome:
        mine = memory if isinstance(memory, ReflexionMemory) else memory(trial)
        return await TASK_METHODS[name](replace(trial, memory=mine))

    return run
