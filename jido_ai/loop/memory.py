"""Memory in a run: retrieve lessons before it; record their usefulness and store a new lesson after it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal

from jido_ai.critics.acceptance import is_accepted
from jido_ai.errors import NotFoundError
from jido_ai.loop.events import MemoryPaused
from jido_ai.loop.examples import example_of, is_of_type, shown
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.learned import Learned
from jido_ai.loop.lesson import offered, recall_text, shares_only_our_words, within_tokens
from jido_ai.loop.moves import as_record, tallies_in
from jido_ai.loop.options import LearningOptions, RunRequest
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.state import Recalled, RunState
from jido_ai.memory.effect import Effect
from jido_ai.memory.evidence import is_told_again, withdrawn
from jido_ai.memory.examples import surplus
from jido_ai.memory.lessons import entries_from_reflection, is_kept, lesson_key, teaches
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.scope_index import CHARS_PER_MS, aside
from jido_ai.memory.trials import (
    KINDS,
    RECENT_RUNS,
    TRIALS,
    Kind,
    Trial,
    decision_of,
    is_due,
    is_held_out,
    paused_in,
    share_of,
    trial_key,
    trials_in,
)
from jido_ai.reflection.episodes import task_type_of
from jido_ai.reflection.failure_kind import failure_tags
from jido_ai.reflection.log import ReflectionLog
from jido_ai.text.plain_json import written
from jido_ai.text.plain_prompt import asked_of
from jido_ai.values import (
    CritiqueResult,
    Episode,
    LoopConfig,
    MemoryEntry,
    MemoryKind,
    MemoryQuery,
    Reflection,
    Scope,
    Scored,
)
from jido_ai.values.record import Record

_LESSONS: Final = 5
_LOOKED_AT: Final = 20
_EXAMPLES_PER_SHOWN: Final = 4
"""Examples looked at for each that is shown: some do not fit."""
_CHARS_AN_ISSUE: Final = 200
_RUNS_LOOKED_AT: Final = 20
_RECORDS_LOOKED_AT: Final = 40
_KEY_CHARS: Final = 200
_MADE_BY_LOOPS: Final = "loop"
"""Source of the lessons of runs."""


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
        holdout = self._options.holdout if request.may_be_held_out else 0.0
        may_be = is_held_out(request.run_id, share_of(holdout, range(RECENT_RUNS)))
        is_open = may_be and holdout is None  # then it depends on the number of runs that have ended
        recent = [] if holdout == 0.0 else await self._recent(request, RECENT_RUNS if is_open else 1)
        held_out = may_be and (not is_open or len({one.data.get("run_id") for one in recent}) >= RECENT_RUNS)
        if self.recalls_by_critique and (critique is None or not critique.issues):
            return Recalled((), held_out=held_out)
        most, tokens = self._options.max_lessons, self._options.max_lesson_tokens
        text = recall_text(self.asked(request, critique), critique)
        found, nearest_examples = await self._memory.recall(
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
        nearest = [scored.entry for scored in nearest_examples]
        examples = shown(nearest, most=self._options.max_examples_shown, tokens=tokens)
        found_lessons, paused = within_tokens(lessons[:most], tokens), paused_in(trials_in(recent[:1]))
        shown_lessons = () if held_out or "lessons" in paused else found_lessons
        shown_examples = () if held_out or "examples" in paused else examples
        withheld = (*(found_lessons if not shown_lessons else ()), *(examples if not shown_examples else ()))
        return Recalled(shown_lessons, shown_examples, held_out, withheld, paused)

    async def _recent(self, request: RunRequest, limit: int) -> list[Record]:
        """Return the lines of the newest ended runs of the scope and task type, newest first."""
        key = trial_key(task_type_of(request.metadata))
        return await self._memory.records(TRIALS, scope=request.scope, key=key, newest_first=True, limit=limit)

    async def _trial(self, request: RunRequest, state: RunState) -> tuple[list[Record], list[MemoryPaused]]:
        """Return the record that the first answer of a run was good enough, or was not; none if it is there already.

        And what is paused from now on, and why.
        """
        newest = await self._recent(request, 1)
        if isinstance(state, RecordedRun) or any(one.data.get("run_id") == request.run_id for one in newest):
            newest = await self._recent(request, RECENT_RUNS)
        recent = trials_in(newest[::-1])
        made = [one for one in state.iterations if request.initial is None or one.index > 0]
        good = [is_accepted(one, self._config) for one in made]
        recall = state.recall or Recalled(())
        entries = (*recall.lessons, *recall.examples, *recall.withheld)
        found = {"examples" if entry.is_example else "lessons" for entry in entries} if made else set[str]()
        trial = Trial(
            request.run_id,
            task_type_of(request.metadata),
            held_out=recall.held_out,
            found=tuple(kind for kind in KINDS if kind in found),
            paused=tuple(kind for kind in KINDS if kind in recall.paused),
            passed=bool(good) and good[0],
            calls=good.index(True) + 1 if True in good else None,
        )
        if any(one.run_id == trial.run_id and replace(one, counted={}, pauses={}) == trial for one in recent):
            return [], []  # it had ended before, in the same way
        others = [one for one in recent if one.run_id != trial.run_id]
        trial = trial.after(others[-1] if others else None)
        hurting: Mapping[Kind, Effect] = {}
        key = trial_key(trial.task_type)
        if any(is_due(trial, kind) for kind in KINDS):
            ended = await self._memory.records(TRIALS, scope=request.scope, key=key)
            earlier = [one for one in trials_in(ended) if one.run_id != trial.run_id]
            trial, hurting = decision_of(trial, [*earlier, trial])
        record = Record(log=TRIALS, key=key, kind="run", scope=request.scope, data=trial.as_map())
        told = hurting.items()
        return [record], [MemoryPaused(request.run_id, trial.task_type, kind, effect.text) for kind, effect in told]

    async def earlier_moves(self, request: RunRequest, model: str | None) -> dict[str, Any]:
        """Return how the moves of the last runs of the same model and task type ended: see `moves.as_record`."""
        records = await self._memory.records(
            "moves", scope=request.scope, key=_moves_key(request, model), newest_first=True, limit=_RECORDS_LOOKED_AT
        )
        by_run = {str(record.data.get("run", record.row)): record.data for record in reversed(records)}
        by_run.pop(request.run_id, None)
        return as_record(tallies_in([*by_run.values()][-_RUNS_LOOKED_AT:]))

    async def learn(
        self, request: RunRequest, state: RunState, learned: Learned
    ) -> tuple[tuple[MemoryEntry, ...], list[MemoryPaused]]:
        """Fold what a run teaches into memory; to do so again changes nothing.

        What does not need another's answer is written side by side: a store can commit it together.

        Returns:
            The entries, and what is paused from now on.
        """
        if learned.was_told:
            await self._withdraw(request, learned.lesson)
        others, paused = await self._trial(request, state)
        if learned.moves is not None:
            others += await self._moves(request, *learned.moves)
        write_episodes = partial(keep_episodes, self._memory, learned.episodes, others, was_told=learned.was_told)
        uses = [partial(self._use, request, lesson, success=success) for lesson, success in learned.uses]
        *_, stored, _ = await self._together(*uses, partial(self._entries, request, learned), write_episodes)
        newest = {entry.id: entry for entry in stored}  # some are merged with later ones
        return tuple([newest[entry.id] for entry in stored]), paused

    async def _together(self, *writes: Callable[[], Awaitable[Any]]) -> list[Any]:
        """Write side by side where a write has to be waited for, else in order; raise the first error at the end."""
        if self._memory.is_prompt or len(writes) == 1:
            return [await write() for write in writes]
        ended = await asyncio.gather(*[write() for write in writes], return_exceptions=True)
        for one in ended:
            if isinstance(one, BaseException):
                raise one
        return ended

    async def _use(self, request: RunRequest, lesson: MemoryEntry, *, success: bool) -> None:
        with suppress(NotFoundError):  # it was forgotten or evicted in the meantime
            await self._memory.record_usage(lesson.id, success=success, scope=request.scope, run_id=request.run_id)

    async def _entries(self, request: RunRequest, learned: Learned) -> list[MemoryEntry]:
        """Store the lesson of a run, those of its reflections, and its example, in this order; return the lessons."""
        lesson = [] if learned.lesson is None else [partial(self._memory.store, learned.lesson)]
        example = self._example(request, learned)
        accepted = [] if example is None else [partial(keep_example, self._memory, example, self._options.max_examples)]
        if any(episode.reflection is not None for episode in learned.episodes):
            stored = [*await self._together(*lesson), *await learn_from(self._memory, learned.episodes, self._log)]
            await self._together(*accepted)
            return stored
        return (await self._together(*lesson, *accepted))[: len(lesson)]

    async def _withdraw(self, request: RunRequest, lesson: MemoryEntry | None) -> None:
        """Take back the lesson that the run taught when it was cut, if it teaches another one now."""
        key = None if lesson is None else lesson_key(lesson)
        lessons = MemoryQuery(kinds=(MemoryKind.SEMANTIC,))
        for entry in await self._memory.list_entries(request.scope, where=lessons):
            if request.run_id not in entry.evidence or is_kept(entry) or lesson_key(entry) == key:
                continue
            if entry.source == _MADE_BY_LOOPS:
                await self._without(entry, request)

    async def _without(self, entry: MemoryEntry, request: RunRequest) -> None:
        try:
            if withdrawn(entry, request.run_id) is None:
                await self._memory.forget(entry.id, scope=request.scope)
            else:
                less = partial(_less, source=request.run_id)
                await self._memory.update(entry.id, less, scope=request.scope)
        except NotFoundError:
            return  # somebody else did

    async def _moves(self, request: RunRequest, model: str | None, moves: Mapping[str, Any]) -> list[Record]:
        """Return the record of how the moves of a run ended, for later ones; of those of one run the newest counts."""
        scope, key, data = request.scope, _moves_key(request, model), {**moves, "run": request.run_id}
        newest = await self._memory.records("moves", scope=scope, key=key, newest_first=True, limit=_RECORDS_LOOKED_AT)
        is_known = any(one.data == data for one in newest)
        return [] if is_known else [Record(log="moves", key=key, kind="run", scope=scope, data=data)]

    def _example(self, request: RunRequest, learned: Learned) -> MemoryEntry | None:
        """Return the accepted answer of a run as an example; None if it is none to learn from."""
        options, best = self._options, learned.accepted
        if best is None or not options.max_examples or options.learn_from == "nothing":
            return None
        if not (learned.is_known or options.learn_from == "accepted"):
            return None
        if self.recalls_by_critique:  # the task is in the candidate, not in the prompt
            return None
        return example_of(
            self.asked(request, best.critique),
            request.prompt,
            best,
            run_id=request.run_id,
            scope=request.scope,
            task_type=task_type_of(request.metadata),
            schema=self._schema,
        )

    def asked(self, request: RunRequest, critique: CritiqueResult | None) -> str:
        """Return the request in the user's words; "" if the caller said that the findings are all there is."""
        if self.recalls_by_critique and request.metadata.get("asked") == "" and critique is not None:
            return "" if critique.issues else request.prompt
        return asked_of(request.prompt, request.metadata)


