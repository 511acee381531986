"""`jido memory`: see, find, move and forget what was learnt.

A memory is a file, or an address such as postgresql://HOST/NAME. A file of an older version is brought up to date when
it is opened, in one transaction; one of a newer version, a damaged or a foreign one is refused and left as it is.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final, TextIO, TypeVar

import typer
from platformdirs import user_data_path
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from jido_ai.cli.settings import load_settings
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.files.private import make_private_directory
from jido_ai.memory.files import backup_file, check_target, read_files, vacuum_file, write_files
from jido_ai.memory.intake import Intake
from jido_ai.memory.lessons import importance_label
from jido_ai.memory.reflexion_memory import ReflexionMemory, Similarity
from jido_ai.text.printable import clip
from jido_ai.text.redaction import redact
from jido_ai.values import MemoryEntry, MemoryKind, MemoryQuery, Scope, Scored, utc_now

__all__ = [
    "JsonOption",
    "MemoryOption",
    "address_of",
    "make_place",
    "memory_app",
    "open_memory",
    "own_memory",
    "scope_of",
]

T = TypeVar("T")

_ANY: Final = 0.001  # a person who searches sees how similar things are, and judges
_PAGE: Final = 1000
_MANY: Final = 10**9
_AT_ONCE: Final = 64
_ID_CHARS: Final = 80

_HELP: Final = """What was learnt.

