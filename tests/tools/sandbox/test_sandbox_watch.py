"""The launcher's counts: files and bytes of any tree, and the kernel memory of processes."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import jido_ai.tools.sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc")
sys.path.insert(0, jido_ai.tools.sandbox.__path__[0])
sandbox_watch: Any = importlib.import_module("sandbox_watch")
sys.path.pop(0)

NESTED = 60


def nested(top: Path, name: str) -> int:
    handle = os.open(top, os.O_RDONLY)
    for _ in range(NESTED):
        os.mkdir(name, dir_fd=handle)
        above, handle = handle, os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(above)
    return handle


def test_files_are_counted_below_the_longest_path(tmp_path: Path) -> None:
    handle = nested(tmp_path, "d" * 200)
    for number in range(50):
        os.close(os.open(f"{number}", os.O_CREAT, dir_fd=handle))
    big = os.open("big", os.O_CREAT | os.O_WRONLY, dir_fd=handle)
    os.write(big, bytes(1_000_000))
    os.close(big)
    os.close(handle)
    count, size = sandbox_watch.disk(str(tmp_path), 10_000)
    assert count == NESTED + 51
    assert size >= 1_000_000


def test_all_branches_are_counted_and_the_count_ends_soon_after_the_limit(tmp_path: Path) -> None:
    for one in range(4):
        for other in range(5):
            (tmp_path / f"{one}" / f"{other}").mkdir(parents=True)
            for file in range(6):
                (tmp_path / f"{one}" / f"{other}" / f"{file}").touch()
    assert sandbox_watch.disk(str(tmp_path), 10_000)[0] == 4 + 20 + 120
    assert 50 < sandbox_watch.disk(str(tmp_path), 50)[0] < 70


def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").touch()
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "link").symlink_to(tmp_path / "outside")
    assert sandbox_watch.disk(str(tmp_path / "inside"), 10_000)[0] == 1


def test_a_removed_tree_has_no_files(tmp_path: Path) -> None:
    assert sandbox_watch.disk(str(tmp_path / "gone"), 10) == (0, 0)


def test_directories_that_move_during_a_count_do_not_lead_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a/x/deep", "b", "c"):
        (tmp_path / "top" / name).mkdir(parents=True)
    for number in range(9):
        (tmp_path / "outside" / f"{number}").mkdir(parents=True)
    listed = sandbox_watch._listed
    moved: list[bool] = []

    def moving(directory: int, count: int, size: int) -> Any:
        if Path(f"/proc/self/fd/{directory}").readlink().name == "deep" and not moved:
            moved.append(True)
            (tmp_path / "top" / "a" / "x").rename(tmp_path / "outside" / "x")
        return listed(directory, count, size)

    monkeypatch.setattr(sandbox_watch, "_listed", moving)
    assert sandbox_watch.disk(str(tmp_path / "top"), 10_000)[0] == 5
    assert moved


def test_page_tables_count_as_memory() -> None:
    code = (
        "import mmap, sys; m = mmap.mmap(-1, 32 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)\n"
        "for at in range(0, len(m), 2 << 20): m[at]\nprint(flush=True); sys.stdin.read()"
    )
    before = sandbox_watch.memory()
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        held = sandbox_watch.memory() - before
    assert held > 64 << 20  # 16,384 tables of 4 KiB; the process itself holds less than a tenth of that
