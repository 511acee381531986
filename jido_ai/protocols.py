"""Protocols of replaceable parts. An object with the methods will do; so will a function of the same arguments.

Functions may be async or not. Stores have a contract suite that every implementation passes, yours too:
`jido_ai.testing.contracts`.
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
    Budget,
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
    "Changes",
    "Claim",
    "ClaimStore",
    "Critiquer",
    "Cursor",
    "Embedder",
    "FingerprintingExecutor",
    "Generator",
    "LanguageModel",
    "LogName",
    "LogSummary",
    "MemoryStore",
    "Meter",
    "Record",
    "Reservation",
    "Reviser",
    "RunContext",
    "StoredEntry",
    "StreamingModel",
    "ToolExecutor",
    "ToolJob",
    "ToolRun",
]


class Reservation(Protocol):
    """The part of a budget that is set aside for one call until its actual usage is known."""

    def settle(self, usage: Usage) -> None:
        """Replace the reserved amount by the actual usage. Does nothing the second time, or after `release`."""
        ...

    def release(self) -> None:
        """Return the reserved amount: nothing was sent, so nothing was spent."""
        ...


class Meter(Protocol):
    """Counts the usage of a run, and refuses calls that would exceed its budget."""

    def reserve(self, *, calls: int = 1, tokens: int = 0, cost_usd: float = 0.0) -> Reservation:
        """Set aside the most a call may take. Raises `BudgetExceededError`; then nothing is set aside."""
        ...

    @property
    def spent(self) -> Usage:
        """The usage settled so far."""
        ...

    @property
    def left(self) -> Budget:
        """What may still be spent; None where there is no limit."""
        ...


@dataclass(frozen=True, slots=True)
class RunContext:
    """Information for a component about the run it works for.

    Attributes:
        prompt: the prompt of the run.
        iteration: index of the current candidate, from 0.
        lessons: lessons from memory for the prompt, most useful first.
        deadline: time of the event loop's clock at which the run ends; None is no limit.
        meter: reserves model calls before they are made and settles them after; None outside of a run. Usage that a
            component settles here must not be reported in metadata["usage"] as well.
        baseline: the critique of the first candidate, to which later ones are compared; None while that one is judged.
        setbacks: earlier attempts of this run that failed checks passed before (`Iteration.broken`), oldest first. A
            reviser must not make the same edits again.
        attempts: for a reviser, earlier revisions of this text that broke nothing and were not taken; for a generator
            that begins again and is told why, all attempts so far; oldest first.
        repeats: how many candidates of this run equal an earlier one; the more, the more a model should vary.
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
    repeats: int = 0
    last_error: ErrorInfo | None = None

    @property
    def time_left_s(self) -> float | None:
        """Return the seconds until the deadline, at least 0.0; None without one. Needs a running event loop."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - asyncio.get_running_loop().time())

    @property
    def budget_left(self) -> Budget:
        """Return what the run may still spend, for components with limits of their own; None where it has no limit."""
        return Budget() if self.meter is None else self.meter.left


@runtime_checkable
class Generator(Protocol):
    """Makes the first candidate, or several, for a prompt.

    If it has an attribute `uses_attempts` that is True, it uses `RunContext.attempts`: the policy "adaptive" may then
    ask for a fresh candidate instead of a revision.
    """

    async def generate(self, prompt: str, context: RunContext) -> Candidate | Sequence[Candidate] | str: ...


@runtime_checkable
class Critiquer(Protocol):
    """Judges a candidate, and never changes it."""

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult: ...


@runtime_checkable
class Reviser(Protocol):
    """Makes a better candidate from a candidate and its critique, or raises `Declined` if it does not know how."""

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate | str: ...


@runtime_checkable
class LanguageModel(Protocol):
    """Answers a conversation."""

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. Raises `ModelError`, or `ConfigurationError` for a request that can never work."""
        ...


AnyModel = LanguageModel | Callable[[CompletionRequest], Completion | Awaitable[Completion]] | str
"""Anything accepted as a language model: one, a (plain or async) function of a request, or a name ("openai:NAME")."""