A memory is a file, or an address such as postgresql://HOST/NAME. A file of an older version is brought up to date when
it is opened (copy it first, should you want to go back); one of a newer version, a damaged or a foreign one is refused
and left as it is.
"""
memory_app = typer.Typer(help=_HELP, no_args_is_help=True)
MemoryOption = Annotated[
    str | None,
    typer.Option("--memory", metavar="PATH", help="A file, or postgresql://...; by default as set, or the user's own."),
]
ScopeOption = Annotated[str, typer.Option(metavar="TENANT/PROJECT", help="Whose memory.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
KindOption = Annotated[list[MemoryKind] | None, typer.Option(help="Only of this kind; may be given more than once.")]
TagOption = Annotated[list[str] | None, typer.Option(help="Only with this tag; any of several.")]
TextOption = Annotated[str | None, typer.Option(metavar="NAME", help="Only of this one.")]
DaysOption = Annotated[float | None, typer.Option(min=0, metavar="DAYS", help="Only of the last so many days.")]
ImportanceOption = Annotated[float | None, typer.Option(min=0, max=1, help="Only of at least this importance.")]
_DEFAULT_SCOPE: Final = "default/default"


# -- commands --------------------------------------------------------------------------------------


@memory_app.command("list")
def list_command(  # noqa: PLR0917 - typer reads options from parameters
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 50,
    offset: Annotated[int, typer.Option(min=0, help="How many to leave out.")] = 0,
    scope: ScopeOption = _DEFAULT_SCOPE,
    kind: KindOption = None,
    tag: TagOption = None,
    domain: TextOption = None,
    agent: TextOption = None,
    session: TextOption = None,
    task_type: TextOption = None,
    days: DaysOption = None,
    min_importance: ImportanceOption = None,
    as_json: JsonOption = False,
    memory: MemoryOption = None,
) -> None:
    """List entries, newest first."""
    where = _where(None, scope, kind, tag, domain, agent, session, task_type, days, min_importance)

    async def read() -> Sequence[MemoryEntry]:
        async with open_memory(memory) as opened:
            return await opened.list_entries(where.scope, limit=limit, offset=offset, where=where)

    _print([(entry, None) for entry in _run(read())], sys.stdout, as_json=as_json)


@memory_app.command("search")
def search_command(  # noqa: PLR0917 - typer reads options from parameters
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it should be like.")],
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 5,
    scope: ScopeOption = _DEFAULT_SCOPE,
    kind: KindOption = None,
    tag: TagOption = None,
    domain: TextOption = None,
    agent: TextOption = None,
    session: TextOption = None,
    task_type: TextOption = None,
    days: DaysOption = None,
    min_importance: ImportanceOption = None,
    similarity: Annotated[str, typer.Option(help="weighted, jaccard, overlap or embedding.")] = "weighted",
    as_json: JsonOption = False,
    memory: MemoryOption = None,
) -> None:
    """Find the entries most like a text; similarity is shown."""
    if not text.strip():
        raise ConfigurationError("the text to search for is blank; `jido memory list` shows all entries")
    where = _where(text, scope, kind, tag, domain, agent, session, task_type, days, min_importance)
    is_filtered = where.replace(text=None, k=5, min_similarity=None) != MemoryQuery(scope=where.scope)

    async def find() -> Sequence[Scored]:
        async with open_memory(memory, similarity) as opened:
            if not is_filtered:
                return await opened.retrieve_similar(text, max_results=limit, threshold=_ANY, scope=where.scope)
            query = where.replace(k=_PAGE, min_similarity=_ANY)
            found = await opened.query(query)
            return sorted(found, key=lambda scored: scored.similarity, reverse=True)[:limit]

    _print([(scored.entry, scored.similarity) for scored in _run(find())], sys.stdout, as_json=as_json)


@memory_app.command("show")
def show_command(
    id: Annotated[str, typer.Argument(metavar="ID", help="As `jido memory list` shows it.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, in one line.")] = False,
    memory: MemoryOption = None,
) -> None:
    """Show everything that is known of one entry."""

    async def read() -> MemoryEntry:
        async with open_memory(memory) as opened:
            return await opened.get(id)

    entry = _run(read())
    if as_json:
        sys.stdout.write(json.dumps(entry.model_dump(mode="json")) + "\n")
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in entry.model_dump(mode="json").items():
        if name == "scope":
            table.add_row(name, f"{entry.scope.tenant}/{entry.scope.project}")
        elif name == "importance":
            table.add_row(name, f"{value} ({importance_label(entry.importance)})")
        elif value not in (None, "", [], {}):
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            table.add_row(Text(name, "bold"), Text(_printable(shown)))
    Console(file=sys.stdout, highlight=False, markup=False, soft_wrap=True).print(table)


@memory_app.command("stats")
def stats_command(
    scope: Annotated[str | None, typer.Option(metavar="TENANT/PROJECT", help="Whose memory; by default all.")] = None,
    as_json: JsonOption = False,
    memory: MemoryOption = None,
) -> None:
    """Count what is there: by scope and kind, how often it was used and helped, what has expired."""

    async def read() -> list[dict[str, object]]:
        shelves: dict[tuple[str, str], Counter[str]] = {}
        now = utc_now()
        async with open_memory(memory) as opened:
            async for entry in opened.entries(None if scope is None else scope_of(scope)):
                key = (f"{entry.scope.tenant}/{entry.scope.project}", entry.kind.value)
                shelf = shelves.setdefault(key, Counter())
                shelf["entries"] += 1
                shelf["uses"] += entry.use_count
                shelf["helped"] += entry.success_count
                shelf["expired"] += entry.expires_at is not None and entry.expires_at <= now
        return [
            {"scope": name, "kind": kind, **{count: shelf[count] for count in ("entries", "uses", "helped", "expired")}}
            for (name, kind), shelf in sorted(shelves.items())
        ]

    rows = _run(read())
    if as_json:
        sys.stdout.write("".join(json.dumps(row) + "\n" for row in rows))
        return
    table = Table("scope", "kind", "entries", "uses", "helped", "expired", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(_printable(str(value)) for value in row.values()))
    Console(file=sys.stdout, highlight=False, markup=False).print(table if rows else "nothing found")


@memory_app.command("export")
def export_command(
    target: Annotated[str, typer.Argument(metavar="TO", help="NAME.json, NAME.jsonl, a directory, or - for lines.")],
    scope: Annotated[str | None, typer.Option(metavar="TENANT/PROJECT", help="Whose memory; by default all.")] = None,
    memory: MemoryOption = None,
) -> None:
    """Write entries for people and programs: a snapshot, JSON lines, or a directory with Markdown and an index.

    An earlier export is replaced, any other file is not. Logs (episodes, runs, costs, the audit) are not in it:
    `jido memory backup` copies a file with them, pg_dump a database.
    """

    async def read() -> list[MemoryEntry]:
        chosen = None if scope is None else scope_of(scope)
        async with open_memory(memory) as opened:
            task = bar.add_task("export", total=await opened.count(chosen))
            found: list[MemoryEntry] = []
            async for entry in opened.entries(chosen):
                found.append(entry)
                bar.advance(task)
        return found[::-1]

    if target != "-":
        check_target(Path(target))
    with _progress() as bar:
        entries = _run(read())
        if target != "-":
            task = bar.add_task("write", total=None)
            write_files(Path(target), entries, max(1000, len(entries)), lambda: bar.advance(task))
    if target == "-":
        sys.stdout.writelines(json.dumps(entry.model_dump(mode="json")) + "\n" for entry in entries)
        return
    sys.stdout.write(f"exported {_so_many(len(entries))} to {target}\n")


@memory_app.command("import")
def import_command(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="What `jido memory export` wrote.")],
    scope: Annotated[str | None, typer.Option(metavar="TENANT/PROJECT", help="Store all of it there.")] = None,
    max_entries: Annotated[
        int | None,
        typer.Option(min=1, help="Keep so many of a kind in a scope, the newest; by default all."),
    ] = None,
    memory: MemoryOption = None,
) -> None:
    """Read entries from a snapshot, JSON lines or an exported directory; all are checked before any is stored.

    What is there already, just as it is in the file, stays as it is. Lessons that say the same become one. Of a
    snapshot with more than its max_size the newest are taken, and it is said how many were left out.
    """
    done = _Import()
    with _progress() as bar:
        reading = bar.add_task("read", total=None)
        read = read_files(source, lambda: bar.advance(reading))
        chosen = None if scope is None else scope_of(scope)
        entries = [entry if chosen is None else entry.replace(scope=chosen) for entry in read.entries]
        _check_entries(entries, source)
        task = bar.add_task("import", total=len(entries))

        async def store() -> int:
            async with open_memory(memory, max_entries=max_entries or _MANY, create=True) as opened:
                await done.store(opened, entries, lambda some: bar.advance(task, some))
                return await opened.count()

        try:
            count = _run(store())
        except KeyboardInterrupt:
            bar.stop()
            there = done.known + done.stored
            sys.stderr.write(f"{there} of {_so_many(len(entries))} are there; import again to go on\n")
            raise
    said = f"imported {_so_many(done.stored)} from {source}"
    if done.known:
        said += f"; {done.known} were there already"
    if read.left_out:
        said += f"; {read.left_out} older ones were left out: the file has more than its max_size"
    if max_entries is not None:
        said += f"; at most {max_entries} of a kind in a scope are kept, {count} are there now"
    sys.stdout.write(said + "\n")


def _check_entries(entries: Sequence[MemoryEntry], source: Path) -> None:
    """Raise `ConfigurationError` for the first entry that no memory would take; its id is shown without a secret."""
    intake = Intake("secrets", 1 << 20)
    for number, entry in enumerate(entries, 1):
        try:
            intake.entry(entry)
        except ConfigurationError as error:
            id = clip(redact(entry.id), _ID_CHARS)
            raise ConfigurationError(f"{source}: entry {number} ({id}): {error}; nothing was imported") from error


@dataclass(slots=True)
class _Import:
    """How far an import has come.

    Attributes:
        known: entries that were there already.
        stored: entries that were not.
    """

    known: int = 0
    stored: int = 0

    async def store(
        self, memory: ReflexionMemory, entries: Sequence[MemoryEntry], progress: Callable[[int], object]
    ) -> None:
        """Store what is not there yet, some at a time; `progress` is told how many were looked at."""
        for start in range(0, len(entries), _AT_ONCE):
            some = entries[start : start + _AT_ONCE]
            there = await asyncio.gather(*(_is_there(memory, entry) for entry in some))
            await asyncio.gather(
                *(memory.store(entry) for entry, is_there in zip(some, there, strict=True) if not is_there)
            )
            self.known += sum(there)
            self.stored += len(some) - sum(there)
            progress(len(some))


@memory_app.command("forget")
def forget_command(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="As `jido memory list` shows them.")],
    memory: MemoryOption = None,
) -> None:
    """Remove entries for good; all of them, or none when one is unknown."""

    async def remove() -> None:
        async with open_memory(memory) as opened:
            await opened.forget(*ids)

    _run(remove())
    sys.stdout.write(f"forgot {_printable(', '.join(ids))}\n")


@memory_app.command("vacuum")
def vacuum_command(memory: MemoryOption = None) -> None:
    """Give the room of what was removed back to the file system."""
    path = _file(memory, "vacuum")
    _run(_touch(path))
    sys.stdout.write(f"{path} is {vacuum_file(path)} bytes smaller\n")


@memory_app.command("backup")
def backup_command(
    target: Annotated[Path, typer.Argument(metavar="TO", help="A file that is not there yet.")],
    memory: MemoryOption = None,
) -> None:
    """Copy the memory file while others go on using it."""
    path = _file(memory, "backup")
    _run(_touch(path))
    with _progress() as bar:
        task = bar.add_task("backup", total=None)
        backup_file(path, target, lambda done, total: bar.update(task, completed=done, total=total))
    sys.stdout.write(f"copied {path} to {target}\n")


# -- behind them -----------------------------------------------------------------------------------


def _run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def _where(  # noqa: PLR0917 - one caller per command, in the order of its options
    text: str | None,
    scope: str,
    kinds: Sequence[MemoryKind] | None,
    tags: Sequence[str] | None,
    domain: str | None,
    agent: str | None,
    session: str | None,
    task_type: str | None,
    days: float | None,
    min_importance: float | None,
) -> MemoryQuery:
    since: datetime | None = None
    if days is not None:
        try:
            since = utc_now() - timedelta(days=days)
        except OverflowError:
            since = None
    return MemoryQuery(
        text,
        scope=scope_of(scope),
        kinds=tuple(kinds or ()),
        tags=tuple(tags or ()),
        domain=domain,
        agent_id=agent,
        session_id=session,
        task_type=task_type,
        since=since,
        min_importance=min_importance,
    )


@asynccontextmanager
async def open_memory(
    chosen: str | None, similarity: str = "weighted", *, max_entries: int = _MANY, create: bool = False
) -> AsyncGenerator[ReflexionMemory]:
    address_of(chosen)  # nothing where a name belongs is refused in our own words
    settings = load_settings(memory=chosen)
    address = address_of(settings.memory)
    if create:
        make_place(address)
    elif "://" not in address:
        _existing(Path(address))
    kind: Similarity = similarity  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType] - checked there
    options: dict[str, Any] = {"max_entries": max_entries, "audit": settings.audit, "timeout_s": 600.0}
    async with ReflexionMemory(address, similarity=kind, **options) as memory:
        yield memory


async def _touch(path: Path) -> None:
    """Open the file once: it is refused here when it is not ours, and brought up to date when it is old."""
    async with open_memory(str(path)):
        pass


async def _is_there(memory: ReflexionMemory, entry: MemoryEntry) -> bool:
    try:
        return await memory.get(entry.id, entry.scope) == entry
    except NotFoundError:
        return False


def _so_many(entries: int) -> str:
    return "1 entry" if entries == 1 else f"{entries} entries"


def address_of(chosen: str | None) -> str:
    """Return the memory a command works with: the chosen one, else that of the settings, else the user's own."""
    if chosen is not None and not chosen.strip():
        raise ConfigurationError("--memory takes a file name or postgresql://..., got nothing")
    return chosen or load_settings().memory or own_memory()


