"""A memory that goes by embeddings: they rank alone, are made once, and may fail without anything being lost."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError, EmbeddingError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.telemetry import TelemetryEvent
from jido_ai.values import MemoryEntry, MemoryKind, MemoryQuery, Scope

MEANINGS = {"car": 0.0, "automobile": 0.1, "vehicle": 0.5, "banana": 1.5}


class Toy:
    """Puts the meaning of a word on a circle."""

    name, dim = "toy", 2

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.error: Exception | None = None

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.error is not None:
            raise self.error
        self.texts.extend(texts)
        angles = [MEANINGS[text] for text in texts]
        return [[3 * math.cos(angle), 3 * math.sin(angle)] for angle in angles]


def opened(path: Path | None = None, toy: Toy | None = None, **options: object) -> ReflexionMemory:
    return ReflexionMemory(path, similarity="embedding", embedder=toy or Toy(), **options)


async def found(memory: ReflexionMemory, prompt: str, **options: object) -> list[str]:
    return [scored.entry.prompt for scored in await memory.retrieve_similar(prompt, **options)]


@pytest.fixture(params=["memory", "sqlite"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return None if request.param == "memory" else tmp_path / "memory.db"


@pytest.mark.rows("C22")
async def test_texts_of_the_same_meaning_are_found_without_shared_words(path: Path | None) -> None:
    async with opened(path) as memory:
        for word in MEANINGS:
            await memory.store(MemoryEntry(word))
        assert await found(memory, "car") == ["car", "automobile", "vehicle"]  # cos 0.5 is 0.88; 0.70 is the least
        assert await found(memory, "car", threshold=0.99) == ["car", "automobile"]
        assert [one.entry.prompt for one in await memory.query(MemoryQuery("car", k=1))] == ["car"]
        assert await found(memory, "car", scope=Scope("other")) == []


@pytest.mark.rows("C22")
async def test_cosine_is_accepted_with_an_embedder() -> None:
    async with ReflexionMemory(similarity="cosine", embedder=Toy()) as memory:
        await memory.store(MemoryEntry("car"))
        assert await found(memory, "automobile") == ["car"]
    with pytest.raises(ConfigurationError, match="embedding, got 'cosine'"):
        ReflexionMemory(similarity="cosine")


async def test_an_embedding_is_made_once_and_kept_in_the_file(tmp_path: Path) -> None:
    for texts in (["car", "banana"], []):
        toy = Toy()
        async with opened(tmp_path / "m.db", toy) as memory:
            if texts:
                await memory.store(MemoryEntry("car"))
                await memory.store(MemoryEntry("banana"))
            assert await found(memory, "automobile") == ["car"]
        assert sorted(toy.texts) == sorted([*texts, "automobile"])


async def test_a_query_that_is_made_again_is_not_embedded_again(path: Path | None) -> None:
    toy = Toy()
    async with opened(path, toy) as memory:
        await memory.store(MemoryEntry("car"))
        for _ in range(3):
            assert await found(memory, "automobile") == ["car"]
        assert sorted(toy.texts) == ["automobile", "car"]


async def test_a_lesson_that_is_merged_again_is_not_embedded_again(path: Path | None) -> None:
    toy = Toy()
    async with opened(path, toy) as memory:
        for _ in range(5):
            await memory.store(MemoryEntry("car", correction="vehicle", kind=MemoryKind.SEMANTIC))
            assert await found(memory, "automobile") == ["car"]
        embedded = [text for text in toy.texts if text != "automobile"]
        assert len(embedded) == len({*embedded}) == len(await memory.records("embeddings"))


@pytest.mark.rows("C18", "C50")
async def test_an_entry_without_an_embedding_is_stored_and_found_once_it_has_one(path: Path | None) -> None:
    toy, events = Toy(), list[TelemetryEvent]()
    async with ActorSystem(sink=events.append) as system, opened(path, toy, system=system) as memory:
        toy.error = OSError("the model is gone")
        kept = await memory.store(MemoryEntry("car"))
        with pytest.raises(EmbeddingError, match="the model is gone"):
            await memory.retrieve_similar("car")
        assert await memory.get(kept.id) == kept
        toy.error = None
        assert await found(memory, "car") == ["car"]
        assert [event.name for event in events if "embedding" in event.name] == ["memory.embedding.failed"]


async def test_a_forgotten_entry_leaves_no_vector(path: Path | None) -> None:
    async with opened(path) as memory:
        kept = await memory.store(MemoryEntry("car"))
        await memory.store(MemoryEntry("banana"))
        assert await found(memory, "car") == ["car"]
        assert len(await memory.records("embeddings")) == 2
        await memory.forget(kept.id)
        assert await found(memory, "car") == []
        assert len(await memory.records("embeddings")) == 1
        await memory.clear()
        assert await memory.records("embeddings") == []


class Wrong(Toy):
    """Gives too few vectors."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return []


async def test_nonsense_from_an_embedder_is_an_embedding_error() -> None:
    async with opened(None, Wrong()) as memory:
        await memory.store(MemoryEntry("car"))
        with pytest.raises(EmbeddingError, match="got 0"):
            await memory.retrieve_similar("car")


@pytest.mark.parametrize(
    "arguments",
    [
        {"similarity": "jaccard", "embedder": Toy()},
        {"similarity": "static", "embedder": Toy()},
        {"similarity": "embedding", "embedder": 5},
        {"similarity": "embedding", "embedder": "nobody"},
    ],
    ids=["an embedder that is not used", "another embedder than static", "a number", "an unknown name"],
)
def test_invalid_settings_are_rejected_at_once(arguments: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        ReflexionMemory(**arguments)


async def test_the_real_embedder_names_its_requirements() -> None:
    pytest.importorskip("jido_ai.memory.index.sentence_embedder")
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        async with ReflexionMemory(similarity="embedding") as memory:
            with pytest.raises(EmbeddingError, match=r"jido-ai\[embeddings\]"):
                await memory.retrieve_similar("car")


@pytest.mark.slow
async def test_real_sentence_embeddings_find_a_paraphrase() -> None:
    pytest.importorskip("sentence_transformers", reason="the extra embeddings is not installed")
    model = os.environ.get("JIDO_EMBEDDING_MODEL")
    if not model:
        pytest.skip("JIDO_EMBEDDING_MODEL names no directory with a model")
    async with ReflexionMemory(similarity="embedding", embedder=f"sentence-transformers:{model}") as memory:
        await memory.store(MemoryEntry("The car will not start"))
        await memory.store(MemoryEntry("Bake a cake with bananas"))
        await asyncio.sleep(0)
        assert await found(memory, "My automobile does not start", threshold=0.5) == ["The car will not start"]
