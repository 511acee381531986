"""The static embedder reads the table of an installed package and pools word pieces by rarity."""

from __future__ import annotations

import math
import subprocess
import sys
from types import SimpleNamespace

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.memory.index.static_embedder import StaticEmbedder, can_embed_statically

if StaticEmbedder.absent():
    pytest.skip(f"not installed: {', '.join(StaticEmbedder.absent())}", allow_module_level=True)


async def cosine(one: str, other: str) -> float:
    a, b = await StaticEmbedder().embed([one, other])
    return sum(x * y for x, y in zip(a, b, strict=True))


async def test_a_paraphrase_without_shared_words_is_nearer_than_another_task() -> None:
    task = "Resize pictures"
    assert await cosine(task, "Make the photos smaller") > 0.35
    assert await cosine(task, "Order records by date") < 0.2


async def test_vectors_have_length_one_and_the_announced_dimension() -> None:
    embedder = StaticEmbedder()
    for vector in await embedder.embed(["Parse a date", "x", "naïve 日本 \ud800"]):
        assert len(vector) == embedder.dim == 256
        assert math.sqrt(sum(x * x for x in vector)) == pytest.approx(1.0, abs=1e-5)


async def test_case_does_not_matter() -> None:
    assert await cosine("PARSE A Date", "parse a date") == pytest.approx(1.0, abs=1e-5)


async def test_a_frequent_word_changes_a_text_less_than_a_rare_one() -> None:
    assert await cosine("parse dates", "parse the dates") > 0.95 > await cosine("parse dates", "parse xylophone dates")


async def test_only_the_first_4000_characters_count() -> None:
    text = "parse a date " * 400
    assert await cosine(text[:4000], text) == pytest.approx(1.0, abs=1e-5)


async def test_a_blank_text_is_similar_to_nothing() -> None:
    assert await StaticEmbedder().embed([""]) == [[0.0] * 256]


@pytest.mark.parametrize("library", ["numpy", "safetensors", "tokenizers"])
def test_without_a_library_the_error_names_it_and_the_extra(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert not can_embed_statically()
    with pytest.raises(ConfigurationError, match=rf"{library}.*jido-ai\[semantic\]"):
        StaticEmbedder()


def test_the_package_of_the_table_is_never_imported() -> None:
    code = (
        "import asyncio, sys\n"
        "from jido_ai.memory.index.static_embedder import StaticEmbedder\n"
        "assert not {'numpy', 'tokenizers', 'safetensors'} & sys.modules.keys()\n"
        "asyncio.run(StaticEmbedder().embed(['x']))\n"
        "assert not {'wordllama', 'requests', 'torch', 'huggingface_hub'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=150)


def test_on_python_3_14_the_error_names_another_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StaticEmbedder, "absent", staticmethod(lambda: ["wordllama"]))
    monkeypatch.setattr("jido_ai.memory.index.package_data.sys", SimpleNamespace(version_info=(3, 14)))
    with pytest.raises(ConfigurationError, match=r"cannot be installed on Python 3\.14 and later; use 'minilm'"):
        StaticEmbedder()
