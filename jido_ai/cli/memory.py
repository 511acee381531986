"""The work of `jido memory`: show, search, move and forget lessons."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar, cast

import typer

from jido_ai.cli.ids import entry_id
from jido_ai.cli.memory_place import OWN_TENANT, open_memory, open_store, scope_of
from jido_ai.errors import ConfigurationError
from jido_ai.learning.lesson_counts import (
    LessonCounts,
    RecordReader,
    counts_by_id,
    counts_in_words,
    counts_map,
    counts_of,
    heirs_of,
)
from jido_ai.memory.intake import Intake
from jido_ai.memory.lessons import BY_A_PERSON, LESSON_KINDS, importance_label, prompts_of, rewritten
from jido_ai.text.printable import clip
from jido_ai.text.wording import columns, plain
from jido_ai.values import MemoryEntry, MemoryKind, MemoryQuery, Scope, Scored, utc_now

if TYPE_CHECKING:
    from jido_ai.memory.reflexion_memory import ReflexionMemory
    from jido_ai.memory.store import MemoryStore

T = TypeVar("T")

_ANY: Final = 0.001  # a person who searches sees how similar entries are, and judges
_PAGE: Final = 1000
_TEXT_CHARS: Final = 300
_MOST_RUNS: Final = 3
_IMPORTANCE: Final = 0.8
_TASK_TYPES: Final = {"ask": "a question to jido ask", "improve": "a program to repair"}
"""What the task types of our commands mean; others are names of nodes, of pipelines or a caller's own."""
_IN_NOTES: Final = frozenset(
    ("prompt", "mistake", "correction", "answer", "task_type", "id", "kind", "use_count", "success_count", "last_used")
)
"""Fields that the note has, or, of the counts, that rank the lesson: the note tells what its runs made of it."""

_COUNTS: Final = ("entries", "offered", "shown", "succeeded", "used", "expired")

_Note = tuple[MemoryEntry, LessonCounts, float | None]
"""An entry, what runs made of it, and its similarity to a query."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which entries a command shows, as the command line has it. Without a scope: those of the tenant "default"."""

    scope: str | None
    kinds: Sequence[str] | None = None
    tags: Sequence[str] | None = None
    domain: str | None = None
    agent: str | None = None
    session: str | None = None
    task_type: str | None = None
    days: float | None = None
    min_importance: float | None = None

    def query(self, text: str | None = None) -> MemoryQuery:
        """Return the query. Raises `ConfigurationError`."""
        since: datetime | None = None
        if self.days is not None:
            try:
                since = utc_now() - timedelta(days=self.days)
            except OverflowError:
                since = None
        return MemoryQuery(
            text,
            scope=Scope() if self.scope is None else scope_of(self.scope),
            kinds=tuple(map(MemoryKind, self.kinds or ())),
            tags=tuple(self.tags or ()),
            domain=self.domain,
            agent_id=self.agent,
            session_id=self.session,
            task_type=self.task_type,
            since=since,
            min_importance=self.min_importance,
        )


def list_entries(filters: Filters, memory: str | None, out: TextIO, *, limit: int, offset: int, as_json: bool) -> None:
    """Print entries, newest first: as notes lessons first, with episodes that say the same as one note.

    With kinds, and as JSON, every entry is printed.
    """
    where = filters.query()
    scope = None if filters.scope is None else where.scope
    is_folded = not as_json and not filters.kinds
    begin, end = offset, offset + limit
    if is_folded:
        offset, limit = 0, sys.maxsize

    async def read() -> list[_Note]:
        async with open_store(memory) as store:
            if store is not None:
                query = Intake("secrets", 1 << 20).query(where)
                found = await _paged(store, scope, query, limit, offset)
                return await _notes(store, _folded(found)[begin:end] if is_folded else found)
        async with open_memory(memory) as opened:
            entries = await opened.list_entries(scope, where=where)
            own = [entry for entry in entries if scope is not None or entry.scope.tenant == OWN_TENANT]
            return await _notes(opened, (_folded(own) if is_folded else own)[begin:end])

    _print(_run(read()), out, as_json=as_json)


async def _paged(
    store: MemoryStore, scope: Scope | None, where: MemoryQuery, limit: int, offset: int
) -> list[MemoryEntry]:
    """Return the entries of a scope, or of all projects of the tenant "default", newest first."""
    memory_entries: list[MemoryEntry] = []
    before: int | None = None
    while len(memory_entries) < offset + limit and (
        page := await store.select(scope, where=where, before=before, limit=_PAGE)
    ):
        before = page[-1].row
        memory_entries += [one.entry for one in page if scope is not None or one.entry.scope.tenant == OWN_TENANT]
    return memory_entries[offset : offset + limit]


