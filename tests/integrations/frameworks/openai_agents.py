"""OpenAI Agents: the tool of a pipeline, and `run_until_accepted` where it judges an agent's answers."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from agents import Agent, Runner, RunState, Usage, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call
from frameworks.host import Host as Base
from frameworks.host import Turn
from integration_helpers import PROMPT

from jido_ai.integrations.openai_agents import reflection_tool, run_until_accepted

set_tracing_disabled(True)
SPENT = Usage(requests=1, input_tokens=7, output_tokens=2, total_tokens=9)


def saying(*texts: str) -> ScriptedModel:
    return ScriptedModel([[assistant_message(text)] for text in texts], default_usage=SPENT)


def calling(task: str = PROMPT, calls: int = 1) -> ScriptedModel:
    """Call the tool, and answer "done"."""
    steps = [[function_call("reflect", {"task": task}, call_id=f"call-{i}")] for i in range(calls)]
    return ScriptedModel([*steps, [assistant_message("done")]], default_usage=SPENT)


def told(result: Any) -> list[Any]:
    return [item["output"] for item in result.to_input_list() if item.get("type") == "function_call_output"]


class Host(Base):
    column = "OpenAI Agents"
    decisions: ClassVar[Any] = {
        "yes": ([None], "v3"),
        "no": ([None], "Tool execution was not approved."),
        "v9": ([None], "v9"),
    }
    decided = "before the tool runs, about its task; another answer is told to the model"
    repeats = "the state of a run is a value, and each use of it runs the tool"
    takes_any = "any text is told to the model"
    keeps = "the state of the run, which the caller keeps as JSON"

    async def open(self) -> None:
        self.tool = reflection_tool(self.pipeline, needs_approval=self.approve)

    def agent(self, model: Any, **options: Any) -> Any:
        return Agent("writer", model=model, tools=[self.tool], **options)

    async def ask(self, prompt: str = PROMPT) -> Turn:
        return self._turn(await Runner.run(self.agent(calling(prompt)), "go"))

    async def answer(self, turn: Turn, decision: Any) -> Turn:
        agent = self.agent(saying("done"))
        state = await RunState.from_json(agent, json.loads(turn.place))
        (interruption,) = state.get_interruptions()
        if decision == "yes":
            state.approve(interruption)
        else:
            state.reject(interruption, **({} if decision == "no" else {"rejection_message": decision}))
        return self._turn(await Runner.run(agent, state))

    async def go_on(self, turn: Turn) -> Turn:
        agent = self.agent(saying("done"))
        return self._turn(await Runner.run(agent, await RunState.from_json(agent, json.loads(turn.place))))

    def _turn(self, result: Any) -> Turn:
        if result.interruptions:
            asked = json.loads(result.interruptions[0].arguments)
            return Turn(question={"prompt": asked["task"]}, place=json.dumps(result.to_state().to_json()))
        return Turn(told(result)[-1])

    async def both(self) -> list[str | None]:
        calls = [function_call("reflect", {"task": PROMPT}, call_id=name) for name in "ab"]
        agent = self.agent(ScriptedModel([calls, [assistant_message("done")]]))
        result = await Runner.run(agent, "go")
        if result.interruptions:
            state = result.to_state()
            for one in result.interruptions:
                state.approve(one)
            result = await Runner.run(agent, state)
        return told(result)

    async def streamed(self) -> tuple[int, str | None]:
        result = Runner.run_streamed(self.agent(calling()), "go")
        outputs = [
            event.item.output async for event in result.stream_events() if getattr(event, "name", "") == "tool_output"
        ]
        return 0, outputs[-1]

    async def after_messages(self) -> str | None:
        before = [{"role": "user", "content": "before"}, {"role": "assistant", "content": "so"}]
        given = [*before, {"role": "user", "content": PROMPT}]
        model = saying("v0", "v1", "v2", "v3")
        done = await run_until_accepted(Agent("writer", model=model), given, self.parts, max_attempts=4, threshold=0.1)
        return done.final_output

    async def pending(self) -> str | None:
        def look() -> str:
            return "seen"

        model = ScriptedModel([[function_call("look", {}, call_id="1")]])
        tools = [function_tool(look, needs_approval=True)]
        done = await run_until_accepted(Agent("writer", model=model, tools=tools), PROMPT, self.parts)
        assert done.result.interruptions
        return None
