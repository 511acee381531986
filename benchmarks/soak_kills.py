"""Kill `jido improve --tests` at random moments and count what is left. For Linux.

    python benchmarks/soak_kills.py [--kills 200] [--layers strong medium none] [--seed 1]

Every command works on a project whose test leaves a daemon behind and then sleeps. Half of the kills (SIGKILL to the
command alone) come at a random moment within twice the time that it takes to reach that test, the others within 120 ms
of the start of one of the programs it runs. Five seconds after a kill no process may be left; after the next start
(`jido doctor`) no directory may be.

Prints one JSON line per layer: the kills, how many of them left a process or a directory behind (0 and 0 expected), and
how many hit a running program, so that the figure can be trusted. Status 1 if anything was left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jido_ai.tools.sandbox.selftest import escapes

LAYERS = ("strong", "medium", "none")
SOON_S = 0.12
PATIENCE_S = 60.0
GONE_WITHIN_S = 5.0
_CODE = "def answer():\n    import os\n    return 41\n"
_TEST = """
import os, subprocess, sys, time
from code_under_test import answer

def test_answer():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(120)
        os._exit(0)
    time.sleep(60)
    assert answer() == 42
"""
_WITHOUT_A_SANDBOX = """
import sys
from jido_ai.tools.sandbox import executor as sandbox
sandbox.escapes = lambda layer: "left out by the benchmark"
from jido_ai.__main__ import main
sys.argv[0] = "jido"
main()
"""


@contextmanager
def project() -> Iterator[Path]:
    """Make a project with a test that does not end, and a place for the directories of its runs."""
    home = Path(tempfile.mkdtemp(prefix=f"soak-{secrets.token_hex(6)}-"))
    try:
        home.chmod(0o755)
        (home / "tmp").mkdir()
        (home / "project" / "tests").mkdir(parents=True)
        (home / "project" / "pyproject.toml").write_text("[project]\nname = 'soak'\n")
        (home / "project" / "code_under_test.py").write_text(_CODE)
        (home / "project" / "tests" / "test_answer.py").write_text(_TEST)
        (home / "programs").mkdir()
        for program in Path("/usr/bin").iterdir():
            if program.name != "bwrap":
                (home / "programs" / program.name).symlink_to(program)
        yield home
    finally:
        for pid in processes_of(home):
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(home, ignore_errors=True)


def start(home: Path, layer: str, *words: str) -> subprocess.Popen[bytes]:
    """Start `jido` with these words, so that its programs are run on the layer."""
    code = _WITHOUT_A_SANDBOX if layer == "none" else "from jido_ai.__main__ import main; main()"
    path = "/usr/local/bin:/usr/bin:/bin" if layer == "strong" else str(home / "programs")  # no bubblewrap
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=home / "project",
        env={"PATH": path, "HOME": str(home), "TMPDIR": str(home / "tmp"), "JIDO_MEMORY": str(home / "memory.db")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def improve(home: Path, layer: str) -> subprocess.Popen[bytes]:
    words = ["improve", "code_under_test.py", "--tests", "tests"]
    return start(home, layer, *words, *(["--unsafe-local-tools"] if layer == "none" else []))


def time_to_the_test(home: Path, layer: str) -> float:
    """Return how long a command takes until the test runs, in seconds; it is killed then."""
    began = time.monotonic()
    command = improve(home, layer)
    while not any(has_daemon(pid) for pid in processes_of(home)) and time.monotonic() - began < PATIENCE_S:
        time.sleep(0.01)
    command.kill()
    command.wait()
    return time.monotonic() - began


def has_daemon(pid: int) -> bool:
    """Tell whether a process is a test that runs."""
    try:
        return b"pytest_json" in Path(f"/proc/{pid}/cmdline").read_bytes() and bool(children_of(pid))
    except OSError:
        return False


def kill_at_random(home: Path, layer: str, chance: random.Random, longest_s: float, *, soon: bool) -> bool:
    """Start a command and kill it; return whether a program of it was running then."""
    command = improve(home, layer)
    if soon:
        wait_for_starts(command.pid, chance.randint(1, 5))
        time.sleep(chance.uniform(0.0, SOON_S))
    else:
        time.sleep(chance.uniform(0.0, longest_s))
    met = bool(children_of(command.pid))
    command.kill()
    command.wait()
    return met


def wait_for_starts(pid: int, count: int) -> None:
    """Return when the process has started `count` children, or ended, or all patience."""
    seen: set[int] = set()
    until = time.monotonic() + PATIENCE_S
    while len(seen) < count and Path(f"/proc/{pid}/task").exists() and time.monotonic() < until:
        seen |= children_of(pid)


def children_of(pid: int) -> set[int]:
    found: set[int] = set()
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found |= {int(word) for word in (task / "children").read_text().split()}
    except OSError:
        pass
    return found


def processes_of(home: Path) -> list[int]:
    """Return the processes that know of `home` from their arguments or their environment."""
    mark = home.name.encode()
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if any(mark in (entry / name).read_bytes() for name in ("cmdline", "environ")):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def left_after(home: Path) -> list[int]:
    """Return the processes that are left when those that are being ended had their time."""
    until = time.monotonic() + GONE_WITHIN_S
    while (left := processes_of(home)) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def soak(layer: str, kills: int, seed: int) -> dict[str, object]:
    """Kill that often on one layer; return what was seen."""
    chance = random.Random(f"{layer} {seed}")
    met, with_processes, most_directories, left_directories = 0, 0, 0, 0
    with project() as home:
        to_the_test_s = time_to_the_test(home, layer)
        for turn in range(kills):
            met += kill_at_random(home, layer, chance, 2 * to_the_test_s, soon=turn % 2 == 0)
            left = left_after(home)
            with_processes += bool(left)
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            most_directories = max(most_directories, len(list((home / "tmp").iterdir())))
            if turn % 10 == 9:
                print(f"{layer}: {turn + 1} kills, {with_processes} left processes", file=sys.stderr, flush=True)
            if turn % 10 == 9 or turn == kills - 1:
                start(home, layer, "doctor").wait()
                left_directories += len(list((home / "tmp").iterdir()))
    return {
        "layer": layer,
        "kills": kills,
        "seed": seed,
        "to_the_test_s": round(to_the_test_s, 2),
        "met_a_program": met,
        "left_processes": with_processes,
        "directories_before_the_next_start": most_directories,
        "left_directories": left_directories,
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--layers", nargs="+", default=list(LAYERS), choices=LAYERS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    clean = True
    for layer in options.layers:
        why = None if layer == "none" else escapes(layer)
        if why is not None:
            print(json.dumps({"layer": layer, "does not hold": why}))
            continue
        seen = soak(layer, options.kills, options.seed)
        clean = clean and not seen["left_processes"] and not seen["left_directories"]
        print(json.dumps(seen), flush=True)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
