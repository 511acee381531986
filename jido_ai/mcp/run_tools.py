"""The tools that run something: improve, critique and run."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Final, TypeVar, cast

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent
from pydantic import BaseModel, Field

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import RunOrder
from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp.caller import Caller, CallerOf
from jido_ai.mcp.conversation import Conversation
from jido_ai.mcp.errors import as_tool_error
from jido_ai.mcp.limits import LARGEST, NEEDED, NOT_BLANK, check_run_id, check_size, permitted
from jido_ai.mcp.replies import CritiqueReply, ImproveReply, RunReply, critique_reply, improve_reply, run_reply
from jido_ai.mcp.runs import RunInFlight, Runner, RunReport
from jido_ai.values import new_id

Reply = TypeVar("Reply", bound=BaseModel)
Begin = Callable[[], Awaitable[RunInFlight | RunReport]]
MakeReply = Callable[[RunReport, str | None], Reply]
_IMPROVE: Final = "Improve this text."
_CRITIQUE: Final = "Judge this text."
_DEFAULT: Final = "default"

Text = Annotated[str, NEEDED, Field(max_length=LARGEST, description="The text, or the content of a file."), NOT_BLANK]
Task = Annotated[str, Field(max_length=LARGEST, description="What the text is for, or must do."), NOT_BLANK]
PipelineName = Annotated[
    str,
    Field(max_length=255, description='Name of a pipeline. "" if there is only one, or one is named "default".'),
    NOT_BLANK,
]


class RunTools:
    """The tools improve, critique and run."""

    def __init__(self, runner: Runner, caller_of: CallerOf) -> None:
        self._runner = runner
        self._caller_of = caller_of

    async def improve(
        self, context: Context[Any, Any], text: Text, task: Task = "", pipeline: PipelineName = ""
    ) -> ImproveReply | InputRequiredResult:
        """Critique and revise a text until it is good enough; return the best version and its open issues."""
        with as_tool_error():
            name, caller = self._pipeline(pipeline), permitted(self._caller_of, context, "run")
            asked = {"prompt": task or _IMPROVE, "initial": text}
            return await self._answer(context, self._order(name, None, caller, **asked), caller, improve_reply)

    async def critique(
        self, context: Context[Any, Any], text: Text, task: Task = "", pipeline: PipelineName = ""
    ) -> CritiqueReply:
        """Judge a text without changing it; return its score, severity and issues."""
        with as_tool_error():
            name = self._pipeline(pipeline)
            caller = permitted(self._caller_of, context, "run")
            judgement = await self._runner.critique(name, text, task or _CRITIQUE, caller)
            return critique_reply(judgement)

    async def run(
        self,
        context: Context[Any, Any],
        name: Annotated[str, Field(max_length=255, description="Name of a pipeline or graph."), NOT_BLANK] = "",
        prompt: Annotated[str, Field(max_length=LARGEST, description="Task of a pipeline."), NOT_BLANK] = "",
        inputs: Annotated[dict[str, Any] | None, Field(description="Inputs of a graph, by name.")] = None,
        run_id: Annotated[
            str,
            Field(
                max_length=255,
                description="Makes the call safe to repeat: the same id is the same run. Alone it asks for that run.",
            ),
            NOT_BLANK,
        ] = "",
    ) -> RunReply | InputRequiredResult:
        """Run a pipeline or graph by name, and return its output."""
        with as_tool_error():
            if run_id:
                check_run_id(run_id)
            if run_id and not (name or prompt or inputs):
                return await self._known(context, run_id)
            asked = self._asked(name, prompt, inputs)
            caller = permitted(self._caller_of, context, "run")
            return await self._answer(context, self._order(name, run_id or None, caller, **asked), caller, run_reply)

    # -- inside --------------------------------------------------------------------------------------

    async def _known(self, context: Context[Any, Any], run_id: str) -> RunReply | InputRequiredResult:
        caller = permitted(self._caller_of, context, "run")

        async def begin() -> RunReport:
            return await self._runner.load(run_id, caller.scope)

        return await self._replied(Conversation(self._runner, "", context, caller), begin, run_reply)

    async def _answer(
        self,
        context: Context[Any, Any],
        order: RunOrder,
        caller: Caller,
        reply: MakeReply[Reply],
    ) -> Reply | InputRequiredResult:
        async def begin() -> RunInFlight | RunReport:
            return await self._runner.start(order)

        return await self._replied(Conversation(self._runner, order.name, context, caller), begin, reply)

    @staticmethod
    def _order(name: str, run_id: str | None, caller: Caller, **asked: Any) -> RunOrder:
        return RunOrder(
            run_id=new_id("run") if run_id is None else run_id,
            name=name,
            scope=caller.scope,
            token=caller.id,
            is_fresh=run_id is None,
            **asked,
        )

    @staticmethod
    async def _replied(
        conversation: Conversation, begin: Begin, reply: MakeReply[Reply]
    ) -> Reply | InputRequiredResult:
        ended = await conversation.carried_out(begin)
        if isinstance(ended, InputRequiredResult):
            return ended
        report, note = ended
        made = reply(report, note)
        if report.status != "failed":
            return made
        words = json.dumps(made.model_dump(mode="json"), ensure_ascii=False)
        content = TextContent(type="text", text=words)
        failed = CallToolResult(content=[content], structured_content=json.loads(words), is_error=True)
        return cast("Reply", failed)  # mcp takes it as it is

    def _pipeline(self, name: str) -> str:
        """Return the name of a pipeline. Raises `ConfigurationError` if there is none, or none was named."""
        names = [one for one, served in self._runner.served.items() if isinstance(served, Pipeline)]
        if name:
            if name in names:
                return name
            raise ConfigurationError(f"there is no pipeline {name[:100]!r}; known: {', '.join(names) or 'none'}")
        if len(names) == 1:
            return names[0]
        if _DEFAULT in names:
            return _DEFAULT
        raise ConfigurationError(f"name a pipeline; known: {', '.join(names) or 'none'}")

    def _asked(self, name: str, prompt: str, inputs: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the prompt of a pipeline, or the inputs of a graph."""
        served = self._runner.served.get(name)
        if served is None:
            known = ", ".join(self._runner.served) or "none"
            what = f"there is no pipeline or graph {name[:100]!r}" if name else "name a pipeline or graph"
            raise ConfigurationError(f"{what}; known: {known}")
        if prompt and inputs:
            raise ToolError("give a prompt or inputs, not both")
        if not isinstance(served, Graph):
            if inputs:
                raise ToolError(f"{name!r} is a pipeline: it takes a prompt, not inputs")
            return {"prompt": prompt}
        check_size("inputs", inputs)
        if prompt:
            if len(served.inputs) != 1:
                raise ToolError(f"{name!r} is a graph: it takes inputs: {', '.join(served.inputs) or 'none'}")
            inputs = {served.inputs[0]: prompt}
        return {"inputs": inputs or {}}
