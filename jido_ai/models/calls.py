"""Calls of a model by a component: within time and budget, repeated once if the reply is unreadable or cut off."""

from __future__ import annotations

import asyncio
import functools
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, cast

from jido_ai.components.call_context import current_call
from jido_ai.components.component import Reopening, showable
from jido_ai.components.readings import aside
from jido_ai.components.time_limit import TimeLimit, waiting_for_model
from jido_ai.errors import (
    AuthenticationError,
    BudgetExceededError,
    ConfigurationError,
    ModelTimeoutError,
    ParseError,
    RefusalError,
    ReplyError,
    TruncatedError,
    describe,
    message_of,
)
from jido_ai.models.answering import answering
from jido_ai.models.defaults import DEFAULTS, names_of_defaults
from jido_ai.models.names import model_of
from jido_ai.models.pricing import usage_of
from jido_ai.models.prompts.attempts import after_failure, again_after
from jido_ai.models.prompts.template import cut
from jido_ai.models.prompts.thoughts import without_thoughts
from jido_ai.models.providers.refusals import host_of
from jido_ai.models.reply_limits import MORE, MORE_FOR_THOUGHTS, has_thoughts, most_words
from jido_ai.models.retry import may_be_billed
from jido_ai.models.spending import most_tokens
from jido_ai.protocols import AnyModel, CallRecorder, OpenCall, RunContext, StreamingModel
from jido_ai.telemetry import observed
from jido_ai.text.output_type import OutputType
from jido_ai.text.printable import printable
from jido_ai.values import Candidate, Completion, CompletionRequest, ErrorInfo, Message, Usage, new_id, utc_now

T = TypeVar("T")
CUT_AT: Final = "cut_at"
"""Key of a candidate's metadata: the number of tokens at which its text was cut off, as the run's caller asked."""
_WHOLE_ANSWER_S: Final = 120.0
"""For an answer of a model that shows no sign of life before it is complete."""
_READ_ON_THE_LOOP: Final = 2_000
"""Characters; reading more may take some ten milliseconds and goes to a thread."""
_QUOTED_CHARS: Final = 4_000
_CANDIDATE: Final = Candidate("")
_UNTOLD: Final = Usage(calls=1, unpriced_calls=1)
"""The usage of a call that reports none."""
_SHORTER: Final = "Your last reply was cut off at the token limit. Give a shorter reply: at most {words} words in all."
_HOTTER: Final = 0.2
_HOTTEST: Final = 1.2
_SHAPE: Final = "The shape of the reply: "
_PLACEHOLDER: Final = re.compile(r"<[a-z][^<>]*>")


class EchoError(ParseError):
    """A reply repeats a placeholder of the request."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The value parsed from a model's reply.

    Attributes:
        model: the model that answered, as it says.
        usage: of all calls that it took.
        metadata: what a candidate or critique should carry: `model`; `asked_again` when it was; `dropped`, the
            settings that the model refused, if any; `warnings` if the first reply was cut off; `usage` unless a meter
            has counted it.
    """

    value: T
    model: str
    usage: Usage
    metadata: Mapping[str, Any]


def varied(temperature: float | None, context: RunContext) -> float | None:
    """Return the temperature for a run whose candidates repeat each other: 0.2 more for each repeat, up to 1.2."""
    repeats: int = getattr(context, "repeats", 0)  # a stand-in for a context may have none
    if temperature is None or not repeats:
        return temperature
    return max(temperature, min(_HOTTEST, temperature + _HOTTER * repeats))


def answered_candidate(
    text: str,
    answer: Answer[Any],
    metadata: dict[str, Any],
    *,
    parent_id: str | None = None,
    reasoning: str | None = None,
) -> Candidate:
    """Return the candidate in a model's answer.

    Args:
        text: read from the reply, and so checked.
        metadata: the candidate's own from here on.
    """
    fields = {
        "content": text,
        "id": new_id("candidate"),
        "reasoning": reasoning,
        "model": answer.model,
        "tokens_used": answer.usage.input_tokens + answer.usage.output_tokens or None,
        "parent_id": parent_id,
        "timestamp": utc_now(),
        "metadata": metadata,
    }
    return _CANDIDATE.model_copy(update=fields)


