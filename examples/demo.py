"""The program of `make demo`: `jido improve` on files with real defects, without a key or a network.

It works on a copy, so that there is always something to improve. It ends with status 0 although issues are left, which
is part of the demonstration. All commands run in this process; `jido` would run each in its own.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from jido_ai.cli.app import app

WORKSHOP = Path(__file__).parent / "workshop"


def say(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n{text}", flush=True)


def jido(*arguments: str) -> int:
    """Run one command and return its exit status."""
    print(f"$ jido {' '.join(arguments)}", flush=True)
    status = app([*arguments, "--memory", "../memory.db"], standalone_mode=False)
    sys.stdout.flush()
    return status or 0


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="jido-demo-") as home:
        shutil.copytree(WORKSHOP, Path(home, "workshop"), ignore=shutil.ignore_patterns("__pycache__", ".*"))
        os.chdir(Path(home, "workshop"))

        say("Tools check two files, the reviser fixes what it can, and the tools check again:")
        status = jido("improve", "inventory.py", "report.py")
        say(f"(exit status {status}: fixes that may change behaviour are left to you; --unsafe-fixes makes them, too)")

        say("A test finds a bug that no targeted edit can fix. The other issues are fixed, and this one is reported:")
        status = jido("improve", "pricing.py", "--tests", "tests", "--max-iterations", "2", "--apply")
        say(f"(exit status {status}: issues are left; with more iterations it looks for a small edit that passes)")

        say("The lessons are stored in a SQLite file for the next run:")
        jido("memory", "list")
        os.chdir("/")


if __name__ == "__main__":
    main()
