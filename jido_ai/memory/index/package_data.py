"""Files that an installed package ships: found through its metadata, without importing the package."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError

__all__ = ["PackageFile", "missing", "require"]

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
            raise ValueError(f"{path} has the digest {found[:_DIGITS_SHOWN]}, not {self.sha256[:_DIGITS_SHOWN]}")
        return data


def missing(libraries: Sequence[str], files: Sequence[PackageFile]) -> list[str]:
    """Return the libraries that cannot be imported and the packages whose files are not installed."""
    absent = [library for library in libraries if find_spec(library) is None]
    return [*absent, *dict.fromkeys(file.package for file in files if file.find() is None)]


def require(embedder: str, libraries: Sequence[str], files: Sequence[PackageFile]) -> None:
    """Raise `ConfigurationError` if a library or file that the embedder needs is not installed."""
    absent = missing(libraries, files)
    if absent:
        names = ", ".join(absent)
        raise ConfigurationError(f"the embedder {embedder!r} needs {names}: pip install 'jido-ai[semantic]'")
