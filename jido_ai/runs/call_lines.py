"""The calls of a run as lines of its log: equal messages are written once. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, StoreDamagedError
from jido_ai.text.plain_json import dumped
from jido_ai.values.base import Value
from jido_ai.values.model import Message
from jido_ai.values.model_call import ModelCall
from jido_ai.values.record import LogName, Record

__all__ = ["CALLS", "CallLines", "calls_in"]

CALLS: Final[LogName] = "calls"
_FIRST: Final = "first"
"""Kind of the first line of a run; those before it are of a run that had the same id."""


class CallLines:
    """Makes the lines of one run.

    Args:
        earlier: calls of the run that have been written.
    """

    def __init__(self, earlier: Iterable[ModelCall] = ()) -> None:
        self._places: dict[Message, tuple[int, int]] = {}
        self._kind = _FIRST
        for call in earlier:
            self._kind = ""
            self._placed(call)

    def line(self, call: ModelCall) -> tuple[str, dict[str, Any]]:
        """Return kind and data of the next line."""
        messages = [self._places.get(message) or [message.role, message.content] for message in call.messages]
        self._placed(call)
        kind, self._kind = self._kind, ""
        fields = {name: value for name, value in call.__dict__.items() if name not in ("run_id", "messages")}
        data = {name: dumped(value) if isinstance(value, Value) else value for name, value in fields.items()}
        data["started"] = call.started.isoformat()
        data["tries"] = [dumped(one) for one in call.tries]
        return kind, {**data, "messages": messages}

    def _placed(self, call: ModelCall) -> None:
        for index, message in enumerate(call.messages):
            self._places.setdefault(message, (call.seq, index))


def calls_in(records: Sequence[Record]) -> tuple[ModelCall, ...]:
    """Return the calls of a run, in the order in which they began, from its lines in the order of writing.

    Raises:
        StoreDamagedError: a line cannot be read.
    """
    calls: dict[int, ModelCall] = {}
    began: object = None
    for record in records:
        if record.kind == _FIRST and record.data.get("started") != began:  # a write may be repeated
            calls.clear()
            began = record.data.get("started")
        try:
            call = _call(record, calls)
        except (ConfigurationError, LookupError, TypeError, ValueError) as error:
            raise StoreDamagedError(f"a call of run {record.key!r} cannot be read: {error!r}") from error
        calls[call.seq] = call
    return tuple(calls[seq] for seq in sorted(calls))


def _call(record: Record, known: Mapping[int, ModelCall]) -> ModelCall:
    messages: list[Message] = []
    for first, second in cast("Sequence[tuple[Any, Any]]", record.data["messages"]):
        is_known = isinstance(first, int)
        messages.append(known[first].messages[second] if is_known else Message(first, second))
    return ModelCall.model_validate({**record.data, "run_id": record.key, "messages": tuple(messages)})
