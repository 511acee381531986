"""Judge and revise the output of a CrewAI task.

$ python examples/integrations/with_crewai.py
answer: Supervisors are a good idea, useful.
"""

import os

os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")

from crewai import Agent, BaseLLM, Crew, Task

from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext
from jido_ai.integrations.crewai import reflection_guardrail


class Llm(BaseLLM):  # your own LLM
    def call(self, messages, *args, **options):
        return "Supervisors are a very good idea, really useful."


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    word = "very " if "very" in candidate.content else "really "
    return candidate.content.replace(word, "")


writer = Agent(role="writer", goal="write", backstory="writes briefly", llm=Llm(model="offline"))
task = Task(
    description="Praise supervisors.",
    expected_output="one sentence",
    agent=writer,
    guardrail=reflection_guardrail(Pipeline(None, judge, revise)),
)
print("answer:", Crew(agents=[writer], tasks=[task]).kickoff().raw)
