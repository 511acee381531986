"""Recall by meaning: which measure "auto" chooses, what an entry's vector is made of, and entries stored earlier."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.learning.maintenance import maintain
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.index.static_embedder import can_embed_statically
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry

STATIC, MINILM = "static:wordllama-l2-256:1", "minilm:l6-v2-int8:1"

needs_extra = pytest.mark.skipif(find_spec("onnxruntime") is None, reason="the extra semantic is not installed")
needs_static = pytest.mark.skipif(not can_embed_statically(), reason="the package wordllama is not installed")


class Letters:
    """Counts three letters. Knows how much a correction counts."""

    name, dim, threshold, correction_weight = "letters", 3, 0.5, 0.5

    def __init__(self) -> None:
        self.texts = 0

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.texts += len(texts)
        return [[float(text.count(letter)) for letter in "abc"] for text in texts]


async def prompts(memory: ReflexionMemory, prompt: str, threshold: float | None = None) -> list[str]:
    return [scored.entry.prompt for scored in await memory.retrieve_similar(prompt, threshold=threshold)]


@needs_extra
@pytest.mark.parametrize(
    ("options", "measure"),
    [
        pytest.param({"embedder": "static"}, STATIC, marks=needs_static),
        pytest.param({"similarity": "static"}, STATIC, marks=needs_static),
        ({"embedder": "minilm"}, MINILM),
        ({"similarity": "minilm"}, MINILM),
        ({"similarity": "auto"}, MINILM),
    ],
)
async def test_a_memory_finds_a_lesson_in_other_words(options: dict[str, str], measure: str) -> None:
    async with ReflexionMemory(**options) as memory:
        assert memory.similarity == measure
        await memory.store(MemoryEntry("Resize pictures"))
        await memory.store(MemoryEntry("Sort orders by date"))
        assert await prompts(memory, "Make the photos smaller") == ["Resize pictures"]
        assert await prompts(memory, "Write a poem about the sea") == []


@needs_extra
@needs_static
async def test_auto_is_static_where_the_model_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    async with ReflexionMemory(similarity="auto") as memory:
        assert memory.similarity == STATIC


async def test_auto_is_weighted_without_the_extra_and_its_names_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    async with ReflexionMemory(similarity="auto") as memory:
        assert memory.similarity == "weighted"
        await memory.store(MemoryEntry("Sort orders by date"))
        assert await prompts(memory, "sorting an order") == ["Sort orders by date"]
    for options in ({"embedder": "static"}, {"similarity": "static"}, {"embedder": "minilm"}, {"similarity": "minilm"}):
        with pytest.raises(ConfigurationError, match=r"jido-ai\[semantic\]"):
            ReflexionMemory(**options)


def test_auto_uses_a_given_embedder_and_the_default_stays_jaccard() -> None:
    assert ReflexionMemory(similarity="auto", embedder=Letters()).similarity == "letters"
    assert ReflexionMemory(embedder=Letters()).similarity == "letters"
    assert ReflexionMemory().similarity == "jaccard"


@needs_extra
async def test_a_pipeline_that_makes_its_memory_recalls_by_meaning() -> None:
    async with Pipeline(lambda prompt: prompt, critiquer=lambda _: 1.0, memory=True) as pipeline:
        assert pipeline.memory is not None
        assert pipeline.memory.similarity == MINILM


async def test_the_embedder_brings_its_threshold_and_the_weight_of_corrections() -> None:
    async with ReflexionMemory(embedder=Letters()) as memory:
        await memory.store(MemoryEntry("a", correction="bb"))  # a + 0.5 b, both of length 1
        await memory.store(MemoryEntry("c"))
        (found,) = await memory.retrieve_similar("a")  # the other one's 0.0 is below 0.5
        assert found.similarity == pytest.approx(1 / 1.25**0.5, abs=1e-5)
        (found,) = await memory.retrieve_similar("b", threshold=0.1)
        assert found.similarity == pytest.approx(0.5 / 1.25**0.5, abs=1e-5)


async def test_two_entries_of_one_prompt_have_a_vector_each(tmp_path: Path) -> None:
    letters = Letters()
    for _ in range(2):
        async with ReflexionMemory(tmp_path / "m.db", embedder=letters) as memory:
            if not letters.texts:
                await memory.store(MemoryEntry("a", correction="b"))
                await memory.store(MemoryEntry("a", correction="c"))
            (best,) = await memory.retrieve_similar("ab")
            assert best.entry.correction == "b"
    assert letters.texts == 4 + 2  # two prompts, two corrections, and the two questions


async def test_forgetting_an_entry_removes_its_vector() -> None:
    async with ReflexionMemory(embedder=Letters()) as memory:
        kept = await memory.store(MemoryEntry("a", correction="b"))
        await prompts(memory, "a")
        assert len(await memory.records("embeddings")) == 1
        await memory.forget(kept.id)
        assert await memory.records("embeddings") == []


@needs_extra
async def test_maintenance_embeds_entries_stored_before_there_was_an_embedder(tmp_path: Path) -> None:
    async with ReflexionMemory(tmp_path / "m.db", similarity="weighted") as memory:
        await memory.store(MemoryEntry("Resize pictures"))
        await memory.store(MemoryEntry("Sort orders by date", correction="Use a stable sort"))
    async with ReflexionMemory(tmp_path / "m.db", similarity="auto") as memory:
        assert await memory.records("embeddings") == []
        report = await maintain(memory)
        assert report.errors == ()
        assert {record.kind for record in await memory.records("embeddings")} == {MINILM}
        assert len(await memory.records("embeddings")) == 2
        assert await prompts(memory, "Make the photos smaller") == ["Resize pictures"]


async def test_a_query_embeds_a_thousand_old_entries_and_the_background_embeds_the_others(tmp_path: Path) -> None:
    async with ReflexionMemory(tmp_path / "m.db", max_entries=5000) as memory:
        await asyncio.gather(*(memory.store(MemoryEntry(f"a{number}")) for number in range(1500)))
    letters = Letters()
    async with ReflexionMemory(tmp_path / "m.db", embedder=letters, max_entries=5000) as memory:
        assert len(await memory.retrieve_similar("a", 5)) == 5
        assert letters.texts >= 1024 + 1
        while await memory.embed_pending():
            pass
        assert len(await memory.records("embeddings")) == 1500
        assert await memory.embed_pending() == 0


class Slow(Letters):
    """Takes half a second a call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.calls.append(len(texts))
        await asyncio.sleep(0.5)
        return await super().embed(texts)


