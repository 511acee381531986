"""`jido memory`: its commands and options."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from jido_ai.cli.commands.options import (
    JsonLinesOption,
    JsonOption,
    MemoryOption,
    OwnScopeOption,
    ScopeOption,
    new_app,
)
from jido_ai.errors import ConfigurationError
from jido_ai.files.bounded_read import read_text

_LONGEST_ANSWER: Final = 4_000

_HELP: Final = """Show, search, move and forget lessons.

A memory is a file, or an address such as postgresql://HOST/NAME. A file of an older version is upgraded when it is
opened (copy it first if you may want to go back). A file of a newer version, a damaged one or another program's is
refused and left unchanged.

An ID may be shortened to any prefix that only one entry has.
"""
app = new_app(_HELP, no_args_is_help=True)


class Kind(StrEnum):
    """The names of `MemoryKind`, which takes long to import."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    META = "meta"
    FEEDBACK = "feedback"


KindOption = Annotated[list[Kind] | None, typer.Option(help="Only entries of this kind. May be repeated.")]
TagOption = Annotated[list[str] | None, typer.Option(help="Only entries with this tag; with any, if repeated.")]
DomainOption = Annotated[str | None, typer.Option(metavar="NAME", help="Only entries of this domain.")]
AgentOption = Annotated[str | None, typer.Option(metavar="ID", help="Only entries of this agent.")]
SessionOption = Annotated[str | None, typer.Option(metavar="ID", help="Only entries of this session.")]
TaskTypeOption = Annotated[str | None, typer.Option(metavar="NAME", help="Only entries of this task type.")]
DaysOption = Annotated[float | None, typer.Option(min=0, metavar="DAYS", help="Only entries of the last DAYS days.")]
ImportanceOption = Annotated[
    float | None, typer.Option(metavar="N", min=0, max=1, help="Only entries at least this important.")
]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="An ID that `jido memory list` shows, or its beginning.")]


@app.command("list")
def list_command(  # noqa: PLR0917 - typer reads options from parameters
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Maximum entries to show.")] = 50,
    offset: Annotated[int, typer.Option(metavar="N", min=0, help="Entries to skip.")] = 0,
    scope: OwnScopeOption = None,
    kind: KindOption = None,
    tag: TagOption = None,
    domain: DomainOption = None,
    agent: AgentOption = None,
    session: SessionOption = None,
    task_type: TaskTypeOption = None,
    days: DaysOption = None,
    min_importance: ImportanceOption = None,
    as_json: JsonLinesOption = False,
    memory: MemoryOption = None,
) -> None:
    """List entries as notes: the lesson, when it applies, how it did in runs, and its origin.

    Lessons come first, newest first. Episodes that say the same are one note, with their runs; --kind episodic and
    --json list each of them.
    """
    from jido_ai.cli.memory import Filters, list_entries  # noqa: PLC0415 - each command loads what it needs

    filters = Filters(scope, kind, tag, domain, agent, session, task_type, days, min_importance)
    list_entries(filters, memory, sys.stdout, limit=limit, offset=offset, as_json=as_json)


@app.command("search")
def search_command(  # noqa: PLR0917 - typer reads options from parameters
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Text to compare the entries with.")],
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Maximum entries to show.")] = 5,
    scope: OwnScopeOption = None,
    kind: KindOption = None,
    tag: TagOption = None,
    domain: DomainOption = None,
    agent: AgentOption = None,
    session: SessionOption = None,
    task_type: TaskTypeOption = None,
    days: DaysOption = None,
    min_importance: ImportanceOption = None,
    similarity: Annotated[
        str, typer.Option(metavar="MEASURE", help="auto, static, weighted, jaccard, overlap or embedding.")
    ] = "auto",
    as_json: JsonLinesOption = False,
    memory: MemoryOption = None,
) -> None:
    """Find the entries most similar to a text."""
    if not text.strip():
        raise ConfigurationError("the text to search for is blank; `jido memory list` shows all entries")
    from jido_ai.cli.memory import Filters, search_entries  # noqa: PLC0415 - each command loads what it needs

    filters = Filters(scope, kind, tag, domain, agent, session, task_type, days, min_importance)
    search_entries(text, filters, memory, sys.stdout, limit=limit, similarity=similarity, as_json=as_json)


