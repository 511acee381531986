"""The wheel holds what it needs, and works with its core dependencies alone, outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from flit_core import buildapi

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "aiohttp", "aiosqlite", "cachetools", "httpx", "json-repair", "jsonschema", "libcst",
    "mdformat", "platformdirs", "pydantic", "pykka", "rapidfuzz", "rich", "ruamel.yaml", "ruff", "snowballstemmer",
    "typer", "typing-extensions",
}  # fmt: skip


def core_distributions() -> set[str]:
    """Return jido-ai's core dependencies and all that they bring, by name."""
    from packaging.requirements import Requirement

    wanted = [
        Requirement(line) for line in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    ]
    found: set[str] = set()
    while wanted:
        requirement = wanted.pop()
        name = requirement.name.lower().replace("_", "-")
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        wanted.extend(Requirement(line) for line in distribution(name).requires or ())
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        return folder / buildapi.build_wheel(str(folder))
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def bare_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an interpreter that sees the installed wheel and the core dependencies, and nothing else of ours."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    site = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    for name in core_distributions():
        found = distribution(name)
        for file in found.files or ():
            top = Path(file.parts[0])
            source = Path(str(found.locate_file(top)))
            if file.parts[0] not in ("..", "__pycache__") and not (site / top).exists() and source.exists():
                (site / top).symlink_to(source)
    (home / "bin" / "ruff").symlink_to(Path(sys.executable).parent / "ruff")
    return python


def test_the_core_dependencies_are_the_agreed_ones() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {line.split(">")[0].strip() for line in declared} <= ALLOWED


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "jido_ai/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names} <= {"jido_ai", "jido_ai-0.1.0.dist-info"}


@pytest.mark.slow
def test_the_installed_wheel_runs_doctor_and_an_example_outside_the_checkout(bare_python: Path, tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONWARNINGS": "error"}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [bare_python, *command],
            capture_output=True,
            text=True,
            timeout=150,
            cwd=tmp_path,
            env=environment,
            check=False,
        )

    doctor = run("-m", "jido_ai", "doctor")
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert "pytest" in doctor.stdout  # named as missing
    assert "not found" in doctor.stdout
    demo = run("-m", "jido_ai", "demo")
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "6 fixed, 6 left" in demo.stdout
    assert "pip install pytest" in demo.stdout
    example = run(str(ROOT / "examples" / "03_critique_revise.py"))
    assert example.returncode == 0, example.stderr
    assert "accepted" in example.stdout
    assert run("-c", "import hypothesis").returncode != 0
