"""The server of these measurements: one pipeline of 7 calls of a stub, a graph of one loop, and a line per call.

$ python benchmarks/serve/served.py PORT MEMORY DELAY_MS [CALLS_FILE] [TOKENS]
"""

from __future__ import annotations

import asyncio
import os
import sys

from jido_ai import Candidate, CritiqueResult, Graph, LoopConfig, LoopNode, Pipeline, RunContext
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve import create_app
from jido_ai.serve.server import bound_socket, serve

CALLS = 7
FIRST = "draft 0"
CONFIG = LoopConfig(max_iterations=4, severity_threshold=0.05, timeout_s=600.0, patience=10)


class Stub:
    """Judges and revises after a pause, as a model would; each call is a line of a file."""

    def __init__(self, delay_s: float, calls: str | None = None) -> None:
        self._delay_s = delay_s
        self._file = None if calls is None else os.open(calls, os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    async def _call(self, what: str, context: RunContext) -> None:
        if self._file is not None:
            os.write(self._file, f"{context.run_id} {what}\n".encode())
        if self._delay_s:
            await asyncio.sleep(self._delay_s)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        number = _number_of(candidate)
        await self._call(f"critique {number}", context)
        return CritiqueResult(severity=max(0.0, 0.9 - 0.2 * number), issues=[f"issue of {number}"])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        number = _number_of(candidate)
        await self._call(f"revise {number}", context)
        return f"draft {number + 1} " + "words " * 20 * (number + 1)


def _number_of(candidate: Candidate) -> int:
    """Return the number of "draft N"; of anything else 0."""
    words = candidate.content.split()
    return int(words[1]) if words[:1] == ["draft"] and len(words) > 1 and words[1].isdecimal() else 0


def things(delay_s: float, calls: str | None = None) -> dict[str, Pipeline | Graph]:
    """Return what is served."""
    stub = Stub(delay_s, calls)
    node = LoopNode("{prompt}", critiquer=stub, reviser=stub, initial=FIRST, config=CONFIG)
    return {
        "answer": Pipeline(None, stub, stub, config=CONFIG),
        "graph": Graph({"loop": node}, inputs=["prompt"], output="loop"),
    }


def main() -> None:
    port, memory, delay_ms, *more = sys.argv[1:]
    calls = more[0] if more and more[0] != "-" else None
    tokens = more[1] if len(more) > 1 else None
    app = create_app(
        things(float(delay_ms) / 1000, calls),
        memory=None if memory == "-" else ReflexionMemory(memory, similarity="weighted"),  # as in load.py
        tokens=tokens,
        max_runs=1_000,
        max_queue=10_000,
    )
    serve(app, bound_socket("127.0.0.1", int(port)), drain_s=5.0, tell=print)


if __name__ == "__main__":
    main()
