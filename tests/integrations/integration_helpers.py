"""A pipeline without a model, whose components note what they see, for the tests of every framework."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import ApprovalNode, LoopNode
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, Usage

TENANT: ContextVar[str] = ContextVar("tenant", default="nobody")
PROMPT = "how would you parse a date?"
USAGE = Usage(1, 10, 5)


class Parts:
    """Generates "v0", revises "vN" into "vN+1", and accepts `good`.

    Attributes:
        seen: the tenant that each call saw, by prompt.
        in_flight: calls that have begun and not ended.
        fail: raised by the critiquer.
        hold: awaited by the reviser, if given.
    """

    def __init__(self, good: str = "v3", *, fail: Exception | None = None, hold: asyncio.Event | None = None) -> None:
        self.good = good
        self.fail = fail
        self.hold = hold
        self.begun = asyncio.Event()
        self.in_flight = 0
        self.calls: list[str] = []
        self.seen: dict[str, set[str]] = {}

    def _note(self, step: str, context: RunContext) -> None:
        self.calls.append(step)
        self.seen.setdefault(context.prompt, set()).add(TENANT.get())

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        self._note("generate", context)
        return Candidate("v0", metadata={"usage": USAGE})

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self._note(f"critique {candidate.content}", context)
        if self.fail is not None:
            raise self.fail
        is_good = candidate.content == self.good
        return CritiqueResult(
            severity=0.0
            if is_good
            else 0.9 - 0.15 * int(candidate.content[-1])
            if candidate.content[0] == "v"
            else 0.2,
            issues=[] if is_good else [f"{candidate.content} is not good enough"],
        )

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        self._note(f"revise {candidate.content}", context)
        self.in_flight += 1
        try:
            self.begun.set()
            if self.hold is not None:
                await self.hold.wait()
        finally:
            self.in_flight -= 1
        return Candidate(f"v{int(candidate.content[-1]) + 1}", metadata={"usage": USAGE})


CONFIG = LoopConfig(max_iterations=6, change_threshold=0.0, score_threshold=0.01, severity_threshold=0.1)


def piped(parts: Parts | None = None, **options: Any) -> Pipeline:
    parts = parts or Parts()
    return Pipeline(parts, parts, parts, config=options.pop("config", CONFIG), **options)


def graphed(parts: Parts | None = None, *, judges: bool = False, asks: bool = False, **options: Any) -> Graph:
    """Return a graph of one loop over the same parts.

    Args:
        judges: the loop begins with the input "draft".
        asks: two approval nodes come after it, so it needs a memory.
    """
    parts = parts or Parts()
    initial = "{draft}" if judges else None
    loop = LoopNode("{task}", generator=parts, critiquer=parts, reviser=parts, initial=initial, config=CONFIG)
    asking = {"first": ApprovalNode("{loop}"), "second": ApprovalNode("{first}!")} if asks else {}
    inputs = ["task", "draft"] if judges else ["task"]
    return Graph({"loop": loop, **asking}, inputs=inputs, output="second" if asks else "loop", **options)


def lone(parts: Parts | None = None, **options: Any) -> Graph:
    """Return a graph that judges its only input, which is not called "draft"."""
    parts = parts or Parts()
    loop = LoopNode("Better.", critiquer=parts, reviser=parts, initial="{text}", config=CONFIG)
    return Graph({"loop": loop}, inputs=["text"], output="loop", **options)


APPROVED = {"yes": (["v3", "v3!"], "v3!"), "v9": (["v3", "v9!"], "v9")}
"""What the approval nodes ask, and the answer, by the decision given to each."""


class Dying(Parts):
    """Parts that write each call to the file `log`, and kill the process with -9 at the call `step`."""

    def __init__(self, log: str, step: str) -> None:
        super().__init__()
        self.log, self.step = Path(log), step

    def _note(self, step: str, context: RunContext) -> None:
        with self.log.open("a") as log:
            log.write(f"{step}\n")
        if step == self.step:
            os.kill(os.getpid(), signal.SIGKILL)


SURVIVING = """
import asyncio, sys
sys.path[:0] = [{tests!r}, {here!r}]
from integration_helpers import CONFIG, Dying
from {module} import {name} as survive
from jido_ai.loop.pipeline import Pipeline

async def main():
    parts = Dying({log!r}, sys.argv[1])
    async with Pipeline(parts, parts, parts, {memory!r}, CONFIG) as pipeline:
        print(await survive(pipeline, {saved!r}))

asyncio.run(main())
"""


def check_survival(module: str, step: str, path: Path, name: str = "survive") -> None:
    """Run `survive(pipeline, saved)` of a test file in a process that is killed at a step, and again in another one.

    Its answer must be that of a run without the kill, and only the step in flight may be repeated.

    Args:
        module: name of the test file; its `survive` begins, or goes on with what the framework saved under the path
            `saved`, and returns the answer.
        path: an empty folder.
        name: of another function to use instead of `survive`.
    """
    here = Path(__file__).parent
    code = SURVIVING.format(
        tests=str(here.parent),
        here=str(here),
        module=module,
        name=name,
        log=str(path / "log"),
        memory=str(path / "memory.db"),
        saved=str(path / "saved"),
    )
    killed = subprocess.run([sys.executable, "-c", code, step], capture_output=True, text=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    again = subprocess.run([sys.executable, "-c", code, "never"], capture_output=True, text=True, check=False)
    assert again.stdout.strip().endswith("v3"), again.stderr
    steps = (path / "log").read_text().split("\n")[:-1]
    assert [one for one in set(steps) if steps.count(one) > 1] == [step]
    assert steps.count(step) == 2
