"""The wheel works outside the checkout: as a library with its core dependencies alone, as a command with `[cli]`."""

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

from jido_ai import __version__

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "aiohttp", "aiosqlite", "cachetools", "genai-prices", "httpx", "json-repair", "jsonschema", "pydantic", "pykka",
    "snowballstemmer", "typing-extensions",
}  # fmt: skip
MOST_PACKAGES = 34


def distributions(extra: str = "") -> set[str]:
    """Return the distributions that `pip install jido-ai[extra]` brings, by name, without jido-ai."""
    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {"": project["dependencies"], **project["optional-dependencies"]}
    wanted = [Requirement(line) for line in (*declared[""], *declared[extra])]
    found: set[str] = set()
    while wanted:
        requirement = wanted.pop()
        name = requirement.name.lower().replace("_", "-")
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        if name == "jido-ai":
            wanted.extend(Requirement(line) for own in requirement.extras for line in declared[own])
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


def python_with(wheel: Path, home: Path, extra: str = "") -> Path:
    """Return an interpreter that sees the installed wheel and its dependencies, and nothing else of ours."""
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
    for name in distributions(extra):
        found = distribution(name)
        for file in found.files or ():
            top = Path(file.parts[0])
            source = Path(str(found.locate_file(top)))
            if file.parts[0] not in ("..", "__pycache__") and not (site / top).exists() and source.exists():
                (site / top).symlink_to(source)
    if extra:
        (home / "bin" / "ruff").symlink_to(Path(sys.executable).parent / "ruff")
    return python


def run_in(folder: Path, python: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(folder), "PATH": os.defpath, "PYTHONWARNINGS": "error"}
    return subprocess.run(
        [python, *command], capture_output=True, text=True, timeout=150, cwd=folder, env=environment, check=False
    )


@pytest.fixture(scope="module")
def bare_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return python_with(wheel, tmp_path_factory.mktemp("bare"))


def test_the_core_dependencies_are_the_agreed_ones() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {line.split(">")[0].strip() for line in declared} == ALLOWED


def test_a_bare_install_brings_few_packages() -> None:
    assert len(distributions()) < MOST_PACKAGES  # jido-ai is one more


def test_the_extra_all_brings_every_library_of_ours() -> None:
    extras = ("cli", "dbos", "improve", "mcp", "numpy", "otel", "postgres", "semantic", "serve")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

    def libraries(lines: list[str]) -> set[str]:
        own = [line.partition("[")[2].partition("]")[0] for line in lines if line.startswith("jido-ai[")]
        named = {name for names in own for name in names.split(",")}
        others = {line for line in lines if not line.startswith("jido-ai[")}
        return others.union(*(libraries(declared[name]) for name in named))

    assert libraries(declared["all"]) == set().union(*(libraries(declared[name]) for name in extras))


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "jido_ai/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names} <= {"jido_ai", f"jido_ai-{__version__}.dist-info"}


A_RUN = """
import asyncio, sys
from jido_ai import CritiqueResult, LoopConfig, Pipeline

def write(prompt, context):
    return "first"

def judge(candidate, context):
    issues = [] if "second" in candidate.content else ["not the second"]
    return CritiqueResult(severity=0.9 * len(issues), issues=issues)

def revise(candidate, critique, context):
    return "second"

async def main(memory):
    async with Pipeline(write, judge, revise, memory=memory, config=LoopConfig(accept="clean")) as pipeline:
        for prompt in ("say second, please", "please say second"):
            result = await pipeline.run(prompt)
            print(result.answer.content, len(result.lessons_used), len(result.lessons_stored))

asyncio.run(main({memory}))
print(sorted({{"typer", "rich", "libcst", "mdformat", "ruamel", "platformdirs"}} & sys.modules.keys()))
"""


@pytest.mark.slow
@pytest.mark.parametrize("memory", ["True", "'lessons.db'", "None"])
def test_a_bare_install_runs_a_pipeline(memory: str, bare_python: Path, tmp_path: Path) -> None:
    run = run_in(tmp_path, bare_python, "-c", A_RUN.format(memory=memory))
    learns = memory != "None"
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [f"second 0 {int(learns)}", f"second {int(learns)} {int(learns)}", "[]"]


@pytest.mark.slow
def test_every_public_name_can_be_imported_in_a_bare_install(bare_python: Path, tmp_path: Path) -> None:
    run = run_in(tmp_path, bare_python, "-c", "from jido_ai import *; import jido_ai; print(Pipeline.__name__)")
    assert (run.stdout, run.stderr) == ("Pipeline\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [(), ("--help",), ("improve", "a.py"), ("doctor",)])
def test_the_command_of_a_bare_install_says_what_to_install(
    arguments: tuple[str, ...], bare_python: Path, tmp_path: Path
) -> None:
    run = run_in(tmp_path, bare_python, "-m", "jido_ai", *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "jido: typer is not installed: pip install 'jido-ai[cli]'\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("TargetedReviser()", "libcst is not installed"),
        ("TextCritiquer('yaml')", "ruamel.yaml is not installed"),
        ("TextCritiquer('markdown')", "mdformat is not installed"),
        ("ToolCritiquer(['ruff'])", "the program 'ruff' is not installed"),
    ],
)
def test_a_component_of_a_bare_install_names_the_extra_that_it_needs(
    code: str, missing: str, bare_python: Path, tmp_path: Path
) -> None:
    script = f"""
from jido_ai import ConfigurationError, TargetedReviser, ToolCritiquer
from jido_ai.critics import TextCritiquer
try:
    {code}
except ConfigurationError as error:
    print(error)
"""
    run = run_in(tmp_path, bare_python, "-c", script)
    assert run.stderr == ""
    assert missing in run.stdout
    assert run.stdout.endswith("pip install 'jido-ai[improve]'\n")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["json", "jsonc", "toml", "text"])
def test_texts_that_the_standard_library_parses_are_judged_in_a_bare_install(
    language: str, bare_python: Path, tmp_path: Path
) -> None:
    script = f"""
import asyncio
from jido_ai import Candidate, RunContext
from jido_ai.critics import TextCritiquer
result = asyncio.run(TextCritiquer({language!r}).critique(Candidate("{{ \\n"), RunContext(run_id="r", prompt="p")))
print(len(result.issues) > 0)
"""
    run = run_in(tmp_path, bare_python, "-c", script)
    assert (run.stdout, run.stderr) == ("True\n", "")


def test_the_wheel_with_cli_runs_doctor_and_an_example_outside_the_checkout(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    python = python_with(wheel, tmp_path_factory.mktemp("command"), "cli")
    doctor = run_in(tmp_path, python, "-m", "jido_ai", "doctor")
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert "pytest" in doctor.stdout  # named as missing
    assert "not found" in doctor.stdout
    demo = run_in(tmp_path, python, "-m", "jido_ai", "demo")
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "Next, in a project of your own" in demo.stdout
    assert "pip install pytest" in demo.stdout
    example = run_in(tmp_path, python, str(ROOT / "examples" / "03_critique_revise.py"))
    assert example.returncode == 0, example.stderr
    assert "accepted" in example.stdout
    assert run_in(tmp_path, python, "-c", "import hypothesis").returncode != 0
