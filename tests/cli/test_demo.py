"""`jido demo` works on a copy of a project that ships with the package."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from terminal_picture import DEMO_MODEL, draw, lines_of

from jido_ai.cli import demo
from jido_ai.cli.app import app
from jido_ai.cli.demo import WORKSHOP, run_demo

ROOT = Path(__file__).parents[2]
MOST_LINES = 40


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_demo_prints_the_text_of_its_picture_and_writes_nothing(tmp_path: Path) -> None:
    files = [path for path in WORKSHOP.rglob("*.*") if path.is_file()]
    before = {path: path.read_bytes() for path in files}
    environment = {
        "HOME": str(tmp_path),
        "PYTHONUNBUFFERED": "1",
        "PATH": os.environ["PATH"],
        "JIDO_MODEL": "nobody:none",
        "JIDO_MEMORY": str(tmp_path / "mine.db"),
        "TMPDIR": str(tmp_path),
    }
    run = subprocess.run(
        [sys.executable, "-m", "jido_ai", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=200,  # a loaded machine
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    for text in (
        "8 hunks in 3 files: 6 kept, 2 rejected; 3 written",
        "shelf.query has no overdue any more",
        "test_books_that_are_out fails",
        "`return max(5, days * 0.25)` became `return min(5, days * 0.25)`",
        "Which is right: should `may_borrow(2, 2)` give False or True?",
        "2 failing tests: 1 repaired, 1 to decide, 0 not repaired",
        "took     2 model calls",
        "took     1 model call,",
        "hours: the opening hours are missing",
        "shown in 1 of 1 run; 1 of 1 succeeded with it",
        "jido init",
    ):
        assert text in run.stdout
    assert run.stdout.index("2 model calls") < run.stdout.index("1 model call,")
    assert len(run.stdout.splitlines()) <= MOST_LINES
    picture = (ROOT / "docs" / "demo.svg").read_text("utf-8")
    assert draw(lines_of(run.stdout)) == picture, "renew it: python tests/terminal_picture.py docs/demo.svg"
    assert {path: path.read_bytes() for path in files} == before
    assert list(tmp_path.iterdir()) == []


def test_the_picture_of_the_real_model_is_drawn_from_a_run_of_its_program() -> None:
    picture = (ROOT / "docs" / "demo-model.svg").read_text("utf-8")
    for text in (DEMO_MODEL.title, DEMO_MODEL.about, "llama.cpp on this machine", "The loop ends"):
        assert text in picture
    assert str(Path.home()) not in picture


def test_the_command_is_the_same_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "run_demo", lambda: 130)
    assert app(["demo"], standalone_mode=False) == 130


def test_without_pytest_the_demo_names_the_missing_package_and_shows_the_lesson() -> None:
    parts = list(demo._parts(has_pytest=False))
    assert any("pip install pytest" in text for text, _ in parts)
    assert {command[0] for _, commands in parts for command in commands} == {"run", "memory"}


def test_a_printed_command_is_the_one_that_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(demo, "app", lambda command, **_: ran.append(command) or 1)
    assert run_demo() == 0
    printed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("$ ")]
    assert [shlex.split(line)[2:] for line in printed] == ran


@pytest.mark.parametrize("is_terminal", [True, False])
def test_progress_is_shown_only_on_a_terminal_and_other_messages_always(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    err = io.StringIO()
    monkeypatch.setattr(err, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", err)

    def tell(command: list[str], **_: object) -> int:
        sys.stderr.write("letter: iteration 1, severity 0.80\njido: something is wrong\n")
        return 0

    monkeypatch.setattr(demo, "app", tell)
    monkeypatch.setattr(demo, "_parts", lambda **_: iter([("Once:", [["doctor"]])]))
    run_demo()
    assert ("iteration" in err.getvalue(), "something is wrong" in err.getvalue()) == (is_terminal, True)


def test_the_demo_leaves_directory_and_environment_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JIDO_MEMORY", "mine.db")
    monkeypatch.setattr(demo, "_parts", lambda **_: iter([("Once:", [["doctor"]])]))
    before = dict(os.environ)
    assert run_demo() == 0
    assert (Path.cwd(), dict(os.environ)) == (tmp_path, before)
    assert re.search(r"^\$ jido doctor$", capsys.readouterr().out, re.MULTILINE)


def test_an_interrupted_demo_stops_with_the_status_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(demo, "app", lambda command, **_: ran.append(command) or 130)
    assert run_demo() == 130
    assert len(ran) == 1
