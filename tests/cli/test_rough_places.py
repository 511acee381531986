"""`jido improve` with something in the way: no network, no home, a full disk, foreign encodings, other git trees."""

from __future__ import annotations

import errno
import subprocess
from pathlib import Path

import pytest
from command_line import run_jido

from jido_ai.improve import report

UNUSED = "import os\n\n\ndef one():\n    return 1\n"
FIXED = UNUSED.replace("import os\n\n\n", "")
FIX = ("--unsafe-fixes", "--apply")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pyproject.toml").write_text("")
    (root / "pkg/a.py").write_text(UNUSED)
    return root


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


def test_a_test_that_needs_the_network_is_named_and_no_issue_of_a_file(root: Path) -> None:
    (root / "test_it.py").write_text(
        "import socket\n\n\ndef test_far():\n    socket.create_connection(('192.0.2.1', 9), 1)\n\n\n"
        "def test_near():\n    assert True\n"
    )
    run = run_jido(root.parent, root, "improve", "pkg", "--root", ".", "--tests", "test_it.py", *FIX)
    (said,) = [line for line in (run.stdout + run.stderr).splitlines() if "test_far" in line]
    assert "network" in said
    assert (run.returncode, (root / "pkg/a.py").read_text()) == (0, FIXED)


def test_without_a_home_that_can_be_written_files_are_improved_without_a_memory(root: Path) -> None:
    (root.parent / "home").write_text("a file")
    run = run_jido(root.parent / "home", root, "improve", "pkg", *FIX)
    assert run.returncode == 0, run.stderr
    assert "continuing without a memory" in run.stderr
    assert (root / "pkg/a.py").read_text() == FIXED


def test_the_last_line_counts_no_file_that_a_full_disk_did_not_take(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(report, "replace_file", full)
    run = run_jido(root.parent, root, "improve", "pkg", *FIX)
    assert run.returncode == 2
    assert "No space left on device" in run.stdout + run.stderr
    assert "1 written" not in run.stdout
    assert (root / "pkg/a.py").read_text() == UNUSED


def test_a_submodule_is_left_alone(root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub/.git").write_text("gitdir: ../.git/modules/sub\n")
    (root / "sub/b.py").write_text(UNUSED)
    git(root, "init", "-q")
    assert run_jido(root.parent, root, "improve", ".", *FIX).returncode == 0
    assert ((root / "sub/b.py").read_text(), (root / "pkg/a.py").read_text()) == (UNUSED, FIXED)


def test_in_a_subdirectory_only_its_own_files_are_improved(root: Path) -> None:
    (root / "other.py").write_text(UNUSED)
    assert run_jido(root.parent, root / "pkg", "improve", ".", *FIX).returncode == 0
    assert ((root / "other.py").read_text(), (root / "pkg/a.py").read_text()) == (UNUSED, FIXED)


def test_a_byte_order_mark_and_line_ends_stay_in_the_locale_c(root: Path) -> None:
    text = "\ufeff" + UNUSED.replace("return 1", "return 'é'").replace("\n", "\r\n")
    (root / "pkg/a.py").write_bytes(text.encode())
    assert run_jido(root.parent, root, "improve", "pkg", *FIX, LANG="C", LC_ALL="C").returncode == 0
    written = (root / "pkg/a.py").read_bytes().decode()
    assert written.startswith("\ufeff")
    assert written.endswith("\r\n    return 'é'\r\n")
    assert ("import os" in written, written.count("\n")) == (False, written.count("\r\n"))


def test_a_file_in_latin_1_is_left_alone_with_a_message(root: Path) -> None:
    text = ("# coding: latin-1\n" + UNUSED.replace("return 1", "return 'é'")).encode("latin-1")
    (root / "pkg/b.py").write_bytes(text)
    run = run_jido(root.parent, root, "improve", "pkg", *FIX)
    assert "b.py" in run.stdout + run.stderr
    assert "not UTF-8" in (run.stdout + run.stderr)
    assert ((root / "pkg/b.py").read_bytes(), (root / "pkg/a.py").read_text()) == (text, FIXED)


def test_a_suite_that_is_killed_is_no_issue_of_a_file(root: Path) -> None:
    (root / "test_it.py").write_text("import os\n\n\ndef test_it():\n    os.kill(os.getpid(), 9)\n")
    run = run_jido(root.parent, root, "improve", "pkg", "--root", ".", "--tests", "test_it.py", "--json")
    assert "timeout" not in run.stdout
    assert '"source": "tool:pytest"' not in run.stdout
    assert run.returncode in (0, 1)
