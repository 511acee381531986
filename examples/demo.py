"""What `make demo` runs: `jido improve` on real files with real defects, with no key and no network.

It works on a copy, so that there is always something to improve, and ends with status 0: that issues are left is what
it means to show. All commands run in this one process, as `jido` would run each in its own.
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

        say("Tools criticise two files, the reviser mends what it knows how to mend, tools judge again:")
        status = jido("improve", "inventory.py", "report.py")
        say(
            f"(exit status {status}: what may change the program is left to you; --unsafe-fixes makes those edits, too)"
        )

        say("A test finds a bug that no targeted edit can mend. The rest is mended; the command says what is left:")
        status = jido("improve", "pricing.py", "--tests", "tests", "--max-iterations", "2", "--apply")
        say(f"(exit status {status}: issues are left; with more iterations it looks for a small edit that passes)")

        say("What was learnt is kept, in a SQLite file, for the next run:")
        jido("memory", "list")
        os.chdir("/")


if __name__ == "__main__":
    main()
