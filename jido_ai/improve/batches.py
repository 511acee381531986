"""Batches: join many small runs of a tool; jobs that arrive during one run form the next, with all files together."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cachetools import LRUCache

from jido_ai.errors import ToolError
from jido_ai.protocols import ToolExecutor
from jido_ai.values.tool import ToolJob, ToolRun

_MOST_FILES: Final = 500
_MANY: Final = 16
"""Waiting jobs from which on one batch runs at a time, of any tool: fewer and larger batches."""
_MOST_BYTES: Final = 16 * 1024 * 1024
_SECONDS_A_FILE: Final = 0.25
"""Seconds that each file adds to the time limit of its run."""
_OUTPUT_BYTES: Final = 64 * 1024 * 1024
_REMEMBERED_CHARS: Final = 64_000_000
_Key = tuple[object, ...]


class BatchingExecutor:
    """Joins jobs that can be split again (`ToolJob.split`), and runs every other job separately.

    Jobs are joined if they differ only in the file that is checked. The first job starts at once; those that arrive
    while it runs form the next batch, so no job waits for a timer. While many jobs wait, one batch runs at a time, of
    any tool, which makes the next ones larger. If a batch fails as a whole (the tool crashed on one of its files, or
    ran out of time), each of its files gets its own run: a hostile file does not affect the others.

    A result is cached, by the text of the file, as long as this object lives. Use it for one command, during which
    tools and projects stay the same, not for longer.

    Args:
        executor: runs the programs.
    """

    def __init__(self, executor: ToolExecutor) -> None:
        self._executor = executor
        self._locks: dict[_Key, asyncio.Lock] = {}
        self._waiting: dict[_Key, list[_Entry]] = {}
        self._turn = asyncio.Lock()
        self._known: LRUCache[tuple[_Key, str, bytes], ToolRun] = LRUCache(_REMEMBERED_CHARS, getsizeof=_size)

    def locate(self, program: str) -> str:
        """Return the absolute path of `program`, from the executor."""
        return self._executor.locate(program)

    async def run(self, job: ToolJob) -> ToolRun:
        """Run `job`, together with others where possible; see `ToolExecutor`."""
        if job.split is None or job.target is None or job.target not in job.files or job.argv[-1] != job.target:
            return await self._executor.run(job)
        entry = _Entry(job, job.target)
        key = _key_of(job, job.target)
        name = (key, entry.target, hashlib.sha256(job.files[entry.target]).digest())
        if (known := self._known.get(name)) is not None:
            return known
        waiting = self._waiting.setdefault(key, [])
        waiting.append(entry)
        try:
            async with self._locks.setdefault(key, asyncio.Lock()):
                if entry.run is None and not entry.is_alone:
                    await asyncio.sleep(0)  # jobs of the same turn of the loop join the batch
                    is_busy = sum(map(len, self._waiting.values())) > _MANY
                    async with self._turn if is_busy else contextlib.nullcontext():
                        await self._run_batch(_batch_of(waiting, entry))
        finally:
            if entry in waiting:
                waiting.remove(entry)
        run = entry.run if entry.run is not None else await self._executor.run(job)
        if not run.timed_out and not run.truncated and _size(run) <= _REMEMBERED_CHARS:
            self._known[name] = run
        return run

    async def _run_batch(self, batch: Sequence[_Entry]) -> None:
        """Assign each entry its run, or mark it to be run alone."""
        first = batch[0].job
        if len(batch) == 1:
            batch[0].run = await self._executor.run(first)
            return
        files = {path: raw for path, raw in first.files.items() if path != batch[0].target}
        files |= {entry.target: entry.job.files[entry.target] for entry in batch}
        joined = dataclasses.replace(
            first,
            argv=(*first.argv[:-1], *(entry.target for entry in batch)),
            files=files,
            timeout_s=first.timeout_s + _SECONDS_A_FILE * len(batch),
            max_output_bytes=_OUTPUT_BYTES,
        )
        assert first.split is not None
        try:
            run = await self._executor.run(joined)
            if run.timed_out or run.truncated:
                raise ToolError("a run over several files did not finish")
            parts = await asyncio.to_thread(first.split, run, [entry.target for entry in batch])
        except ToolError:
            for entry in batch:
                entry.is_alone = True
            return
        for entry in batch:
            entry.run = parts.get(entry.target)
            entry.is_alone = entry.run is None


@dataclass(eq=False, slots=True)
class _Entry:
    """A job that waits for its batch."""

    job: ToolJob
    target: str
    run: ToolRun | None = None
    is_alone: bool = False


def _batch_of(waiting: list[_Entry], leader: _Entry) -> list[_Entry]:
    """Take the next batch: the leader and the jobs that fit; of two versions of one file the later one waits."""
    batch, targets, size = [leader], {leader.target}, len(leader.job.files[leader.target])
    for entry in waiting:
        more = len(entry.job.files[entry.target])
        if entry.target in targets or entry.run is not None or entry.is_alone:
            continue
        if len(batch) < _MOST_FILES and size + more <= _MOST_BYTES:
            batch.append(entry)
            targets.add(entry.target)
            size += more
    return batch


def _key_of(job: ToolJob, target: str) -> _Key:
    """Return the properties that joined jobs must share."""
    others = tuple(sorted((path, raw) for path, raw in job.files.items() if path != target))
    tree: Path | None = job.tree
    return (job.argv[:-1], others, tree, job.stdin, job.report, job.executes, job.unsafe, job.split)


def _size(run: ToolRun) -> int:
    return 1_000 + len(run.stdout) + len(run.stderr) + len(run.report or "")