def _moves_key(request: RunRequest, model: str | None) -> str:
    return f"{model or 'unknown'} {task_type_of(request.metadata) or 'any'}"[:_KEY_CHARS]


def _less(entry: MemoryEntry, source: str) -> MemoryEntry:
    return withdrawn(entry, source) or entry


def _is_for(request: RunRequest, lesson: MemoryEntry) -> bool:
    """False for a lesson of another task type than the run's."""
    task_type = task_type_of(request.metadata)
    return task_type is None or lesson.task_type in (None, task_type)


async def keep_example(memory: ReflexionMemory, example: MemoryEntry, most: int) -> MemoryEntry:
    """Store an example, and forget those of its scope and task type that are too many then."""
    kept = await memory.store(example)
    if await memory.count(kept.scope) <= most:
        return kept
    where = MemoryQuery(kinds=(MemoryKind.PROCEDURAL,), task_type=kept.task_type)
    entries = await memory.list_entries(kept.scope, where=where)
    examples = [one for one in entries if one.is_example and one.task_type == kept.task_type]
    may_go = [one for one in examples if not is_kept(one) and one.id != kept.id]
    for one in surplus(may_go, most - len(examples) + len(may_go)):
        with suppress(NotFoundError):  # another run was faster
            await memory.forget(one.id, scope=kept.scope)
    return kept


