"""A pipeline without a model, whose components note what they see, for the tests of every framework."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
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


APPROVED = {"yes": (["v3", "v3!"], "v3!"), "v9": (["v3", "v9!"], "v9")}
"""What the approval nodes ask, and the answer, by the decision given to each."""
