"""SentenceEmbedder: sentence embeddings on the CPU with sentence-transformers (the extra `embeddings`).

The library and the model are loaded by the first call of `embed`, in a thread; importing this file or creating an
embedder loads neither. The model is read from this machine unless a download is requested.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import threading
from collections.abc import Sequence
from typing import Any, Final

from jido_ai.errors import ConfigurationError, EmbeddingError, describe

_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"


class SentenceEmbedder:
    """Embeds texts with a model of sentence-transformers.

    Args:
        model: a model's directory, or its name in the library's cache.
        download: download a missing model; False raises an error instead.
        batch: texts per batch; at least 1.
        threads: maximum number of threads, at least 1; None uses the library's default.

    Raises:
        ConfigurationError: an argument is invalid.
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
            raise ConfigurationError("model must be the name or the directory of a model, got a blank string")
        if batch < 1 or (threads is not None and threads < 1):
            raise ConfigurationError(f"batch and threads must be at least 1, got {batch} and {threads}")
        self._download = download
        self._batch = batch
        self._threads = threads
        self._model: Any = None  # the library has types, but is not installed when types are checked
        self._dim = 0
        self._lock = threading.Lock()  # one thread at a time: the thread of a cancelled caller keeps running

    @property
    def name(self) -> str:
        """The name under which vectors are stored: "sentence-transformers:" and the model as given."""
        return f"sentence-transformers:{self._model_name}"

    @property
    def dim(self) -> int:
        """Numbers per vector; 0 before the first call."""
        return self._dim

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 per text.

        Raises:
            EmbeddingError: the library or the model is missing, or the model fails.
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
            except Exception as error:  # the errors of its dependencies pass through
                raise EmbeddingError(self.name, f"{type(error).__name__}: {describe(error)}") from error
        return vectors.tolist()

    def _load(self) -> Any:
        try:
            library = importlib.import_module("sentence_transformers")
        except ImportError as error:
            raise EmbeddingError(
                self.name, "sentence-transformers is not installed: pip install 'jido-ai[embeddings]'"
            ) from error
        if self._threads is not None:
            importlib.import_module("torch").set_num_threads(self._threads)
        try:
            return library.SentenceTransformer(
                self._model_name, device="cpu", local_files_only=not self._download, trust_remote_code=False
            )
        except OSError as error:
            hint = "" if self._download else "; pass its directory, or SentenceEmbedder(..., download=True)"
            raise EmbeddingError(self.name, f"cannot load the model {self._model_name}{hint}") from error
