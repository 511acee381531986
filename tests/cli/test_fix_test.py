"""`jido fix-test` as a program."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command_line import run_jido

CODE = "def area(a, b):\n    return a + b\n"
TESTS = (
    "from area import area\n\n\ndef test_one():\n    assert area(3, 4) == 12\n\n\n"
    "def test_two():\n    assert area(2, 5) == 10\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "pyproject.toml").write_text("")
    (root / "area.py").write_text(CODE)
    (root / "test_area.py").write_text(TESTS)
    return root


def fix_test(root: Path, *arguments: str) -> CompletedProcess[str]:
    return run_jido(root.parent, root, "fix-test", "--time-limit", "300", *arguments)


@pytest.mark.slow
def test_a_repair_is_shown_as_a_diff_and_written_only_with_apply(root: Path) -> None:
    shown = fix_test(root)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "+    return a * b" in shown.stdout
    assert "such edits were right" in shown.stdout
    assert (root / "area.py").read_text() == CODE
    assert shown.stderr == ""  # progress is for terminals
    told = json.loads(fix_test(root, "test_area.py::test_one", "test_area.py::test_two", "--apply", "--json").stdout)
    assert told["written"] == ["area.py"]
    assert told["summary"]["left"] == []
    assert (root / "area.py").read_text() == CODE.replace("+", "*")


@pytest.mark.slow
def test_a_written_repair_has_no_diff(root: Path) -> None:
    run = fix_test(root, "--apply")
    assert "`return a + b` became `return a * b`" in run.stdout
    assert "  written  area.py" in run.stdout
    assert "@@" not in run.stdout
    listed = run_jido(root.parent, root, "memory", "list").stdout
    assert listed.startswith("When a test finds a wrong number, try `*` instead of `+`.\n")


@pytest.mark.slow
def test_edits_that_differ_are_asked_with_a_question_and_nothing_is_written(root: Path) -> None:
    (root / "area.py").write_text("def area(a):\n    return a < 18\n")
    (root / "test_area.py").write_text(
        "from area import area\n\n\ndef test_one():\n    assert area(40)\n\n\ndef test_two():\n    assert not area(5)\n"
    )
    run = fix_test(root, "--apply")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "asked    test_area.py::test_one" in run.stdout
    assert "Which is right:" in run.stdout
    assert "def test_choice():" in run.stdout
    assert (root / "area.py").read_text() == "def area(a):\n    return a < 18\n"


def test_tests_that_do_not_exist_and_a_root_that_does_not_are_wrong_usage(root: Path) -> None:
    for arguments, said in ((("nowhere.py::test_it",), "no such tests"), (("--root", "nowhere"), "--root")):
        run = fix_test(root, *arguments)
        assert run.returncode == 2
        assert said in run.stderr
