"""A graph whose process is killed at finished nodes: every run ends the same, and nothing finished is done again.

    python benchmarks/graphs/kills.py [--kills 200]

A child process runs a graph with a journal and notes every call and every finished node in a file; it kills itself
(SIGKILL) at the finished node of a given number. The next child continues the run. The last output is compared with
that of a run that nobody disturbed; a call of a node that had finished before counts as repeated.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from jido_ai import (
    Candidate,
    CheckNode,
    ChoiceNode,
    CritiqueResult,
    Graph,
    LoopConfig,
    LoopNode,
    MapNode,
    NotFoundError,
    RunContext,
    StepNode,
)
from jido_ai.events import GraphStopped, NodeStopped
from jido_ai.graph import Case

INPUTS = {"topic": "kills", "items": ["a", "b", "c"]}
CONFIG = LoopConfig(max_iterations=4, score_threshold=0.01, change_threshold=0.0, patience=4)


def graph_of(file: str, note: Any) -> Graph:
    """Return the graph; `note` is called with every call."""

    async def step(name: str, **values: Any) -> str:
        note(f"call {name}")
        await asyncio.sleep(0.005)
        return f"{name}({','.join(map(str, values.values()))})"

    async def generate(prompt: str, context: RunContext) -> str:
        note(f"call {context.metadata['node']}")
        return "draft"

    async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        note(f"call {context.metadata.get('node', 'check')}")
        await asyncio.sleep(0.005)
        is_good = "better better" in candidate.content
        issues = () if is_good else [f"not good: {candidate.content}"]
        return CritiqueResult(severity=0.0 if is_good else 0.9, issues=issues)

    async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        note(f"call {context.metadata['node']}")
        return f"better {candidate.content}"

    def loop(prompt: str) -> LoopNode:
        return LoopNode(prompt, generator=generate, critiquer=judge, reviser=revise, config=CONFIG)

    nodes = {
        "outline": loop("Outline {topic}"),
        "sections": MapNode("{items}", loop("Write {item} of {outline}"), max_concurrency=2),
        "check": CheckNode("{outline}", critiquer=judge),
        "choice": ChoiceNode([(Case("{check.score}", ">", 0.5), "good"), (None, "bad")]),
        "good": StepNode(step, inputs={"name": "good", "a": "{outline}"}),
        "bad": StepNode(step, inputs={"name": "bad", "a": "{outline}"}),
        "broken": StepNode(step, inputs={"nam": "broken"} | {"name": "broken"}),
        "end": StepNode(step, inputs={"name": "end", "a": "{sections}", "b": "{good}{bad}", "c": "{broken}"}),
    }
    return Graph(nodes, inputs=list(INPUTS), output="end", memory=file)


async def child(folder: Path, kill_at: int) -> None:
    """Run or continue the run; kill this process at the finished node of that number."""
    with (folder / "notes").open("a", buffering=1) as notes:

        def note(line: str) -> None:
            notes.write(line + "\n")

        async with graph_of(str(folder / "memory.db"), note) as graph:
            try:
                handle = await graph.start(resume="r")
            except NotFoundError:
                handle = await graph.start(INPUTS, run_id="r")
            finished = 0
            async for event in handle.events():
                if isinstance(event, NodeStopped) and event.result.status == "done" and not event.result.items:
                    note(f"done {event.path}")
                    finished += 1
                    if finished == kill_at:
                        os.kill(os.getpid(), signal.SIGKILL)
                if isinstance(event, GraphStopped):
                    (folder / "output").write_text(f"{event.result.status} {event.result.output}")


def runs(folder: Path, kill_at: int) -> int:
    """Run a child; return its exit code."""
    command = [sys.executable, __file__, "--child", str(folder), "--at", str(kill_at)]
    return subprocess.run(command, check=False).returncode


def repeated(notes: list[str]) -> list[str]:
    """Return the calls of nodes that had finished before."""
    finished: set[str] = set()
    again: list[str] = []
    for line in notes:
        kind, _, path = line.partition(" ")
        if kind == "done":
            finished.add(path)
        elif path in finished:
            again.append(path)
    return again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--at", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        asyncio.run(child(Path(options.child), options.at))
        return
    with tempfile.TemporaryDirectory() as root:
        whole = Path(root) / "whole"
        whole.mkdir()
        runs(whole, 0)
        expected = (whole / "output").read_text()
        nodes = sum(line.startswith("done") for line in (whole / "notes").read_text().splitlines())
        kills = different = again = finished = 0
        began = time.monotonic()
        while kills < options.kills:
            folder = Path(root) / f"run{finished}"
            folder.mkdir()
            at = finished % 3 + 1  # every finished node, every second, every third
            while runs(folder, at if kills < options.kills else 0) == -signal.SIGKILL:
                kills += 1
            finished += 1
            different += (folder / "output").read_text() != expected
            again += len(repeated((folder / "notes").read_text().splitlines()))
    print(
        f"{kills} kills in {finished} runs of {nodes} nodes and items: {different} ended differently, "
        f"{again} calls of finished nodes ({time.monotonic() - began:.0f} s)"
    )


if __name__ == "__main__":
    main()
