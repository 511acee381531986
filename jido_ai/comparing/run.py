"""compare: strategies side by side on the same tasks, with the same limit of model calls, judged by checks."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import copy_context
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from pydantic import TypeAdapter

from jido_ai.comparing.answers import ANSWER, COMPARED, RESULT, AnswerDesk, CaseCalls
from jido_ai.comparing.cases import Case, Verdict
from jido_ai.comparing.claiming import CaseClaims
from jido_ai.comparing.comparison import Comparison
from jido_ai.comparing.judging import Judging
from jido_ai.comparing.strategies import (
    Attempt,
    AttemptOutcome,
    Critics,
    Setting,
    Solve,
    Strategy,
    at_hand,
    strategy_of,
)
from jido_ai.comparing.tasks import Task, checked_tasks
from jido_ai.errors import ConfigurationError, JidoError, StoreDamagedError, describe, message_of
from jido_ai.loop.options import may_be_held_out
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.lessons import prompts_of
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.answering import answering
from jido_ai.models.pricing import require_prices
from jido_ai.models.spending import Spending
from jido_ai.runs.checks import checked_run_id
from jido_ai.runs.progress_bar import show
from jido_ai.runs.runnable import Runnable
from jido_ai.text.numbers import is_number
from jido_ai.text.wording import counted
from jido_ai.values import Budget, Scope, Usage, new_id
from jido_ai.values.record import Record

AnyStrategy = Strategy | Pipeline[Any] | Runnable[Any, Any, Any, Any] | Callable[[str], str | Awaitable[str]]
"""A strategy: `single`, `best_of`, a pipeline, a graph that takes the prompt as its only input, or a function of it."""
CASE: Final = "case"
_TENANT: Final = "comparison"
_GRACE_S: Final = 10.0
_PAGE: Final = 100
_ELSEWHERE_S: Final = 1.0
_DIGITS: Final = 12
_RUN_ID_CHARS: Final = 200
"""A scope's name has up to 255; it holds the comparison's, a digest and the number of a repeat."""
_STORE_S: Final = 600.0
_CASE: Final = TypeAdapter(Case)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a comparison is.

    Attributes:
        done, total: cases, one for each task, strategy and repeat.
        case: the newest one; None at the beginning.
        calls: model calls made by this process.
        cost_usd: of all calls of the comparison; None if the price of one is unknown.
        left_s: seconds that the rest may take; None if there is nothing to reckon from.
    """

    done: int
    total: int
    case: Case | None
    calls: int
    cost_usd: float | None
    left_s: float | None


