"""`jido memory`: see and forget what was learnt."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.text import Text

from jido_ai.components.reflexion_memory import ReflexionMemory
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.values import MemoryEntry, Scope, Scored

__all__ = ["forget", "list_entries", "search"]

_ANY = 0.001  # a person who searches sees how similar things are, and judges


def list_entries(path: Path, scope: str, limit: int, out: TextIO, *, as_json: bool) -> None:
    """Print the newest entries of a scope."""

    async def read() -> Sequence[MemoryEntry]:
        async with ReflexionMemory(_existing(path), similarity="weighted") as memory:
            return await memory.list_entries(_scope(scope), limit=limit)

    _print([(entry, None) for entry in asyncio.run(read())], out, as_json=as_json)


def search(path: Path, text: str, scope: str, limit: int, out: TextIO, *, as_json: bool) -> None:
    """Print the entries most like a text."""

    async def find() -> Sequence[Scored]:
        async with ReflexionMemory(_existing(path), similarity="weighted") as memory:
            return await memory.retrieve_similar(text, max_results=limit, threshold=_ANY, scope=_scope(scope))

    _print([(scored.entry, scored.similarity) for scored in asyncio.run(find())], out, as_json=as_json)


def forget(path: Path, ids: Sequence[str], out: TextIO) -> None:
    """Remove entries; all of them, or none when one is unknown."""

    async def remove() -> None:
        async with ReflexionMemory(_existing(path)) as memory:
            await memory.forget(*ids)

    asyncio.run(remove())
    out.write(f"forgot {', '.join(ids)}\n")


def _existing(path: Path) -> str:
    if not path.exists():
        raise NotFoundError(f"{path}: no memory yet; `jido improve` makes it when it learns something")
    return str(path)


def _scope(text: str) -> Scope:
    tenant, slash, project = text.partition("/")
    if not slash:
        raise ConfigurationError(f"--scope takes TENANT/PROJECT, got {text!r}")
    return Scope(tenant, project)


def _print(entries: Sequence[tuple[MemoryEntry, float | None]], out: TextIO, *, as_json: bool) -> None:
    if as_json:
        for entry, similarity in entries:
            shown = entry.model_dump(mode="json")
            out.write(json.dumps(shown if similarity is None else {**shown, "similarity": similarity}) + "\n")
        return
    console = Console(file=out, highlight=False)
    if not entries:
        console.print("nothing found")
    for entry, similarity in entries:
        head = f"{entry.id}  {entry.kind.value}  {entry.timestamp:%Y-%m-%d %H:%M}  seen {entry.frequency}x"
        used = f"  helped {entry.success_count} of {entry.use_count}"
        like = "" if similarity is None else f"  similarity {similarity:.2f}"
        console.print(Text.assemble((head, "bold"), used, (like, "cyan")), soft_wrap=True)
        for label, text in (("mistake", entry.mistake), ("lesson", entry.correction)):
            if text:
                console.print(Text(f"  {label:<8} {' '.join(text.split())}"), soft_wrap=True)
