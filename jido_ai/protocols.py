"""What can be plugged in. Any object with the method is one; so is a plain (async) function of the same arguments.

Each protocol has one contract suite under `tests/contracts` that every implementation passes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from jido_ai.errors import ConfigurationError, StoreError
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    ErrorInfo,
    Iteration,
    MemoryEntry,
    MemoryQuery,
    Scope,
    Usage,
    utc_now,
)

__all__ = [
    "AnyModel",
    "BatchStore",
    "Critiquer",
    "Embedder",
    "FingerprintingExecutor",
    "Generator",
    "LanguageModel",
    "LogName",
    "LogSummary",
    "Meter",
    "Record",
    "Reservation",
    "Reviser",
    "RunContext",
    "StreamingModel",
    "ToolExecutor",
    "ToolJob",
    "ToolRun",
]


class Reservation(Protocol):
    """What was set aside of a budget for one call, until it is known what the call took."""

    def settle(self, usage: Usage) -> None:
        """Put what was really spent in its place. The second time, and after `release`, it does nothing."""
        ...

    def release(self) -> None:
        """Give it back: nothing was sent, so nothing was spent."""
        ...


class Meter(Protocol):
    """Counts what a run spends, and says no before a call that its budget cannot bear."""

    def reserve(self, *, calls: int = 1, tokens: int = 0, cost_usd: float = 0.0) -> Reservation:
        """Set aside what a call may take, at most. Raises `BudgetExceededError`; nothing is set aside then."""
        ...

    @property
    def spent(self) -> Usage:
        """What was settled so far."""
        ...


@dataclass(frozen=True, slots=True)
class RunContext:
    """What a component may know about the run it works for.

    Attributes:
        prompt: what the run was asked; it always arrives.
        iteration: index of the candidate in hand, from 0.
        lessons: what memory had to say about the prompt, most useful first.
        deadline: time of the event loop's clock at which the run ends; None is no limit.
        meter: where model calls are reserved before and settled after; None outside of a run. What a component
            settles here it does not report in metadata["usage"] as well.
        baseline: the critique of the first candidate, which later ones are held against; None while that one is judged.
        setbacks: earlier attempts of this run that broke what worked (`Iteration.broken`), oldest first. A reviser must
            not make the same edits again.
        attempts: earlier revisions of this very text that broke nothing and were not taken, oldest first.
        last_error: why the last try of this step failed; None for a first try.
    """

    run_id: str
    prompt: str
    iteration: int = 0
    lessons: tuple[MemoryEntry, ...] = ()
    deadline: float | None = None
    scope: Scope = field(default_factory=Scope)
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    meter: Meter | None = None
    baseline: CritiqueResult | None = None
    setbacks: tuple[Iteration, ...] = ()
    attempts: tuple[Iteration, ...] = ()
    last_error: ErrorInfo | None = None

    @property
    def time_left_s(self) -> float | None:
        """Return the seconds until the deadline, at least 0.0; None without one. Needs a running event loop."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - asyncio.get_running_loop().time())


@runtime_checkable
class Generator(Protocol):
    """Makes the first candidate, or several, for a prompt."""

    async def generate(self, prompt: str, context: RunContext) -> Candidate | Sequence[Candidate] | str: ...


@runtime_checkable
class Critiquer(Protocol):
    """Judges a candidate. It never changes it."""

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult: ...


@runtime_checkable
class Reviser(Protocol):
    """Makes a better candidate from one and its critique, or raises `Declined` when it does not know how."""

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate | str: ...