async def compare(
    tasks: Iterable[Task],
    strategies: Mapping[str, AnyStrategy],
    *,
    max_calls: int | None = 4,
    max_cost_usd: float | None = None,
    seed: int = 0,
    repeats: int = 1,
    memory: ReflexionMemory | str | Path | None = None,
    baseline: str = "single",
    run_id: str | None = None,
    critics: Critics | None = None,
    max_answer_usd: float | None = None,
    max_concurrency: int = 4,
    timeout_s: float = 900.0,
    progress: Callable[[Progress], object] | bool | None = None,
) -> Comparison:
    """Let each strategy answer each task, judge the answers by the checks, and compare.

    Equal requests of strategies to one task, such as that for the first answer, are made once and counted for each.
    Every answer of a model is kept in the memory when it comes, every case when it is judged: after a kill or an error
    the same call with the same `run_id` asks only for what is missing. A call in flight at that moment is made again.
    Cases that ended without an answer are tried again. Processes that make the same call at the same time, with the
    same `run_id` and memory, share the work, and each returns the whole result.

    The checks judge answers as they came; the memory keeps them with secrets masked. One that was masked is asked for
    again if its case is missing.

    Only calls by components of this library (`LLMGenerator`, `LLMCritiquer`, `LLMReviser`, ...) are shared and kept.
    A strategy with a memory works on one task after the other; its lessons are those of this comparison and repeat, so
    that none is offered to the task that it comes from.

    Args:
        strategies: by name, in the order of the table.
        max_calls: model calls of one answer, the same for all; None is no limit, and needs `max_answer_usd`.
        max_cost_usd: of all calls of the comparison. When it is reached, the result is partial and says so. What
            other processes have in flight is not known and may exceed it.
        seed: of the order of the tasks, and of requests that have no seed of their own.
        repeats: how often each strategy answers each task.
        memory: a path or address, or a memory; None keeps nothing.
        baseline: what the others are compared with; the first strategy if there is none of that name.
        run_id: of the comparison, at most 200 characters; None makes one.
        critics: "checks": the checks also judge inside of all strategies, in place of their critics.
        max_answer_usd: cost of one answer, the same for all; None is no limit.
        max_concurrency: cases at a time.
        timeout_s: seconds for one answer.
        progress: called after each case; True shows a bar on standard error.

    Raises:
        ConfigurationError: an argument can never work, or a budget in dollars needs a price that is unknown. Nothing
            was called.
        ModelError: a model cannot be used at all, for example because there is no such model; after its first call.
    """
    chosen = _checked_strategies(strategies)
    limits = _Limits(max_calls, max_answer_usd, max_cost_usd, seed, repeats, max_concurrency, timeout_s)
    if critics not in (None, "checks"):
        raise ConfigurationError(f'critics must be "checks" or None, got {describe(critics)}')
    checked = checked_tasks(tasks)
    own_id = checked_run_id(run_id) or new_id("comparison")
    if len(own_id) > _RUN_ID_CHARS:
        raise ConfigurationError(
            f"run_id of a comparison must have at most {_RUN_ID_CHARS} characters, got {len(own_id)}"
        )
    async with (
        Judging(checked, seed=seed) as judging,
        _memory_open(memory) as kept,
        CaseClaims(None if memory is None else kept, Scope(_TENANT)) as claims,
    ):
        work = _Cases(
            checked,
            chosen,
            limits,
            memory=kept,
            claims=claims,
            judging=judging,
            run_id=own_id,
            critics=critics,
            progress=_shown if progress is True else progress or None,
        )
        cases = await work.cases()
        result = Comparison.of(
            cases,
            tasks=checked,
            names=chosen,
            baseline=baseline if baseline in chosen else next(iter(chosen)),
            hollow=() if work.stopped else await judging.hollow(),
            run_id=None if memory is None else own_id,
            stopped=work.stopped,
            notes=_notes(chosen, critics),
        )
        await kept.append([Record(log=COMPARED, key=own_id, kind=RESULT, data=result.overview())])
        return result


def _shown(progress: Progress) -> None:
    show(progress.done, progress.total)


