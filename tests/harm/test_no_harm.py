"""`jido improve` breaks nothing: each minimal project works before, holds one tempting fix, and works afterwards.

Black box: the command line and the files are all that is looked at.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import harm_declared
import harm_meaning
import harm_names
import harm_people
import harm_text
import pytest
from harm_project import Project

HERE = Path(__file__).parent
PROJECTS = (
    *harm_names.PROJECTS,
    *harm_meaning.PROJECTS,
    *harm_declared.PROJECTS,
    *harm_text.PROJECTS,
    *harm_people.PROJECTS,
)
QUICK = {one.PROJECTS[0].name for one in (harm_names, harm_meaning, harm_declared, harm_text, harm_people)}


def case(project: Project, *modes: str) -> Any:
    """Return the parameters of a test, which is slow unless it is of a few projects and their first mode."""
    is_quick = project.name in QUICK and {*modes} <= {project.modes[0]}
    return pytest.param(
        project, *modes, id="-".join([project.name, *modes]), marks=[] if is_quick else pytest.mark.slow
    )


pytestmark = pytest.mark.timeout(120)


def environment(home: Path) -> dict[str, str]:
    """Return an environment in which nothing of the user's is found."""
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "JIDO_", "PYTEST_"))}
    return kept | {"HOME": str(home)}


def improve(project: Project, directory: Path, mode: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would, in the project's directory."""
    command = [sys.executable, "-m", "jido_ai", "improve", *project.targets, "--apply", *project.options]
    if mode == "tested":
        command += ["--tests", project.tests, "--unsafe-local-tools"]
    return subprocess.run(
        command, cwd=directory, env=environment(home), capture_output=True, text=True, timeout=110, check=False
    )


def probe(project: Project, directory: Path) -> dict[str, Any]:
    """Return what works in a directory: modules, their public names, tests."""
    for name, text in project.hidden.items():
        (directory / name).write_text(text)
    tests = [name for name in project.files() if is_test(name)] + list(project.hidden)
    if project.needs_pytest:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--rootdir=.",
            "-c",
            os.devnull,
            *tests,
        ]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=60, check=False)
        return {"modules": {}, "tests": {"pytest": {"all": "passed" if done.returncode == 0 else done.stdout[-400:]}}}
    command = [sys.executable, "-B", str(HERE / "harm_probe.py"), str(directory), *tests]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


def is_test(name: str) -> bool:
    return Path(name).name.startswith("test_") and name.endswith(".py")


def harm(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return what worked and does not any more."""
    found: list[str] = []
    for test, outcomes in before["tests"].items():
        now = after["tests"][test]
        for name, outcome in outcomes.items():
            if outcome == "passed" and (said := now if isinstance(now, str) else now.get(name)) != "passed":
                found.append(f"{test}::{name} passed before, now {said!r}")
    for module, names in before["modules"].items():
        now = after["modules"].get(module)
        if isinstance(names, list) and not isinstance(now, list):
            found.append(f"{module} could be imported before, now {now!r}")
        elif isinstance(names, list) and (gone := sorted({*names} - {*now})):
            found.append(f"{module} lost {', '.join(gone)}")
    return found


def content(directory: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    return {name: (directory / name).read_bytes() for name in names}


def tree(directory: Path) -> set[str]:
    return {str(path.relative_to(directory)) for path in directory.rglob("*")}


def open_doors(directory: Path) -> None:
    """Make all readable again, for the checks and for whoever removes the directory."""
    for path in directory.rglob("*"):
        if not path.is_symlink() and not path.is_fifo() and not path.stat().st_mode & 0o400:
            path.chmod(0o700)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory that all processes of this run of pytest share."""
    own = tmp_path_factory.getbasetemp()
    directory = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "harm"
    directory.mkdir(exist_ok=True)
    return directory


def as_it_was(project: Project, shared: Path, tmp_path: Path) -> dict[str, Any]:
    """Return what works in the untouched project; probed once in a run of pytest."""
    remembered = shared / f"{project.name}.json"
    if not remembered.exists():
        untouched = tmp_path / "untouched" / "work"
        untouched.mkdir(parents=True)
        project.write(untouched)
        open_doors(untouched)
        told = tmp_path / "told.json"
        told.write_text(json.dumps(probe(project, untouched)))
        told.replace(remembered)
    return json.loads(remembered.read_text())


@pytest.mark.parametrize(("project", "mode"), [case(one, mode) for one in PROJECTS for mode in one.modes])
def test_improving_a_working_project_breaks_nothing(project: Project, mode: str, tmp_path: Path, shared: Path) -> None:
    improved = tmp_path / "improved" / "work"
    improved.mkdir(parents=True)
    project.write(improved)
    was = tree(improved)

    done = improve(project, improved, mode, tmp_path / "home")
    now = tree(improved)
    open_doors(improved)

    before = as_it_was(project, shared, tmp_path)
    after = probe(project, improved)
    same = (*project.same, *(name for name in project.files() if is_test(name)))
    original, kept = project.files(), content(improved, same)
    found = harm(before, after)
    found += [f"{name} is not as it was: {kept[name]!r}" for name in same if kept[name] != original[name]]
    found += [f"{name} was left behind" for name in sorted(now - was)] + [
        f"{name} is gone" for name in sorted(was - now)
    ]
    found += [
        f"{name} still has {text!r}: nothing was mended"
        for name, text in project.mended.items()
        if text.encode() in (improved / name).read_bytes()
    ]
    if done.returncode not in (0, 1):
        found.append(f"status {done.returncode}")
    found += [f"standard error has {text!r}" for text in ("Traceback", "actor.crashed") if text in done.stderr]
    assert not found, "\n".join([*found, done.stdout[-3000:], done.stderr[-2000:]])


@pytest.mark.parametrize("project", [case(one) for one in PROJECTS])
def test_a_minimal_project_works_and_is_tempting(project: Project, tmp_path: Path, shared: Path) -> None:
    outcomes = as_it_was(project, shared, tmp_path)["tests"]
    assert outcomes
    failed = {f"{test}::{name}" for test, told in outcomes.items() for name, said in told.items() if said != "passed"}
    expected = {"test_it.py::test_it_is_not_done_yet"} if "failed_before" in project.name else set[str]()
    assert failed == expected, outcomes
    assert all(told for told in outcomes.values())
    if project.tempts:
        project.write(directory := tmp_path / "tempting")
        command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--ignore-noqa", "--preview"]
        command += ["--select", project.tempts, "--target-version", "py311", "-q", "."]
        assert subprocess.run(command, cwd=directory, capture_output=True, check=False).returncode == 1


def test_names_of_projects_are_unique() -> None:
    names = [project.name for project in PROJECTS]
    assert len(names) == len({*names}) >= 60
