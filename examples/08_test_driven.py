"""The test-driven loop: tests judge every attempt, its lesson goes to the next one, partial results are kept.

A list of programs stands in for a model. To run real pytest files in the sandbox, replace `run_tests` by a
`PytestExecutor`.

$ python examples/08_test_driven.py
attempt 1: 1 of 3 tests passed
  lesson: Compare the expected and the actual value of the first failing test, and trace the code th
attempt 2: 2 of 3 tests passed
  lesson: Check the input against the requirements before it is used. What was found: [of none] Zero
attempt 3: 3 of 3 tests passed
accepted after 3 attempts, with 2 reflections
"""

from __future__ import annotations

import asyncio
from typing import Any

from jido_ai import Candidate, Critiqued, Pipeline, PytestCritiquer, Reflector, RunContext, RunStopped
from jido_ai.critics import PytestResult, driven_by_tests
from jido_ai.events import Reflected

ATTEMPTS = [
    "def mean(xs): return xs[0]",
    "def mean(xs): return sum(xs) / len(xs)",
    "def mean(xs): return sum(xs) / len(xs) if xs else 0.0",
]
CASES: dict[str, tuple[list[float], float]] = {
    "of one": ([3.0], 3.0),
    "of two": ([1.0, 2.0], 1.5),
    "of none": ([], 0.0),
}


def run_tests(candidate: Candidate, context: RunContext) -> list[PytestResult]:
    namespace: dict[str, Any] = {}
    exec(candidate.content, namespace)
    results: list[PytestResult] = []
    for name, (given, wanted) in CASES.items():
        try:
            came = namespace["mean"](given)
            error = "" if came == wanted else f"AssertionError: {came} != {wanted}"
        except (IndexError, ZeroDivisionError) as crash:
            error = f"{type(crash).__name__}: {crash}"
        results.append(PytestResult(name, not error, error=error))
    return results


def write(prompt: str, context: RunContext) -> str:
    return ATTEMPTS[0]


def revise(candidate: Candidate, critique: object, context: RunContext) -> str:
    assert len(context.lessons) == context.iteration + 1  # one per attempt so far
    return ATTEMPTS[context.iteration + 1]


async def main() -> None:
    pipeline = Pipeline(write, PytestCritiquer(run_tests), revise, config=driven_by_tests(3), reflector=Reflector())
    async with pipeline:
        async for event in pipeline.stream("write a function for the mean of a list of numbers"):
            match event:
                case Critiqued(iteration=iteration):
                    tests = iteration.critique.metadata
                    print(f"attempt {iteration.index + 1}: {tests['passed']} of {tests['tests']} tests passed")
                case Reflected(reflection=reflection):
                    print(f"  lesson: {reflection.lesson[:90]}")
                case RunStopped(result=result):
                    attempts, reflections = result.total_iterations, len(result.reflections)
                    print(f"{result.stop_reason} after {attempts} attempts, with {reflections} reflections")
                case _:
                    pass


if __name__ == "__main__":
    asyncio.run(main())
