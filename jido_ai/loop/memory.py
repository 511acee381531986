"""Memory in a run: retrieve lessons before it; record their usefulness and store a new lesson after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

from jido_ai.errors import NotFoundError
from jido_ai.loop.calls import RunRequest
from jido_ai.loop.examples import example_of, helped, is_of_type, shown
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.learning_options import LearningOptions
from jido_ai.loop.lesson import (
    helped_from_the_start,
    lesson_of,
    offered,
    recall_text,
    shares_only_our_words,
    was_worth_it,
    within_tokens,
)
from jido_ai.loop.moves import as_record, tallies_in
from jido_ai.loop.state import Recalled
from jido_ai.memory.examples import surplus
from jido_ai.memory.lessons import entries_from_reflection, is_kept, teaches
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.scope_index import CHARS_PER_MS, aside
from jido_ai.reflection.failure_kind import failure_tags
from jido_ai.reflection.log import ReflectionLog
from jido_ai.text.large_json import size_of
from jido_ai.text.plain_json import dumped
from jido_ai.text.plain_prompt import asked_of
from jido_ai.values import (
    CritiqueResult,
    Episode,
    Iteration,
    LoopConfig,
    MemoryEntry,
    MemoryKind,
    MemoryQuery,
    Reflection,
    Scope,
    Scored,
)
from jido_ai.values.record import Record

__all__ = ["RunMemory", "keep_example", "keep_rated", "remember"]

_LESSONS: Final = 5
_LOOKED_AT: Final = 20
_EXAMPLES_PER_SHOWN: Final = 4
"""Examples looked at for each that is shown: some do not fit."""
_FEW_CHARS: Final = 20_000
_RUNS_LOOKED_AT: Final = 20
_KEY_CHARS: Final = 200


class RunMemory:
    """Retrieves lessons for a run and stores its lesson, by the rules of `loop.lesson`.

    Args:
        schema: digest of the type of the answers; None for texts.
    """

    def __init__(
        self,
        memory: ReflexionMemory,
        config: LoopConfig,
        *,
        by: Literal["prompt", "critique"],
        log: ReflectionLog | None = None,
        options: LearningOptions | None = None,
        schema: str | None = None,
    ) -> None:
        self._memory = memory
        self._options = options or LearningOptions()
        self._schema = schema
        self._log = log or ReflectionLog()
        self._config = config
        self.recalls_by_critique = by == "critique"

    async def recall(self, request: RunRequest, critique: CritiqueResult | None) -> Recalled:
        """Return the lessons for a run, most useful first, then those from the same kinds of failing tests; and the
        examples for its generator, the nearest last.

        None if the critique that they are searched by has no issues: nothing is left to fix. Where the run has a task
        type, entries of other task types are left out. Retrieval alone does not count as a use.
        """
        if self.recalls_by_critique and (critique is None or not critique.issues):
            return Recalled(())
        most, tokens = self._options.max_lessons, self._options.max_lesson_tokens
        text = recall_text(self._asked(request, critique), critique)
        found, examples = await self._memory.recall(
            text,
            _LOOKED_AT,
            lambda entry: _is_for(request, entry) and is_of_type(entry, self._schema),
            0 if self.recalls_by_critique else _EXAMPLES_PER_SHOWN * self._options.max_examples_shown,
            scope=request.scope,
        )
        found = [scored for scored in found if not shares_only_our_words(text, scored.entry.prompt)]
        found = [scored for scored in found if _is_for(request, scored.entry)]
        alike: list[Scored] = []
        tags = failure_tags(critique.issues) if critique is not None else ()
        if tags:
            alike = await self._memory.query(MemoryQuery(tags=tags, scope=request.scope, k=most or _LESSONS))
            alike = [scored for scored in alike if _is_for(request, scored.entry)]
        lessons = [scored.entry for scored in offered(found, most or _LESSONS, alike)]
        nearest = [scored.entry for scored in examples]
        shown_examples = shown(nearest, most=self._options.max_examples_shown, tokens=tokens)
        return Recalled(within_tokens(lessons[:most], tokens), shown_examples)

    async def earlier_moves(self, request: RunRequest, model: str | None) -> dict[str, Any]:
        """Return how the moves of the last runs of the same model and task type ended: see `moves.as_record`."""
        records = await self._memory.records(
            "moves", scope=request.scope, key=_moves_key(request, model), newest_first=True, limit=_RUNS_LOOKED_AT
        )
        return as_record(tallies_in([record.data for record in records]))

    async def keep_moves(self, request: RunRequest, model: str | None, moves: Mapping[str, Any]) -> None:
        """Record how the moves of a run ended, for later ones."""
        key = _moves_key(request, model)
        await self._memory.append([Record(log="moves", key=key, kind="run", scope=request.scope, data=moves)])

    async def learn(
        self,
        request: RunRequest,
        history: tuple[Iteration, ...],
        best: int,
        lessons: tuple[MemoryEntry, ...],
        reflections: Mapping[int, Reflection | None],
    ) -> tuple[MemoryEntry, ...]:
        """Record how the lessons did, store a new one if the run was successful, and return the stored entries.

        Args:
            lessons: those that a component of the run has seen.
        """
        helped = was_worth_it(history, best, score_threshold=self._config.score_threshold)
        from_the_start = request.initial is None and not self.recalls_by_critique
        if from_the_start or len(history) > 1:  # otherwise nothing used them
            for lesson in lessons:
                success = helped_from_the_start(lesson, history, self._config) if from_the_start else helped
                try:
                    await self._memory.record_usage(lesson.id, success=success, scope=request.scope)
                except NotFoundError:
                    continue  # it was forgotten or evicted in the meantime
        if not helped:
            return ()
        first = next(iter(history))
        lesson = lesson_of(
            history,
            best,
            prompt=self._asked(request, first.critique),
            run_id=request.run_id,
            scope=request.scope,
            by_critique=self.recalls_by_critique,
            task_type=_task_type(request),
            reflections=reflections,
        )
        return () if lesson is None else (await self._memory.store(lesson),)

    async def use_examples(
        self, request: RunRequest, examples: Sequence[MemoryEntry], history: Sequence[Iteration]
    ) -> None:
        """Record that a run was shown examples, and whether a candidate made with them was good enough."""
        success = helped(history, self._config)
        for example in examples:
            with suppress(NotFoundError):  # it was forgotten or evicted in the meantime
                await self._memory.record_usage(example.id, success=success, scope=request.scope)

    async def keep_example(self, request: RunRequest, best: Iteration, *, is_known: bool) -> None:
        """Store the accepted answer of a run as an example, if it is one to learn from.

        Args:
            is_known: a program or a person accepted it.
        """
        options, first = self._options, best.critique
        if options.learn_from == "nothing" or not (is_known or options.learn_from == "accepted"):
            return
        if self.recalls_by_critique:  # the task is in the candidate, not in the prompt
            return
        example = example_of(
            self._asked(request, first),
            request.prompt,
            best,
            run_id=request.run_id,
            scope=request.scope,
            task_type=_task_type(request),
            schema=self._schema,
        )
        if example is not None and options.max_examples:
            await keep_example(self._memory, example, options.max_examples)

    def _asked(self, request: RunRequest, critique: CritiqueResult | None) -> str:
        """Return the request in the user's words; "" if the caller said that the findings are all there is."""
        if self.recalls_by_critique and request.metadata.get("asked") == "" and critique is not None:
            return "" if critique.issues else request.prompt
        return asked_of(request.prompt, request.metadata)

    async def remember(self, episodes: Sequence[Episode]) -> tuple[MemoryEntry, ...]:
        """Record attempts, store the lessons of those with a reflection, and return the stored entries."""
        return await remember(self._memory, episodes, self._log)


