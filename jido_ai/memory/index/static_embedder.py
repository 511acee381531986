"""StaticEmbedder: embeddings from a table of word pieces, without a model and without a network (the extra `semantic`).

The table is the file of 16 MB that the package wordllama ships: 32,000 word pieces, 256 dimensions, English. Only that
file and its tokenizer are used, and refused with other bytes than those that were measured; wordllama itself is never
imported. They are loaded once per process, by the first call
of `embed`, in a thread.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

from jido_ai.memory.index.package_data import Loaded, PackageEmbedder, PackageFile, missing, unpadded_tokenizer

_DIMENSION: Final = 256
_TABLE: Final = PackageFile(
    "wordllama",
    "wordllama/weights/l2_supercat_256.safetensors",
    "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
)
_PIECES: Final = PackageFile(
    "wordllama",
    "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
    "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
)
_LIBRARIES: Final = ("numpy", "safetensors", "tokenizers")
_CHARS: Final = 4_000
"""Only the beginning of a text counts. A thread holds the GIL for less than 2 ms while it splits one."""
_HALF_WEIGHT: Final = 100.0
"""Pieces are numbered from frequent to rare: number n weighs n / (n + 100). See benchmarks/memory/meanings.py."""


class StaticEmbedder(PackageEmbedder):
    """Embeds a text as the sum of the vectors of its word pieces; rare pieces weigh more. Case does not matter.

    Only the first 4,000 characters of a text count. A text without word pieces has a zero vector, similar to nothing.

    Raises:
        ConfigurationError: the extra `semantic` is not installed.
    """

    name: str = "static:wordllama-l2-256:1"
    dim: int = _DIMENSION
    threshold: float = 0.35

    @staticmethod
    def absent() -> list[str]:
        return missing(_LIBRARIES, (_TABLE, _PIECES))

    @staticmethod
    def load() -> Loaded:
        return _Table.shared()


def can_embed_statically() -> bool:
    """True if the extra `semantic` is installed."""
    return not StaticEmbedder.absent()


class _Table(Loaded):
    """The table and its tokenizer. Threads may share it."""

    def __init__(self) -> None:
        self._np: Any = importlib.import_module("numpy")  # Any: see NumpyCounting
        (self._vectors,) = importlib.import_module("safetensors.numpy").load(_TABLE.read()).values()
        if self._vectors.shape[1] != _DIMENSION:
            raise ValueError(f"expected {_DIMENSION} dimensions, got {self._vectors.shape[1]}")
        number = self._np.arange(len(self._vectors), dtype=self._np.float32)
        self._weights = (number / (number + _HALF_WEIGHT))[:, None]
        self._pieces = unpadded_tokenizer(_PIECES)

    def embed(self, text: str) -> list[float]:
        readable = text[:_CHARS].lower().encode("utf-8", "replace").decode()
        pieces = self._pieces.encode(readable, add_special_tokens=False).ids
        total = (self._vectors[pieces] * self._weights[pieces]).sum(axis=0, dtype=self._np.float32)
        length = float(self._np.linalg.norm(total))
        return (total / length if length else total).tolist()
