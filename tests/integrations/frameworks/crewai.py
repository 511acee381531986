"""CrewAI: the guardrail of a task, and the step of a flow."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from integration_helpers import PROMPT

os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")
os.environ.setdefault("OTEL_SDK_DISABLED", "true")  # only here: it would blind the tests of our own telemetry

from crewai import Agent, BaseLLM, Crew, Task
from crewai.flow.flow import Flow, listen, start
from frameworks.host import NoSuchThing, Note, Silent, Turn

from jido_ai.integrations.crewai import reflection_guardrail, reflection_step


class Llm(BaseLLM):
    """An LLM without a provider that answers "v0", "v1", ..."""

    model: str = "scripted"
    asked: list[Any] = []
    error: Any = None

    def call(self, messages: Any, *args: Any, **options: Any) -> str:
        self.asked.append(messages)
        if self.error is not None:
            raise self.error
        return f"v{len(self.asked) - 1}"


class Typing(Llm):
    def call(self, messages: Any, *args: Any, **options: Any) -> str:
        return '{"text": "v0"}'


def crew(guardrail: Any, llm: Any = None, prompt: str = PROMPT, **options: Any) -> Crew:
    writer = Agent(role="writer", goal="write", backstory="none", llm=llm or Llm(model="scripted", asked=[]))
    fields = {"description": prompt, "expected_output": "text", "agent": writer, **options}
    task = Task(guardrail=guardrail, guardrail_max_retries=4, **fields)
    return Crew(agents=[writer], tasks=[task], verbose=False)


class Host(Silent):
    column = "CrewAI"
    why = "a guardrail, tool or step asks nobody"

    def flow(self) -> Any:
        step = reflection_step(self.pipeline)

        class Writing(Flow[dict]):  # type: ignore[type-arg]
            judge = start()(step)

        return Writing()

    async def ask(self, prompt: str = PROMPT) -> Turn:
        return Turn(await self.flow().kickoff_async(inputs={"prompt": prompt}))

    async def both(self) -> list[str | None]:
        step, told = reflection_step(self.pipeline), []

        class Writing(Flow[dict]):  # type: ignore[type-arg]
            left = start()(step)
            right = start()(step)

            @listen("left")
            def after_left(self, text: str) -> None:
                told.append(text)

            @listen("right")
            def after_right(self, text: str) -> None:
                told.append(text)

        await Writing().kickoff_async(inputs={"prompt": PROMPT})
        return told

    async def streamed(self) -> tuple[int, str | None]:
        team = crew(reflection_guardrail(self.pipeline))
        team.stream = True
        streaming = await team.kickoff_async()
        async for _ in streaming:
            pass
        return 0, streaming.result.raw

    async def typed(self) -> Any:
        team = crew(reflection_guardrail(self.pipeline), Typing(model="scripted"), output_pydantic=Note)
        return (await asyncio.to_thread(team.kickoff)).pydantic

    async def after_messages(self) -> str | None:
        step = reflection_step(self.pipeline)

        class Writing(Flow[dict]):  # type: ignore[type-arg]
            @start()
            def write(self) -> str:
                return "v2"

            judge = listen(write)(step)

        return await Writing().kickoff_async(inputs={"prompt": PROMPT})

    async def pending(self) -> str | None:
        raise NoSuchThing("an agent has run its tools before its task has an output")