@pytest.mark.virtual_clock
async def test_a_query_begins_no_more_embeddings_after_a_second() -> None:
    slow, clock = Slow(), asyncio.get_running_loop().time
    async with ReflexionMemory(embedder=slow, max_entries=5000) as memory:
        await asyncio.gather(*(memory.store(MemoryEntry(f"a{number}")) for number in range(500)))
        began = clock()
        assert len(await memory.retrieve_similar("a", 5)) == 5
        assert clock() - began <= 2.0 + 1e-6  # a call under way, two of entries, one of the question
        assert set(slow.calls[: slow.calls.index(1)]) == {64}
        while await memory.embed_pending():
            pass
        assert len(await memory.records("embeddings")) == 500


async def test_long_texts_are_embedded_fewer_at_a_time() -> None:
    slow = Slow()
    async with ReflexionMemory(embedder=slow) as memory:
        for number in range(3):
            await memory.store(MemoryEntry(f"{number} " + "a" * 9_000, correction="b" * 2_000))
        await memory.store(MemoryEntry("a" * 30_000))
        while await memory.embed_pending():
            pass
    assert slow.calls == [2, 2, 2, 1]  # a prompt and its correction each: 11,002 characters; 20,000 at once at most


async def test_without_an_embedder_nothing_is_pending() -> None:
    async with ReflexionMemory() as memory:
        await memory.store(MemoryEntry("a"))
        assert await memory.embed_pending() == 0


@needs_static
async def test_vectors_of_two_embedders_are_never_compared(tmp_path: Path) -> None:
    for options in ({"embedder": Letters()}, {"embedder": "static"}, {"embedder": Letters()}):
        async with ReflexionMemory(tmp_path / "m.db", **options) as memory:
            if options["embedder"] != "static" and not await memory.count():
                await memory.store(MemoryEntry("abc"))
            (found,) = await memory.retrieve_similar("abc")
            assert found.similarity == 1.0
    async with ReflexionMemory(tmp_path / "m.db") as memory:
        assert sorted(record.kind for record in await memory.records("embeddings")) == ["letters", STATIC]


async def test_a_reopened_memory_embeds_no_text_again(tmp_path: Path) -> None:
    letters = Letters()
    for asked in (1, 2):
        async with ReflexionMemory(tmp_path / "m.db", embedder=letters, max_entries=5000) as memory:
            if asked == 1:
                await asyncio.gather(*(memory.store(MemoryEntry(f"a{number}")) for number in range(2500)))
            await memory.retrieve_similar("a", 5)
            while await memory.embed_pending():
                pass
        assert letters.texts == 2500 + asked
