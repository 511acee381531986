"""Approval: a suspended run's question as a form for a person, and the decision in the answer. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from mcp_types import ClientCapabilities, ElicitRequest, ElicitRequestFormParams, InputRequiredResult

from jido_ai.mcp.runs import RunReport
from jido_ai.runs.questions import REVISION, Question

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
class Pending:
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


def pending_in(state: str | None) -> Pending | None:
    """Return the question that a second call answers; None for a first call. The state was sealed by this server."""
    return None if state is None else Pending(**json.loads(state))


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
