"""Hooks on clean files are answered by one run of ruff, and only where nothing else can matter."""

import os
from pathlib import Path

import pytest

from jido_ai.improve.quick_hook import are_clean

CLEAN = "def double(number):\n    return 2 * number\n"
UNUSED = f"import os\n\n\n{CLEAN}"


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "small"\nrequires-python = ">=3.9"\n')
    (tmp_path / "clean.py").write_text(CLEAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def hook(*files, environ=()):
    return are_clean(["improve", "--hook", *files], dict(environ))


@pytest.mark.parametrize("name", ["clean.py", "./clean.py"])
def test_a_clean_file_is_answered_at_once(project, name):
    assert hook(name)


def test_a_clean_file_in_a_folder_is_answered_at_once(project):
    (project / "pkg").mkdir()
    (project / "pkg" / "other.py").write_text(CLEAN)
    assert hook("clean.py", "pkg/other.py")


@pytest.mark.parametrize("text", [UNUSED, "def broken(:\n", 'x = "\\d"\n'])
def test_a_file_with_a_finding_is_left_to_the_command(project, text):
    (project / "clean.py").write_text(text)
    assert not hook("clean.py")


def test_one_file_with_a_finding_among_clean_ones_is_enough(project):
    (project / "other.py").write_text(UNUSED)
    assert not hook("clean.py", "other.py")


def test_rules_that_the_project_chose_count(project):
    (project / "ruff.toml").write_text('lint.select = ["D100"]\n')
    assert not hook("clean.py")


def test_syntax_newer_than_the_declared_python_is_left_to_the_command(project):
    (project / "clean.py").write_text("match 1:\n    case 1:\n        pass\n")
    assert not hook("clean.py")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("jido.toml", ""),
        (".flake8", "[flake8]\nselect = D\n"),
        ("setup.cfg", ""),
        ("ruff.toml", 'extend = "other.toml"\n'),
        ("ruff.toml", "no toml"),
        ("pyproject.toml", '[tool.jido]\nexclude = ["x"]\n'),
        ("pyproject.toml", '[tool]\njido = { exclude = ["x"] }\n'),
    ],
)
def test_a_project_with_settings_that_ruff_does_not_know_is_left_to_the_command(project, name, text):
    (project / name).write_text(text)
    assert not hook("clean.py")


@pytest.mark.parametrize(
    "files", [(), ("--json", "clean.py"), ("clean.py", "--lines=all"), ("none.py",), ("notes.md",), ("../up.py",)]
)
def test_other_arguments_are_left_to_the_command(project, files):
    (project / "notes.md").write_text("# Notes\n")
    assert not hook(*files)


def test_a_setting_in_the_environment_is_left_to_the_command(project):
    assert not hook("clean.py", environ={"JIDO_EXCLUDE": "x"}.items())


def test_outside_of_a_repository_the_command_decides(project):
    (project / ".git").rmdir()
    assert not hook("clean.py")


def test_nothing_of_the_command_is_loaded_for_a_clean_file(project):
    import subprocess
    import sys

    code = (
        "import sys\nsys.argv = ['jido', 'improve', '--hook', 'clean.py']\n"
        "from jido_ai.__main__ import main\nmain()\n"
        "print([name for name in ('typer', 'pydantic', 'rich', 'sqlite3') if name in sys.modules])"
    )
    plain = {name: value for name, value in os.environ.items() if not name.startswith("JIDO_")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True, env=plain
    )
    assert done.stdout.strip() == "[]"


def test_an_unknown_place_for_a_configuration_is_no_reason_to_fail(project):
    Path("pkg").mkdir()
    Path("pkg/pyproject.toml").mkdir()
    Path("pkg/one.py").write_text(CLEAN)
    assert not hook("pkg/one.py")
