"""The programs of docs/cookbook, each once with a real model on this machine instead of scripted answers.

    python benchmarks/real_model/cookbook.py [--url URL] [--name NAME] [--model FILE.gguf] [PAGE ...]

Prints, for each page, what its program printed (candidates, calls, tokens), and the seconds that it took. Anchor: the
sentence "Once with a real model" at the end of the page. What a model answers differs from run to run.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from real_model.server import NAME, model_server

PAGES = Path(__file__).parents[2] / "docs" / "cookbook"


def program(page: Path, model: str) -> str:
    """Return the program of a page, in which a model's name stands in the place of the scripted answers."""
    code = "".join(re.findall(r'^```python title="[^"]+"\n(.*?)^```', page.read_text("utf-8"), re.M | re.S))
    changed, count = re.subn(r"^model = ScriptedAnswers\(.*$", lambda _: f"model = {model!r}", code, flags=re.M)
    assert count == 1, f"{page.name}: no line names the scripted answers"
    return changed


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the cookbook's programs with a real model.")
    parser.add_argument("pages", nargs="*", help="names without .md; by default all")
    parser.add_argument("--url", help="a server that runs already; by default one is started")
    parser.add_argument("--name", default=NAME, help="the model's name at that server")
    parser.add_argument("--model", type=Path, help="a GGUF for the server that is started")
    told = parser.parse_args()
    pages = [PAGES / f"{name}.md" for name in told.pages] or sorted(set(PAGES.glob("*.md")) - {PAGES / "index.md"})
    with (
        nullcontext(told.url) if told.url else model_server(told.model) as url,
        tempfile.TemporaryDirectory() as folder,
    ):
        for page in pages:
            print(f"## {page.stem}", flush=True)
            began = time.monotonic()
            code = program(page, f"compatible:{told.name}@{url}")
            subprocess.run([sys.executable, "-c", code], cwd=folder, timeout=1800, check=False)
            print(f"{time.monotonic() - began:.0f} s\n", flush=True)


if __name__ == "__main__":
    main()
