"""`jido memory maintain`: a round of maintenance now, and what it did."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress

from jido_ai.cli.books import Books
from jido_ai.cli.memory import MemoryOption, open_memory, scope_of
from jido_ai.cli.settings import load_settings
from jido_ai.learning.maintenance import maintain
from jido_ai.learning.maintenance_rules import MaintenanceConfig, MaintenanceReport
from jido_ai.models.wrappers.monthly_budget import ThriftyReflector
from jido_ai.reflection.reflector import Reflector
from jido_ai.text.printable import printable
from jido_ai.values import Episode, Reflection

__all__ = ["maintain_command"]

_SAID: Final = (
    ("expired", "{} had expired and went"),
    ("pruned", "{} were not touched for too long and went"),
    ("decayed", "{} are less or more important than they were"),
    ("lessons", "{} lessons made or grown by a cause that episodes share"),
    ("summaries", "{} summaries made of entries with the same tag"),
    ("merged", "{} lessons became one with an older one that says the same"),
    ("contradictions", "{} ties between lessons that contradict each other"),
    ("dreams", "{} dreams"),
    ("meta", "{} notes on how learning goes"),
    ("episodes_dropped", "{} old episodes left the log"),
    ("runs_dropped", "{} journals of old runs left the log"),
)


def maintain_command(  # noqa: PLR0917 - typer reads options from parameters
    memory: MemoryOption = None,
    scope: Annotated[str | None, typer.Option(metavar="TENANT/PROJECT", help="Whose memory; by default all.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Dream, too: reflect on what was important lately.")] = False,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who dreams, as in openai:NAME; by default no model is asked.")
    ] = None,
    retention_days: Annotated[
        float | None,
        typer.Option(metavar="DAYS", help="Drop what was not touched for so long and never helped."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Drop what has expired, let importance fade, join lessons that say the same, learn from many episodes."""
    settings = load_settings(memory=memory)
    dreams = settings.enabled and (full or settings.dreaming)
    days = settings.retention_days if retention_days is None else retention_days
    config = MaintenanceConfig(mode="full" if dreams else "lite", retention_days=days)
    chosen = None if scope is None else scope_of(scope)

    notes: list[str] = []
    if model is not None and not dreams:
        notes.append("nobody dreams without --full: the model is not asked")

    async def work() -> MaintenanceReport:
        async with open_memory(memory) as opened, Books(opened, settings, "maintain") as books:
            reflector = Reflector(books.model(model), depth=settings.depth)
            if model is not None:
                reflector = ThriftyReflector(reflector, books.budget)

            async def dream(episode: Episode, priors: Sequence[Reflection] = ()) -> Reflection:
                reflection = await reflector.reflect(episode, priors)
                if why := reflection.metadata.get("fell_back"):
                    notes.append(f"a dream was diagnosed without the model: {why}")
                return reflection

            with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
                task = bar.add_task("maintain", total=None)
                return await maintain(
                    opened,
                    config,
                    scope=chosen,
                    reflector=dream,
                    progress=lambda done, total: bar.update(task, completed=done, total=total),
                )

    report = asyncio.run(work())
    for note in notes:
        sys.stderr.write(printable(f"note     {' '.join(note.split())}\n"))
    if as_json:
        sys.stdout.write(json.dumps({**report.model_dump(mode="json"), "changes": report.changes}) + "\n")
        return
    _print(report)


def _print(report: MaintenanceReport) -> None:
    looked_at = f"{report.entries} entries and {report.episodes} episodes in {report.scopes} scopes"
    sys.stdout.write(f"looked at {looked_at} in {report.duration_s:.1f} s\n")
    done = [(said, getattr(report, name)) for name, said in _SAID]
    for said, count in done:
        if count:
            sys.stdout.write(f"  {said.format(count)}\n")
    if not report.changes:
        sys.stdout.write("  nothing was left to do\n")
    for error in report.errors:
        line = " ".join(f"{error.component}: {error.kind}: {error.message}".split())
        sys.stderr.write("".join(one if one.isprintable() else " " for one in line) + "\n")
    if report.failures > len(report.errors):
        sys.stderr.write(f"and {report.failures - len(report.errors)} more that could not be done\n")
