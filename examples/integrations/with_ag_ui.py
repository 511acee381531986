"""Serve a pipeline to user interfaces over AG-UI, and read its events as a client does.

$ python examples/integrations/with_ag_ui.py
RUN_STARTED
STATE_SNAPSHOT
STATE_DELTA score 0.2
STATE_DELTA score 0.6
STATE_DELTA score 1.0
STATE_DELTA accepted
TEXT_MESSAGE_START
TEXT_MESSAGE_CONTENT Supervisors are a good idea, useful.
TEXT_MESSAGE_END
RUN_FINISHED
"""

import asyncio
import json

import httpx
from ag_ui.core import RunAgentInput, UserMessage
from fastapi import FastAPI

from jido_ai import Candidate, CritiqueResult, Pipeline, RunContext
from jido_ai.integrations.ag_ui import router


def write(prompt: str, context: RunContext) -> str:  # your own model
    return "Supervisors are a very good idea, really useful."


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in candidate.content]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    word = "very " if "very" in candidate.content else "really "
    return candidate.content.replace(word, "")


def shown(event: dict) -> str:
    if event["type"] == "TEXT_MESSAGE_CONTENT":
        return f"TEXT_MESSAGE_CONTENT {event['delta']}"
    if event["type"] == "STATE_DELTA":
        value = event["delta"][0]["value"]
        told = value if isinstance(value, str) else f"score {value['iteration']['candidate']['score']:.1f}"
        return f"STATE_DELTA {told}"
    return event["type"]


async def main() -> None:
    async with Pipeline(write, judge, revise) as pipeline:
        app = FastAPI()
        app.include_router(router(pipeline), prefix="/agent")  # serve it with uvicorn
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://app") as client:
            asked = RunAgentInput(
                thread_id="thread-1",
                run_id="run-1",
                messages=[UserMessage(id="1", content="Praise supervisors.")],
                state={},
                tools=[],
                context=[],
                forwarded_props={},
            )
            answered = await client.post("/agent/", json=asked.model_dump(mode="json", by_alias=True))
        for line in answered.text.strip().split("\n\n"):
            print(shown(json.loads(line.removeprefix("data: "))))


asyncio.run(main())
