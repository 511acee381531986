"""Entries that come together are checked and redacted as each would be alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.memory.intake import Intake
from jido_ai.memory.memory_actor import AuditLevel
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.text.redaction import RedactLevel
from jido_ai.values import Link, MemoryEntry, Scope

SECRET = "password: hunter2hunter2"
TOKEN = "sk-" + "a1b2" * 8

ODD: list[dict[str, Any]] = [
    *({name: text} for name in ("mistake", "correction", "source", "domain") for text in (SECRET, TOKEN, "x" * 500)),
    {"prompt": "  "},
    {"prompt": SECRET},
    {"id": "mine"},
    {"id": TOKEN},
    {"tags": ("a", SECRET)},
    {"evidence": (SECRET,)},
    {"links": (Link(TOKEN, "similar"),)},
    {"metadata": {"a": SECRET}},
    {"metadata": {"a": object()}},
    {"scope": Scope("mine")},
    {"scope": Scope(TOKEN)},
]


def one_by_one(intake: Intake, come: list[MemoryEntry]) -> tuple[list[MemoryEntry], dict[int, str]]:
    taken, refused = list[MemoryEntry](), dict[int, str]()
    for place, entry in enumerate(come):
        try:
            taken.append(intake.entry(entry))
        except ConfigurationError as error:
            refused[place] = str(error)
    return taken, refused


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    ("level", "limit", "days"),
    [
        ("secrets", 1 << 20, None),
        ("secrets", 400, None),
        ("secrets", 1 << 20, 3.0),
        ("all", 400, None),
        ("none", 400, None),
    ],
)
def test_a_batch_has_the_same_result_as_its_entries_one_by_one(
    level: RedactLevel, limit: int, days: float | None, odd: dict[str, Any]
) -> None:
    come = [MemoryEntry("one"), MemoryEntry(**{"prompt": "two", **odd}), MemoryEntry("three")]
    together = Intake(level, limit, days)
    for _ in range(2):  # it remembers the scope that it has looked at
        taken, refused = together.entries(come)
        assert (taken, {place: str(why) for place, why in refused.items()}) == one_by_one(
            Intake(level, limit, days), come
        )


def test_many_plain_entries_are_checked_together_and_a_secret_among_them_is_masked() -> None:
    intake = Intake("secrets", 1 << 20)
    come = [MemoryEntry(f"prompt {number}") for number in range(200)]
    come[150] = MemoryEntry("prompt", SECRET)
    taken, refused = intake.entries(come)
    assert not refused
    assert [entry.mistake for entry in taken if entry.mistake] == ["password: [redacted]"]
    assert [one for one, other in zip(taken, come, strict=True) if one is not other] == [taken[150]]


@pytest.mark.parametrize("path", [None, "memory.db"])
async def test_a_refused_entry_does_not_affect_its_batch(path: str | None, tmp_path: Path) -> None:
    async with ReflexionMemory(path and tmp_path / path) as memory:
        come = [MemoryEntry(f"prompt {number}") for number in range(9)]
        come[2], come[5] = MemoryEntry("  "), MemoryEntry("prompt", id=TOKEN)
        kept = await asyncio.gather(*map(memory.store, come), return_exceptions=True)
        assert [type(one) for one in (kept[2], kept[5])] == [ConfigurationError] * 2
        for place in (0, 1, 3, 4, 6, 7, 8):
            assert kept[place] == come[place]
        assert await memory.count() == 7


async def test_a_long_text_is_redacted_in_a_thread_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    to_thread = asyncio.to_thread

    async def noted(work: Any, *args: Any) -> Any:
        asked.append(work)
        return await to_thread(work, *args)

    async with ReflexionMemory(tmp_path / "memory.db") as memory:
        monkeypatch.setattr(asyncio, "to_thread", noted)
        kept = await memory.store(MemoryEntry("prompt", "word " * 10_000 + SECRET))
        assert len(asked) == 1
    assert kept.mistake.endswith("password: [redacted]")


class UnforeseenStore(InProcessStore):
    """Takes entries together, but fails over it."""

    async def add_all(self, entries: Sequence[MemoryEntry], *, max_entries: int) -> list[MemoryEntry]:
        raise ZeroDivisionError(f"{len(entries)}, {max_entries}")


@pytest.mark.parametrize(
    ("store", "audit"), [(UnforeseenStore, "none"), (InProcessStore, "none"), (InProcessStore, "writes")]
)
async def test_an_entry_that_is_sent_alone_is_redacted_too(store: type[InProcessStore], audit: AuditLevel) -> None:
    async with ReflexionMemory(store=store(), audit=audit) as memory:
        await memory.store(MemoryEntry("a prompt", SECRET))
        assert [entry.mistake for entry in await memory.list_entries()] == ["password: [redacted]"]
