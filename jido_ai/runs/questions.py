"""Questions: what a suspended run asks a person, and the decisions that answer them. Pure.

The id of a question names its place and a digest of the text that was shown. A decision counts for that question alone:
where the text would be another one when the run goes on, the question is asked again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, OtherQuestionError, describe
from jido_ai.values import Candidate

Decision = bool | str | Candidate
Decisions = Decision | Mapping[str, Decision]
"""One answer, or several by path or by id of the question."""
REVISION: Final = "revision"
"""The path of the question of a pipeline's run: whether to accept its newest revision."""
ASKED_AGAIN: Final = "asked again, because the text is not the one that was shown before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A decision that a suspended run waits for.

    Attributes:
        id: of this text at this place; a decision may name it: `resume(run_id, decision={question.id: True})`.
        path: of the node in a graph; "revision" in a pipeline.
        text: the text to approve, as it is shown.
        feedback: critique of the text that it was revised from; "" if there is none.
        note: why it is asked again; "" if it is not.
    """

    id: str
    path: str
    text: str
    feedback: str = ""
    note: str = ""


def question_id(path: str, text: str) -> str:
    """Return the id of the question whether a text at a path is right."""
    return f"{path}:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def check_decision(decision: object) -> None:
    """Raise `ConfigurationError` for what no person's answer can be; None is no answer."""
    given = cast("Mapping[object, object]", decision).values() if isinstance(decision, Mapping) else [decision]
    for one in given:
        if one is not None and not isinstance(one, bool | str | Candidate):
            raise ConfigurationError(f"a decision must be a bool, a str or a Candidate, got {describe(one)}")
        if isinstance(one, str) and not one.strip():
            raise ConfigurationError(f"a decision must not be blank, got {describe(one)}; False refuses")


def answers_of(
    decision: object, asked: Mapping[str, str] | Sequence[Question], *, run_id: str, status: str
) -> dict[str, Decision]:
    """Return a decision by path.

    Args:
        decision: True, False, a text or a `Candidate`; or several by path, or by id of the question.
        asked: the open questions, or their ids by path.

    Raises:
        OtherQuestionError: it names a question that is not the open one at its place.
        ConfigurationError: nothing waits for it, several do and it names none, or it is no decision.
    """
    ids = dict(asked) if isinstance(asked, Mapping) else {one.path: one.id for one in asked}
    check_decision(decision)
    if not ids:
        raise ConfigurationError(f"run {run_id!r} waits for no decision (it is {status}); nothing was changed")
    if isinstance(decision, Mapping):
        given = cast("Mapping[object, Decision]", decision)
        return {_path_of(str(name), ids, run_id): one for name, one in given.items()}
    first, *others = ids
    if others:
        raise ConfigurationError(
            f"several nodes wait for a decision: {', '.join(ids)}; give them by path: decision={{path: ...}}"
        )
    return {first: cast("Decision", decision)}


def text_answers_of(
    decision: object, asked: Mapping[str, str] | Sequence[Question], *, run_id: str, status: str
) -> dict[str, bool | str]:
    """Return a decision by path as JSON values: of a candidate its text. Raises as `answers_of`."""
    answers = answers_of(decision, asked, run_id=run_id, status=status)
    return {path: one.content if isinstance(one, Candidate) else one for path, one in answers.items()}


def _path_of(name: str, ids: Mapping[str, str], run_id: str) -> str:
    """Return the path that a decision names, by itself or in the id of its question."""
    if name in ids:
        return name
    path = name.rpartition(":")[0]
    if path and ids.get(path) == name:
        return path
    if path in ids:
        raise OtherQuestionError(
            f"question {name!r} of run {run_id!r} is not open: the text that is shown now is another one, and its "
            f"question is {ids[path]!r}; nothing was changed"
        )
    raise ConfigurationError(f"{name!r} waits for no decision; {nearest(name, list(ids))}")