class AsksModel(Reopening):
    """A component that asks one model."""

    _model: ModelCaller

    async def aclose(self) -> None:
        """Close the model if it was made here, from its name; the next call opens it again."""
        await self._model.aclose()

    def uses(self) -> tuple[object, ...]:
        """Return the model."""
        return (self._model.model,)


class ModelCaller:
    """Asks one model on behalf of one component.

    Args:
        model: a `LanguageModel`, a function of a request, or the name of a model.
        component: its name in errors.
        timeout_s: for an answer, whatever lies between; a run's deadline may cut it short. None is no limit for a
            model that limits silence itself, as those over HTTP do, and 120 s for any other.
        temperature, max_tokens, seed: as in `CompletionRequest`. A `DefaultFloat` or `DefaultInt`, and every schema,
            is left out if the model refuses it.
        name: the model's name in critiques ("model:NAME"); by default its own.

    Attributes:
        name: of the model.
        model: that is asked.

    Raises:
        ConfigurationError: no model, or a setting out of range.
        AuthenticationError: the named model's provider needs a key and there is none.
    """

    def __init__(
        self,
        model: AnyModel,
        *,
        component: str,
        timeout_s: float | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> None:
        self.model = model_of(model)
        self._is_own = isinstance(model, str)
        inner = innermost(self.model)
        self._is_observed_inside = bool(getattr(inner, "observes_itself", False))
        enforces: object = getattr(inner, "enforces_schema", False)
        self._enforces_schema = enforces if enforces is None else enforces is True
        self._refused: list[Mapping[str, Any]] = []  # schemas
        self._in_flight = 0
        self._room = 1  # factor of default limits; more once the model was seen to think
        self._component = component
        self._provider = str(getattr(self.model, "provider", None) or "model")
        self.name = name or str(getattr(self.model, "model", None) or type(self.model).__name__)
        host = host_of(str(getattr(self.model, "base_url", None) or ""))
        self._who: dict[str, Any] = {"provider": self._provider, "model": self.name, "host": host}
        self._pattern = CompletionRequest(
            (Message("user", "?"),),
            temperature=temperature,
            max_tokens=max_tokens,
            seed=seed,
            timeout_s=timeout_s,
            metadata={DEFAULTS: ("schema", *names_of_defaults(temperature=temperature, max_tokens=max_tokens))},
        )
        self._longest_s = self._pattern.timeout_s
        if self._longest_s is None and not getattr(inner, "limits_silence", False):
            self._longest_s = _WHOLE_ANSWER_S
        self._schema: Mapping[str, Any] | None = None  # the pattern's, as it was given

    async def ask(
        self,
        messages: Sequence[Message],
        read: Callable[[str], T],
        context: RunContext,
        *,
        schema: Mapping[str, Any] | None = None,
        shape: str = "",
        default_tokens: int | None = None,
        takes_cut: bool = False,
        output: OutputType[Any] | None = None,
        **settings: Any,
    ) -> Answer[T]:
        """Ask, and read the reply without the model's thoughts; if it cannot be read, ask once more and say why.

        If the first reply is cut off, a shorter one is asked for, under twice the limit if that was the default. If the
        step is tried again (`RunContext.last_error`), the request says what was wrong with the last reply.

        Args:
            read: raises `ParseError` for a reply that it cannot use. Long ones are read on a thread.
            schema: the same one with each call, as a rule: another is checked and copied anew.
            shape: of a reply in JSON, with placeholders such as <the fault>. The request shows it unless the model's
                server enforces schemas; the second one always does. A reply that repeats a placeholder is unreadable.
            default_tokens: limit of the reply if the caller has set none. A provider that refuses it is asked without.
            takes_cut: a reply that is cut off at the limit of the run's caller is taken; the answer's metadata says so.
            output: the type of the answer, in place of `schema` and `shape`. The request says in words what JSON is
                wanted, unless the model's server is known to enforce schemas.
            settings: in place of the caller's own, and in range: temperature, seed. Those of the run's caller
                (`RunContext.settings`) come first, except for a seed; a provider that refuses one is asked without.

        Raises:
            ParseError: not even the second reply can be read; it carries that reply. `EchoError`: it repeats a
                placeholder.
            TruncatedError: two replies ended at their limits of tokens.
            RefusalError: the model refused, or a filter stopped it.
            BudgetExceededError: the call would exceed the budget; it was not made.
            ModelError: any other failure of the call.
        """
        light_chars, says_shape = _READ_ON_THE_LOOP, bool(shape) and self._enforces_schema is False
        asked = [message.content for message in messages]
        placeholders = [one for one in _placeholders(shape) if not any(one in text for text in asked)]
        if output is not None:
            schema, shape, light_chars = output.schema, output.in_words, output.light_chars
            says_shape = self._enforces_schema is not True or output.schema in self._refused
        elif schema is not None and schema in self._refused:
            says_shape = bool(shape)
        if schema is not self._schema:
            self._pattern = self._pattern.replace(schema=dict(schema) if schema else None)
            self._schema = schema
        understood = functools.partial(_read, read, placeholders, light_chars)
        messages = _after_failure(messages, context)
        if says_shape:
            messages = _with_shape(messages, shape)
        wished: Mapping[str, Any] = getattr(context, "settings", {})
        is_default = self._pattern.max_tokens is None and default_tokens is not None and "max_tokens" not in wished
        if default_tokens is not None and is_default:
            settings["max_tokens"] = default_tokens * self._room
            settings["metadata"] = {
                **self._pattern.metadata,
                DEFAULTS: (*self._pattern.metadata[DEFAULTS], "max_tokens"),
            }
        if wished:
            own = settings.get("metadata", self._pattern.metadata)
            metadata = {**own, DEFAULTS: tuple(dict.fromkeys((*own[DEFAULTS], *wished)))}
            seed = settings.get("seed")
            settings |= {**wished, "metadata": metadata} | ({} if seed is None else {"seed": seed})
        request = self._pattern.model_copy(update={"messages": tuple(messages), **settings})
        takes_cut = takes_cut and "max_tokens" in wished
        request, first, spent, notes = await self._whole(request, context, is_default=is_default, takes_cut=takes_cut)
        if "schema" in first.dropped and schema is not None and schema not in self._refused:
            self._refused.append(schema)  # later requests show the shape
        try:
            return self._answer(await understood(first), first, spent, context, **notes)
        except ParseError as error:
            request = request.model_copy(update={"messages": (*request.messages, *_again(first.text, error, shape))})
        second, more = await self._call(request, context)
        if second.finish_reason == "length":
            raise self._truncated(_limit_in_words(request.max_tokens, is_default=is_default))
        try:
            value = await understood(second)
        except ParseError as error:
            told_by = EchoError if isinstance(error, EchoError) else ParseError
            raise told_by(
                f"{self._provider}:{self.name}: neither the reply nor the one after it can be read: {error}",
                raw=second.text,
                component=self._component,
            ) from error
        return self._answer(value, second, spent + more, context, asked_again=True, **notes)

    async def _whole(
        self, request: CompletionRequest, context: RunContext, *, is_default: bool, takes_cut: bool
    ) -> tuple[CompletionRequest, Completion, Usage, dict[str, Any]]:
        """Return the request of the complete reply, the reply, the usage of all calls, and notes about them.

        Args:
            is_default: the request's limit of tokens is ours.
        """
        first, spent = await self._call(request, context)
        if first.finish_reason != "length":
            return request, first, spent, {}
        limit = request.max_tokens
        if takes_cut:
            return request, first, spent, {CUT_AT: limit}
        at = _limit_in_words(limit, is_default=is_default)
        if is_default and limit is not None:
            factor = MORE
            if has_thoughts(first):
                factor = self._room = MORE_FOR_THOUGHTS
            request = request.model_copy(update={"max_tokens": limit * factor})
        request = _shorter(request, most_words(limit, first.text))
        second, more = await self._call(request, context)
        if second.finish_reason == "length":
            more_at = "" if request.max_tokens == limit else f" at {request.max_tokens or 'its own limit'}"
            raise self._truncated(f"{at}; the second one, asked to be shorter, was cut{more_at}, too")
        shown = "the model's own limit of" if limit is None else limit
        return request, second, spent + more, {"warnings": [f"the first reply was cut at {shown} tokens"]}

    async def aclose(self) -> None:
        """Close the model if it was made here from its name and no call is in flight; the next call opens it again."""
        close: Callable[[], Awaitable[object]] | None = getattr(self.model, "aclose", None)
        if self._is_own and not self._in_flight and close is not None:
            await close()

    def _answer(self, value: T, completion: Completion, usage: Usage, context: RunContext, **more: Any) -> Answer[T]:
        model = completion.model or self.name
        metadata: dict[str, Any] = {"model": model, **more}
        if completion.dropped:
            metadata["dropped"] = list(completion.dropped)
        if completion.ended_by:
            metadata["ended_by"] = completion.ended_by
        if context.meter is None:
            metadata["usage"] = usage.model_dump()
        return Answer(value, model, usage, metadata)

    async def _call(self, request: CompletionRequest, context: RunContext) -> tuple[Completion, Usage]:
        """Make one call; return the completion without thoughts, which may be cut off, and its usage."""
        left = context.time_left_s
        if left is not None and left <= 0.0:
            raise self._too_late("the run's time is up; nothing was sent")
        timeout_s = self._longest_s if left is None else min(left, self._longest_s or left)
        reservation = None if context.meter is None else context.meter.reserve(tokens=most_tokens(request))
        recorder: CallRecorder | None = getattr(context, "recorder", None)  # a stand-in for a context may have none
        call = None if recorder is None else recorder.begin(request, self.name, self._who["host"])
        try:
            if timeout_s != request.timeout_s:
                request = request.model_copy(update={"timeout_s": timeout_s})
            completion = await self._complete(request, timeout_s, call, getattr(context, "on_text", None))
        except BaseException as error:
            has_cost = may_have_cost(error)
            if call is not None:
                call.failed(error, _UNTOLD if has_cost else None)
            if reservation is not None:
                if has_cost:
                    reservation.settle(_UNTOLD)
                else:
                    reservation.release()
            raise
        spent = usage_of(completion)
        if reservation is not None:
            reservation.settle(spent)
        reply, thoughts = await aside(without_thoughts, completion.text, _READ_ON_THE_LOOP)
        if call is not None:
            call.answered(completion, spent, thoughts)
        if reply != completion.text:
            is_only_thoughts = not reply.strip() and bool(thoughts)
            completion = completion.model_copy(update={"text": reply, "is_only_thoughts": is_only_thoughts})
        self._check_answered(completion)
        return completion, spent

    async def _complete(
        self,
        request: CompletionRequest,
        timeout_s: float | None,
        recorded: OpenCall | None,
        on_text: Callable[[str], None] | None,
    ) -> Completion:
        self._in_flight += 1
        token = current_call.set(recorded)
        limit = nullcontext() if timeout_s is None else TimeLimit(asyncio.get_running_loop().time() + timeout_s)
        try:
            with waiting_for_model():
                async with limit:
                    if (desk := answering.get()) is not None:
                        call = desk.complete(self.model, request)
                    elif on_text is not None and isinstance(self.model, StreamingModel):
                        call = _streamed(self.model, request, on_text)
                    else:
                        call = self.model.complete(request)
                    if not self._is_observed_inside:
                        call = observed("model", call, model=self.model, request=request)
                    completion = cast("object", await call)
        except ModelTimeoutError:
            raise
        except TimeoutError as error:
            if not isinstance(limit, TimeLimit) or not limit.expired():
                raise self._too_late(f"the model timed out: {showable(message_of(error))}") from error
            why = "" if timeout_s == self._longest_s else ", and the run's time is up"
            raise self._too_late(f"the model did not answer in {timeout_s:.3g} s{why}") from error
        finally:
            current_call.reset(token)
            self._in_flight -= 1
        if isinstance(completion, Completion):
            return completion
        raise ReplyError(f"the model must return a Completion, got {describe(completion)}", **self._who)

    def _check_answered(self, completion: Completion) -> None:
        match completion.finish_reason:
            case "stop" | "length":
                return
            case "refusal" | "filter":
                what = "the model refused" if completion.finish_reason == "refusal" else "a filter stopped the reply"
                said = f": {cut(completion.text, 200)}" if completion.text.strip() else ""
                raise RefusalError(f"{what}{said}", **self._who)

    def _truncated(self, at: str) -> TruncatedError:
        error = TruncatedError(f"the reply ended at {at}", **self._who)
        error.retryable = False  # it has been asked for once more
        return error

    def _too_late(self, message: str) -> ModelTimeoutError:
        return ModelTimeoutError(message, **self._who)


async def _streamed(model: StreamingModel, request: CompletionRequest, on_text: Callable[[str], None]) -> object:
    """Return the whole answer; `on_text` gets its text as it grows."""
    text, whole = "", None
    async with aclosing(model.stream(request)) as pieces:
        async for piece in pieces:
            if isinstance(piece, str):
                text += piece
                on_text(text)
            else:
                whole = piece
    return whole


def innermost(model: object) -> object:
    """Return the model inside of all wrappers."""
    while (inside := getattr(model, "inside", None)) is not None:
        model = inside
    return model


def may_have_cost(error: BaseException) -> bool:
    """True if the request was probably sent before the error."""
    if isinstance(error, AuthenticationError) and error.status is None:  # there is no key
        return False
    return may_be_billed(error) and not isinstance(error, ConfigurationError | BudgetExceededError)


@functools.lru_cache(maxsize=64)
def _placeholders(shape: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(shape)))