@runtime_checkable
class StreamingModel(LanguageModel, Protocol):
    """A language model that can also stream its answer."""

    def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text in order, then the whole `Completion`. Raises the errors of `complete`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolJob:
    """One program to run once, in a fresh directory that is its working directory.

    Attributes:
        argv: the program's name and its arguments; no shell reads them. "python" is the running interpreter.
        files: contents of files in the directory, by relative path; they replace files of `tree` with the same path.
        tree: a directory to copy into the working directory; the original is never touched. Environment files (`.env`)
            and other files with secrets are not copied; pass those that the program needs in `files`.
        stdin: standard input of the program; None is empty.
        report: name of a file that the program writes into the directory, to be read back.
        timeout_s: seconds from the start of the program until it and everything it started are killed.
        max_output_bytes: limit for stdout, stderr and the report, each; the rest is dropped.
        executes: the program runs code of the candidate, as tests do; False if it only reads it, as linters do.
        unsafe: the caller accepts that the program may execute hostile code without a sandbox.
        target: the checked file, which is the last argument; None if the job is not about a single file.
        split: divides the output for several files, given as further arguments, into one run per file where possible;
            None if the program takes one file only.
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
    """The result of a `ToolJob`.

    Attributes:
        exit_status: of the program; negative signal number if a signal ended it; None after the time limit.
        report: text of the report, None if none was requested or none was written.
        truncated: an output was longer than `max_output_bytes` and is cut off here.
        directory: the working directory as the program saw it; it no longer exists.
        sandbox: the sandbox layer: "strong", "medium", or "none" for a plain process.
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
        """True if the program was killed at its time limit."""
        return self.exit_status is None


Split = Callable[[ToolRun, Sequence[str]], Mapping[str, ToolRun]]
"""Takes a run over several files and their paths, and returns a run per file; files it cannot separate are missing."""


@runtime_checkable
class ToolExecutor(Protocol):
    """Runs programs, and leaves neither processes nor files behind."""

    def locate(self, program: str) -> str:
        """Return the absolute path of `program`. Raises `ToolNotFoundError` if it is missing or not allowed."""
        ...

    async def run(self, job: ToolJob) -> ToolRun:
        """Run a job until it ends or reaches its time limit.

        Raises:
            ConfigurationError: a path leads outside of the directory (checked before any file is opened), the program
                is missing (`ToolNotFoundError`), or it executes the candidate, no sandbox works on this machine, and
                the job does not set `unsafe`.
            ToolError: it could not be run.
        """
        ...


@runtime_checkable
class FingerprintingExecutor(ToolExecutor, Protocol):
    """An executor that recognizes equal jobs, so that the result of one can be reused for the other."""

    async def fingerprints(self, jobs: Sequence[ToolJob]) -> tuple[str | None, ...]:
        """Return one text per job, equal for jobs that differ at most in their time limits; None if unknown."""
        ...


# -- memory ----------------------------------------------------------------------------------------


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors; texts with similar meanings have vectors near each other."""

    @property
    def name(self) -> str:
        """Identifies the vectors: embedders with the same name return the same vector for a text."""
        ...

    @property
    def dim(self) -> int:
        """The number of dimensions; 0 if it is not known before the first call."""
        ...

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, in order. Raises `EmbeddingError`."""
        ...