def _moves_key(request: RunRequest, model: str | None) -> str:
    return f"{model or 'unknown'} {_task_type(request) or 'any'}"[:_KEY_CHARS]


def _task_type(request: RunRequest) -> str | None:
    task_type = request.metadata.get("task_type")
    return task_type if isinstance(task_type, str) and task_type.strip() else None


def _is_for(request: RunRequest, lesson: MemoryEntry) -> bool:
    """False for a lesson of another task type than the run's."""
    task_type = _task_type(request)
    return task_type is None or lesson.task_type in (None, task_type)


async def keep_example(memory: ReflexionMemory, example: MemoryEntry, most: int) -> MemoryEntry:
    """Store an example, and forget those of its scope and task type that are too many then."""
    kept = await memory.store(example)
    where = MemoryQuery(kinds=(MemoryKind.PROCEDURAL,), task_type=kept.task_type)
    entries = await memory.list_entries(kept.scope, where=where)
    examples = [one for one in entries if one.is_example and one.task_type == kept.task_type]
    may_go = [one for one in examples if not is_kept(one) and one.id != kept.id]
    for one in surplus(may_go, most - len(examples) + len(may_go)):
        with suppress(NotFoundError):  # another run was faster
            await memory.forget(one.id, scope=kept.scope)
    return kept


