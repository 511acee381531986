"""Conversation: one call of a tool that runs something: progress, questions to a person, and the end.

Protocol 2026-07-28 asks by a result: the client calls again with the answer. Older protocols ask in between.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least

from jido_ai.mcp.approval import (
    KEY,
    SCHEMA,
    Pending,
    can_ask,
    decision_in,
    message_of,
    pending_in,
    question_result,
)
from jido_ai.mcp.caller import Caller
from jido_ai.mcp.progress import Progress, total_of
from jido_ai.mcp.runs import RunInFlight, Runner, RunReport
from jido_ai.runs.questions import Question

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
        self._progress = Progress()
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

    async def _answered(self, pending: Pending) -> tuple[RunReport, bool]:
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
