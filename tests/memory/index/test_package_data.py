"""Files of installed packages are found through the packages' metadata."""

from __future__ import annotations

import hashlib

import pytest

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
    with pytest.raises(ValueError, match=rf"has the digest {right[:12]}, not ffffffffffff"):
        PackageFile("pytest", "pytest/__init__.py", "f" * 64).read()


def test_missing_packages_are_named_once_libraries_first() -> None:
    absent = missing(("json", "no_such_library"), (HERE, NOT_INSTALLED, NOT_INSTALLED, NO_SUCH_FILE))
    assert absent == ["no_such_library", "no-such-package", "pytest"]
    assert missing(("json",), (HERE,)) == []
