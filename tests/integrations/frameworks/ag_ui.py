"""AG-UI, over HTTP without a network."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import Any

import httpx
from ag_ui.core import RunAgentInput
from fastapi import FastAPI
from frameworks.host import Host as Base
from frameworks.host import Turn
from integration_helpers import PROMPT

from jido_ai.integrations.ag_ui import router


async def asked(
    pipeline: Any, text: str = PROMPT, *, thread_id: str = "t", run_id: str = "r1", approve: bool = False, **more: Any
) -> Any:
    app = FastAPI()
    app.include_router(router(pipeline, approve=approve), prefix="/agent")
    messages = more.pop("messages", [{"id": "m1", "role": "user", "content": text}])
    given = RunAgentInput(thread_id=thread_id, run_id=run_id, messages=messages, **more)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        response = await client.post("/agent/", json=given.model_dump(mode="json", by_alias=True, exclude_none=True))
    assert response.status_code == 200, response.text
    return [json.loads(line.removeprefix("data: ")) for line in response.text.split("\n\n") if line]


def text_of(events: list[Any]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


class RunError(Exception):
    """The last event of a run."""


class Host(Base):
    column = "AG-UI"
    keeps = "the ids of the interrupt and its thread, which the client keeps"

    async def open(self) -> None:
        self.runs = count()

    async def ask(self, prompt: str = PROMPT, **options: Any) -> Turn:
        return await self._turn(prompt, thread_id=f"t{next(self.runs)}", **options)

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        name, thread = turn.place
        entry = {"interrupt_id": name, "status": "resolved", "payload": decision}
        return await self._turn(PROMPT, thread_id=thread, run_id=f"again{next(self.runs)}", resume=[entry])

    async def go_on(self, turn: Turn) -> Turn:
        return await self._turn(PROMPT, thread_id=turn.place[1], run_id="r1")

    async def _turn(self, prompt: str, *, thread_id: str, **options: Any) -> Turn:
        events = await asked(self.pipeline, prompt, thread_id=thread_id, approve=self.approve, **options)
        if events[-1]["type"] == "RUN_ERROR":
            raise RunError(events[-1]["message"])
        if events[-1]["outcome"]["type"] == "interrupt":
            (interrupt,) = events[-1]["outcome"]["interrupts"]
            return Turn(question=interrupt["metadata"], place=(interrupt["id"], thread_id))
        return Turn(text_of(events), report=events[-1]["result"])

    async def both(self) -> list[str | None]:
        turns = await asyncio.gather(self.ask(), self.ask())
        while all(turn.question for turn in turns):
            turns = await asyncio.gather(*(self.answer(turn, "yes") for turn in turns))
        return [turn.text for turn in turns]

    async def streamed(self) -> tuple[int, str | None]:
        events = await asked(self.pipeline)
        deltas = [one for event in events if event["type"] == "STATE_DELTA" for one in event["delta"]]
        return sum(one["op"] == "add" for one in deltas), text_of(events)

    async def after_messages(self) -> str | None:
        said = [("user", "before"), ("assistant", "so"), ("user", PROMPT)]
        messages = [{"id": str(i), "role": role, "content": text} for i, (role, text) in enumerate(said)]
        return (await self.ask(messages=messages)).text

    async def pending(self) -> str | None:
        call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        messages = [
            {"id": "m1", "role": "user", "content": PROMPT},
            {"id": "m2", "role": "assistant", "toolCalls": [call]},
        ]
        return (await self.ask(messages=messages)).text
