"""Classes, files, functions and calls of `Pipeline.run`, as its reader meets them.

A warm run of two iterations is followed with `sys.setprofile`: every function of the package that is called counts, its
file, and the class that it is a method of. Generated methods of dataclasses count as calls, not as places to read. One
JSON line without and one with a memory.

    python benchmarks/run_shape.py
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import jido_ai
from jido_ai import Candidate, CritiqueResult, LoopConfig, Pipeline, RunContext

_HOME = str(Path(jido_ai.__file__).parent)
_WARM_RUNS = 25
READ = {"nothing": (34, 47, 296, 653), "memory": (55, 76, 586, 2_257)}
"""Classes, files, functions and calls on 28 November 2026, when the package was read as its next owner would."""


@dataclass
class Shape:
    """What a run met.

    Attributes:
        calls: of functions of the package; a resumed coroutine is a call.
    """

    classes: set[str] = field(default_factory=set[str])
    files: set[str] = field(default_factory=set[str])
    functions: set[str] = field(default_factory=set[str])
    calls: int = 0

    def figures(self) -> dict[str, int]:
        """Return the four numbers."""
        sets = {name: len(met) for name, met in asdict(self).items() if name != "calls"}
        return {**sets, "calls": self.calls}

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(_HOME):
            return
        self.calls += 1
        self.files.add(code.co_filename[len(_HOME) + 1 :])
        self.functions.add(f"{code.co_filename}:{code.co_firstlineno}")
        owner = _class_of(code)
        if owner is not None:
            self.classes.add(f"{code.co_filename}:{owner}")


def _class_of(code: CodeType) -> str | None:
    """Return the name of the class that a method, or a function in one, belongs to."""
    owner, *parts = code.co_qualname.split(".")
    return owner if parts and parts[0] != "<locals>" else None


async def draft(prompt: str, context: RunContext) -> str:
    return "a first text"


async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    is_good = candidate.content.endswith("+")
    return CritiqueResult(severity=0.0 if is_good else 0.9, issues=[] if is_good else ["too short"])


async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    return f"{candidate.content} +"


async def shape_of(*, has_memory: bool) -> Shape:
    """Return what a warm run of two iterations meets."""
    shape = Shape()
    async with Pipeline(draft, judge, revise, memory=has_memory or None, config=LoopConfig()) as pipeline:
        for number in range(_WARM_RUNS):
            await pipeline.run(f"a text, number {number % 7}")
        await asyncio.sleep(0.2)  # what the last run left to do in the background
        sys.setprofile(shape)
        try:
            result = await pipeline.run("a text, number 3")
        finally:
            sys.setprofile(None)
    assert len(result.iterations) == 2
    return shape


def main() -> None:
    for kept, was in READ.items():
        figures = asyncio.run(shape_of(has_memory=kept == "memory")).figures()
        before = dict(zip(figures, was, strict=True))
        print(json.dumps({"what": "shape of a run", "kept": kept, **figures, "when read": before}))


if __name__ == "__main__":
    main()