@runtime_checkable
class LanguageModel(Protocol):
    """Answers a conversation."""

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. Raises `ModelError`, or `ConfigurationError` for a request that can never work."""
        ...


AnyModel = LanguageModel | Callable[[CompletionRequest], Completion | Awaitable[Completion]] | str
"""What is taken for a language model: one, a (plain or async) function of a request, or a name ("openai:NAME")."""


@runtime_checkable
class StreamingModel(LanguageModel, Protocol):
    """A language model that can also tell its answer piece by piece."""

    def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text in order, and last the whole `Completion`. Fails as `complete` does."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolJob:
    """One program to run once, in a fresh directory that is its working directory.

    Attributes:
        argv: the program's name and its arguments; no shell reads them. "python" is the running interpreter.
        files: what lies in the directory, by relative path; written over a file of `tree` of the same path.
        tree: a directory whose copy the run works in; the original is never touched. Environment files (`.env`) and
            other places of secrets stay out of the copy; what a program needs of them is given in `files`.
        stdin: what the program reads; None is an empty input.
        report: name of a file that the program writes into the directory, to be read back.
        timeout_s: from the start of the program until it and all it started is killed.
        max_output_bytes: of stdout, of stderr and of the report, each; the rest is dropped.
        executes: the program runs code of the candidate, as tests do; False when it only reads it, as linters do.
        unsafe: the caller accepts that the program executes hostile code and is not held.
        target: the file that is looked at, which is the last argument; None when the job is about no single file.
        split: reads what the program says of several files, given as more arguments, and returns a run for each it
            could tell apart; None when it takes one file only.
    """

    argv: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    tree: Path | None = None
    stdin: bytes | None = None
    report: str | None = None
    timeout_s: float = 30.0
    max_output_bytes: int = 4 * 1024 * 1024
    executes: bool = True
    unsafe: bool = False
    target: str | None = None
    split: Split | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRun:
    """What came of a `ToolJob`.

    Attributes:
        exit_status: of the program; minus the number of the signal that ended it; None after the time limit.
        report: text of the report, None when none was asked for or none was written.
        truncated: something was longer than `max_output_bytes` and is not complete here.
        directory: the directory as the program saw it; it is gone.
        sandbox: the layer that held the program: "strong", "medium", or "none", which is a plain process.
    """

    exit_status: int | None
    stdout: str
    stderr: str
    report: str | None
    truncated: bool
    duration_s: float
    directory: str
    sandbox: str

    @property
    def timed_out(self) -> bool:
        """True when the program was killed at its time limit."""
        return self.exit_status is None


Split = Callable[[ToolRun, Sequence[str]], Mapping[str, ToolRun]]
"""A run over several files and their paths in, a run for each out; files it cannot tell about are missing."""


@runtime_checkable
class ToolExecutor(Protocol):
    """Runs programs, and leaves neither a process nor a file behind."""

    def locate(self, program: str) -> str:
        """Return the absolute path of `program`. Raises `ToolNotFoundError` when it is missing or not allowed."""
        ...

    async def run(self, job: ToolJob) -> ToolRun:
        """Run it to its end or its limit.

        Raises:
            ConfigurationError: a path leads outside, refused before any file is opened; `ToolNotFoundError` is one. Or
                the program executes the candidate, nothing here can hold it, and the job does not say `unsafe`.
            ToolError: it could not be run.
        """
        ...


@runtime_checkable
class FingerprintingExecutor(ToolExecutor, Protocol):
    """An executor that can tell when two jobs would do the same, so that what came of one can stand for the other."""

    async def fingerprints(self, jobs: Sequence[ToolJob]) -> tuple[str | None, ...]:
        """Return one text per job, equal for jobs that would do the same but for their time limits; None: unknown."""
        ...


# -- memory ----------------------------------------------------------------------------------------


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors, near each other when the texts mean the same."""

    @property
    def name(self) -> str:
        """What tells its vectors from those of others: the same name, the same vector for a text."""
        ...

    @property
    def dim(self) -> int:
        """How many numbers a vector has; 0 when that is not known before the first call."""
        ...

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, in their order. Raises `EmbeddingError` when it cannot (now)."""
        ...


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry and its row: a number that grows with every storing, so that newer means larger."""

    row: int
    entry: MemoryEntry


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a reader has followed a scope; only the store that made it can read it."""

    row: int = 0
    removal: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened in a scope after a cursor.

    Attributes:
        cursor: where to go on.
        came: row and prompt of what was added, rows ascending.
        went: rows that are no longer there; some may never have been seen.
        start_over: too much went to be told one by one: forget what was read before, `came` begins anew.
        is_complete: False when there is more to read, from `cursor` on.
    """

    cursor: Cursor
    came: Sequence[tuple[int, str]] = ()
    went: Sequence[int] = ()
    start_over: bool = False
    is_complete: bool = True


