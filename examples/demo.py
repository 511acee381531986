"""What `make demo` runs: `jido improve` on real files with real defects, with no key and no network.

It works on a copy, so that there is always something to improve, and ends with status 0: that issues are left is what
it means to show.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WORKSHOP = Path(__file__).parent / "workshop"
JIDO = [sys.executable, "-m", "jido_ai"]


def say(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n{text}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="jido-demo-") as home:
        shutil.copytree(WORKSHOP, Path(home, "workshop"), ignore=shutil.ignore_patterns("__pycache__", ".*"))
        memory = ["--memory", str(Path(home, "memory.db"))]
        here = {"cwd": Path(home, "workshop"), "env": {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}}

        say("Tools criticise inventory.py, the reviser mends what it knows how to mend, tools judge again:")
        status = subprocess.run(
            [*JIDO, "improve", "inventory.py", "report.py", *memory], check=False, **here
        ).returncode
        say(f"(exit status {status}: a name is left that only you, or a model, can choose)")

        say("A test finds a bug. A small edit at the lines it speaks against mends it; only the tests vouch for it:")
        command = [*JIDO, "improve", "pricing.py", "--tests", "tests", "--apply", *memory]
        status = subprocess.run(command, check=False, **here).returncode
        say(f"(exit status {status}: nothing is left)" if status == 0 else f"(exit status {status}: issues are left)")

        say("What was learnt is kept, in a SQLite file, for the next run:")
        subprocess.run([*JIDO, "memory", "list", *memory], check=True, **here)


if __name__ == "__main__":
    main()
