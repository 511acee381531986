"""Whether `jido improve --apply` harms real packages: everything that worked in them is measured before and after.

Fetches the packages of `packages.py` as source distributions, unpacks each, and measures, in an environment with what
its tests need: which modules import, their public names, the outcome of each test, which files compile on the oldest
Python declared that this machine has. Then improves the whole tree, without tests and with them, each on a fresh copy,
measures again, and prints a table. Nothing is kept but what `--cache` and `--out` name.

    python benchmarks/harm/run.py [--packages six,click] [--mode alone|tested|both|before] [--jobs 2]
                                  [--cache DIR] [--out DIR] [--options "--unsafe-fixes"]

Mode before improves nothing: it shows which modules and tests of each package work on this machine.
`--out` gets results.json, table.md, and below diffs/PACKAGE/MODE one diff for each file that was changed.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import importlib.metadata
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from packages import PACKAGES, Package

HERE = Path(__file__).parent
SITE = Path(importlib.metadata.distribution("ruff").locate_file("")).resolve()
NO_COPY = shutil.ignore_patterns("__pycache__", ".pytest_cache", "*.egg-info")
COMPILES = """
import io, json, os, sys
good = []
for folder, folders, files in os.walk("."):
    for name in files:
        path = os.path.join(folder, name)
        if name.endswith(".py"):
            try:
                with io.open(path, "rb") as file:
                    compile(file.read(), path, "exec", 0, True)
            except (SyntaxError, ValueError, TypeError, OverflowError, MemoryError, RuntimeError):
                continue
            good.append(path)
