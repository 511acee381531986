"""`jido improve` on files of installed packages, with defects planted by this script.

Takes ten files from installed packages (by seed), plants five defects in each that a careful edit can fix, improves
them, and checks: every file still parses, no rule has more findings than before, every planted finding is fixed.

    python benchmarks/bench_improve.py [--files 10] [--seed 7]

Prints a JSON line per file and one for all.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import json
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from jido_ai import LoopConfig, Pipeline, TargetedReviser, ToolCritiquer

PLANTS = {
    "F401": "import string as _planted_unused_{n}\n",
    "E711": "def _planted_none_{n}(value):\n    return value == None\n\n\n",
    "B006": "def _planted_default_{n}(item, into=[]):\n    into.append(item)\n    return into\n\n\n",
    "E722": "def _planted_except_{n}(call):\n    try:\n        return call()\n    except:\n        return None\n\n\n",
    "F541": 'PLANTED_TEXT_{n} = f"nothing to fill in"\n',
}
CONFIG = '[lint]\nselect = ["B006", "E711", "E722", "F401", "F541", "F811", "F821", "F841", "I001"]\n'


def sources(count: int, seed: int) -> list[Path]:
    """Return files of a sensible size from installed packages, none of ours, the same for the same seed."""
    site = Path(sysconfig.get_path("purelib"))
    files = sorted(path for path in site.rglob("*.py") if not is_ours(path.relative_to(site)))
    files = [path for path in files if path.is_file() and 2_000 < path.stat().st_size < 30_000]
    random.Random(seed).shuffle(files)
    return [path for path in files if parses(path.read_text("utf-8", "replace"))][:count]


def is_ours(path: Path) -> bool:
    """Tell whether a file below the installed packages belongs to this project; what stands above them says nothing."""
    return path.parts[0].startswith(("jido", "_jido", "__editable__"))


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def plant(text: str, rng: random.Random) -> tuple[str, list[str]]:
    """Put one defect of each kind after top-level statements drawn at random; returns the rules that were planted."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    body = ast.parse(text).body
    ends = [node.end_lineno or 0 for node in body[1:]] or [len(lines)]
    future = max((node.end_lineno or 0 for node in body if is_first(node)), default=0)
    spots = sorted((rng.choice([end for end in ends if end >= future] or [len(lines)]) for _ in PLANTS), reverse=True)
    for n, (spot, (_, code)) in enumerate(zip(spots, PLANTS.items(), strict=True)):
        lines.insert(spot, "\n" + code.format(n=n))
    return "".join(lines), list(PLANTS)


def is_first(node: ast.stmt) -> bool:
    """Tell whether a statement must come before all others."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def findings(path: Path, config: Path) -> Counter[str]:
    """Return how often ruff reports each rule, asked by this script and not by what is measured."""
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--config", config, "--output-format", "json", path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return Counter(str(finding["code"]) for finding in json.loads(run.stdout))


async def improve_one(text: str, root: Path) -> tuple[str, dict[str, Any]]:
    critiquer = ToolCritiquer(["compile", "ruff"], root=root, replaces="file.py")
    reviser = TargetedReviser(root=root, replaces="file.py")
    config = LoopConfig(
        policy="adaptive", accept="clean", severity_threshold=1.0, score_threshold=0.01, max_iterations=5
    )
    async with Pipeline(critiquer=critiquer, reviser=reviser, config=config) as pipeline:
        result = await pipeline.run("improve", text)
    assert result.best_candidate is not None
    return result.best_candidate.content, {"stop": result.stop_reason.value, "iterations": result.total_iterations}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    totals: Counter[str] = Counter()
    for source in sources(options.files, options.seed):
        with tempfile.TemporaryDirectory() as home:
            root = Path(home)
            file, config = root / "file.py", root / "ruff.toml"
            config.write_text(CONFIG)
            original = source.read_text("utf-8", "replace")
            file.write_text(original)
            natural = findings(file, config)
            planted, rules = plant(original, rng)
            file.write_text(planted)
            before = findings(file, config)
            began = time.perf_counter()
            improved, how = asyncio.run(improve_one(planted, root))
            took = time.perf_counter() - began
            file.write_text(improved)
            after = findings(file, config)
            worse = sorted(rule for rule in after if after[rule] > before[rule])
            missed = sorted(rule for rule in rules if before[rule] > natural[rule] and after[rule] > natural[rule])
            row = {
                "file": "/".join(source.parts[-2:]), "lines": original.count("\n"), "before": sum(before.values()),
                "after": sum(after.values()), "parses": parses(improved), "worse": worse, "planted_not_fixed": missed,
                "seconds": round(took, 2), **how,
            }  # fmt: skip
            print(json.dumps(row), flush=True)
            totals.update(
                files=1, parse=row["parses"], worse=bool(worse), before=row["before"], after=row["after"],
                planted=len(rules), not_fixed=len(missed),
            )  # fmt: skip
    print(json.dumps({"seed": options.seed, **totals}))


if __name__ == "__main__":
    main()
