"""Paths that stay where they are put."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis.strategies import text

from jido_ai.errors import ConfigurationError
from jido_ai.files.relative_path import relative_path


@pytest.mark.parametrize(
    "path",
    [
        "a.py",
        "a/b/c.py",
        ".hidden",
        "a b/ü.py",
        "a..b",
        "...",
        "x-y",
        "\udcff",
        "a/" + "é" * 127 + "x",
        "xx/" * 682 + "xx",
    ],
)
def test_a_path_below_is_returned_as_it_is(path: str) -> None:
    assert relative_path(path) == path


def test_a_path_as_long_as_a_file_system_takes_is_accepted() -> None:
    for path in ("a/" + "é" * 127 + "x", "xx/" * 682 + "xx"):
        assert relative_path(path) == path


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("", "empty"),
        ("/etc/passwd", "absolute"),
        ("..", '".."'),
        ("a/../../b", '".."'),
        ("a/./b", '".."'),
        ("a//b", "empty part"),
        ("a/", "empty part"),
        ("a\0b", "control"),
        ("a\nb", "control"),
        ("C:\\x", "Windows"),
        ("c:x", "Windows"),
        ("..\\x", "Windows"),
        ("-rf", "option"),
        ("a/" + "é" * 128, "longer"),
        ("x/" * 1024 + "x", "longer"),
        ("a\ud800", "no file name"),
    ],
)
def test_any_other_is_refused_with_the_reason(path: str, fault: str) -> None:
    with pytest.raises(ConfigurationError, match=fault):
        relative_path(path)


@given(text(alphabet="a./\\:-\0", max_size=12))
def test_accepted_paths_never_leave_the_directory(path: str) -> None:
    try:
        relative_path(path)
    except ConfigurationError:
        return
    parts = PurePosixPath(path).parts
    assert not path.startswith("/")
    assert ".." not in parts
    assert "/".join(parts) == path
