"""Sentence embeddings on the CPU, by the library sentence-transformers (the extra `embeddings`).

Neither importing this file nor making an embedder loads the library or the model: the first texts do, in a thread. A
model is only read from this machine, unless a download was asked for.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import threading
from collections.abc import Sequence
from typing import Any, Final

from jido_ai.errors import ConfigurationError, EmbeddingError, describe

__all__ = ["SentenceEmbedder"]

_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"


class SentenceEmbedder:
    """Embeds texts with a model of sentence-transformers.

    Args:
        model: a directory with a model, or the name of one that lies in the library's cache.
        download: fetch the model when it is not there; else that is an error.
        batch: how many texts at a time; at least 1.
        threads: how many at most; None leaves it to the library.

    Raises:
        ConfigurationError: an argument can never work.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] = _MODEL,
        *,
        download: bool = False,
        batch: int = 32,
        threads: int | None = None,
    ) -> None:
        self._model_name = os.fspath(model)
        if not self._model_name.strip():
            raise ConfigurationError("an embedder needs the name or the directory of a model, got a blank one")
        if batch < 1 or (threads is not None and threads < 1):
            raise ConfigurationError(f"batch and threads must be at least 1, got {batch} and {threads}")
        self._download = download
        self._batch = batch
        self._threads = threads
        self._model: Any = None  # the library is typed, but not here at the time of checking
        self._dim = 0
        self._lock = threading.Lock()  # one thread at a time; a caller that gives up leaves its thread behind

    @property
    def name(self) -> str:
        """The name under which vectors are kept: the model, as it was given."""
        return f"sentence-transformers:{self._model_name}"

    @property
    def dim(self) -> int:
        """How many numbers a vector has; 0 before the first call."""
        return self._dim

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 per text.

        Raises:
            EmbeddingError: the library or the model is not there, or the model failed.
        """
        return await asyncio.to_thread(self._embed, list(texts))

    def _embed(self, texts: list[str]) -> list[list[float]]:
        with self._lock:
            try:
                if self._model is None:
                    self._model = self._load()
                    self._dim = int(self._model.encode(["dimension"], show_progress_bar=False).shape[1])
                vectors = self._model.encode(
                    [text.encode("utf-8", "replace").decode() for text in texts],
                    batch_size=self._batch,
                    normalize_embeddings=True,
                    show_progress_bar=False,
                )
            except EmbeddingError:
                raise
            except Exception as error:  # the library raises whatever its own libraries raise
                raise EmbeddingError(self.name, f"{type(error).__name__}: {describe(error)}") from error
        return vectors.tolist()

    def _load(self) -> Any:
        try:
            library = importlib.import_module("sentence_transformers")
        except ImportError as error:
            raise EmbeddingError(self.name, "needs an extra: pip install 'jido-ai[embeddings]'") from error
        if self._threads is not None:
            importlib.import_module("torch").set_num_threads(self._threads)
        try:
            return library.SentenceTransformer(
                self._model_name, device="cpu", local_files_only=not self._download, trust_remote_code=False
            )
        except OSError as error:
            hint = "" if self._download else "; give its directory, or SentenceEmbedder(..., download=True)"
            raise EmbeddingError(self.name, f"cannot load the model {self._model_name}{hint}") from error
