"""The answers of a comparison: each request is asked once, kept, and shared by the strategies that ask for the same."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, cast

from jido_ai.components.call_context import current_call, current_meter, metering
from jido_ai.components.component import used_by
from jido_ai.errors import (
    AuthenticationError,
    BudgetExceededError,
    CircuitOpenError,
    ConfigurationError,
    ModelNotFoundError,
    ModelTimeoutError,
    ModelUnavailableError,
    QuotaError,
    RateLimitError,
)
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.calls import innermost, may_have_cost
from jido_ai.models.defaults import DEFAULTS, settings_by_default
from jido_ai.models.pricing import usage_of
from jido_ai.models.spending import Spending
from jido_ai.protocols import LanguageModel, Meter, Reservation
from jido_ai.values import Budget, Completion, CompletionRequest, Usage
from jido_ai.values.record import LogName, Record

COMPARED: Final[LogName] = "compared"
ANSWER: Final = "answer"
_UNUSABLE: Final = (AuthenticationError, ModelNotFoundError, QuotaError, ConfigurationError)
"""Errors after which no later call can succeed."""
_ABSENT: Final = (ModelUnavailableError, ModelTimeoutError, RateLimitError, CircuitOpenError)
_MOST_ABSENCES: Final = 3
_WRITING_S: Final = 10.0
_UNTOLD: Final = Usage(calls=1, unpriced_calls=1)


@dataclass(frozen=True, slots=True)
class _Kept:
    """An answer, and the seconds it took when it was asked for."""

    completion: Completion
    duration_s: float


@dataclass(slots=True)
class CaseCalls:
    """The calls of one case, which is its view of the desk; an `Answering`.

    Attributes:
        task: what tells the task from others: its id and prompt.
        is_judge: the calls of a judge: a kept answer counts as no call.
        waited_s: seconds spent at the desk.
        told_s: seconds that these calls took when they were made.
        was_refused: the limit in dollars of the whole comparison refused a call.
        seen: how often each request was made.
    """

    desk: AnswerDesk
    task: str
    repeat: int
    is_judge: bool = False
    waited_s: float = 0.0
    told_s: float = 0.0
    was_refused: bool = False
    seen: Counter[str] = field(default_factory=Counter[str])

    async def complete(self, model: LanguageModel, request: CompletionRequest) -> Completion:
        """Return the kept answer to the nth request of these words, or ask for it."""
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            kept = await self.desk.answer(self, model, request)
        except BaseException:
            self.told_s += clock() - began
            raise
        finally:
            self.waited_s += clock() - began
        self.told_s += kept.duration_s
        return kept.completion


class AnswerDesk:
    """Answers the requests of all cases of a comparison, each one once.

    The nth request of the same words in a case has a seed that follows from the comparison's and n, if it has none of
    its own. Requests of two cases are the same if task, repeat, model, words, settings and n are the same.

    Args:
        memory: keeps the answers.
        run_id: of the comparison.
        max_cost_usd: for all calls that are made, those of earlier processes included; None is no limit.

    Attributes:
        failure: an error after which no call can succeed.
        made: number of calls made here.
    """

    def __init__(
        self, memory: ReflexionMemory, run_id: str, *, seed: int = 0, max_cost_usd: float | None = None
    ) -> None:
        self._memory = memory
        self._run_id = run_id
        self._seed = seed
        self._total = Spending(Budget(max_cost_usd=max_cost_usd))
        self._kept: dict[str, _Kept] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._gates: dict[str, asyncio.Lock] = {}
        self._has_answered: set[str] = set()
        self._absences: Counter[str] = Counter()
        self._names: dict[int, tuple[object, str]] = {}
        self._unnamed: Counter[str] = Counter()
        self._writes: set[asyncio.Future[Any]] = set()
        self.failure: Exception | None = None
        self.made = 0

    @property
    def spent(self) -> Usage:
        """The usage of all calls that were made, those of earlier processes included; kept answers count once.

        A call that failed here and may be billed counts with the most that it may cost, or as unpriced.
        """
        return self._total.spent

    def load(self, records: Iterable[Record]) -> None:
        """Take the answers of other processes; those asked for here are known. Masked ones only count in the cost."""
        for record in records:
            key = str(record.data["key"])
            if key not in self._kept:
                kept = _Kept(Completion.model_validate(record.data["answer"]), float(record.data["s"]))
                self._total.record(kept.completion.usage)
                if record.data.get("sum") in (None, _sum(kept.completion.text)):
                    self._kept[key] = kept

    def know(self, users: Mapping[str, Iterable[object]]) -> list[list[str]]:
        """Name the models that the components of each strategy use. Return the names within each, in order.

        A model that has no address is known by its strategy and its number there: equal names mean nothing. One that
        several strategies share is known by the first of their names.
        """
        names: dict[str, set[str]] = {}
        for user in sorted(users):
            names[user] = set()
            models = (innermost(one) for one in used_by(users[user]) if callable(getattr(one, "complete", None)))
            numbers: Counter[str] = Counter()
            for model in {id(one): one for one in models}.values():
                name = identity_of(model)
                if not getattr(model, "base_url", None):
                    numbers[name] += 1
                    name += f"#{numbers[name]}"
                    self._names.setdefault(id(model), (model, f"{name} of {user}"))
                names[user].add(name)
        return [sorted(names[user]) for user in users]

    def name_of(self, model: LanguageModel) -> str:
        """Return the name of a model; one without an address that nobody has named is numbered when it comes."""
        inner = innermost(model)
        name = identity_of(inner)
        if getattr(inner, "base_url", None):
            return name
        known = self._names.get(id(inner))
        if known is None:
            self._unnamed[name] += 1
            known = self._names[id(inner)] = (inner, f"{name}#{self._unnamed[name]}")
        return known[1]

    async def answer(self, case: CaseCalls, model: LanguageModel, request: CompletionRequest) -> _Kept:
        """Return the answer to a request, kept or asked for. Raises as the model does."""
        key, request = self._numbered(case, model, request)
        async with self._turns.setdefault(key, asyncio.Lock()):
            kept = self._kept.get(key)
            if kept is not None:
                recorded = current_call.get()
                if recorded is not None:
                    recorded.is_replayed = True
                return _uncounted(kept) if case.is_judge else kept
            return await self._asked(case, key, model, request)

    async def close(self) -> None:
        """Wait, for a limited time, until the answers are written."""
        if self._writes:
            await asyncio.wait(self._writes, timeout=_WRITING_S)

    def _numbered(
        self, case: CaseCalls, model: LanguageModel, request: CompletionRequest
    ) -> tuple[str, CompletionRequest]:
        told = [
            case.task,
            case.repeat,
            self._seed,
            self.name_of(model),
            request.model,
            [[message.role, message.content] for message in request.messages],
            request.temperature,
            request.max_tokens,
            request.stop,
            request.seed,
            request.schema,
        ]
        words = json.dumps(told, sort_keys=True)
        case.seen[words] += 1
        number = case.seen[words]
        if request.seed is None:
            defaults = (*settings_by_default(request), "seed")  # a model that refuses it is asked without
            metadata = {**request.metadata, DEFAULTS: defaults}
            seed = self._seed + 1_000 * case.repeat + number
            request = request.model_copy(update={"seed": seed, "metadata": metadata})
        return hashlib.sha256(f"{words} {number}".encode("utf-8", "surrogatepass")).hexdigest()[:32], request

    async def _asked(self, case: CaseCalls, key: str, model: LanguageModel, request: CompletionRequest) -> _Kept:
        name = self.name_of(model)
        async with self._gate(name):
            if self.failure is not None:
                raise self.failure
            try:
                hold = self._total.reserve()
            except BudgetExceededError:
                case.was_refused = True
                raise
            clock = asyncio.get_running_loop().time
            began = clock()
            meter = _Both(current_meter.get(), self._total, case)
            try:
                with metering(meter):
                    completion: object = await model.complete(request)
            except BaseException as error:
                if may_have_cost(error):
                    self._count(hold, meter.most)
                else:
                    hold.release()
                self._note_failure(name, error)
                raise
            if not isinstance(completion, Completion):
                self._count(hold, _UNTOLD)
                return cast("Any", _Kept(cast("Any", completion), clock() - began))  # the caller refuses it
            completion = completion.model_copy(update={"usage": usage_of(completion)})
            self._count(hold, completion.usage)
            self._has_answered.add(name)
            kept = self._kept[key] = _Kept(completion, clock() - began)  # also for others, if this one is cancelled
            await self._keep(key, kept)
            return kept

    def _count(self, hold: Reservation, usage: Usage) -> None:
        hold.settle(usage)
        self.made += 1

    @asynccontextmanager
    async def _gate(self, name: str) -> AsyncGenerator[None]:
        """Let the first call of a model go alone: if it cannot be used, there is no second one."""
        if name in self._has_answered:
            yield
            return
        gate = self._gates.setdefault(name, asyncio.Lock())
        async with gate:
            is_first = name not in self._has_answered
            if is_first:
                yield
        if not is_first:
            yield

    def _note_failure(self, name: str, error: BaseException) -> None:
        if isinstance(error, _UNUSABLE):
            self.failure = self.failure or error
        if isinstance(error, _ABSENT) and name not in self._has_answered:
            self._absences[name] += 1
            if self._absences[name] >= _MOST_ABSENCES:
                self.failure = self.failure or error

    async def _keep(self, key: str, kept: _Kept) -> None:
        """Write an answer, also if the caller is cancelled; the memory masks secrets in it."""
        completion = kept.completion
        fields = completion.model_dump(mode="json", exclude_defaults=True)
        fields |= {"text": completion.text, "usage": completion.usage.model_dump(mode="json")}  # a known cost of 0, too
        data = {"key": key, "answer": fields, "s": round(kept.duration_s, 3), "sum": _sum(completion.text)}
        record = Record(log=COMPARED, key=self._run_id, kind=ANSWER, data=data)
        write = asyncio.ensure_future(self._memory.append([record]))
        self._writes.add(write)
        write.add_done_callback(self._writes.discard)
        await asyncio.shield(write)


class _Both:
    """The meter of a call: what is reserved must fit into the run's budget and into that of the comparison."""

    def __init__(self, of_run: Meter | None, total: Spending, case: CaseCalls) -> None:
        self._of_run = of_run
        self._total = total
        self._case = case
        self._most_usd = math.inf

    def reserve(self, *, calls: int = 1, tokens: int = 0, cost_usd: float = 0.0) -> Reservation:
        held: list[Reservation] = []
        if self._of_run is not None:
            held.append(self._of_run.reserve(calls=calls, tokens=tokens, cost_usd=cost_usd))
        try:
            held.append(self._total.reserve(calls=calls, tokens=tokens, cost_usd=cost_usd))
        except BudgetExceededError:
            self._case.was_refused = True
            for one in held:
                one.release()
            raise
        if not calls:  # a wrapper tells the most that the call may cost
            self._most_usd = cost_usd
        return _Holds(held)

    @property
    def most(self) -> Usage:
        """The most usage of the call, as far as it is known."""
        return Usage(calls=1, cost_usd=self._most_usd) if math.isfinite(self._most_usd) else _UNTOLD

    @property
    def spent(self) -> Usage:
        return self._total.spent

    @property
    def left(self) -> Budget:
        return self._total.left


