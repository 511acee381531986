"""Cost of a critique with ruff, mypy and pytest compared with its slowest tool, and the savings of sharing and caching.

    python benchmarks/bench_tools.py [--rounds 5] [--files 300] [--layers strong medium] [--small]

Per layer and project (the candidate alone, and a project of `--files` modules of 40 lines) one JSON line: medians and
spread, in seconds, of each tool alone and of all three at the same time; `ratio` is the median over rounds of all three
against the slowest of them alone in the same round (reach: 1.3, on a machine with two free cores); `remembered_s` is
the same critique again, which runs nothing. One more line per layer gives the time that a project adds to a run of
`true`, alone and three at a time. The project is made with seed 7; files are written only to the directory for
temporary files. On a shared machine, read the figures together with `load`, the load average.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.protocols import RunContext
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.layers import Layer
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.values import Candidate
from jido_ai.values.tool import ToolJob

TOOLS = ("ruff", "mypy", "pytest")
CONTEXT = RunContext(run_id="bench", prompt="bench")
CANDIDATE = '''"""A candidate with a test."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Word:
    """A word and where it is."""

    text: str
    line: int


def words(lines: Iterable[str]) -> list[Word]:
    """Return all words."""
    return [Word(found, line) for line, text in enumerate(lines, 1) for found in re.findall(r"[a-z]+", text)]


def longest(path: Path) -> Word | None:
    """Return the longest word of a file."""
    return max(words(path.read_text().splitlines()), key=lambda word: len(word.text), default=None)


def test_words(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("one\\nthree four\\n")
    assert longest(file) == Word("three", 2)
'''


def make_project(root: Path, files: int) -> None:
    """Write modules that do not import each other, ten to a package."""
    rng = random.Random(7)
    for number in range(files):
        package = root / f"package_{number // 10}"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").touch()
        body = "\n\n".join(f"def f{i}(x: int) -> int:\n    return x + {rng.randrange(10**6)}" for i in range(13))
        (package / f"module_{number}.py").write_text(f'"""Module {number}."""\n\n{body}\n')


async def seconds(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


def summary(taken: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(taken), 3), "min": round(min(taken), 3), "max": round(max(taken), 3)}


def critique(executor: SandboxExecutor, root: Path | None, tools: tuple[str, ...], **options: Any) -> Any:
    replaces = None if root is None else "test_candidate.py"
    return ToolCritiquer(tools, executor=executor, root=root, replaces=replaces, **options)


async def measure(layer: Layer, root: Path | None, rounds: int, files: int) -> dict[str, Any]:
    executor = SandboxExecutor(layers=(layer,))
    judges = {name: critique(executor, root, (name,), cache=False) for name in TOOLS}
    together = critique(executor, root, TOOLS, cache=False)
    candidate = Candidate(CANDIDATE)
    first = await together.critique(candidate, CONTEXT)
    told = {issue.kind for issue in first.issues}
    assert not told & {"cannot-run", "timeout", "test", "syntax"}, first.issues
    alone: dict[str, list[float]] = {name: [] for name in TOOLS}
    all_at_once: list[float] = []
    ratios: list[float] = []
    for _ in range(rounds):
        for name, judge in judges.items():
            alone[name].append(await seconds(lambda judge=judge: judge.critique(candidate, CONTEXT)))
        all_at_once.append(await seconds(lambda: together.critique(candidate, CONTEXT)))
        ratios.append(all_at_once[-1] / max(taken[-1] for taken in alone.values()))
    remembering = critique(executor, root, TOOLS)
    await remembering.critique(candidate, CONTEXT)
    again = [await seconds(lambda: remembering.critique(candidate, CONTEXT)) for _ in range(rounds)]
    return {
        "layer": layer,
        "project_files": files if root is not None else 0,
        "rounds": rounds,
        **{f"{name}_s": summary(taken) for name, taken in alone.items()},
        "together_s": summary(all_at_once),
        "ratio": summary(ratios),
        "remembered_s": summary(again),
        "load": round(os.getloadavg()[0], 1),
    }


async def what_a_project_adds(layer: Layer, root: Path, rounds: int, files: int) -> dict[str, Any]:
    executor = SandboxExecutor(layers=(layer,))
    row: dict[str, Any] = {"layer": layer, "project_files": files, "program": "true", "rounds": rounds}
    for tree in (None, root):
        job = ToolJob(argv=("true",), tree=tree)
        for count in (1, 3):

            async def work(job: ToolJob = job, count: int = count) -> None:
                await asyncio.gather(*(executor.run(job) for _ in range(count)))

            taken = [await seconds(work) for _ in range(rounds)]
            row[f"{'with' if tree else 'without'}_x{count}_s"] = summary(taken)
    return row


async def run(layers: list[Layer], rounds: int, files: int, *, small: bool) -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        make_project(root, files)
        for layer in layers:
            why = escapes(layer)
            if why is not None:
                print(json.dumps({"layer": layer, "does not hold": why}))
                continue
            print(json.dumps(await what_a_project_adds(layer, root, rounds, files)), flush=True)
            for tree in (None, root)[: 1 if small else 2]:
                print(json.dumps(await measure(layer, tree, rounds, files)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--layers", nargs="+", default=["strong", "medium"])
    parser.add_argument("--small", action="store_true", help="one round, ten files, the first layer, no project")
    options = parser.parse_args()
    if options.small:
        options.rounds, options.files, options.layers = 1, 10, options.layers[:1]
    asyncio.run(run(options.layers, options.rounds, options.files, small=options.small))


if __name__ == "__main__":
    main()