LogName = Literal["journal", "episodes", "ledger", "audit", "embeddings"]
"""What is recorded beside the entries: steps of runs, episodes, what calls cost, who read and wrote, vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One line of a log: written once, never changed.

    Attributes:
        key: what belongs together: a run's id, an episode's id, a day.
        kind: what sort of line it is within its log; "" when there is only one sort.
        data: JSON-ready.
        row: given by the store, larger for later; 0 before.
    """

    log: LogName
    key: str
    data: Mapping[str, Any]
    kind: str = ""
    scope: Scope = field(default_factory=Scope)
    timestamp: datetime = field(default_factory=utc_now)
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSummary:
    """The records of one key of a log, in short."""

    scope: Scope
    key: str
    records: int
    first: Record
    last: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Somebody is at a run.

    Attributes:
        token: of this claim and no other.
        owner: the process; for `jido_ai.loop.claims` to read.
        expires_at: when it is void for those who cannot see whether the owner lives.
        number: given by the store, larger for each new claim of a run; 0 before.
    """

    run_id: str
    scope: Scope
    token: str
    owner: str
    expires_at: datetime
    number: int = 0


class MemoryStore(Protocol):
    """Keeps memory entries and logs; what a method returned is as durable as the store can make it.

    `scope=None` means all scopes. Ids are unique within a scope. Fails with a `StoreError`, nothing else of its own.
    Other processes may use the same store: every method sees what they committed before it was called.
    """

    async def open(self) -> None:
        """Make ready for use. A store that is damaged, foreign or newer is refused and left untouched."""
        ...

    async def close(self) -> None:
        """Finish what was asked and let go. Closing twice is fine."""
        ...

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        """Keep an entry as the newest of its scope and return it as it was stored.

        An entry of the same id in that scope is replaced; a lesson of the same `lesson_key` becomes one with it by
        `merge_lessons`. At `max_entries` of its kind in its scope the oldest of these goes first.
        """
        ...

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        """Put `change(entry)` in the place of the entry, in one step, and return it. It stays as new as it was.

        `change` may run on another thread, and more than once; it changes neither id, kind, scope nor prompt.

        Raises:
            NotFoundError: no such id. Of several scopes that have it, the newest entry is changed.
        """
        ...

    async def remove(self, ids: Sequence[str], *, scope: Scope | None = None) -> int:
        """Remove the entries of all those ids, in one step, and return how many went.

        Raises:
            NotFoundError: there is no entry of one of the ids; then none goes.
        """
        ...

    async def clear(self, scope: Scope | None = None) -> int:
        """Remove all entries and return how many went."""
        ...

    async def count(self, scope: Scope | None = None) -> int:
        """Return how many entries there are."""
        ...

    async def get(self, id: str, *, scope: Scope | None = None) -> MemoryEntry | None:
        """Return the entry of that id, the newest of several scopes', or None."""
        ...

    async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        """Return the entries of those of `rows` that are still there."""
        ...

    async def select(
        self,
        scope: Scope | None = None,
        *,
        where: MemoryQuery | None = None,
        before: int | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[StoredEntry]:
        """Return entries, newest first.

        Args:
            where: the filters of a query, as `jido_ai.memory.lessons.matches` reads them.
            before: only rows smaller than this one.
            offset, limit: how many to leave out, and how many to return at most; None is no limit.
        """
        ...

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        """Return what happened in `scope` after `since`, at most `limit` rows that came. `Cursor()` is the start."""
        ...

    # -- logs --------------------------------------------------------------------------------------

    async def append(self, records: Sequence[Record]) -> list[Record]:
        """Keep records, all or none, in their order, and return them as they will be read back, with their rows.

        Raises:
            ConfigurationError: one is of no log, its time has no zone, or its data is nothing that JSON could hold.
        """
        ...

    async def records(
        self,
        log: LogName,
        *,
        scope: Scope | None = None,
        key: str | None = None,
        kind: str | None = None,
        after: int = 0,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[Record]:
        """Return records of a log that pass every filter given, by row.

        Args:
            after: only rows above this one; with `newest_first`, and not 0, only rows below it.
            since, until: bounds of the timestamp, both inclusive.
        """
        ...

    async def summaries(
        self, log: LogName, *, scope: Scope | None = None, offset: int = 0, limit: int | None = None
    ) -> list[LogSummary]:
        """Return one summary per scope and key of a log, the one with the newest record first."""
        ...

    async def drop_records(
        self, log: LogName, *, scope: Scope | None = None, key: str | None = None, before: datetime | None = None
    ) -> int:
        """Remove the records of a log that pass every filter given, and return how many went.

        Args:
            before: only those of an earlier time.
        """
        ...


@runtime_checkable
class BatchStore(Protocol):
    """A memory store that takes many entries in one step, which is quicker than one `add` after the other."""

    def add_all(
        self, entries: Sequence[MemoryEntry], *, max_entries: int
    ) -> Awaitable[Sequence[MemoryEntry | ConfigurationError | StoreError]]:
        """Do `add` for each entry, in their order; what it returned or, where it refused an entry, why.

        What is raised concerns all of them: nothing was kept then. One that returns a future starts at once.
        """
        ...


@runtime_checkable
class ClaimStore(Protocol):
    """A memory store that also keeps who is at which run. With another one only a pipeline's own runs are known."""

    async def claim(self, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
        """Keep a claim unless another one of that run holds; return the one that holds now, with its number.

        In one step: of two that come at once one holds. A claim of the same token is renewed.

        Args:
            is_void: tells that the claim which is there holds no longer. May be called in another thread.
        """
        ...

    async def release(self, claim: Claim) -> None:
        """Remove a claim; nothing happens when another one of that run holds, or none."""
        ...
