"""The tools that run something: improve, critique and run."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar, cast

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    CallToolResult,
    ClientCapabilities,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    TextContent,
)
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import RunOrder
from jido_ai.graph.served import Served
from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp.limits import (
    LARGEST,
    NEEDED,
    NOT_BLANK,
    Caller,
    CallerOf,
    as_tool_error,
    check_run_id,
    check_size,
    permitted,
)
from jido_ai.mcp.replies import CritiqueReply, ImproveReply, RunReply, critique_reply, improve_reply, run_reply
from jido_ai.mcp.runs import RunInFlight, Runner, RunReport
from jido_ai.runs.questions import REVISION, Question
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


# -- conversation ----------------------------------------------------------------------------------


_CANCEL_S: Final = 5.0
_ASKS_BY_RESULT: Final = "2026-07-28"
_NOT_ASKED: Final = "the run waits for a decision, and this client cannot ask a person for one"
_DECLINED: Final = "nobody decided, so the run is suspended"
_AGAIN: Final = "to be asked again, call run with the run_id {run_id!r} and nothing else"


class Conversation:
    """A call of a tool, from its start to its reply.

    Args:
        name: of the pipeline or graph; "" if unknown.
        context: of the call.
    """

    def __init__(self, runner: Runner, name: str, context: Context[Any, Any], caller: Caller) -> None:
        self._runner = runner
        self._context = context
        self._caller = caller
        self._progress = ToolProgress()
        self._total = total_of(runner.served.get(name))

    async def carried_out(
        self, begin: Callable[[], Awaitable[RunInFlight | RunReport]]
    ) -> tuple[RunReport, str | None] | InputRequiredResult:
        """Carry out a run to its end, or to a question that the client answers by calling again.

        Cancelling the call ends the run.

        Args:
            begin: starts the run, or returns the report of one that is known.

        Returns:
            The report, and a note if the run is suspended.

        Raises:
            JidoError: as `Runner`.
            ToolError: an answer without its question.
        """
        pending = pending_in(self._context.request_state)
        if pending is None:
            if self._context.input_responses:
                raise ToolError("the answer lacks requestState, which says what it answers")
            begun = await begin()
            report = begun if isinstance(begun, RunReport) else await self._followed(begun)
        else:
            report, is_declined = await self._answered(pending)
            if is_declined:
                return report, self._note(report, _DECLINED)
        if "read" not in self._caller.may and report.token not in (None, self._caller.id):
            raise ToolError("the token lacks the scope 'read', which the run of another token needs")
        while report.status == "suspended" and report.questions:
            question = report.questions[0]
            if not can_ask(self._context.client_capabilities):
                return report, self._note(report, _NOT_ASKED)
            if self._asks_by_result():
                return question_result(report, question)
            if not self._context.session.can_send_request:
                return report, self._note(report, _NOT_ASKED)
            decision = await self._asked(question)
            if decision is None:
                return report, self._note(report, _DECLINED)
            report = await self._decided(report, question, decision)
        if report.status == "suspended":
            return report, "the run waits for a decision that cannot be given: it has no journal"
        return report, None

    async def _answered(self, pending: PendingQuestion) -> tuple[RunReport, bool]:
        """Take the answer to a question; return the run after it, and whether no decision was made."""
        report = await self._runner.load(pending.run_id, self._caller.scope)
        question = next((one for one in report.questions if one.id == pending.question), None)
        if report.status != "suspended" or question is None:
            return report, False  # somebody else answered; a later question is asked anew
        answer = (self._context.input_responses or {}).get(KEY)
        if not isinstance(answer, ElicitResult):
            return report, answer is not None
        decision = decision_in(answer.action, answer.content)
        if decision is None:
            return report, True
        return await self._decided(report, question, decision), False

    async def _decided(self, report: RunReport, question: Question, decision: bool | str) -> RunReport:
        return await self._followed(await self._runner.resume(report, question, decision, self._caller))

    async def _asked(self, question: Question) -> bool | str | None:
        answer = await self._context.session.elicit_form(
            message_of(question), SCHEMA, related_request_id=self._context.request_id
        )
        return decision_in(answer.action, answer.content)

    async def _followed(self, flight: RunInFlight) -> RunReport:
        """Report every step to the client, and return the report of the end."""
        try:
            async with aclosing(flight.events()) as events:
                async for event in events:
                    words = self._progress.words_for(event)
                    if words is not None:
                        await self._context.report_progress(self._progress.steps, self._total, words)
            return await flight.result()
        except BaseException:
            with anyio.move_on_after(_CANCEL_S, shield=True):
                await flight.cancel()
            raise

    def _asks_by_result(self) -> bool:
        version = self._context.protocol_version
        return version is not None and is_version_at_least(version, _ASKS_BY_RESULT)

    @staticmethod
    def _note(report: RunReport, why: str) -> str:
        return f"{why}; {_AGAIN.format(run_id=report.run_id)}"


# -- progress --------------------------------------------------------------------------------------


def total_of(served: Served | None) -> float | None:
    """Return the maximum number of iterations of a run; None if it is unknown."""
    return None if served is None or isinstance(served, Graph) else float(served.config.max_iterations)


class ToolProgress:
    """Counts the steps of one run.

    Attributes:
        steps: judged candidates and finished nodes so far.
    """

    def __init__(self) -> None:
        self.steps = 0

    def words_for(self, event: Mapping[str, Any]) -> str | None:
        """Return the words for an event, and count it; None for one that is no step."""
        path = event.get("path", "")
        match event["type"]:
            case "Critiqued":
                self.steps += 1
                return _critiqued(event["iteration"], str(path).partition("/iteration ")[0])
            case "NodeStopped" if path:
                self.steps += 1
                return f"{path}: {event['result']['status']}"
            case _:
                return None


def _critiqued(iteration: Mapping[str, Any], path: str) -> str:
    critique = iteration["critique"]
    count = len(critique["issues"])
    issues = "1 issue" if count == 1 else f"{count} issues"
    where = f"{path}: " if path else ""
    return (
        f"{where}iteration {iteration['index'] + 1}: score {critique['score']:.2f}, "
        f"severity {critique['severity']:.2f}, {issues}"
    )


# -- approval --------------------------------------------------------------------------------------


KEY: Final = "decision"
_YES: Final = frozenset({"yes", "true", "approve", "approved", "accept"})
_NO: Final = frozenset({"no", "false", "refuse", "refused", "reject", "rejected"})
_SHOWN_CHARS: Final = 20_000
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "decision": {
            "type": "string",
            "title": "Decision",
            "description": "yes takes the text, no refuses it.",
            "enum": ["yes", "no"],
        },
        "text": {
            "type": "string",
            "title": "Another text",
            "description": "Replaces the text, unless the decision is no.",
        },
    },
    "required": ["decision"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingQuestion:
    """A question that was asked, with its run and the name of the pipeline or graph."""

    run_id: str
    name: str
    question: str


def can_ask(capabilities: ClientCapabilities | None) -> bool:
    """Tell whether a client can show a form to a person."""
    elicitation = None if capabilities is None else capabilities.elicitation
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def message_of(question: Question) -> str:
    """Return the words of the question."""
    where = f" at {question.path}" if question.path != REVISION else ""
    text = question.text
    if len(text) > _SHOWN_CHARS:
        text = f"{text[:_SHOWN_CHARS]}\n(and {len(text) - _SHOWN_CHARS} more characters)"
    reason = f"\n\nIt was made because of:\n{question.feedback}" if question.feedback else ""
    return f"The run waits for a decision{where}. Approve this text?\n\n{text}{reason}"


def question_result(report: RunReport, question: Question) -> InputRequiredResult:
    """Return the result that asks a client's person; the client calls again with the answer."""
    state = {"run_id": report.run_id, "name": report.name, "question": question.id}
    form = ElicitRequestFormParams(message=message_of(question), requested_schema=SCHEMA)
    return InputRequiredResult(input_requests={KEY: ElicitRequest(params=form)}, request_state=json.dumps(state))


def pending_in(state: str | None) -> PendingQuestion | None:
    """Return the question that a second call answers; None for a first call. The state was sealed by this server."""
    return None if state is None else PendingQuestion(**json.loads(state))


def decision_in(action: str, content: Mapping[str, object] | None) -> bool | str | None:
    """Return the decision in an answer: True, False, or the text that replaces the one shown; None if there is none.

    A client may also answer with a boolean, or with a text instead of "yes" and "no".
    """
    if action != "accept" or not content:
        return None
    said, text = content.get("decision", content.get("approve")), content.get("text")
    word = said.strip().lower() if isinstance(said, str) else said
    if word is False or word in _NO:
        return False
    if isinstance(text, str) and text.strip():
        return text
    if word is True or word in _YES:
        return True
    return said if isinstance(said, str) and said.strip() else None