print(json.dumps(sorted(good)))
"""


@dataclass
class State:
    """What works in a tree, as far as it can be measured.

    Attributes:
        modules: for each module its public names and the foreign modules among them, or why it does not import.
        tests: the outcome of each test; empty when none runs.
        compiles: for each Python the files that compile.
        note: what could not be measured, and why.
    """

    modules: dict[str, Any] = field(default_factory=dict[str, Any])
    tests: dict[str, str] = field(default_factory=dict[str, str])
    compiles: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    note: str = ""


@dataclass
class Row:
    """One line of the table: a package, improved in one mode."""

    package: str
    mode: str
    files: int = 0
    changed: int = 0
    seconds: float = 0.0
    fixed: int = 0
    held: int = 0
    left: int = 0
    tests: int = 0
    status: int | None = None
    tests_worse: list[str] = field(default_factory=list[str])
    modules_gone: list[str] = field(default_factory=list[str])
    names_gone: list[str] = field(default_factory=list[str])
    foreign_gone: list[str] = field(default_factory=list[str])
    compile_failures: list[str] = field(default_factory=list[str])
    left_behind: list[str] = field(default_factory=list[str])
    note: str = ""

    @property
    def harm(self) -> int:
        """Count everything that worked and does not any more."""
        return len(self.tests_worse) + len(self.modules_gone) + len(self.names_gone) + len(self.compile_failures)


def say(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


def call(
    command: Sequence[str | Path], directory: Path, limit_s: float, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with a limit; a command that is too slow is ended with all it started, and has status 124."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "XDG_"))}
    child = subprocess.Popen(
        list(map(str, command)),
        cwd=directory,
        env=kept | {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        out, err = child.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        return subprocess.CompletedProcess(child.args, 124, out, err + f"\nended after {limit_s:g} s")
    return subprocess.CompletedProcess(child.args, child.returncode, out, err)


@functools.cache
def pythons() -> dict[tuple[int, int], Path]:
    """Return the Pythons of this machine by version: those on the PATH and those that pyenv keeps."""
    folders = [Path(folder) for folder in os.get_exec_path()]
    folders += sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin"))
    found: dict[tuple[int, int], Path] = {sys.version_info[:2]: Path(sys.executable)}
    for folder in folders:
        for path in sorted(folder.glob("python[23].*")):
            if (match := re.fullmatch(r"python(\d)\.(\d+)", path.name)) is None:
                continue
            version = int(match[1]), int(match[2])
            with suppress(OSError, subprocess.TimeoutExpired):
                if version not in found and works(path, version):
                    found[version] = path
    return found


def works(path: Path, version: tuple[int, int]) -> bool:
    said = subprocess.run(
        [path, "-c", "import sys; print(sys.version_info[:2] == %r)" % (version,)],  # noqa: UP031
        capture_output=True, text=True, timeout=20, check=False,
    )  # fmt: skip
    return said.stdout.strip() == "True"


def number(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def interpreter(package: Package) -> tuple[tuple[int, int], Path]:
    """Return the Python that the package is measured with: this one, or the newest that the package works on."""
    own = sys.version_info[:2]
    if not package.newest or number(package.newest) >= own:
        return own, Path(sys.executable)
    oldest = max(number(package.declares[-1]), (3, 6))
    fitting = [version for version in pythons() if oldest <= version <= number(package.newest)]
    best = max(fitting, default=own)
    return best, pythons()[best]


def compilers(package: Package) -> list[tuple[tuple[int, int], Path]]:
    """Return, for each line of Pythons that is declared, the oldest that this machine has."""
    chosen: list[tuple[tuple[int, int], Path]] = []
    for declared in map(number, package.declares):
        fitting = [version for version in pythons() if version[0] == declared[0] and version >= declared]
        if fitting:
            chosen.append((min(fitting), pythons()[min(fitting)]))
    return chosen


def fetch(package: Package, cache: Path) -> Path:
    """Return the unpacked source distribution.

    Raises:
        RuntimeError: it cannot be fetched.
    """
    home = cache / "sdists" / f"{package.name}-{package.version}"
    if not home.is_dir():
        with tempfile.TemporaryDirectory(dir=cache) as name:
            spot = Path(name)
            command = ["-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "-d", spot]
            command += ["--no-binary", package.name, f"{package.name}=={package.version}"]
            # The metadata of an old package is made by its setup.py, which may want an old Python.
            for python in dict.fromkeys([Path(sys.executable), interpreter(package)[1]]):
                done = call([python, *command], cache, 600)
                if done.returncode == 0:
                    break
            archives = sorted(path for path in spot.iterdir() if path.name.endswith((".tar.gz", ".zip", ".tar.bz2")))
            if not archives:
                raise RuntimeError(f"cannot be fetched: {done.stderr.strip()[-300:]}")
            (spot / "tree").mkdir()
            if archives[0].suffix == ".zip":
                zipfile.ZipFile(archives[0]).extractall(spot / "tree")
            else:
                with tarfile.open(archives[0]) as archive:
                    archive.extractall(spot / "tree", filter="data")
            (inner,) = (spot / "tree").iterdir()
            home.parent.mkdir(exist_ok=True)
            inner.rename(home)
    return home


def environment(package: Package, cache: Path) -> Path:
    """Return the Python of an environment with what the tests need; jido itself can run in it where it is our Python.

    Raises:
        RuntimeError: it cannot be made.
    """
    version, python = interpreter(package)
    home = cache / "environments" / f"{package.name}-{package.version}-{version[0]}.{version[1]}"
    own = home / "bin" / "python"
    if not (home / "complete").is_file():
        shutil.rmtree(home, ignore_errors=True)
        made = call([python, "-m", "venv", home], cache, 300)
        if made.returncode:
            raise RuntimeError(f"no environment: {made.stderr[-300:]}")
        ours = version == sys.version_info[:2]
        tools = ["pytest", *([f"ruff=={importlib.metadata.version('ruff')}"] if ours else [])]
        pip = [own, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        itself = f"{package.name}=={package.version}"
        for wanted in ([*tools, *package.requires, itself], [*tools, *package.requires], tools):
            done = call([*pip, *wanted], cache, 900)
            if done.returncode == 0:
                break
        else:
            raise RuntimeError(f"pytest cannot be installed: {done.stderr[-300:]}")
        if ours:
            (site,) = home.glob("lib/python*/site-packages")
            # Everything that jido needs stands behind what the package's tests need.
            (site / "zz_jido.pth").write_text(f"import site; site.addsitedir({str(SITE)!r})\n")
        (home / "complete").touch()
    return own


def measure(package: Package, tree: Path, python: Path) -> State:
    """Return what works in a tree, which may be written to by its tests: a copy is measured."""
    state = State()
    with tempfile.TemporaryDirectory() as name:
        spot = Path(name) / tree.name
        shutil.copytree(tree, spot, symlinks=True, ignore=NO_COPY)
        for version, compiler in compilers(package):
            done = call([compiler, "-c", COMPILES], spot, 300)
            with suppress(ValueError):
                state.compiles[f"{version[0]}.{version[1]}"] = json.loads(done.stdout)
        done = call([python, HERE / "probe.py", spot, package.source], spot, 900)
        try:
            state.modules = json.loads(done.stdout)
        except ValueError:
            state.note = f"modules cannot be measured: {done.stderr.strip()[-200:]}"
        state.tests, note = outcomes(package, spot, python)
        state.note = "; ".join(filter(None, [state.note, note]))
    return state


def outcomes(package: Package, spot: Path, python: Path) -> tuple[dict[str, str], str]:
    """Return the outcome of each test, and a note when there is none."""
    if not package.tests:
        return {}, "no tests that run offline"
    report = spot.parent / "report.xml"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "filterwarnings="]
    command += ["-W", "ignore", "--continue-on-collection-errors", f"--junitxml={report}", *package.options]
    done = call([*command, *package.tests], spot, 600, PYTHONPATH=str(spot / package.source), HOME=str(spot.parent))
    if not report.is_file():
        return {}, f"tests do not run: {(done.stdout + done.stderr).strip()[-200:]}"
    found: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        bad = [child.tag for child in case if child.tag in {"failure", "error", "skipped"}]
        while name in found:
            name += "'"
        found[name] = bad[0] if bad else "passed"
    return found, "" if "passed" in found.values() else "no test passes"


def compare(before: State, after: State, row: Row) -> None:
    """Write into the row what worked before and does not after."""
    row.tests = sum(outcome == "passed" for outcome in before.tests.values())
    row.tests_worse = [
        name for name, said in before.tests.items() if said == "passed" and after.tests.get(name) != said
    ]
    for module, was in before.modules.items():
        now = after.modules.get(module)
        if isinstance(was, str):
            continue
        if not isinstance(now, list):
            row.modules_gone.append(f"{module}: {now}")
            continue
        row.names_gone += [f"{module}.{name}" for name in was[0] if name not in now[0] + now[1]]
        row.foreign_gone += [f"{module}.{name}" for name in was[1] if name not in now[0] + now[1]]
    for version, good in before.compiles.items():
        lost = sorted({*good} - {*after.compiles.get(version, ())})
        row.compile_failures += [f"{version}: {path}" for path in lost]


def improve(package: Package, tree: Path, python: Path, options: argparse.Namespace, row: Row) -> None:
    """Improve the whole tree in place, and write into the row what is reported."""
    own = interpreter(package)[0] == sys.version_info[:2]
    command: list[str | Path] = [python if own else Path(sys.executable), "-m", "jido_ai", "improve", "."]
    command += ["--apply", "--json", *shlex.split(options.options)]
    if row.mode == "tested":
        command += [part for test in package.tests[:1] for part in ("--tests", test)] + ["--unsafe-local-tools"]
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        done = call(command, tree, options.limit, HOME=home)
        row.seconds = round(time.perf_counter() - began, 1)
    row.status = done.returncode
    try:
        said = json.loads(done.stdout)
    except ValueError:
        row.note = f"no report: {done.stderr.strip()[-200:]}"
        return
    entries = said if isinstance(said, list) else said.get("files", said.get("results", []))
    for entry in entries:
        row.fixed += len(entry.get("fixed") or ())
        row.left += len(entry.get("left") or ())
        row.held += sum(one.get("held_back", False) for one in entry.get("left") or ())
    if isinstance(said, dict) and not entries:
        row.note = "the report has no files"


def texts(tree: Path) -> dict[str, bytes]:
    """Return every file of a tree."""
    return {
        str(path.relative_to(tree)): path.read_bytes()
        for path in sorted(tree.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def write_diffs(before: dict[str, bytes], after: dict[str, bytes], out: Path) -> int:
    """Write a diff for each file that changed; returns how many did."""
    changed = [name for name in before if after.get(name) != before[name]]
    for name in changed:
        old, new = (data.decode("utf-8", "backslashreplace") for data in (before[name], after.get(name, b"")))
        lines = difflib.unified_diff(old.splitlines(True), new.splitlines(True), f"a/{name}", f"b/{name}")
        spot = out / (name.replace("/", "__") + ".diff")
        spot.parent.mkdir(parents=True, exist_ok=True)
        spot.write_text("".join(lines), "utf-8")
    return len(changed)


def examine(package: Package, options: argparse.Namespace) -> list[Row]:
    """Return the rows of one package; what goes wrong with it is a note, never an end of the run."""
    label = f"{package.name}-{package.version}"
    try:
        source = fetch(package, options.cache)
        python = environment(package, options.cache)
        say(f"{label}: measured as it is")
        before = measure(package, source, python)
    except (RuntimeError, OSError, ValueError, tarfile.TarError) as error:
        return [Row(label, mode, note=f"left out: {error}") for mode in options.modes]
    rows: list[Row] = []
    works = sum(isinstance(names, list) for names in before.modules.values())
    passed = sum(outcome == "passed" for outcome in before.tests.values())
    say(f"{label}: {works} of {len(before.modules)} modules import, {passed} of {len(before.tests)} tests pass")
    for mode in options.modes:
        row = Row(label, mode)
        if mode == "before":
            said = f"{works} of {len(before.modules)} modules import, {passed} of {len(before.tests)} tests pass"
            rows.append(Row(label, mode, tests=passed, note="; ".join(filter(None, [said, before.note]))))
            continue
        if mode == "tested" and "passed" not in before.tests.values():
            rows.append(Row(label, mode, note=before.note or "no test passes"))
            continue
        with tempfile.TemporaryDirectory() as name:
            tree = Path(name) / label
            shutil.copytree(source, tree, symlinks=True)
            was = texts(tree)
            row.files = sum(name.endswith(".py") and bool(data.strip()) for name, data in was.items())
            say(f"{label}: {row.files} files are improved ({mode})")
            improve(package, tree, python, options, row)
            now = texts(tree)
            row.left_behind = sorted({*now} - {*was})
            shutil.rmtree(options.out / "diffs" / label / mode, ignore_errors=True)
            row.changed = write_diffs(was, now, options.out / "diffs" / label / mode)
            say(f"{label}: measured again, {row.changed} files changed in {row.seconds} s ({mode})")
            after = measure(package, tree, python)
            compare(before, after, row)
            if after.note != before.note:
                row.note = "; ".join(filter(None, [row.note, f"afterwards: {after.note}"]))
            if row.tests_worse:  # a test that fails now and then is no evidence
                again, untouched = measure(package, tree, python), measure(package, source, python)
                row.tests_worse = [
                    name for name in row.tests_worse
                    if again.tests.get(name) != "passed" and untouched.tests.get(name) == "passed"
                ]  # fmt: skip
        row.note = "; ".join(filter(None, [row.note, before.note]))
        say(f"{label}: {row.harm or 'nothing'} harmed ({mode})")
        rows.append(row)
    return rows


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a table of Markdown, with a sum below."""
    head = ["package", "mode", "files", "changed", "files/s", "fixed", "held back", "left", "tests", "tests worse"]
    head += ["modules gone", "names gone", "compile failures", "note"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        rate = f"{row.files / row.seconds:.1f}" if row.seconds else ""
        cells = [row.package, row.mode, row.files, row.changed, rate, row.fixed, row.held, row.left, row.tests]
        cells += [len(row.tests_worse), len(row.modules_gone), len(row.names_gone), len(row.compile_failures)]
        lines.append("| " + " | ".join(map(str, [*cells, " ".join(row.note.split())[:120].replace("|", "/")])) + " |")
    measured = [row for row in rows if row.status is not None]
    sums = {
        "files": sum(row.files for row in measured),
        "fixed": sum(row.fixed for row in measured),
        "held back": sum(row.held for row in measured),
        "left": sum(row.left for row in measured),
        "tests worse": sum(len(row.tests_worse) for row in measured),
        "modules gone": sum(len(row.modules_gone) for row in measured),
        "names gone": sum(len(row.names_gone) for row in measured),
        "modules of others no longer in sight": sum(len(row.foreign_gone) for row in measured),
        "compile failures": sum(len(row.compile_failures) for row in measured),
        "came out worse": f"{sum(row.harm > 0 for row in measured)} of {len(measured)} runs",
    }
    return "\n".join([*lines, "", ", ".join(f"{name}: {value}" for name, value in sums.items())])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", default="", help="names, separated by commas; all of packages.py by default")
    parser.add_argument("--mode", choices=("alone", "tested", "both", "before"), default="both")
    parser.add_argument("--jobs", type=int, default=1, help="packages at once")
    parser.add_argument("--cache", type=Path, help="keeps distributions and environments; a temporary one by default")
    parser.add_argument("--out", type=Path, help="results and diffs; a temporary directory, which stays, by default")
    parser.add_argument("--options", default="", help="more options of jido improve, as one text")
    parser.add_argument("--limit", type=float, default=1800, help="seconds that one call of jido improve may take")
    options = parser.parse_args()
    options.modes = ("alone", "tested") if options.mode == "both" else (options.mode,)
    wanted = [name for name in options.packages.split(",") if name]
    if unknown := sorted({*wanted} - {package.name for package in PACKAGES}):
        parser.error(f"not in packages.py: {', '.join(unknown)}")
    chosen = [package for package in PACKAGES if not wanted or package.name in wanted]
    options.out = (options.out or Path(tempfile.mkdtemp(prefix="harm-"))).resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        options.cache = (options.cache or Path(name)).resolve()
        options.cache.mkdir(parents=True, exist_ok=True)
        say("pythons: " + ", ".join(f"{major}.{minor}" for major, minor in sorted(pythons())))
        rows: list[Row] = []
        with ThreadPoolExecutor(options.jobs) as pool:
            for work in as_completed([pool.submit(examine, package, options) for package in chosen]):
                rows += work.result()
                (options.out / "results.json").write_text(json.dumps([asdict(row) for row in rows], indent=1))
                (options.out / "table.md").write_text(table(rows) + "\n")
    print(table(rows))
    for row in rows:
        for kind in ("tests_worse", "modules_gone", "names_gone", "compile_failures"):
            for name in getattr(row, kind)[:20]:
                print(f"{row.package} ({row.mode}) {kind.replace('_', ' ')}: {name}")
    say(f"results and diffs are in {options.out}")
    return 1 if any(row.harm for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
