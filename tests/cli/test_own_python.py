"""The tests of a project run with its own Python, which has a dependency that jido's does not have."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command_line import run_jido

from jido_ai.improve.patches import patch_of_texts

CODE = "import os\n\nimport tariff_table\n\n\ndef fee(days):\n    return days + tariff_table.RATE\n"
TEST = """\
from shop.fees import fee


def test_two():
    assert fee(2) == 10


def test_four():
    assert fee(4) == 20
"""
RIGHT = CODE.replace("days +", "days *")
COMMANDS = [
    ("gate", "--patch", "../x.patch", "--tests", "tests"),
    ("improve", ".", "--with", "sed -i s/days/day/ src/shop/fees.py", "--tests", "tests"),
    ("improve", ".", "--tests", "tests"),
    ("fix-test",),
]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with pytest and the dependency, made without a network."""
    place = tmp_path_factory.mktemp("own") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            source = spec.submodule_search_locations[0]
            shutil.copytree(source, packages / name, ignore=shutil.ignore_patterns("__pycache__"))
    if (single := importlib.util.find_spec("py")) is not None and single.origin is not None:
        shutil.copy(single.origin, packages)
    (packages / "tariff_table.py").write_text("RATE = 5\n")
    return place


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for path, text in {"pyproject.toml": "", "src/shop/__init__.py": "", "tests/test_fees.py": TEST}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (root / "src/shop/fees.py").write_text(CODE)
    return root


def write_patch(root: Path, old: str, new: str) -> None:
    (root / "src/shop/fees.py").write_text(old)
    (root.parent / "x.patch").write_text(patch_of_texts("src/shop/fees.py", old, new))


def jido(root: Path, *arguments: str | Path) -> CompletedProcess[str]:
    return run_jido(root.parent, root, *map(str, arguments))


def test_the_gate_rejects_what_breaks_a_test_that_needs_the_dependency(root: Path, environment: Path) -> None:
    write_patch(root, RIGHT, CODE)
    run = jido(root, *COMMANDS[0], "--python", environment)
    assert "rejected  src/shop/fees.py:7 (+1 -1): tests/test_fees.py::test_four fails" in run.stdout, run.stderr
    assert "not checked" not in run.stderr


def test_a_command_is_judged_by_the_tests_in_the_environment_of_the_project(root: Path, environment: Path) -> None:
    (root / "src/shop/fees.py").write_text(RIGHT)
    shutil.copytree(environment, root / ".venv", symlinks=True)
    run = jido(root, "improve", ".", "--with", "sed -i s/RATE/RATE+1/ src/shop/fees.py", "--tests", "tests")
    assert "tests/test_fees.py::test_four fails" in run.stdout, run.stderr
    assert "1 hunk in 1 file: 0 kept, 1 rejected" in run.stdout
    assert run.stderr == ""


@pytest.mark.slow
def test_a_failing_test_is_repaired_with_the_dependency(root: Path, environment: Path) -> None:
    run = jido(root, "fix-test", "--apply", "--time-limit", "300", "--python", environment)
    assert "written  src/shop/fees.py" in run.stdout, run.stdout + run.stderr
    assert (root / "src/shop/fees.py").read_text() == RIGHT


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_dependency_is_one_line_with_the_cure(root: Path, command: Sequence[str]) -> None:
    write_patch(root, CODE, CODE.replace("import os\n\n", ""))
    run = jido(root, *command)
    said = [line for line in (run.stdout + run.stderr).splitlines() if "tariff_table is missing in" in line]
    assert len(said) == 1, run.stdout + run.stderr
    assert said[0].endswith("name the project's own Python with --python")


def test_the_cure_in_an_environment_of_the_project_can_be_copied(root: Path, environment: Path) -> None:
    (root / "src/shop/fees.py").write_text(CODE.replace("tariff_table", "other_table"))
    run = jido(root, "fix-test", "--python", environment)
    assert run.stdout.endswith(f"; {environment}/bin/python -m pip install other_table\n"), run.stdout + run.stderr
    assert run.returncode == 1


def test_a_conftest_without_its_package_gets_the_same_sentence(root: Path) -> None:
    (root / "tests/conftest.py").write_text("import tariff_table\n")
    for command in (("fix-test",), ("gate", "--patch", "../x.patch", "--tests", "tests")):
        write_patch(root, CODE, RIGHT)
        run = jido(root, *command)
        assert "tariff_table is missing in" in run.stdout + run.stderr, run.stdout + run.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_python_that_is_none_is_wrong_usage(root: Path, command: Sequence[str]) -> None:
    write_patch(root, CODE, RIGHT)
    run = jido(root, *command, "--python", "none")
    assert run.returncode == 2
    assert "none: no such Python; give an interpreter or the directory of a .venv" in run.stderr
    assert run.stderr.count("\n") == 1


def test_a_suite_over_its_limit_names_the_option_for_more_time(root: Path, environment: Path) -> None:
    (root / "tests/test_fees.py").write_text("import time\n\n\ndef test_it():\n    time.sleep(60)\n")
    write_patch(root, CODE, RIGHT)
    for command, said in (
        (COMMANDS[0], "they did not end within 1 s; give more with --test-timeout SECONDS"),
        (COMMANDS[2], "they did not end within 1 s; give more with --test-timeout SECONDS"),
        (COMMANDS[3], "the tests did not end within 1 s"),
    ):
        run = jido(root, *command, "--test-timeout", "1", "--python", environment)
        assert said in run.stdout + run.stderr
        assert "fees.py: timeout" not in run.stdout
