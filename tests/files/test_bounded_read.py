"""Files of a project are read up to a limit, however large they say they are, and a pipe holds nobody up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError
from jido_ai.files.bounded_read import CONFIG_BYTES, NoFileError, read_at_most
from jido_ai.tools.ready import RUFF

HUGE = 20 << 30


def sparse(path: Path, size: int = HUGE) -> Path:
    """Make a file of many bytes that takes no room on the disk."""
    path.touch()
    os.truncate(path, size)
    return path


@pytest.mark.parametrize(("size", "most", "is_read"), [(0, 0, True), (5, 5, True), (6, 5, False), (HUGE, 5, False)])
def test_a_file_up_to_the_maximum_size_is_read(tmp_path: Path, size: int, most: int, is_read: bool) -> None:
    data = read_at_most(sparse(tmp_path / "file", size), most)
    assert data == (b"\0" * size if is_read else None)


@pytest.mark.parametrize("kind", ["pipe", "directory", "device"])
def test_special_files_are_rejected_without_waiting(tmp_path: Path, kind: str) -> None:
    places = {"pipe": tmp_path / "pipe", "directory": tmp_path, "device": Path("/dev/zero")}
    os.mkfifo(places["pipe"])
    with pytest.raises(NoFileError):
        read_at_most(places[kind], 10)


@pytest.mark.parametrize("name", ["ruff.toml", ".ruff.toml", "pyproject.toml"])
def test_a_huge_configuration_of_a_project_is_refused_by_name_and_not_read(tmp_path: Path, name: str) -> None:
    sparse(tmp_path / name)
    with pytest.raises(ConfigurationError, match=rf"{name}: larger than 1 MiB"):
        ToolCritiquer([RUFF], root=tmp_path, replaces="a.py")


def test_a_huge_configuration_that_is_given_is_refused_by_name_and_not_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"mine.toml is larger than 1 MiB"):
        RUFF.with_config(sparse(tmp_path / "mine.toml"))


def test_a_pipe_named_like_a_configuration_does_not_block_and_is_ignored(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ruff.toml")
    assert RUFF.in_project(tmp_path, "a.py").argv == RUFF.argv


def test_a_configuration_of_the_largest_size_is_used(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text("#" * CONFIG_BYTES)
    assert RUFF.in_project(tmp_path, "a.py").argv != RUFF.argv
