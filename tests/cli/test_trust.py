"""A project's own settings choose nothing outside its directory and no model, unless the user said so once."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command_line import run_jido

WRONG = "import os\nprint(1)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text(WRONG)
    (project / "test_a.py").write_text("def test_it():\n    assert True\n")
    return project


def jido(project: Path, *arguments: str, **environ: str) -> CompletedProcess[str]:
    return run_jido(project.parent / "home", project, *arguments, **environ)


def chooses(project: Path, setting: str, file: str = "jido.toml") -> None:
    (project / file).write_text(setting if file == "jido.toml" else f"[tool.jido]\n{setting}")


COMMANDS = [
    ("improve", "a.py"),
    ("ask", "--model", "compatible:m@http://127.0.0.1:9/v1", "hi"),
    ("memory", "add", "a lesson"),
    ("memory", "list"),
    ("memory", "maintain"),
    ("runs", "list"),
    ("cost",),
    ("fix-test", "test_a.py"),
    ("gate", "--patch", "a.py", "--model", "compatible:m@http://127.0.0.1:9/v1"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_a_project_cannot_choose_a_memory_outside_of_its_directory(command: tuple[str, ...], project: Path) -> None:
    outside = project.parent / "outside.db"
    chooses(project, f'memory = "{outside}"\n')
    done = jido(project, *command)
    assert (done.returncode, done.stdout) == (2, "")
    assert "a project may not choose a memory outside of its directory by itself" in done.stderr
    assert not outside.exists()
    assert jido(project, *command, "--memory", str(project.parent / "mine.db")).stderr != done.stderr


@pytest.mark.parametrize(
    "place", ["../m.db", "~/m.db", "below/../../m.db", "link.db", "folder/m.db", "postgresql://localhost/x"]
)
@pytest.mark.parametrize("file", ["jido.toml", "pyproject.toml"])
def test_neither_links_nor_addresses_lead_out_of_a_project(place: str, file: str, project: Path) -> None:
    away = project.parent / "away"
    away.mkdir()
    (project / "link.db").symlink_to(away / "m.db")
    (project / "folder").symlink_to(away)
    chooses(project, f'memory = "{place}"\n', file)
    done = jido(project, "memory", "add", "a lesson")
    assert done.returncode == 2
    assert f"{project / file}: memory: a project may not choose a memory outside" in done.stderr
    assert not list(away.iterdir())
    assert not list(project.parent.rglob("m.db"))


@pytest.mark.parametrize("place", ["m.db", "below/m.db", "./m.db"])
def test_a_memory_inside_of_the_project_needs_no_trust(place: str, project: Path) -> None:
    chooses(project, f'memory = "{place}"\n')
    assert jido(project, "memory", "add", "a lesson").returncode == 0
    assert (project / place).exists()


@pytest.mark.parametrize("setting", ["model", "critic"])
@pytest.mark.parametrize("file", ["jido.toml", "pyproject.toml"])
def test_a_project_cannot_choose_a_model_for_its_files(setting: str, file: str, project: Path) -> None:
    chooses(project, f'{setting} = "compatible:m@http://127.0.0.1:9/v1"\n', file)
    done = jido(project, "improve", "a.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{project / file}: {setting}: a project may not choose a model by itself" in done.stderr
    assert (project / "a.py").read_text() == WRONG


def test_trust_is_asked_once_and_remembered_for_that_project_alone(project: Path) -> None:
    chooses(project, 'memory = "../outside.db"\n')
    assert jido(project, "improve", "a.py", "--trust").returncode in (0, 1)
    assert jido(project, "improve", "a.py").returncode in (0, 1)
    assert jido(project, "memory", "list").returncode == 0
    other = project.parent / "other"
    other.mkdir()
    chooses(other, 'memory = "../outside.db"\n')
    assert jido(other, "memory", "list").returncode == 2


def test_a_model_that_the_user_gave_to_init_needs_no_further_trust(project: Path) -> None:
    assert jido(project, "init", "--model", "compatible:m@http://127.0.0.1:9/v1").returncode == 0
    assert "may not choose a model" not in jido(project, "improve", "a.py").stderr


def test_the_users_own_environment_may_choose_any_memory(project: Path) -> None:
    outside = project.parent / "outside.db"
    assert jido(project, "memory", "add", "a lesson", JIDO_MEMORY=str(outside)).returncode == 0
    assert outside.exists()


def test_trust_given_once_holds_for_the_keys_of_a_project(project: Path) -> None:
    chooses(project, '[providers.p]\nbase_url = "http://127.0.0.1:9"\napi_key_env = "SOME_KEY"\n')
    refused = jido(project, "cost")
    assert refused.returncode == 2
    assert "providers.p.api_key_env: a project may not choose" in refused.stderr
    assert jido(project, "improve", "a.py", "--check", "--trust").returncode == 1
    assert "a project may not choose" not in jido(project, "cost").stderr