# -- arguments -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Limits:
    max_calls: int | None
    max_answer_usd: float | None
    max_cost_usd: float | None
    seed: int
    repeats: int
    max_concurrency: int
    timeout_s: float

    def __post_init__(self) -> None:
        for name in ("repeats", "max_concurrency", "max_calls"):
            value = getattr(self, name)
            if (name, value) != ("max_calls", None) and (
                isinstance(value, bool) or not isinstance(value, int) or value < 1
            ):
                raise ConfigurationError(f"{name} must be a whole number of at least 1, got {describe(value)}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise ConfigurationError(f"seed must be a whole number, got {describe(self.seed)}")
        for name in ("max_answer_usd", "max_cost_usd", "timeout_s"):
            value = getattr(self, name)
            if value is None and name != "timeout_s":
                continue
            if not is_number(value) or value <= 0:
                raise ConfigurationError(f"{name} must be above 0 and finite, got {describe(value)}")
        if self.max_calls is None and self.max_answer_usd is None:
            raise ConfigurationError("strategies need the same limit: set max_calls or max_answer_usd")

    @property
    def budget(self) -> Budget:
        """The budget of one answer."""
        return Budget(max_calls=self.max_calls, max_cost_usd=self.max_answer_usd)


def _checked_strategies(given: object) -> dict[str, Strategy]:
    found = cast("Mapping[object, object]", given)
    if not isinstance(given, Mapping) or not found:
        raise ConfigurationError(f"strategies must be a mapping of at least one, by name, got {describe(found)}")
    for name in found:
        if not isinstance(name, str) or not 1 <= len(name) <= 255 or not name.isprintable() or not name.strip():
            raise ConfigurationError(
                f"a strategy's name must be a printable text of 1 to 255 characters, got {describe(name)}"
            )
    return {str(name): strategy_of(str(name), one) for name, one in found.items()}


def _notes(strategies: Mapping[str, Strategy], critics: Critics | None) -> dict[str, str]:
    """Return notes for the reader, by strategy."""
    if critics == "checks":
        return {
            name: "the checks are its critics, so it is told what they expect"
            for name, one in strategies.items()
            if one.has_critics
        }
    told = "an oracle: it picks by the checks, which shows the most that picking could bring"
    return {name: told for name, one in strategies.items() if one.is_oracle}


@asynccontextmanager
async def _memory_open(memory: ReflexionMemory | str | Path | None) -> AsyncGenerator[ReflexionMemory]:
    if isinstance(memory, ReflexionMemory) and memory.is_open:
        yield memory
        return
    if memory is not None and not isinstance(memory, ReflexionMemory | str | Path):
        raise ConfigurationError(f"memory must be None, a path or a ReflexionMemory, got {describe(memory)}")
    if not isinstance(memory, ReflexionMemory):
        similarity = "weighted" if memory is None else "auto"
        memory = ReflexionMemory(memory, similarity=similarity, timeout_s=_STORE_S)
    async with memory:
        yield memory


# -- the work --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class _CaseAt:
    """A case, in the order in which cases are worked on.

    Attributes:
        position: of the task, in the order of this comparison.
        strategy: its index.
    """

    repeat: int
    position: int
    strategy: int


class _Cases:
    """All cases of a comparison: those that are there, and those to be made.

    Attributes:
        stopped: why it ended early; None if it did not.
    """

    def __init__(
        self,
        tasks: Sequence[Task],
        strategies: Mapping[str, Strategy],
        limits: _Limits,
        *,
        memory: ReflexionMemory,
        claims: CaseClaims,
        judging: Judging,
        run_id: str,
        critics: Critics | None,
        progress: Callable[[Progress], object] | None,
    ) -> None:
        self._tasks = list(tasks)
        random.Random(limits.seed).shuffle(self._tasks)
        self._names = list(strategies)
        self._strategies = list(strategies.values())
        self._limits = limits
        self._memory = memory
        self._claims = claims
        self._run_id = run_id
        self._critics: Critics | None = critics
        self._progress = progress
        self._desk = AnswerDesk(memory, run_id, seed=limits.seed, max_cost_usd=limits.max_cost_usd)
        self._done: dict[_CaseAt, Case] = {}
        self._before = 0
        self._began = 0.0
        self._ready: list[_CaseAt] = []
        self._changed = asyncio.Condition()
        self._in_flight: set[_CaseAt] = set()
        self._places: dict[str, _CaseAt] = {}  # by fingerprint
        self._row = 0  # the newest record that was read
        self._reading = asyncio.Lock()
        self._judging = judging
        self._models: list[list[str]] = []  # of each strategy
        self.stopped: str | None = None

    @property
    def _total(self) -> int:
        return len(self._tasks) * len(self._strategies) * self._limits.repeats

    async def cases(self) -> tuple[Case, ...]:
        """Make what is missing, and return all cases."""
        await self._load()
        if len(self._done) < self._total:
            await self._make()
        else:
            self._tell(None)
        return tuple(self._done[place] for place in sorted(self._done))

    async def _load(self) -> None:
        self._models = self._know()
        self._desk.know({"": self._judging.judges})
        for strategy in range(len(self._strategies)):
            for repeat in range(self._limits.repeats):
                for position in range(len(self._tasks)):
                    place = _CaseAt(repeat, position, strategy)
                    self._places[self._fingerprint(place)] = place
        await self._read()
        self._done = {place: case for place, case in self._done.items() if case.verdict is not None}
        self._before = len(self._done)

    def _know(self) -> list[list[str]]:
        parts = (one.parts() for one in self._strategies)
        return self._desk.know(dict(zip(self._names, parts, strict=True)))

    async def _read(self) -> None:
        """Take what has been recorded since the last time, by this or by another process."""
        async with self._reading:
            while True:
                page = await self._memory.records(COMPARED, key=self._run_id, after=self._row, limit=_PAGE)
                self._desk.load(record for record in page if record.kind == ANSWER)
                for record in page:
                    place = self._places.get(str(record.data["fingerprint"])) if record.kind == CASE else None
                    if place is not None:
                        self._done[place] = _case_in(record)
                if page:
                    self._row = page[-1].row
                if len(page) < _PAGE:
                    return

    async def _make(self) -> None:
        prices = Budget(max_cost_usd=self._limits.max_cost_usd or self._limits.max_answer_usd)
        setting = Setting(
            memory=self._memory,
            max_calls=self._limits.max_calls,
            timeout_s=self._limits.timeout_s,
            critics=self._critics,
        )
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._desk.close)
            await require_prices(prices, [part for one in self._strategies for part in one.parts()])
            solve = [await stack.enter_async_context(one.opened(setting)) for one in self._strategies]
            self._know()  # a graph has its parts once it runs
            await require_prices(prices, [part for one in self._strategies for part in one.parts()])
            self._began = asyncio.get_running_loop().time()
            self._line_up()
            self._tell(None)
            await self._next(solve)  # alone: if a model cannot be used, this is the only call
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self._limits.max_concurrency):
                        group.create_task(self._worker(solve))
            except ExceptionGroup as group:
                raise self._desk.failure or group.exceptions[0] from None

    def _line_up(self) -> None:
        """Make every missing case ready; of a strategy that learns only its next one."""
        self._ready = []
        for strategy, one in enumerate(self._strategies):
            for repeat in range(self._limits.repeats):
                places = [_CaseAt(repeat, position, strategy) for position in range(len(self._tasks))]
                missing = [place for place in places if place not in self._done]
                self._ready += missing[:1] if one.learns else missing
        self._ready = [place for place in self._ready if place not in self._in_flight]
        heapq.heapify(self._ready)

    async def _worker(self, solve: Sequence[Solve]) -> None:
        while await self._next(solve):
            pass

    async def _next(self, solve: Sequence[Solve]) -> bool:
        """Make a missing case that no other process works on, once there is one. Returns False if none is missing."""
        while not self.stopped:
            async with self._changed:
                await self._changed.wait_for(lambda: self._ready or not self._in_flight or self.stopped)
            if self._ready:
                place = heapq.heappop(self._ready)
                if place not in self._in_flight and await self._claimed(place, solve[place.strategy]):
                    return True
            elif not self._in_flight and not self.stopped:
                await self._read()
                if len(self._done) == self._total:
                    return False
                await asyncio.sleep(_ELSEWHERE_S)  # other processes are at the rest
                await self._read()
                self._line_up()
        return False

    async def _claimed(self, place: _CaseAt, solve: Solve) -> bool:
        """Make a case. Returns False if another process works on it or has made it."""
        names = self._names_of_claims(place)
        self._in_flight.add(place)
        try:
            if not await self._claims.take(*names):
                return False
            try:
                if self._claims.are_seen:
                    await self._read()
                if place in self._done:
                    self._go_on(place)
                    return False
                # In a task of its own, which has a context of its own.
                await asyncio.create_task(self._case(place, solve), context=copy_context())
            finally:
                self._claims.give(*names)
        finally:
            self._in_flight.discard(place)
            async with self._changed:
                self._changed.notify_all()
        return True

    def _names_of_claims(self, place: _CaseAt) -> tuple[str, ...]:
        """Return the names to claim. Strategies share answers within a task, and tasks lessons within a strategy."""
        task = _digest("task", _text_of(self._tasks[place.position]), place.repeat)
        names = [f"{self._run_id}.{task}"]
        if self._strategies[place.strategy].learns:
            names.append(f"{self._run_id}.{_digest('lane', self._names[place.strategy], place.repeat)}")
        return tuple(names)

    async def _case(self, place: _CaseAt, solve: Solve) -> None:
        case = await self._made(place, solve)
        if self._desk.failure is not None:
            raise self._desk.failure
        if case is None:
            return
        data = {"fingerprint": self._fingerprint(place), "case": asdict(case)}
        await self._memory.append([Record(log=COMPARED, key=self._run_id, kind=CASE, data=data)])
        self._done[place] = case
        self._go_on(place)
        self._tell(case)

    def _go_on(self, place: _CaseAt) -> None:
        """Make the next case of a strategy that learns ready."""
        if self._strategies[place.strategy].learns:
            later = (replace(place, position=position) for position in range(place.position + 1, len(self._tasks)))
            following = next((one for one in later if one not in self._done), None)
            if following is not None:
                heapq.heappush(self._ready, following)

    async def _made(self, place: _CaseAt, solve: Solve) -> Case | None:
        """Return the case; None if the limit in dollars was reached in it."""
        task = self._tasks[place.position]
        calls = CaseCalls(self._desk, _text_of(task), place.repeat)
        attempt = await self._attempt(place, calls)
        answering.set(calls)
        at_hand.set(attempt)
        may_be_held_out.set(False)
        clock = asyncio.get_running_loop().time
        began = clock()
        error: str | None = None
        outcome = AttemptOutcome(None, Usage())
        limit = asyncio.timeout(self._limits.timeout_s + _GRACE_S)  # loops have ended by then, with what they have
        try:
            async with limit:
                outcome = await solve(attempt)
        except TimeoutError as late:
            error = f"no answer in {self._limits.timeout_s:g} s" if limit.expired() else _in_words(late)
        except asyncio.CancelledError as stray:
            if cast("asyncio.Task[None]", asyncio.current_task()).cancelling():
                raise
            error = f"a component was cancelled: {_in_words(stray)}"
        except Exception as failure:  # the error of one task is a result
            is_first = not any(done.strategy == place.strategy for done in self._done)
            if isinstance(failure, ConfigurationError) and is_first:
                raise
            error = _in_words(failure)
        duration_s = max(0.0, clock() - began - calls.waited_s + calls.told_s)
        if self._desk.failure is not None:
            return None
        if error is not None:
            outcome = AttemptOutcome(None, attempt.spending.spent, "error")
        elif outcome.error is not None:
            error = f"{outcome.error.kind}: {outcome.error.message}"
        verdict = None
        if outcome.text is not None and not calls.was_refused:
            try:
                verdict = await attempt.judge(outcome.text)
            except JidoError as failure:
                error = f"the answer could not be judged: {_in_words(failure)}"
        if calls.was_refused:
            self._stop()
            return None
        usage = outcome.usage
        return Case(
            task_id=task.key,
            strategy=self._names[place.strategy],
            repeat=place.repeat,
            verdict=verdict,
            answer=outcome.text,
            calls=usage.calls,
            prompt_tokens=usage.input_tokens,
            completion_tokens=usage.output_tokens,
            cost_usd=None if usage.unpriced_calls else usage.cost_usd,
            duration_s=round(duration_s, 3),
            stop_reason=outcome.stop_reason,
            error=error,
            run_id=outcome.run_id,
        )

    async def _attempt(self, place: _CaseAt, calls: CaseCalls) -> Attempt:
        task, name = self._tasks[place.position], self._names[place.strategy]
        case = _digest(name, task.key, place.repeat)
        began = f"{self._run_id}.{case}."
        lane = f"{self._run_id}.{_digest(name)}.{place.repeat}"
        attempt = Attempt(
            task=task,
            run_id=began + new_id("try").removeprefix("try_"),
            scope=Scope(_TENANT, lane),
            spending=Spending(self._limits.budget),
            judge=partial(self._judged, task, calls),
        )
        if self._strategies[place.strategy].learns:
            await self._forget_own(attempt.scope, began, {task.prompt, attempt.prompt})
        return attempt

    async def _forget_own(self, scope: Scope, began: str, prompts: Collection[str]) -> None:
        """Forget the lessons of an earlier try of a case, which was killed after it had learned.

        One that was merged with the lesson of another task stays that of the other task.
        """
        own = [
            entry
            async for entry in self._memory.entries(scope)
            if any(source.startswith(began) for source in entry.evidence)
        ]
        for entry in own:
            await self._memory.forget(entry.id, scope=scope)
            evidence = tuple(source for source in entry.evidence if not source.startswith(began))
            if evidence:  # an update could not change the prompt, by which lessons are found
                others = [one for one in prompts_of(entry) if one not in prompts] or [entry.prompt]
                metadata = {**entry.metadata, "prompts": others}
                await self._memory.store(entry.replace(prompt=others[0], evidence=evidence, metadata=metadata))

    async def _judged(self, task: Task, calls: CaseCalls, text: str) -> Verdict:
        judging = CaseCalls(self._desk, f"judge {_text_of(task)}", 0, is_judge=True)
        token = answering.set(judging)
        try:
            return await self._judging.judged(task, text)
        finally:
            answering.reset(token)
            calls.was_refused |= judging.was_refused

    def _stop(self) -> None:
        if self.stopped:
            return
        limit, spent = self._limits.max_cost_usd, self._desk.spent
        why = (
            f"the cost of {counted(spent.unpriced_calls, 'call')} is unknown, and so is what is left of ${limit:g}"
            if spent.unpriced_calls
            else f"${spent.cost_usd:.4f} of the limit of ${limit:g} is spent, and the next call could exceed it"
        )
        self.stopped = f"after {len(self._done)} of {self._total} answers, {why}"

    def _tell(self, case: Case | None) -> None:
        if self._progress is None:
            return
        done, total = len(self._done), self._total
        made = done - self._before
        passed_s = asyncio.get_running_loop().time() - self._began
        spent = self._desk.spent
        self._progress(
            Progress(
                done,
                total,
                case,
                self._desk.made,
                None if spent.unpriced_calls else spent.cost_usd,
                passed_s / made * (total - done) if made else None,
            )
        )

    def _fingerprint(self, place: _CaseAt) -> str:
        """Return the identity of a case and of the way it is made, the same in every process."""
        task, strategy = self._tasks[place.position], self._strategies[place.strategy]
        return _digest(
            self._names[place.strategy],
            strategy.in_words(),
            self._models[place.strategy],
            _text_of(task),
            self._judging.identity(task),
            place.repeat,
            self._limits.seed,
            self._limits.max_calls,
            self._limits.max_answer_usd,
            self._critics,
        )


def _text_of(task: Task) -> str:
    return json.dumps([task.key, task.prompt, task.initial_candidate])


def _digest(*parts: object) -> str:
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {message_of(error)}"


def _case_in(record: Record) -> Case:
    try:
        return _CASE.validate_python(record.data["case"])
    except (LookupError, ValueError) as error:
        raise StoreDamagedError(f"a case of comparison {record.key!r} cannot be read: {error!r}") from error
