"""Files per second that `jido improve` checks and improves, compared with `ruff check --fix` in the same run.

Copies 121 real files, the first by name of some installed packages, and runs each command in turn, in fresh processes:

    python benchmarks/bench_improve_speed.py [--files 121] [--rounds 5] [--no-bytecode] [--only TEXT] [--json]

Cold: a fresh copy of the files, a home and caches that are empty. With `--no-bytecode` also without the bytecode of
our own modules, as on the first run after an installation. Warm: the same home and files as in a previous run that is
not timed; changed files are restored. Prints the median of the rounds, the fastest and the slowest.

    python benchmarks/bench_improve_speed.py --reach [--rounds 3]

prints instead how long 20,000 clean files, 1,000 files with a finding each and a hook on one clean file take, each
beside what it is to take at most. The files are generated; the CPU time has that of all tools.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("_pytest", "httpx", "libcst", "pydantic", "rich")
LIMIT_S = 600


@dataclass(frozen=True)
class Command:
    """One line of the table; `one` is about a single file."""

    name: str
    argv: tuple[str, ...]
    one: bool = False


RUFF = ("-m", "ruff", "check", "--isolated", "--quiet")
JIDO = ("-P", "-m", "jido_ai", "improve")  # the copied packages must not take the place of the installed ones
COMMANDS = (
    Command("ruff check --fix", (*RUFF, "--fix", ".")),
    Command("jido improve --check", (*JIDO, ".", "--check")),
    Command("jido improve --apply", (*JIDO, ".", "--apply")),
    Command("ruff check --fix, one file", (*RUFF, "--fix", "{one}"), one=True),
    Command("jido improve --check, one file", (*JIDO, "{one}", "--check"), one=True),
    Command("jido improve --apply, one file", (*JIDO, "{one}", "--apply"), one=True),
)


def sources(count: int) -> list[Path]:
    """Return the files, relative to where packages are installed: an equal share of each package, by name."""
    site = Path(sysconfig.get_path("purelib"))
    chosen: list[Path] = []
    for n, package in enumerate(PACKAGES):
        share = (count - len(chosen)) // (len(PACKAGES) - n)
        files = sorted(path for path in (site / package).rglob("*.py") if 500 < path.stat().st_size < 60_000)
        chosen += [path.relative_to(site) for path in files[:share]]
    return chosen


def copy(files: list[Path], tree: Path) -> None:
    """Lay out the files as they are installed, in the place of whatever is in `tree`."""
    site = Path(sysconfig.get_path("purelib"))
    shutil.rmtree(tree, ignore_errors=True)
    for file in files:
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(site / file, tree / file)


def timed(command: Command, files: list[Path], tree: Path, home: Path, *, bytecode: bool) -> float:
    """Return the seconds that one run takes.

    Raises:
        RuntimeError: it ended with another status than 0 (clean) or 1 (issues are left).
    """
    one = str(files[len(files) // 2])
    argv = [sys.executable, *(one if part == "{one}" else part for part in command.argv)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "JIDO_", "RUFF_"))}
    kept |= {"HOME": str(home), "RUFF_CACHE_DIR": str(home / "ruff")}
    if not bytecode:
        kept["PYTHONPYCACHEPREFIX"] = str(home / "bytecode")
    began = time.perf_counter()
    done = subprocess.run(argv, cwd=tree, env=kept, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    took = time.perf_counter() - began
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise RuntimeError(f"{command.name}: status {done.returncode}: {done.stderr[-500:]}")
    return took


def rounds(command: Command, state: str, files: list[Path], options: argparse.Namespace) -> list[float]:
    """Return the seconds of each round of one command, cold or warm."""
    with tempfile.TemporaryDirectory() as name:
        tree, home = Path(name) / "tree", Path(name) / "home"
        took: list[float] = []
        for n in range(options.rounds + (state == "warm")):
            if state == "cold":
                shutil.rmtree(home, ignore_errors=True)
            home.mkdir(exist_ok=True)
            copy(files, tree)
            seconds = timed(command, files, tree, home, bytecode=state == "warm" or not options.no_bytecode)
            if state == "cold" or n > 0:
                took.append(seconds)
    return took


@dataclass(frozen=True)
class Reach:
    """A case with the seconds that it is to take at most; `text` has {n}, the number of its file."""

    name: str
    files: int
    text: str
    arguments: tuple[str, ...]
    at_most_s: float


CLEAN = "def add_{n}(number: int) -> int:\n    return number + {n}\n"
REACHES = (
    Reach("20,000 clean files", 20_000, CLEAN, (".", "--quiet"), 3.0),
    Reach("1,000 files with an F401 each", 1_000, f"import os\n\n\n{CLEAN}", (".", "--quiet"), 15.0),
    Reach("hook, one clean file", 1, CLEAN, ("--hook", "package_000/module_00000.py"), 0.4),
)


def reach(options: argparse.Namespace) -> None:
    """Print the figures of the three cases, of the rounds after one that is not timed."""
    print("| case | median s | spread s | CPU s | at most s | load |\n|---|---|---|---|---|---|")
    for case in REACHES:
        if options.only not in case.name:
            continue
        with tempfile.TemporaryDirectory() as name:
            tree, home = Path(name) / "tree", Path(name) / "home"
            home.mkdir()
            for n in range(case.files):
                folder = tree / f"package_{n // 100:03}"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"module_{n:05}.py").write_text(case.text.replace("{n}", str(n)))
            subprocess.run(["git", "init", "--quiet", "."], cwd=tree, check=True)
            command = Command(case.name, (*JIDO, *case.arguments))
            took: list[float] = []
            cpu: list[float] = []
            for _ in range(options.rounds + 1):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                took.append(timed(command, [Path()], tree, home, bytecode=True))
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        took, cpu = took[1:], cpu[1:]
        cells = [case.name, f"{statistics.median(took):.2f}", f"{min(took):.2f}-{max(took):.2f}"]
        cells += [f"{statistics.median(cpu):.2f}", f"{case.at_most_s:g}", f"{os.getloadavg()[0]:.1f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=121)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-bytecode", action="store_true")
    parser.add_argument("--only", default="", help="commands whose name has this text")
    parser.add_argument("--json", action="store_true", help="a JSON line for each row instead of a table")
    parser.add_argument("--reach", action="store_true", help="the three cases with a limit instead")
    options = parser.parse_args()
    if options.reach:
        reach(options)
        return
    files = sources(options.files)
    anchors: dict[tuple[bool, str], float] = {}
    if not options.json:
        print("| command | state | files | median s | spread s | files/s | times ruff |\n|---|---|---|---|---|---|---|")
    for command in COMMANDS:
        if options.only not in command.name:
            continue
        for state in ("cold", "warm"):
            took = rounds(command, state, files, options)
            median, count = statistics.median(took), 1 if command.one else len(files)
            anchor = anchors.setdefault((command.one, state), median)
            beside = command.name.startswith("jido") and not options.only
            row = {
                "command": command.name, "state": state, "files": count, "median_s": round(median, 3),
                "spread_s": [round(min(took), 3), round(max(took), 3)], "files_per_s": round(count / median, 1),
                "times_ruff": round(median / anchor, 1) if beside else None,
            }  # fmt: skip
            if options.json:
                print(json.dumps(row), flush=True)
            else:
                low, high = row["spread_s"]
                cells = [row["command"], state, count, row["median_s"], f"{low}-{high}", row["files_per_s"]]
                print("| " + " | ".join(map(str, [*cells, row["times_ruff"] or ""])) + " |", flush=True)


if __name__ == "__main__":
    main()
