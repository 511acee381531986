"""Packages and megabytes of a bare install, beside those of pydantic-ai's slim package.

    python benchmarks/bench_install.py [EXTRA ...]

Installs this repository, with the extras that are named, and the anchor into fresh environments, which takes a package
index. Prints one JSON line for each: packages and MB (2**20 bytes, without byte code, pip and setuptools), and the
ratios to the anchor.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
ANCHOR = "pydantic-ai-slim[openai]"
NOT_COUNTED = {"pip", "setuptools"}


def installed(requirement: str) -> tuple[int, float]:
    """Return the number of packages and their size in MB."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "-q", "--no-compile", requirement], check=True)
        listed = subprocess.run([*pip, "list", "--format=json"], check=True, capture_output=True)
        names = {one["name"] for one in json.loads(listed.stdout)} - NOT_COUNTED
        code = (
            "import sys, importlib.metadata as m\n"
            "print(sum(path.stat().st_size for name in sys.argv[1:] for file in m.files(name) or ()\n"
            "  if file.suffix != '.pyc' and (path := file.locate()).exists()))"
        )
        size = subprocess.run([python, "-c", code, *sorted(names)], check=True, capture_output=True)
        return len(names), int(size.stdout) / 2**20


def main() -> None:
    extras = ",".join(sys.argv[1:])
    wanted = f"[{extras}]" if extras else ""
    packages, size = installed(ANCHOR)
    for name, (count, mb) in ((ANCHOR, (packages, size)), (f"jido-ai{wanted}", installed(f"{ROOT}{wanted}"))):
        row = {"install": name, "packages": count, "mb": round(mb, 1)}
        print(json.dumps({**row, "packages_ratio": round(count / packages, 2), "mb_ratio": round(mb / size, 2)}))


if __name__ == "__main__":
    main()
