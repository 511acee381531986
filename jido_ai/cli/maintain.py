"""The work of `jido memory maintain`: one round of maintenance, and a report of it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.progress import Progress

from jido_ai.cli.memory_place import open_memory, scope_of
from jido_ai.learning.maintenance import maintain
from jido_ai.learning.maintenance_report import MaintenanceConfig, MaintenanceReport
from jido_ai.loop.books import Books, ThriftyReflector
from jido_ai.loop.settings import load_settings
from jido_ai.reflection.reflector import Reflector
from jido_ai.text.printable import printable
from jido_ai.text.wording import counted
from jido_ai.values import Episode, Reflection

_SAID: Final = (
    ("expired", "removed: {} expired"),
    ("pruned", "removed: {} unused for too long"),
    ("decayed", "changed: importance of {}"),
    ("lessons", "made or extended: {} lessons from causes that episodes share"),
    ("summaries", "made: {} summaries of entries with the same tag"),
    ("merged", "merged: {} lessons into older ones that say the same"),
    ("contradictions", "linked: {} pairs of lessons that contradict each other"),
    ("dreams", "made: {} reflections on important episodes"),
    ("meta", "made: {} notes on how learning develops"),
    ("episodes_dropped", "removed: {} old episodes from the log"),
    ("runs_dropped", "removed: {} journals of old runs"),
)


def maintain_memory(
    memory: str | None, scope: str | None, *, full: bool, model: str | None, retention_days: float | None, as_json: bool
) -> None:
    """Do a round of maintenance and print what it did."""
    settings = load_settings(memory=memory)
    dreams = settings.enabled and (full or settings.dreaming)
    days = settings.retention_days if retention_days is None else retention_days
    config = MaintenanceConfig(mode="full" if dreams else "lite", retention_days=days)
    chosen = None if scope is None else scope_of(scope)

    notes: list[str] = []
    if model is not None and not dreams:
        notes.append("the model is called with --full only")

    async def work() -> MaintenanceReport:
        async with open_memory(memory) as opened, Books(opened, settings, "maintain") as books:
            reflector = Reflector(books.model(model), depth=settings.depth)
            if model is not None:
                reflector = ThriftyReflector(reflector, books.ledger)

            async def dream(episode: Episode, priors: Sequence[Reflection] = ()) -> Reflection:
                reflection = await reflector.reflect(episode, priors)
                if why := reflection.metadata.get("fell_back"):
                    notes.append(f"a reflection was made without the model: {why}")
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
    looked_at = ", ".join(
        (
            counted(report.entries, "entry", "entries"),
            counted(report.episodes, "episode"),
            counted(report.scopes, "scope"),
        )
    )
    sys.stdout.write(f"checked {looked_at} in {report.duration_s:.1f} s\n")
    done = [(said, getattr(report, name)) for name, said in _SAID]
    for said, count in done:
        if count:
            sys.stdout.write(f"  {said.format(count)}\n")
    if not report.changes:
        sys.stdout.write("  nothing to do\n")
    for error in report.errors:
        line = " ".join(f"{error.component}: {error.kind}: {error.message}".split())
        sys.stderr.write("".join(one if one.isprintable() else " " for one in line) + "\n")
    if report.failures > len(report.errors):
        sys.stderr.write(f"and {report.failures - len(report.errors)} more failures\n")
