"""Judge and revise the output of a pydantic-ai agent.

$ python examples/integrations/with_pydantic_ai.py
answer: Supervisors are a good idea, useful.
accepted after 3 candidates
"""

import asyncio

from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel

from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext
from jido_ai.integrations.pydantic_ai import Reflect

model = TestModel(custom_output_text="Supervisors are a very good idea, really useful.")  # your own model


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    word = "very " if "very" in candidate.content else "really "
    return candidate.content.replace(word, "")


async def main() -> None:
    async with Pipeline(None, judge, revise) as pipeline:
        reflect = Reflect(pipeline)
        agent = Agent(model, capabilities=[reflect])
        result = await agent.run("Praise supervisors.")
        print("answer:", result.output)
        assert reflect.last is not None
        print(reflect.last.stop_reason, "after", reflect.last.total_iterations, "candidates")


asyncio.run(main())
