"""Files of installed packages are found through the packages' metadata."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from jido_ai.errors import EmbeddingError
from jido_ai.memory.index import minilm_embedder, static_embedder
from jido_ai.memory.index.package_data import PackageFile, missing

HERE = PackageFile("pytest", "pytest/__init__.py")
NOT_INSTALLED = PackageFile("no-such-package", "data.bin")
NO_SUCH_FILE = PackageFile("pytest", "pytest/data.bin")


def test_a_file_is_read_from_the_package_that_ships_it() -> None:
    assert pytest.__file__ == str(HERE.find())
    assert b"pytest" in HERE.read()


@pytest.mark.parametrize("file", [NOT_INSTALLED, NO_SUCH_FILE])
def test_a_file_that_is_not_installed_is_none_and_cannot_be_read(file: PackageFile) -> None:
    assert file.find() is None
    with pytest.raises(FileNotFoundError, match=rf"{file.path} of the package {file.package}"):
        file.read()


def test_the_digest_decides_whether_the_bytes_are_accepted() -> None:
    right = hashlib.sha256(HERE.read()).hexdigest()
    assert PackageFile("pytest", "pytest/__init__.py", right).read() == HERE.read()
    told = rf"has the digest {right[:12]}, not ffffffffffff.*--force-reinstall 'jido-ai\[semantic\]'"
    with pytest.raises(ValueError, match=told):
        PackageFile("pytest", "pytest/__init__.py", "f" * 64).read()


def test_missing_packages_are_named_once_libraries_first() -> None:
    absent = missing(("json", "no_such_library"), (HERE, NOT_INSTALLED, NOT_INSTALLED, NO_SUCH_FILE))
    assert absent == ["no_such_library", "no-such-package", "pytest"]
    assert missing(("json",), (HERE,)) == []


@pytest.mark.parametrize(
    "file", [minilm_embedder._MODEL, minilm_embedder._PIECES, static_embedder._TABLE, static_embedder._PIECES]
)
@pytest.mark.parametrize("place", [0, -1])
def test_a_data_file_with_one_changed_byte_is_refused(
    file: PackageFile, place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if file.find() is None:
        pytest.skip("the extra semantic is not installed")
    changed = bytearray(file.read())
    changed[place] ^= 1
    (tmp_path / "data").write_bytes(changed)
    monkeypatch.setattr(PackageFile, "find", lambda _: tmp_path / "data")
    with pytest.raises(ValueError, match=f"not {file.sha256[:12]}"):
        file.read()


@pytest.mark.parametrize("cut", [1, 1_000_000])
async def test_an_embedder_whose_table_was_cut_off_raises_a_typed_error(
    cut: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if static_embedder.StaticEmbedder.absent():
        pytest.skip("the extra semantic is not installed")
    (tmp_path / "data").write_bytes(static_embedder._TABLE.read()[:-cut])
    monkeypatch.setattr(PackageFile, "find", lambda _: tmp_path / "data")
    monkeypatch.setattr(static_embedder._Table, "_shared", None)
    with pytest.raises(EmbeddingError, match=r"static.*digest.*--force-reinstall"):
        await static_embedder.StaticEmbedder().embed(["parse a date"])