async def _read(read: Callable[[str], T], placeholders: Sequence[str], most: int, reply: Completion) -> T:
    text = reply.text
    if not text.strip():
        why = ": the model gave only thoughts; write the answer itself after them" if reply.is_only_thoughts else ""
        raise ParseError(f"the reply is blank{why}", raw=text)
    if echo := next((one for one in placeholders if one in text), None):
        raise EchoError(
            f"the reply repeats the placeholder {echo!r} of the request; write what belongs there", raw=text
        )
    return await aside(read, text, most)


def _with_shape(messages: Sequence[Message], shape: str) -> Sequence[Message]:
    *others, last = messages
    return (*others, last.model_copy(update={"content": f"{last.content}\n{_SHAPE}{shape}"}))


def _after_failure(messages: Sequence[Message], context: RunContext) -> Sequence[Message]:
    error: ErrorInfo | None = getattr(context, "last_error", None)  # a stand-in for a context may have none
    if error is None or not messages:
        return messages
    *others, last = messages
    content = after_failure(last.content, error)
    return messages if content is last.content else (*others, last.model_copy(update={"content": content}))


def _limit_in_words(limit: int | None, *, is_default: bool) -> str:
    if limit is None:
        return "the model's own limit of tokens; ask for less, or set max_tokens"
    return f"its limit of {limit} tokens{' (default); set max_tokens=...' if is_default else '; raise max_tokens'}"


def _shorter(request: CompletionRequest, words: int) -> CompletionRequest:
    """Return the request with a last line that asks for a shorter reply."""
    *others, last = request.messages
    last = last.model_copy(update={"content": f"{last.content}\n\n{_SHORTER.format(words=words)}"})
    return request.model_copy(update={"messages": (*others, last)})


def _again(reply: str, error: ParseError, shape: str) -> tuple[Message, Message]:
    """Return the messages that ask for another reply: the model's own reply, and its fault, as data."""
    shown = printable(cut(reply, _QUOTED_CHARS)).strip()
    asked = again_after(cut(str(error), _QUOTED_CHARS), beside=shown)
    return Message("assistant", shown or "(blank)"), Message("user", f"{asked}\n{_SHAPE}{shape}" if shape else asked)