@runtime_checkable
class TunedEmbedder(Embedder, Protocol):
    """An embedder that knows how its vectors are best used."""

    @property
    def threshold(self) -> float:
        """The default similarity, in [0, 1], from which entries count as similar; without it 0.70."""
        ...

    @property
    def correction_weight(self) -> float:
        """Weight of an entry's correction relative to its prompt's, at least 0. Without it only the prompt counts."""
        ...


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry and its row: a number that grows with every stored entry, so newer entries have larger rows."""

    row: int
    entry: MemoryEntry


@dataclass(frozen=True, slots=True)
class Cursor:
    """A reader's position in the changes of a scope; only the store that made it can read it."""

    row: int = 0
    removal: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a scope after a cursor.

    Attributes:
        cursor: the position to continue from.
        came: row and prompt of added entries, rows ascending.
        went: rows of removed entries; the reader may not have seen some of them.
        start_over: too many entries were removed to list them: discard everything read before; `came` starts anew.
        is_complete: False if there is more to read after `cursor`.
    """

    cursor: Cursor
    came: Sequence[tuple[int, str]] = ()
    went: Sequence[int] = ()
    start_over: bool = False
    is_complete: bool = True


LogName = Literal["journal", "episodes", "ledger", "audit", "embeddings", "served", "events", "moves"]
"""Logs beside the entries: steps of runs, episodes, costs of calls, reads and writes, vectors; of a server, the runs
that it accepted and their events.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One line of a log: written once, never changed.

    Attributes:
        key: groups records: a run's id, an episode's id, a day.
        kind: the kind of record within its log; "" if there is only one.
        data: JSON-ready.
        row: set by the store, larger for later records; 0 before.
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
    """Summary of the records of one key of a log."""

    scope: Scope
    key: str
    records: int
    first: Record
    last: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Marks a run as in flight.

    Attributes:
        token: unique to this claim.
        owner: the process; read by `jido_ai.runs.claims`.
        expires_at: when the claim becomes void, unless it is renewed before.
        number: set by the store, larger for each new claim of a run; 0 before.
    """

    run_id: str
    scope: Scope
    token: str
    owner: str
    expires_at: datetime
    number: int = 0


class MemoryStore(Protocol):
    """Keeps memory entries and logs. When a method returns, its writes are as durable as the store can make them.

    `scope=None` means all scopes. Ids are unique within a scope. Failures of the store are `StoreError`s. Other
    processes may use the same store: every method sees what they committed before it was called.
    """

    async def open(self) -> None:
        """Prepare the store for use. A damaged, foreign or newer store is refused and left untouched."""
        ...

    async def close(self) -> None:
        """Finish pending requests and release resources. Closing twice is allowed."""
        ...

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        """Store an entry as the newest of its scope and return it as stored.

        An entry with the same id in that scope is replaced; lessons with the same `lesson_key` are merged by
        `merge_lessons`. At `max_entries` of its kind in its scope, the oldest of these is removed first.
        """
        ...

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        """Replace the entry by `change(entry)`, atomically, and return the new entry. Its row does not change.

        If several scopes have the id, the newest entry is changed. `change` may run on another thread, and more than
        once; it must not change id, kind, scope or prompt.

        Raises:
            NotFoundError: no such id.
        """
        ...

    async def remove(self, ids: Sequence[str], *, scope: Scope | None = None) -> int:
        """Remove the entries with these ids, atomically, and return how many were removed.

        Raises:
            NotFoundError: one of the ids does not exist; then nothing is removed.
        """
        ...

    async def clear(self, scope: Scope | None = None) -> int:
        """Remove all entries and return how many were removed."""
        ...

    async def count(self, scope: Scope | None = None) -> int:
        """Return the number of entries."""
        ...

    async def get(self, id: str, *, scope: Scope | None = None) -> MemoryEntry | None:
        """Return the entry with that id, the newest one if several scopes have it, or None."""
        ...

    async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        """Return the entries of `rows` that still exist."""
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
            offset, limit: how many to skip, and how many to return at most; None is no limit.
        """
        ...

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        """Return the changes of `scope` after `since`, with at most `limit` added rows. `Cursor()` is the start."""
        ...

    # -- logs --------------------------------------------------------------------------------------

    async def append(self, records: Sequence[Record]) -> list[Record]:
        """Store records, all or none, in order, and return them as they will be read back, with their rows.

        Raises:
            ConfigurationError: a record has an unknown log, a time without a zone, or data that JSON cannot hold.
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
        """Return the records of a log that match all given filters, by row.

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
        """Remove the records of a log that match all given filters, and return how many were removed.

        Args:
            before: only records with an earlier time.
        """
        ...


@runtime_checkable
class BatchStore(Protocol):
    """A memory store that stores many entries in one step, which is faster than one `add` after the other."""

    def add_all(
        self, entries: Sequence[MemoryEntry], *, max_entries: int
    ) -> Awaitable[Sequence[MemoryEntry | ConfigurationError | StoreError]]:
        """Call `add` for each entry, in order; return its result or, for a refused entry, the error.

        An error that is raised concerns all entries: then nothing was stored. A method that returns a future has
        already started.
        """
        ...


@runtime_checkable
class ClaimStore(Protocol):
    """A memory store that also keeps claims of runs. Without one, only a pipeline's own runs are known as in flight."""

    async def claim(self, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
        """Store a claim unless another valid claim of that run exists; return the valid one, with its number.

        Atomic: of two concurrent claims only one is stored. A claim with the same token is renewed; its number stays.

        Args:
            is_void: tells whether the existing claim is no longer valid. May be called in another thread.
        """
        ...

    async def append_claimed(self, records: Sequence[Record], claim: Claim, *, release: bool = False) -> list[Record]:
        """Do as `append`, if the stored claim of the run is still this one, even if it has expired.

        Args:
            release: also remove the claim, in the same transaction.

        Raises:
            RunClaimedError: it is not: nothing was stored. `owner` is the stored claim's, "" if there is none.
        """
        ...

    def keeper(self) -> ClaimKeeper | None:
        """Return what renews claims in another thread while the event loop is blocked; None if only this process
        can see them.
        """
        ...

    async def release(self, claim: Claim) -> None:
        """Remove a claim; does nothing if another claim of that run is valid, or none."""
        ...


class ClaimKeeper(Protocol):
    """Renews claims of one store. Its methods block; they are called in one thread, without an event loop."""

    def renew(self, claims: Sequence[Claim]) -> None:
        """Store the `expires_at` of the given claims, by token; those that are no longer stored are skipped.

        Raises:
            StoreError: the store cannot be reached.
        """
        ...

    def close(self) -> None:
        """Close its connection. It opens again with the next `renew`."""
        ...
