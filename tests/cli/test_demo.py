"""`jido demo` improves a copy of files that ship with the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from terminal_picture import draw, lines_of

from jido_ai.cli import demo
from jido_ai.cli.app import app
from jido_ai.cli.demo import WORKSHOP, run_demo

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_demo_prints_the_text_of_its_picture_and_writes_nothing(tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in WORKSHOP.rglob("*.py")}
    environment = {
        "HOME": str(tmp_path),
        "PYTHONUNBUFFERED": "1",
        "PATH": os.environ["PATH"],
        "JIDO_MODEL": "nobody:none",
        "TMPDIR": str(tmp_path),
    }
    run = subprocess.run(
        [sys.executable, ROOT / "examples" / "demo.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=200,  # a loaded machine
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    picture = (ROOT / "docs" / "terminal.svg").read_text("utf-8")
    assert draw(lines_of(run.stdout)) == picture, "renew it: python tests/terminal_picture.py docs/terminal.svg"
    for text in ("2 improved, 0 clean; 6 fixed, 6 left", "assert 220.0 == 180", "  lesson   ", "jido init"):
        assert text in run.stdout
    assert {path: path.read_bytes() for path in WORKSHOP.rglob("*.py")} == before
    assert list(tmp_path.iterdir()) == []


def test_the_command_is_the_same_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "run_demo", lambda: 130)
    assert app(["demo"], standalone_mode=False) == 130


def test_without_pytest_the_demo_names_the_missing_package() -> None:
    said = [text for text, _, _ in demo._parts(has_pytest=False)]
    assert any("pip install pytest" in text for text in said)
    assert not any("--tests" in command for _, commands, _ in demo._parts(has_pytest=False) for command in commands)


def test_the_demo_leaves_directory_and_environment_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JIDO_MEMORY", "mine.db")
    monkeypatch.setattr(demo, "_parts", lambda **_: iter([("Lessons:", [["doctor"]], "")]))
    before = dict(os.environ)
    assert run_demo() == 0
    assert (Path.cwd(), dict(os.environ)) == (tmp_path, before)
    assert "$ jido doctor" in capsys.readouterr().out


def test_an_interrupted_demo_stops_with_the_status_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(demo, "app", lambda command, **_: ran.append(command) or 130)
    assert run_demo() == 130
    assert len(ran) == 1