@dataclass(frozen=True, slots=True)
class _Holds:
    held: list[Reservation]

    def settle(self, usage: Usage) -> None:
        for one in self.held:
            one.settle(usage)

    def release(self) -> None:
        for one in self.held:
            one.release()


def identity_of(model: object) -> str:
    """Return the provider, address and name of a model, the same in every process."""
    inner = innermost(model)
    return "|".join(str(getattr(inner, part, None) or "") for part in ("provider", "base_url", "model"))


def _sum(text: str) -> int:
    """Return a sum that shows whether a text was masked: of two bytes, so that it tells nothing of a secret."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) & 0xFFFF


def _uncounted(kept: _Kept) -> _Kept:
    nothing = {"usage": Usage(cost_usd=0.0), "is_cached": True}
    return _Kept(kept.completion.model_copy(update=nothing), kept.duration_s)


RESULT: Final = "result"
_READ_PER_ONE: Final = 5
"""A comparison that was continued has several; the newest counts."""


async def overviews(memory: ReflexionMemory, limit: int = 20) -> list[dict[str, Any]]:
    """Return the newest comparisons, newest first: `Comparison.overview`, with `run_id` and `at`."""
    records = await memory.records(COMPARED, kind=RESULT, newest_first=True, limit=_READ_PER_ONE * limit)
    newest: dict[str, dict[str, Any]] = {}
    for record in records:
        newest.setdefault(record.key, {"run_id": record.key, "at": record.timestamp.isoformat(), **record.data})
    return list(newest.values())[:limit]
