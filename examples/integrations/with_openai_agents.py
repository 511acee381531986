"""Let an agent of the OpenAI Agents SDK answer again until its answer is accepted.

$ python examples/integrations/with_openai_agents.py
answer: Supervisors are a good idea, useful.
accepted after 2 attempts
"""

import asyncio

from agents import Agent, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message

from jido_ai import Candidate, CritiqueResult, RunContext
from jido_ai.integrations.openai_agents import run_until_accepted

set_tracing_disabled(True)
drafts = ["Supervisors are a very good idea, really useful.", "Supervisors are a good idea, useful."]
model = ScriptedModel([[assistant_message(draft)] for draft in drafts])  # your own model


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


async def main() -> None:
    done = await run_until_accepted(Agent("writer", model=model), "Praise supervisors.", judge)
    print("answer:", done.final_output)
    print("accepted" if done.accepted else "not accepted", "after", done.attempts, "attempts")


asyncio.run(main())