async def forget_examples(memory: ReflexionMemory, run_id: str, scope: Scope) -> None:
    """Forget the examples that a run with a thumb down left; those that a person edited since stay."""
    where = MemoryQuery(kinds=(MemoryKind.PROCEDURAL,))
    for one in await memory.list_entries(scope, where=where):
        if one.is_example and not is_kept(one) and any(f"{run}/".startswith(f"{run_id}/") for run in one.evidence):
            with suppress(NotFoundError):
                await memory.forget(one.id, scope=scope)


async def keep_rated(
    memory: ReflexionMemory, run_id: str, scope: Scope, options: LearningOptions, *, schema: str | None = None
) -> None:
    """Keep the best answer of a run with a thumb up as an example.

    Args:
        options: of its pipeline.
        schema: digest of the type of the answers.
    """
    if options.learn_from == "nothing" or not options.max_examples:
        return
    try:
        recorded = await RunJournal(memory).load(run_id, scope)
    except NotFoundError:  # without a journal
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
        await keep_example(memory, example, options.max_examples)


async def remember(
    memory: ReflexionMemory, episodes: Sequence[Episode], log: ReflectionLog | None = None
) -> tuple[MemoryEntry, ...]:
    """Write episodes to the log, each once; store the lessons of their reflections and return those entries."""
    await keep_episodes(memory, episodes)
    return await learn_from(memory, episodes, log)