@app.command("show")
def show_command(id: IdArgument, as_json: JsonOption = False, memory: MemoryOption = None) -> None:
    """Show one entry as a note, and everything else that is known about it."""
    from jido_ai.cli.memory import show_entry  # noqa: PLC0415 - each command loads what it needs

    show_entry(id, memory, sys.stdout, as_json=as_json)


@app.command("add")
def add_command(  # noqa: PLR0917 - typer reads options from parameters
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="The lesson: what to do, in a sentence. Not needed with --answer."),
    ] = None,
    when: Annotated[str | None, typer.Option(metavar="TEXT", help="When it applies, such as a mistake.")] = None,
    prompt: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="A task for which it is useful; it is offered to runs on similar tasks."),
    ] = None,
    answer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="File with a good answer to --prompt; - is the standard input.", allow_dash=True
        ),
    ] = None,
    task_type: Annotated[str | None, typer.Option(metavar="NAME", help="The kind of task that it is for.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag. May be repeated.")] = None,
    project: Annotated[
        bool, typer.Option("--project", help="Only for `jido improve` in the project of this directory.")
    ] = False,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="TENANT/PROJECT", help="Scope to add it to. Default: default/default, the scope of `jido ask`."
        ),
    ] = None,
    memory: MemoryOption = None,
) -> None:
    """Add a lesson of your own, or a good answer to a task. It is never merged with another one, and never fades.

    With --answer, models see task and answer as an example before similar tasks.

    `jido ask`, `jido run` and programs find it. `jido improve` has a scope for each project: for it, give --project.
    """
    if text is not None and not text.strip():
        raise ConfigurationError("the lesson is blank; say what to do")
    if project and scope is not None:
        raise ConfigurationError("--project and --scope cannot be combined; give one of them")
    from jido_ai.cli.memory import add_entry  # noqa: PLC0415 - each command loads what it needs
    from jido_ai.cli.memory_place import scope_of  # noqa: PLC0415

    where = None if scope is None else scope_of(scope)
    if project:
        from jido_ai.improve.outcome import ImproveOptions  # noqa: PLC0415
        from jido_ai.improve.project import project_scope, root_of  # noqa: PLC0415

        where = project_scope(root_of(Path.cwd() / "any.py", ImproveOptions(files=(), memory=None)))
    add_entry(
        text,
        memory,
        sys.stdout,
        when=when,
        prompt=prompt,
        task_type=task_type,
        tags=tuple(tag or ()),
        scope=where,
        answer=None if answer is None else _answer_in(answer),
    )


def _answer_in(file: Path) -> str:
    """Return the text of a file. Raises `ConfigurationError` if it cannot be read or is too long for an example."""
    text = sys.stdin.read(_LONGEST_ANSWER + 1) if str(file) == "-" else read_text(file, 4 * _LONGEST_ANSWER)
    if len(text) > _LONGEST_ANSWER:
        raise ConfigurationError(f"{file}: the answer is longer than {_LONGEST_ANSWER} characters")
    return text


@app.command("edit")
def edit_command(
    id: IdArgument,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="The new words; without them, the editor opens.")
    ] = None,
    when: Annotated[str | None, typer.Option(metavar="TEXT", help="When it applies.")] = None,
    memory: MemoryOption = None,
) -> None:
    """Change the words of a lesson, or the answer of an example. It is yours then: never merged, and never fading."""
    if text is not None and not text.strip():
        raise ConfigurationError("the lesson is blank; `jido memory forget ID` removes one")
    from jido_ai.cli.memory import edit_entry  # noqa: PLC0415 - each command loads what it needs

    edit_entry(id, text, when, memory, sys.stdout)


