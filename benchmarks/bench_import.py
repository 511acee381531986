"""Time of `import jido_ai` compared with `import pydantic`, as whole processes, interleaved.

    python benchmarks/bench_import.py [--rounds 9]

Target: at most 2.5 x `import pydantic`. Prints one JSON line per statement: median and spread in ms, minus the time of
an empty interpreter, and the ratio to `import pydantic`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

STATEMENTS = [
    "pass",
    "import pydantic",
    "import jido_ai",
    "import jido_ai.actors",
    "from pydantic import BaseModel",
    "from jido_ai import Pipeline, ToolCritiquer, ReflexionMemory",
]


def seconds(statement: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    taken: dict[str, list[float]] = {statement: [] for statement in STATEMENTS}
    for statement in STATEMENTS:
        seconds(statement)  # once for the caches
    for _ in range(rounds):
        for statement in STATEMENTS:
            taken[statement].append(seconds(statement))
    empty = statistics.median(taken["pass"])
    anchor = statistics.median(taken["import pydantic"]) - empty
    for statement in STATEMENTS[1:]:
        cost = statistics.median(taken[statement]) - empty
        row = {
            "statement": statement,
            "ms": round(cost * 1e3, 1),
            "spread_ms": [round((bound(taken[statement]) - empty) * 1e3, 1) for bound in (min, max)],
            "ratio_to_import_pydantic": round(cost / anchor, 2),
            "rounds": rounds,
        }
        print(json.dumps(row))


if __name__ == "__main__":
    main()
