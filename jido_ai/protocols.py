"""What can be plugged in. Any object with the method is one; so is a plain (async) function of the same arguments.

Each protocol has one contract suite under `tests/contracts` that every implementation passes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from jido_ai.values import Candidate, Completion, CompletionRequest, CritiqueResult, MemoryEntry, MemoryQuery, Scope

__all__ = [
    "Critiquer",
    "Generator",
    "LanguageModel",
    "Reviser",
    "RunContext",
    "ToolExecutor",
    "ToolJob",
    "ToolRun",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What a component may know about the run it works for.

    Attributes:
        prompt: what the run was asked; it always arrives.
        iteration: index of the candidate in hand, from 0.
        lessons: what memory had to say about the prompt, most useful first.
        deadline: time of the event loop's clock at which the run ends; None is no limit.
    """

    run_id: str
    prompt: str
    iteration: int = 0
    lessons: tuple[MemoryEntry, ...] = ()
    deadline: float | None = None
    scope: Scope = field(default_factory=Scope)
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

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

    async def complete(self, request: CompletionRequest) -> Completion: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolJob:
    """One program to run once, in a fresh directory that is its working directory.

    Attributes:
        argv: the program's name and its arguments; no shell reads them. "python" is the running interpreter.
        files: what lies in the directory, by relative path; written over a file of `tree` of the same path.
        tree: a directory whose copy the run works in; the original is never touched.
        stdin: what the program reads; None is an empty input.
        report: name of a file that the program writes into the directory, to be read back.
        timeout_s: from the start of the program until it and all it started is killed.
        max_output_bytes: of stdout, of stderr and of the report, each; the rest is dropped.
        executes: the program runs code of the candidate, as tests do; False when it only reads it, as linters do.
        unsafe: the caller accepts that the program executes hostile code and is not held.
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


# -- memory ----------------------------------------------------------------------------------------


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


class MemoryStore(Protocol):
    """Keeps memory entries; what a method returned is as durable as the store can make it.

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
            where: the filters of a query, as `jido_ai.logic.lessons.matches` reads them.
            before: only rows smaller than this one.
            offset, limit: how many to leave out, and how many to return at most; None is no limit.
        """
        ...

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        """Return what happened in `scope` after `since`, at most `limit` rows that came. `Cursor()` is the start."""
        ...
