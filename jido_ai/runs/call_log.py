"""CallLog: the calls of models of one run, recorded as they end.

Each call is redacted and bounded once, when it ends, a long one in a thread; the journal writes it together with the
next step of the run.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context, ContextVar, copy_context
from datetime import datetime
from itertools import count
from typing import Any, Final, Literal, cast

from jido_ai.components.call_context import current_meter, current_wishes
from jido_ai.errors import describe, message_of
from jido_ai.models.spending import enclosing_spending
from jido_ai.runs.call_lines import CALLS, CallLines, calls_in, is_of_path
from jido_ai.telemetry import OBSERVING
from jido_ai.text.plain_json import plain
from jido_ai.text.redaction import RedactLevel, may_need_redaction, redact, redact_values
from jido_ai.values import Completion, CompletionRequest, Message, ModelCall, Scope, Try, Usage, utc_now
from jido_ai.values.model_call import LONGEST_TEXT, cost_of
from jido_ai.values.record import Record

RecordCalls = Literal["off", "redacted", "full"]
"""Whether the calls of runs are kept, and whether secrets in them are masked."""
AFTER_DAMAGE: Final = 1_000_001
"""Number of the next call of a run whose earlier ones cannot be read: above theirs."""
_MARGIN: Final = 10_000
"""Characters beyond the limit that are looked at, so that no secret is cut in two."""
_ERROR_CHARS: Final = 2_000
_MASKED_ON_THE_LOOP: Final = 4_000
"""Characters that are masked in a few milliseconds; longer calls go to a thread."""
_BLANK: Final = ModelCall(run_id="", seq=1, started=utc_now())
_SENT: Final = ("temperature", "top_p", "max_tokens", "seed")


class CallLog:
    """The calls of one run; those of a graph's loops are among those of the graph.

    Args:
        level: what is masked.
        earlier: lines of the run's calls, if it is resumed.
        first: number of the first call if there are no earlier ones.
        is_written: a journal takes the lines.
    """

    def __init__(
        self,
        run_id: str,
        level: RedactLevel,
        *,
        scope: Scope,
        is_written: bool,
        earlier: Sequence[Record] = (),
        first: int = 1,
    ) -> None:
        self.run_id = run_id
        self._level: RedactLevel = level
        self._scope = scope
        before = calls_in(earlier)
        self._calls: list[ModelCall] = list(before)
        self._numbers = count(max((call.seq + 1 for call in before), default=first))
        self._lines = CallLines(before) if is_written else None
        self._unwritten: list[Record] = []
        self._open: dict[int, _OpenCall] = {}
        self._ending: list[tuple[_Ended, Context]] = []  # to be masked, in this order
        self.masking: asyncio.Task[None] | None = None
        self._messages: dict[tuple[str, str], tuple[Message, bool]] = {}
        self._schemas: dict[int, tuple[object, object]] = {}

    def calls(self, path: str = "") -> tuple[ModelCall, ...]:
        """Return the calls that have ended, in the order in which they began; of one node, or of all."""
        return tuple(sorted((one for one in self._calls if is_of_path(one, path)), key=lambda one: one.seq))

    def close(self, path: str = "") -> tuple[ModelCall, ...]:
        """End the calls that are under way, because the run or a node has ended, and return all."""
        for call in [one for one in self._open.values() if is_of_path(cast("Any", one.recorder), path)]:
            call.failed(asyncio.CancelledError("the run ended before the answer came"))
        while self._ending:
            self._keep_next(self._cleaned(*self._ending[0][0]))
        return self.calls(path)

    async def settled(self) -> None:
        """Wait until the calls that have ended are kept."""
        if self.masking is not None:
            await asyncio.wait({self.masking})

    # -- for the journal ---------------------------------------------------------------------------

    def take(self) -> list[Record]:
        """Return the lines that are to be written, which are then no longer here."""
        taken, self._unwritten = self._unwritten, []
        return taken

    def put_back(self, records: list[Record]) -> None:
        """Take lines back that could not be written."""
        self._unwritten = [*records, *self._unwritten]

    # -- for recorders -----------------------------------------------------------------------------

    def opened(self, call: _OpenCall) -> None:
        """Note that a call begins."""
        call.seq = next(self._numbers)
        self._open[call.seq] = call

    def number(self) -> int:
        """Return the number of a call that begins."""
        return next(self._numbers)

    def ended(self, seq: int, recorder: Recorder, fields: dict[str, Any]) -> None:
        """Keep a call that has ended.

        Args:
            fields: of `ModelCall`, neither masked nor bounded.
        """
        self._open.pop(seq, None)
        ended = seq, recorder, fields
        if not self._ending and self._unmasked(fields) <= _MASKED_ON_THE_LOOP:
            self._keep(self._cleaned(*ended), recorder)
            return
        self._ending.append((ended, copy_context()))
        if self.masking is None:
            self.masking = asyncio.get_running_loop().create_task(self._mask())

    def _unmasked(self, fields: Mapping[str, Any]) -> int:
        """Return the number of characters of a call that are not known yet."""
        new = (one.content for one in fields.get("messages", ()) if (one.role, one.content) not in self._messages)
        errors = (one.error for one in fields.get("tries", ()))
        return sum(map(len, (*new, *errors, fields.get("reply") or "", fields.get("thoughts") or "")))

    async def _mask(self) -> None:
        try:
            while self._ending:
                ended = self._ending[0][0]
                call = await asyncio.to_thread(self._cleaned, *ended)
                if self._ending and self._ending[0][0] is ended:  # otherwise the log was closed in the meantime
                    self._keep_next(call)
        finally:
            self.masking = None

    def _keep_next(self, call: ModelCall) -> None:
        (_, recorder, _), context = self._ending.pop(0)
        context.run(self._keep, call, recorder)

    def _keep(self, call: ModelCall, recorder: Recorder) -> None:
        self._calls.append(call)
        if self._lines is not None:
            line = Record(log=CALLS, key=self.run_id, scope=self._scope, data=self._lines.line(call))
            self._unwritten.append(line)
        if OBSERVING.observer is not None:
            OBSERVING.observer.happened("model.called", {"call": call})
        if recorder.way.emit is not None:
            recorder.way.emit(call)

    def _cleaned(self, seq: int, recorder: Recorder, fields: dict[str, Any]) -> ModelCall:
        """Return a call, masked and bounded."""
        fields = dict(fields)
        messages: list[Message] = []
        is_cut = False
        for message in fields.get("messages", ()):
            kept, was_cut = self._message(message)
            messages.append(kept)
            is_cut |= was_cut
        for name in ("reply", "thoughts"):
            text: str | None = fields.get(name)
            if text:
                fields[name], was_cut = self._text(text)
                is_cut |= was_cut
        fields["tries"] = tuple(
            Try(redact(one.error, self._level)[:_ERROR_CHARS], one.waited_s) for one in fields.get("tries", ())
        )
        fields["parameters"] = self._parameters(fields.get("parameters", {}))
        fields |= {
            "run_id": self.run_id,
            "seq": seq,
            "path": recorder.path,
            "iteration": recorder.iteration,
            "role": recorder.role,
            "messages": tuple(messages),
            "lessons_shown": fields.get("lessons_shown", recorder.lessons),
            "truncated": is_cut or fields.get("truncated", False),
        }
        return _BLANK.model_copy(update=fields)

    def _message(self, message: Message) -> tuple[Message, bool]:
        key = message.role, message.content
        known = self._messages.get(key)
        if known is None:
            text, is_cut = self._text(message.content)
            kept = message if text == message.content else message.model_copy(update={"content": text})
            known = self._messages[key] = kept, is_cut
        return known

    def _text(self, text: str) -> tuple[str, bool]:
        """Return a text, masked and bounded, and whether it was cut."""
        is_cut = len(text) > LONGEST_TEXT
        if is_cut:
            text = text[: LONGEST_TEXT + _MARGIN]
        if may_need_redaction(text, self._level):
            text = redact(text, self._level)
        return text[:LONGEST_TEXT], is_cut

    def _parameters(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        found = {name: value for name, value in parameters.items() if value is not None}
        schema = found.get("schema")
        if schema is not None:
            known = self._schemas.get(id(schema))
            if known is None or known[0] is not schema:
                known = self._schemas[id(schema)] = schema, self._schema(schema)
            found["schema"] = known[1]
        return found

    def _schema(self, schema: object) -> object:
        form = plain(schema)
        text = json.dumps(form, ensure_ascii=False)
        if len(text) > LONGEST_TEXT:
            return {"cut": self._text(text)[0]}
        if isinstance(form, dict) and may_need_redaction(text, self._level):
            return redact_values(cast("dict[str, object]", form), self._level)
        return cast("object", form)


_Ended = tuple[int, "Recorder", dict[str, Any]]
"""A call that has ended: its number, and the arguments of `CallLog.ended`."""


class Way:
    """Leads from the components of a run, or of a node, to its log; cut when that is over, as actors keep old messages.

    Args:
        emit: called with each call that has ended.
    """

    __slots__ = ("emit", "log", "loop")

    def __init__(self, log: CallLog, emit: Callable[[ModelCall], None]) -> None:
        self.log: CallLog | None = log
        self.emit: Callable[[ModelCall], None] | None = emit
        self.loop = asyncio.get_running_loop()

    def cut(self) -> None:
        """Record nothing from now on."""
        self.log = self.emit = None


class Recorder:
    """Records the calls of one step of a run; a `CallRecorder`.

    Args:
        path, role, iteration: of the component that calls.
        lessons: ids of those that it is offered.
    """

    __slots__ = ("iteration", "lessons", "path", "role", "way")

    def __init__(
        self,
        way: Way,
        *,
        role: str,
        path: str = "",
        iteration: int = 0,
        lessons: tuple[str, ...] = (),
    ) -> None:
        self.way = way
        self.path = path
        self.role = role
        self.iteration = iteration
        self.lessons = lessons

    def begin(self, request: CompletionRequest, model: str | None, host: str) -> _OpenCall:
        """Note that a call begins."""
        call = _OpenCall(self, request, model, host)
        if self.way.log is not None:
            self.way.log.opened(call)
        return call

    def record(self, fields: Mapping[str, Any]) -> None:
        """Keep a call that a component has made itself; may be called in any thread. See `RunContext.record_call`."""
        log = self.way.log
        if log is None:
            return
        seq = log.number()
        checked = ModelCall.model_validate({"started": utc_now(), **fields, "run_id": log.run_id, "seq": seq})
        given = {name: getattr(checked, name) for name in checked.model_fields_set | {"started"}}
        given["parameters"] = cast("dict[str, Any]", plain(checked.parameters))
        if "cost_usd" not in given and "usage" in given:
            given["cost_usd"] = cost_of(checked.usage) if checked.usage.cost_usd else None
        if _running_loop() is self.way.loop:
            log.ended(seq, self, given)
        else:
            self.way.loop.call_soon_threadsafe(log.ended, seq, self, given)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class _OpenCall:
    """A call under way; an `OpenCall`."""

    __slots__ = (
        *("_began", "_clock", "_first_token_s", "_is_over", "_model", "_request", "_started", "_thoughts", "_tries"),
        *("host", "is_replayed", "recorder", "seq"),
    )

    def __init__(self, recorder: Recorder, request: CompletionRequest, model: str | None, host: str) -> None:
        self._is_over = False
        self.recorder = recorder
        self.seq = 0
        self.host = host
        self.is_replayed = False
        self._model = model
        self._request = request
        self._started: datetime = utc_now()
        self._clock = asyncio.get_running_loop().time
        self._began = self._clock()
        self._first_token_s: float | None = None
        self._tries: list[Try] = []
        self._thoughts: list[str] = []

    def first_token(self) -> None:
        if self._first_token_s is None:
            self._first_token_s = self._clock() - self._began

    def thought(self, text: str) -> None:
        self._thoughts.append(text)

    def tried(self, error: BaseException, waited_s: float) -> None:
        self._first_token_s = None
        self._thoughts.clear()
        self._tries.append(Try(_said(error), waited_s))

    def answered(self, completion: Completion, usage: Usage, thoughts: str) -> None:
        self._end(
            {
                "model": completion.model or self._model,
                "dropped": completion.dropped,
                "reply": completion.text,
                "thoughts": thoughts or "".join(self._thoughts),
                "finish_reason": completion.finish_reason,
                "usage": usage,
                "cost_usd": cost_of(usage),
                "cached": completion.is_cached or self.is_replayed,
            }
        )

    def failed(self, error: BaseException, usage: Usage | None = None) -> None:
        self._tries.append(Try(_said(error), 0.0))
        spent = {"cost_usd": 0.0} if usage is None else {"usage": usage, "cost_usd": cost_of(usage)}
        self._end({"model": self._model, **spent})

    def _end(self, fields: dict[str, Any]) -> None:
        log = self.recorder.way.log
        if self._is_over or log is None:
            return
        self._is_over = True
        request = self._request
        parameters = {name: getattr(request, name) for name in _SENT}
        if request.stop:
            parameters["stop"] = list(request.stop)
        parameters["schema"] = request.schema
        fields |= {
            "host": self.host,
            "messages": request.messages,
            "parameters": parameters,
            "started": self._started,
            "first_token_s": self._first_token_s,
            "duration_s": max(0.0, self._clock() - self._began),
            "tries": self._tries,
        }
        log.ended(self.seq, self.recorder, fields)


def _said(error: BaseException) -> str:
    said = message_of(error)[: 10 * _ERROR_CHARS]
    return f"{type(error).__name__}: {said}" if said else describe(error)


enclosing_calls: ContextVar[tuple[CallLog, str] | None] = ContextVar("enclosing_calls", default=None)
"""The log of the graph's run that the next run is a part of, and the path of its node; None for a run by itself."""


def caller_context() -> Context:
    """Return a copy of the current context, without the meter and log of another run that the caller is a part of."""
    context = copy_context()
    for variable in cast(
        "tuple[ContextVar[Any], ...]", (current_meter, enclosing_spending, enclosing_calls, current_wishes)
    ):
        if variable in context:
            context.run(variable.set, None)
    return context
