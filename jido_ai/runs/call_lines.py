"""The calls of a run as lines of its log: equal messages and schemas are written once. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, StoreDamagedError
from jido_ai.text.plain_json import dumped
from jido_ai.values.model import Message
from jido_ai.values.model_call import ModelCall
from jido_ai.values.record import LogName, Record

CALLS: Final[LogName] = "calls"
_LOST: Final = "(this message was not written)"
_APART: Final = frozenset({"run_id", "messages", "usage", "started", "tries", "parameters"})


class CallLines:
    """Makes the lines of one run.

    Args:
        earlier: calls of the run that have been written.
    """

    def __init__(self, earlier: Sequence[ModelCall] = ()) -> None:
        self._places: dict[Message, tuple[str, int, int]] = {}
        self._schemas: dict[int, int] = {}
        for call in earlier:
            self._place(call)

    def line(self, call: ModelCall) -> dict[str, Any]:
        """Return the data of the next line.

        A message or schema of an earlier line is given by the number of its call.
        """
        places = self._places
        data = {name: value for name, value in call.__dict__.items() if name not in _APART}
        data["messages"] = [places.get(message) or (message.role, message.content) for message in call.messages]
        data["usage"] = dict(call.usage.__dict__)
        data["started"] = call.started.isoformat()
        data["tries"] = [dumped(one) for one in call.tries]
        data["parameters"] = parameters = call.parameters
        schema: object = parameters.get("schema")
        if schema is not None:
            first = self._schemas.setdefault(id(schema), call.seq)
            if first != call.seq:
                data["parameters"] = {**parameters, "schema": first}
        self._place(call)
        return data

    def _place(self, call: ModelCall) -> None:
        for index, message in enumerate(call.messages):
            self._places.setdefault(message, (message.role, call.seq, index))


def calls_in(records: Sequence[Record]) -> tuple[ModelCall, ...]:
    """Return the calls of a run, in the order in which they began, from its lines in the order of writing.

    Raises:
        StoreDamagedError: a line cannot be read.
    """
    lines = {cast("int", one.data.get("seq")): one for one in records}
    try:
        return tuple(_call(lines[seq], lines) for seq in sorted(lines))
    except (ConfigurationError, LookupError, TypeError, ValueError) as error:
        raise StoreDamagedError(f"the calls of run {records[0].key!r} cannot be read: {error!r}") from error


def _call(record: Record, lines: Mapping[int, Record]) -> ModelCall:
    data, parameters = record.data, dict(record.data["parameters"])
    schema: object = parameters.get("schema")
    if isinstance(schema, int):
        first = lines.get(schema)
        parameters["schema"] = {} if first is None else first.data["parameters"]["schema"]
    messages = tuple(Message(role, _text(where, lines)) for role, *where in data["messages"])
    return ModelCall.model_validate({**data, "run_id": record.key, "messages": messages, "parameters": parameters})


def _text(where: Sequence[Any], lines: Mapping[int, Record]) -> str:
    """Return the text of a message: its own, or that of a message of an earlier line, which may refer to another."""
    for _ in range(len(lines) + 1):
        if len(where) == 1:
            return where[0]
        first = lines.get(where[0])
        if first is None:
            return _LOST
        _, *where = first.data["messages"][where[1]]
    raise ValueError("messages refer to each other")


def is_of_path(call: ModelCall, path: str) -> bool:
    """Tell whether a call belongs to a node, or to one inside of it; "" is the whole run."""
    return not path or call.path == path or call.path.startswith((f"{path}/", f"{path}["))
