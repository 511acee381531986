"""Python calls, and files that they are in, of a warm run: how much of the package one has to read to follow it.

The second run of a pipeline of three plain functions, two iterations, without and with a memory, and of a graph of a
step and a loop. Calls of functions of the package on the thread of the event loop are counted with `sys.setprofile`;
comprehensions, whose frames depend on the version of Python, are not. Beside the figures of commit 2e66c58.

    python benchmarks/bench_calls.py [--top 20] [--files]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import FrameType

import jido_ai
from jido_ai import CritiqueResult, Graph, LoopConfig, LoopNode, Pipeline, RunContext, StepNode

PACKAGE = f"{Path(jido_ai.__file__).parent}/"
ANCHORS = {
    "pipeline": "487 calls in 30 files",
    "pipeline, memory=True": "3900 calls in 55 files",
    "graph of a step and a loop": "652 calls in 45 files",
}

PROMPT = "Say something about a cache."
CONFIG = LoopConfig(max_iterations=2)


async def generate(prompt: str, context: RunContext) -> str:
    return "a draft"


async def critique(candidate: jido_ai.Candidate, context: RunContext) -> CritiqueResult:
    if "fixed" in candidate.content:
        return CritiqueResult(severity=0.0)
    return CritiqueResult(severity=0.8)


async def revise(candidate: jido_ai.Candidate, critique: CritiqueResult, context: RunContext) -> str:
    return candidate.content + ", fixed"


async def shout(text: str) -> str:
    return text.upper()


async def pipeline_run(memory: bool) -> Counter[tuple[str, str]]:
    async with Pipeline(generate, critique, revise, memory=memory or None, config=CONFIG) as pipeline:

        async def run() -> None:
            result = await pipeline.run(PROMPT)
            assert len(result.iterations) == 2, result.stop_reason

        return await counted(run)


async def graph_run() -> Counter[tuple[str, str]]:
    nodes = {
        "ask": StepNode(shout, inputs={"text": PROMPT}),
        "answer": LoopNode("{ask}", generator=generate, critiquer=critique, reviser=revise, config=CONFIG),
    }
    async with Graph(nodes, output="answer") as graph:

        async def run() -> None:
            result = await graph.run()
            assert result.output, result

        return await counted(run)


async def counted(run: Callable[[], Awaitable[None]]) -> Counter[tuple[str, str]]:
    """Return how often each function of the package is called by a second run, by file and name."""
    calls = Counter[tuple[str, str]]()

    def count(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and not code.co_name.endswith(("comp>", "expr>")):
            calls[code.co_filename.removeprefix(PACKAGE), code.co_qualname] += 1

    await run()
    sys.setprofile(count)
    try:
        await run()
    finally:
        sys.setprofile(None)
    return calls


async def main(top: int, files: bool) -> None:
    rows = {
        "pipeline": lambda: pipeline_run(memory=False),
        "pipeline, memory=True": lambda: pipeline_run(memory=True),
        "graph of a step and a loop": graph_run,
    }
    for name, row in rows.items():
        calls = await row()
        by_file = Counter[str]()
        for (file, _), count in calls.items():
            by_file[file] += count
        print(f"{name:28} {calls.total():5} calls in {len(by_file)} files      then {ANCHORS[name]}")
        if files:
            for file, count in by_file.most_common():
                print(f"    {count:5} {file}")
        for (file, function), count in calls.most_common(top):
            print(f"    {count:5} {file} {function}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--top", type=int, default=0, help="functions that are called most, of each row")
    parser.add_argument("--files", action="store_true", help="calls by file")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.top, arguments.files))