def own_memory() -> str:
    """Return the file of the user's own memory, which is used where no other is named."""
    return str(user_data_path("jido-ai", appauthor=False) / "memory.db")


def make_place(address: str) -> None:
    """Make the directory of a memory that is a file, when it is not there yet, so that nobody else can read it."""
    if "://" not in address:
        parent = Path(address).parent
        try:
            make_private_directory(parent)
        except OSError as error:
            raise ConfigurationError(f"{parent}: cannot be made: {error.strerror}; name another --memory") from error


def _file(chosen: str | None, command: str) -> Path:
    address = address_of(chosen)
    if "://" in address:
        raise ConfigurationError(f"{command} is for files; a database server has its own tools (pg_dump, autovacuum)")
    return _existing(Path(address))


def _existing(path: Path) -> Path:
    if not path.exists():
        raise NotFoundError(f"{path}: no memory yet; `jido improve` makes it when it learns something")
    return path


def scope_of(text: str) -> Scope:
    tenant, slash, project = text.partition("/")
    if not slash:
        raise ConfigurationError(f"--scope takes TENANT/PROJECT, got {text!r}")
    return Scope(tenant, project)


def _progress() -> Progress:
    return Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())


def _printable(text: str) -> str:
    """Return the text without what steers a terminal."""
    return "".join(one if one.isprintable() or one == "\n" else " " for one in text)


def _print(entries: Sequence[tuple[MemoryEntry, float | None]], out: TextIO, *, as_json: bool) -> None:
    if as_json:
        for entry, similarity in entries:
            shown = entry.model_dump(mode="json")
            out.write(json.dumps(shown if similarity is None else {**shown, "similarity": similarity}) + "\n")
        return
    console = Console(file=out, highlight=False, markup=False)
    if not entries:
        console.print("nothing found")
    for entry, similarity in entries:
        head = f"{_printable(entry.id)}  {entry.kind.value}  {entry.timestamp:%Y-%m-%d %H:%M}  seen {entry.frequency}x"
        used = f"  helped {entry.success_count} of {entry.use_count}"
        like = "" if similarity is None else f"  similarity {similarity:.2f}"
        console.print(Text.assemble((head, "bold"), used, (like, "cyan")), soft_wrap=True)
        for label, text in (("asked", entry.prompt), ("mistake", entry.mistake), ("lesson", entry.correction)):
            if text.strip():
                shown = " ".join(_printable(text).split())
                console.print(Text(f"  {label:<8} {shown[:300]}{' […]' if len(shown) > 300 else ''}"), soft_wrap=True)