async def keep_rated(
    memory: ReflexionMemory, run_id: str, scope: Scope, thumb: str | None, *, schema: str | None = None
) -> None:
    """Keep the best answer of a run with a thumb up as an example; with a thumb down, forget those that it left.

    Args:
        schema: digest of the type of the answers.
    """
    if thumb == "down":
        where = MemoryQuery(kinds=(MemoryKind.PROCEDURAL,))
        for one in await memory.list_entries(scope, where=where):
            if one.is_example and any(run == run_id or run.startswith(f"{run_id}/") for run in one.evidence):
                with suppress(NotFoundError):
                    await memory.forget(one.id, scope=scope)
    if thumb != "up":
        return
    try:
        recorded = await RunJournal(memory).load(run_id, scope)
    except NotFoundError:  # of a graph, or without a journal
        return
    best = None if recorded.stopped is None else recorded.stopped.best
    if best is None:
        return
    task_type = recorded.metadata.get("task_type")
    example = example_of(
        asked_of(recorded.prompt, recorded.metadata),
        recorded.prompt,
        recorded.iterations[best],
        run_id=run_id,
        scope=scope,
        task_type=task_type if isinstance(task_type, str) and task_type.strip() else None,
        schema=schema,
    )
    if example is not None:
        await keep_example(memory, example, LearningOptions().max_examples)


async def remember(
    memory: ReflexionMemory, episodes: Sequence[Episode], log: ReflectionLog | None = None
) -> tuple[MemoryEntry, ...]:
    """Write episodes to the log, each under its id; store the lessons of their reflections and return those entries.

    Nothing is stored for a reflection that teaches nothing.
    """
    chars = size_of(episodes, enough=_FEW_CHARS)
    await memory.append(await aside(chars / CHARS_PER_MS, _records_of, episodes))
    reflected = [(episode.reflection, episode) for episode in episodes if episode.reflection is not None]
    reflected = [(reflection, episode) for reflection, episode in reflected if teaches(reflection)]
    entries = [entry for reflection, episode in reflected for entry in entries_from_reflection(reflection, episode)]
    stored = tuple([await memory.store(entry) for entry in entries])
    (log or ReflectionLog()).stored(stored)
    return stored


def _records_of(episodes: Sequence[Episode]) -> list[Record]:
    return [
        Record(
            log="episodes",
            key=episode.id,
            kind=episode.task_type or "",
            scope=episode.scope,
            data=dumped(episode),
            timestamp=episode.timestamp,
        )
        for episode in episodes
    ]
