"""The loop: a tool finds issues, a reviser fixes them, the tool checks again, until no issue is left.

$ python examples/03_critique_revise.py
critique 0: severity 0.70, 4 issues
critique 1: severity 0.00, 0 issues
accepted
def area(r):
    return 3.14 * r * r
"""

from __future__ import annotations

import asyncio

from jido_ai import Critiqued, LoopConfig, Pipeline, RunStopped, TargetedReviser, ToolCritiquer

DRAFT = """\
import os, sys


def area(r):
    return 3.14 * r * r
"""


async def main() -> None:
    pipeline = Pipeline(
        critiquer=ToolCritiquer(["compile", "ruff"], severity_map={"F401": 0.7, "E401": 0.2, "I001": 0.0}),
        reviser=TargetedReviser(),
        config=LoopConfig(accept="clean", max_iterations=4),
    )
    async with pipeline:
        async for event in pipeline.stream("write a function for the area of a circle", DRAFT):
            match event:
                case Critiqued(iteration=iteration):
                    critique = iteration.critique
                    count = len(critique.issues)
                    print(f"critique {iteration.index}: severity {critique.severity:.2f}, {count} issues")
                case RunStopped(result=result):
                    assert result.best_candidate is not None
                    print(result.stop_reason.value)
                    print(result.best_candidate.content.strip())
                case _:
                    pass


if __name__ == "__main__":
    asyncio.run(main())