def _folded(entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Return the lessons, then the episodes whose words no lesson has, each once.

    An entry that stands for others has the runs of all of them as its evidence; an entry without runs counts by its id.
    """
    alike: dict[tuple[Scope, str], list[MemoryEntry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.kind is MemoryKind.EPISODIC):  # stable: newest first
        alike.setdefault((entry.scope, " ".join(_lesson_of(entry).casefold().split())), []).append(entry)
    shown: list[MemoryEntry] = []
    for first, *others in alike.values():
        episodes = [entry for entry in others if entry.kind is MemoryKind.EPISODIC]
        shown += [entry for entry in others if entry.kind is not MemoryKind.EPISODIC]
        runs = [run for entry in (*reversed(episodes), first) for run in entry.evidence or (entry.id,)]
        shown.append(first.replace(evidence=tuple(dict.fromkeys(runs))) if episodes else first)
    place = {entry.id: number for number, entry in enumerate(entries)}
    return sorted(shown, key=lambda entry: (entry.kind is MemoryKind.EPISODIC, place[entry.id]))


def search_entries(
    text: str, filters: Filters, memory: str | None, out: TextIO, *, limit: int, similarity: str, as_json: bool
) -> None:
    """Print the entries most similar to a text."""
    where = filters.query(text)
    is_filtered = where.replace(text=None, k=5, min_similarity=None) != MemoryQuery(scope=where.scope)

    async def find_in(opened: ReflexionMemory, scope: Scope) -> Sequence[Scored]:
        if not is_filtered:
            return await opened.retrieve_similar(text, max_results=limit, threshold=_ANY, scope=scope)
        return await opened.query(where.replace(k=_PAGE, min_similarity=_ANY, scope=scope))

    async def find() -> list[_Note]:
        async with open_memory(memory, similarity) as opened:
            scopes = [where.scope]
            if filters.scope is None:
                scopes = [scope for scope in await opened.scopes() if scope.tenant == OWN_TENANT]
            found = [scored for scope in scopes for scored in await find_in(opened, scope)]
            best = sorted(found, key=lambda scored: scored.similarity, reverse=True)[:limit]
            notes = await _notes(opened, [scored.entry for scored in best])
            return [(entry, counts, scored.similarity) for (entry, counts, _), scored in zip(notes, best, strict=True)]

    _print(_run(find()), out, as_json=as_json)


def show_entry(id: str, memory: str | None, out: TextIO, *, as_json: bool) -> None:
    """Print one entry as a note, and below it everything else that is known about it."""

    async def read() -> _Note:
        async with open_memory(memory) as opened:
            (note,) = await _notes(opened, [await opened.get(await entry_id(opened, id))])
            return note

    entry, counts, _ = _run(read())
    if as_json:
        out.write(json.dumps(entry.model_dump(mode="json")) + "\n")
        return
    _print_note(entry, counts, None, out, whole=True)
    rows: list[tuple[str, str]] = []
    for name, value in entry.model_dump(mode="json").items():
        if name in _IN_NOTES:
            continue
        if name == "scope":
            rows.append((name, _name_of(entry.scope)))
        elif name == "importance":
            rows.append((name, f"{value} ({importance_label(entry.importance)})"))
        elif value not in (None, "", [], {}):
            short = round(value, 2) if isinstance(value, float) else value
            shown = short if isinstance(short, str) else json.dumps(short, ensure_ascii=False)
            rows.append((name, _printable(shown)))
    typer.echo("", out)
    for line in columns(rows):
        typer.echo(line, out)


def add_entry(
    text: str | None,
    memory: str | None,
    out: TextIO,
    *,
    when: str | None,
    prompt: str | None,
    task_type: str | None,
    tags: Sequence[str],
    scope: Scope | None,
    answer: str | None = None,
) -> None:
    """Store a lesson of a person, or with an answer to the prompt a worked example; None is the default scope."""
    said = prompt or when or text
    if said is None or (text is None and answer is None):
        raise ConfigurationError("give the lesson, or an answer with --answer and its --prompt")
    if answer is not None and prompt is None:
        raise ConfigurationError("--answer needs --prompt, the task that it answers")
    if answer is not None and not answer.strip():
        raise ConfigurationError("the answer is blank")
    entry = MemoryEntry(
        said,
        when or "",
        text or "",
        kind=MemoryKind.SEMANTIC if answer is None else MemoryKind.PROCEDURAL,
        answer=answer or "",
        scope=scope or Scope(),
        importance=_IMPORTANCE,
        task_type=task_type,
        tags=tuple(tags),
        source=BY_A_PERSON,
    )

    async def store() -> tuple[MemoryEntry, bool]:
        async with open_memory(memory, create=True) as opened:
            same = (
                one
                for one in await opened.list_entries(entry.scope, where=MemoryQuery(task_type=task_type))
                if _said_in(one) == _said_in(entry)
            )
            found = next(same, None)
            return (await opened.store(entry), True) if found is None else (found, False)

    kept, is_new = _run(store())
    out.write(f"added {plain(kept.id)}\n" if is_new else f"it is there already: {plain(kept.id)}\n")


def _said_in(entry: MemoryEntry) -> tuple[str, ...]:
    """Return the words of an entry, by which it differs from others of its task type."""
    return entry.source, entry.correction, entry.mistake, entry.answer, entry.prompt if entry.is_example else ""


def edit_entry(id: str, text: str | None, when: str | None, memory: str | None, out: TextIO) -> None:
    """Change the words of a lesson or the answer of an example: a person's, then. Without any, open the editor."""

    async def read() -> MemoryEntry:
        async with open_memory(memory) as opened:
            return await opened.get(await entry_id(opened, id))

    entry = _run(read())
    if entry.is_example and when is not None:
        raise ConfigurationError("an example has no --when: its task is its prompt")
    before = entry.answer or _lesson_of(entry)
    if text is None and when is None:
        text = edited(before, "give the new words: jido memory edit ID TEXT").strip()
        if not text or text == before.strip():
            out.write("nothing changed\n")
            return
    words = {"answer" if entry.is_example else "correction": text, "mistake": when}
    changed = rewritten(entry, **{name: said.strip() for name, said in words.items() if said is not None})

    async def store() -> None:
        async with open_memory(memory) as opened:
            await opened.store(changed)

    _run(store())
    out.write(f"edited {plain(entry.id)}\n")


def show_stats(scope: str | None, memory: str | None, out: TextIO, *, as_json: bool) -> None:
    """Print how many entries there are by scope and kind, how many expired, and their counts as `list` tells them.

    A run with three lessons counts three times.
    """

    async def read() -> list[dict[str, object]]:
        shelves: dict[tuple[str, str], Counter[str]] = {}
        kinds: dict[tuple[Scope, str], str] = {}
        heirs: dict[tuple[Scope, str], str] = {}
        now = utc_now()
        async with open_memory(memory) as opened:
            async for entry in opened.entries(None if scope is None else scope_of(scope)):
                kinds[entry.scope, entry.id] = entry.kind.value
                heirs |= heirs_of(entry)
                shelf = shelves.setdefault((_name_of(entry.scope), entry.kind.value), Counter())
                shelf["entries"] += 1
                shelf["expired"] += entry.expires_at is not None and entry.expires_at <= now
            for (place, id), counts in (await counts_by_id(opened, kinds, heirs)).items():
                told = {"offered": counts.offered, "shown": counts.shown, "used": counts.used}
                shelves[_name_of(place), kinds[place, id]].update(told, succeeded=counts.shown_succeeded)
        return [
            {"scope": name, "kind": kind, **{count: shelf[count] for count in _COUNTS}}
            for (name, kind), shelf in sorted(shelves.items())
        ]

    rows = _run(read())
    if as_json:
        out.write("".join(json.dumps(row) + "\n" for row in rows))
        return
    if not rows:
        out.write("nothing found\n")
        return
    head = ("scope", "kind", *_COUNTS)
    cells = [[plain(str(value)) for value in row.values()] for row in rows]
    for line in columns([head, *cells], right=range(2, len(head))):
        out.write(line + "\n")


def forget_entries(ids: Sequence[str], memory: str | None, out: TextIO) -> None:
    """Remove entries for good: all of them, or none if one is unknown."""

    async def remove() -> list[str]:
        async with open_memory(memory) as opened:
            meant = [await entry_id(opened, id) for id in ids]
            await opened.forget(*meant)
            return meant

    out.write(f"forgot {plain(', '.join(_run(remove())))}\n")


# -- helpers ---------------------------------------------------------------------------------------


def _run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def _name_of(scope: Scope) -> str:
    return f"{scope.tenant}/{scope.project}"


def _printable(text: str) -> str:
    """Return the text without control characters."""
    return "".join(one if one.isprintable() or one == "\n" else " " for one in text)


async def _notes(memory: RecordReader, entries: Sequence[MemoryEntry]) -> list[_Note]:
    """Return the entries, each with what runs made of it."""
    counts = await counts_of(memory, entries)
    return [(entry, counts[entry.scope, entry.id], None) for entry in entries]


def _print(notes: Sequence[_Note], out: TextIO, *, as_json: bool) -> None:
    if as_json:
        for entry, counts, similarity in notes:
            shown = {**entry.model_dump(mode="json"), "counts": counts_map(counts)}
            out.write(json.dumps(shown if similarity is None else {**shown, "similarity": similarity}) + "\n")
        return
    if not notes:
        out.write("nothing found\n")
        return
    for entry, counts, similarity in notes:
        _print_note(entry, counts, similarity, out)


def _print_note(
    entry: MemoryEntry, counts: LessonCounts, similarity: float | None, out: TextIO, *, whole: bool = False
) -> None:
    """Print an entry: the lesson, when it applies, how runs that were shown it did, and where it comes from."""

    def shown(text: str) -> str:
        return _printable(text) if whole else clip(plain(text), _TEXT_CHARS)

    lesson = _lesson_of(entry)
    typer.echo(typer.style(shown(lesson), bold=True), out)
    found_by: object = entry.metadata.get("found_by")
    rows = [
        ("when", "; ".join(filter(None, (_kind_of_task(entry), _not_said(entry.mistake, lesson))))),
        ("only in", "" if entry.scope.project == Scope().project else entry.scope.project),
        ("found by", ", ".join(map(str, cast("list[object]", found_by))) if isinstance(found_by, list) else ""),
        *(("asked" if place == 0 else "", text) for place, text in enumerate(prompts_of(entry)) if text not in lesson),
        ("answer", entry.answer),
        ("runs", counts_in_words(counts) if entry.kind in LESSON_KINDS or counts.offered else ""),
        ("from", _origin(entry)),
        ("id", f"{entry.id}  {entry.kind.value}" + ("" if similarity is None else f"  similarity {similarity:.2f}")),
    ]
    for label, text in rows:
        if text.strip():
            typer.echo(f"  {label:<8} {shown(text)}", out)


def _kind_of_task(entry: MemoryEntry) -> str:
    return _TASK_TYPES.get(entry.task_type or "") or (
        f"a task of the type {entry.task_type}" if entry.task_type else ""
    )


def _not_said(mistake: str, lesson: str) -> str:
    """Return the lines of the mistake that the lesson does not repeat."""
    lines = dict.fromkeys(mistake.splitlines())
    return "; ".join(line for line in lines if line not in lesson and (line.partition(": ")[2] or line) not in lesson)


def _lesson_of(entry: MemoryEntry) -> str:
    said = (text for text in (entry.correction, entry.mistake) if text.strip())
    return next(said, f"Example: {entry.prompt}" if entry.is_example else entry.prompt)


def _origin(entry: MemoryEntry) -> str:
    """Say who or which runs taught an entry, how often and when."""
    often = f"learned {entry.frequency} times, " if entry.frequency > 1 else ""
    runs = entry.evidence[-_MOST_RUNS:]
    more = f" and {len(entry.evidence) - len(runs)} earlier ones" if len(entry.evidence) > len(runs) else ""
    often_run = f"{len(entry.evidence)} runs: " if len(entry.evidence) > 1 else ""
    who = "a person" if entry.source == BY_A_PERSON else often_run + ", ".join(runs) + more if runs else entry.source
    return f"{who}, {often}{entry.timestamp:%Y-%m-%d %H:%M}"


# -- editor ----------------------------------------------------------------------------------------


def edited(text: str, otherwise: str) -> str:
    """Return the text as it was left by the editor that VISUAL or EDITOR names.

    Args:
        otherwise: what to do without an editor, for the error.

    Raises:
        ConfigurationError: there is no editor, or it fails.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise ConfigurationError(f"no editor: set EDITOR, or {otherwise}")
    with tempfile.TemporaryDirectory(prefix="jido-edit-") as folder:
        file = Path(folder) / "text.txt"
        file.write_text(f"{text}\n", "utf-8")
        try:
            subprocess.run([*shlex.split(editor), str(file)], check=True)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise ConfigurationError(f"the editor {editor!r} failed: {error}; nothing was changed") from error
        return file.read_text("utf-8", "replace")