@app.command("stats")
def stats_command(scope: ScopeOption = None, as_json: JsonLinesOption = False, memory: MemoryOption = None) -> None:
    """Count entries by scope and kind.

    Also shows how often they were shown in runs, how many of these succeeded, and how many entries have expired.
    """
    from jido_ai.cli.memory import show_stats  # noqa: PLC0415 - each command loads what it needs

    show_stats(scope, memory, sys.stdout, as_json=as_json)


@app.command("export")
def export_command(
    target: Annotated[str, typer.Argument(metavar="TO", help="NAME.json, NAME.jsonl, a directory, or - for lines.")],
    scope: ScopeOption = None,
    memory: MemoryOption = None,
) -> None:
    """Write entries to a file or a directory.

    NAME.json is a snapshot, NAME.jsonl has JSON lines, a directory gets Markdown with an index. Replaces an earlier
    export, and no other file. Logs (episodes, runs, costs, the audit) are not included: `jido memory backup` copies a
    file with its logs, pg_dump a database.
    """
    from jido_ai.cli.memory_exchange import export_entries  # noqa: PLC0415 - each command loads what it needs

    export_entries(target, scope, memory, sys.stdout)


@app.command("import")
def import_command(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="A file or directory from `jido memory export`.")],
    scope: Annotated[
        str | None, typer.Option(metavar="TENANT/PROJECT", help="Scope to store everything in. Default: as exported.")
    ] = None,
    max_entries: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Keep only the newest entries, this many per kind and scope. Default: all."
        ),
    ] = None,
    memory: MemoryOption = None,
) -> None:
    """Read entries from a file or directory of `jido memory export`.

    All entries are checked before any is stored. An entry that is there already stays as it is. Lessons that say the
    same are merged. If a snapshot has more entries than its max_size, the newest are taken, and the number left out is
    shown.
    """
    from jido_ai.cli.memory_exchange import import_entries  # noqa: PLC0415 - each command loads what it needs

    import_entries(source, scope, memory, sys.stdout, max_entries=max_entries)


@app.command("forget")
def forget_command(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="IDs that `jido memory list` shows, or prefixes.")],
    memory: MemoryOption = None,
) -> None:
    """Remove entries for good.

    Removes all of them, or none if one is unknown.
    """
    from jido_ai.cli.memory import forget_entries  # noqa: PLC0415 - each command loads what it needs

    forget_entries(ids, memory, sys.stdout)


@app.command("vacuum")
def vacuum_command(memory: MemoryOption = None) -> None:
    """Free the disk space of removed entries."""
    from jido_ai.cli.memory_exchange import vacuum_memory  # noqa: PLC0415 - each command loads what it needs

    vacuum_memory(memory, sys.stdout)


@app.command("backup")
def backup_command(
    target: Annotated[Path, typer.Argument(metavar="TO", help="A file that does not exist yet.")],
    memory: MemoryOption = None,
) -> None:
    """Copy the memory file while it is in use."""
    from jido_ai.cli.memory_exchange import backup_memory  # noqa: PLC0415 - each command loads what it needs

    backup_memory(target, memory, sys.stdout)


@app.command("maintain")
def maintain_command(  # noqa: PLR0917 - typer reads options from parameters
    memory: MemoryOption = None,
    scope: ScopeOption = None,
    full: Annotated[bool, typer.Option("--full", help="Also reflect on recent important attempts.")] = False,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Model that reflects with --full, e.g. openai:NAME. Default: none is called."
        ),
    ] = None,
    retention_days: Annotated[
        float | None,
        typer.Option(metavar="DAYS", help="Remove entries that were unused for DAYS days and never helped."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run one round of maintenance.

    Removes expired entries, lets importance fade, merges equal lessons, and learns from many attempts.
    """
    from jido_ai.cli.maintain import maintain_memory  # noqa: PLC0415 - each command loads what it needs

    maintain_memory(memory, scope, full=full, model=model, retention_days=retention_days, as_json=as_json)
