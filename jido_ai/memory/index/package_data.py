"""Files that an installed package ships, found without importing it, and the embedders made of them."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from jido_ai.errors import ConfigurationError, EmbeddingError, describe

_DIGITS_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A file of an installed package.

    Args:
        package: the package's name in the index.
        path: the file's path in the package.
        sha256: the digest of its bytes; "" accepts any.
    """

    package: str
    path: str
    sha256: str = ""

    def find(self) -> Path | None:
        """Return where the file is; None if it is not installed."""
        try:
            path = Path(str(distribution(self.package).locate_file(self.path)))
        except PackageNotFoundError:
            return None
        return path if path.is_file() else None

    def read(self) -> bytes:
        """Return the file's bytes.

        Raises:
            FileNotFoundError: it is not installed.
            ValueError: its bytes are others than expected.
        """
        path = self.find()
        if path is None:
            raise FileNotFoundError(f"{self.path} of the package {self.package}")
        data = path.read_bytes()
        if self.sha256 and (found := hashlib.sha256(data).hexdigest()) != self.sha256:
            raise ValueError(
                f"{path} has the digest {found[:_DIGITS_SHOWN]}, not {self.sha256[:_DIGITS_SHOWN]}: it was changed or"
                " belongs to another release; pip install --force-reinstall 'jido-ai[semantic]' restores it"
            )
        return data


def missing(libraries: Sequence[str], files: Sequence[PackageFile]) -> list[str]:
    """Return the libraries that cannot be imported and the packages whose files are not installed."""
    absent = [library for library in libraries if find_spec(library) is None]
    return [*absent, *dict.fromkeys(file.package for file in files if file.find() is None)]


class Loaded(ABC):
    """The loaded files of an embedder, once per process. Threads may share it."""

    _lock: ClassVar = threading.Lock()
    _shared: ClassVar[Any] = None

    @classmethod
    def shared(cls) -> Self:
        """Return the one object, loaded by the first call."""
        with cls._lock:
            if cls._shared is None:
                cls._shared = cls()
            return cls._shared

    @abstractmethod
    def embed(self, text: str) -> list[float]:
        """Return a vector of length 1, or zeros for a text without word pieces."""


class PackageEmbedder(ABC):
    """Base of embedders whose libraries and files the extra `semantic` installs.

    Attributes:
        name: ends with the version of the pooling: vectors of different versions are never compared.
        threshold: default similarity from which texts count as similar.
        correction_weight: weight of an entry's correction relative to its prompt's, which weighs 1.

    Raises:
        ConfigurationError: the extra is not installed.
    """

    name: str
    dim: int
    threshold: float
    correction_weight: float = 0.3

    def __init__(self) -> None:
        if absent := self.absent():
            kind, names = self.name.partition(":")[0], ", ".join(absent)
            way = "pip install 'jido-ai[semantic]'"
            if absent == ["wordllama"] and sys.version_info >= (3, 14):
                way = "it cannot be installed on Python 3.14 and later; use 'minilm'"
            raise ConfigurationError(f"the embedder {kind!r} needs {names}: {way}")

    @staticmethod
    @abstractmethod
    def absent() -> list[str]:
        """Return the libraries and packages that are missing; see `missing`."""

    @staticmethod
    @abstractmethod
    def load() -> Loaded:
        """Return the loaded files."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 per text.

        Raises:
            EmbeddingError: the files cannot be loaded.
        """
        return await asyncio.to_thread(self._embed, list(texts))

    def _embed(self, texts: list[str]) -> list[list[float]]:
        try:
            loaded = self.load()
        except Exception as error:  # damaged files: the libraries raise errors of many types
            raise EmbeddingError(self.name, f"cannot load its model: {describe(error)}") from error
        return [loaded.embed(text) for text in texts]


def unpadded_tokenizer(file: PackageFile) -> Any:
    """Return the tokenizer of a file; it neither pads nor cuts."""
    pieces = import_module("tokenizers").Tokenizer.from_buffer(file.read())
    pieces.no_padding()
    pieces.no_truncation()
    return pieces