async def keep_episodes(
    memory: ReflexionMemory, episodes: Sequence[Episode], others: Sequence[Record] = (), *, was_told: bool = True
) -> None:
    """Write episodes to the log, each under its id, and other records with them.

    Args:
        was_told: they may be there already.
    """
    records = await aside(_chars_of(episodes) / CHARS_PER_MS, records_of, episodes)
    if was_told:
        await memory.note(records)
        records = []
    if records or others:
        await memory.append([*records, *others])


def _chars_of(episodes: Sequence[Episode]) -> int:
    """Return about how many characters episodes have as JSON."""
    chars = 0
    for one in episodes:
        chars += len(one.prompt) + sum([len(event.content) for event in one.events])
        chars += 0 if one.candidate is None else len(one.candidate.content)
        chars += 0 if one.critique is None else _CHARS_AN_ISSUE * len(one.critique.issues)
    return chars


async def learn_from(
    memory: ReflexionMemory, episodes: Sequence[Episode], log: ReflectionLog | None = None
) -> tuple[MemoryEntry, ...]:
    """Store the lessons of the reflections on episodes, and return the entries; none for one that teaches nothing."""
    reflected = [(episode.reflection, episode) for episode in episodes if episode.reflection is not None]
    reflected = [(reflection, episode) for reflection, episode in reflected if teaches(reflection)]
    entries = [entry for reflection, episode in reflected for entry in entries_from_reflection(reflection, episode)]
    stored = await memory.learn(entries)
    (log or ReflectionLog()).stored(stored)
    return stored


async def earlier_reflection(memory: ReflexionMemory, episode: Episode) -> Reflection | None:
    """Return the reflection on an episode that was observed before as it is now; None without one."""
    (clean,) = await memory.as_kept(records_of([episode]))
    known = await memory.known(clean)
    if known is None or known.data.get("reflection") is None:
        return None
    if not is_told_again({**known.data, "reflection": None}, {**clean.data, "reflection": None}):
        return None
    return Reflection.model_validate(known.data["reflection"])


def records_of(episodes: Sequence[Episode]) -> list[Record]:
    """Return the records of episodes in the log "episodes"."""
    serializer = Episode.__pydantic_serializer__
    return [
        Record.written(
            written(serializer, episode),
            log="episodes",
            key=episode.id,
            kind=episode.task_type or "",
            scope=episode.scope,
            timestamp=episode.timestamp,
        )
        for episode in episodes
    ]
