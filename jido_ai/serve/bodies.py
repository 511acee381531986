"""Bodies of requests: strict JSON, and the fields of each route. Pure.

A doubled key, NaN, a lone surrogate or more than 100 levels are malformed (400); an unknown or missing field, or a
value out of range, is well-formed and impossible (422).
"""

from __future__ import annotations

import json
import math
import re
from typing import Annotated, Any, Final, Literal, TypeVar, cast

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import ErrorDetails

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, describe, message_of
from jido_ai.serve.problems import Problem
from jido_ai.values import EventType, MemoryEntry, MemoryKind, Outcome, Scope
from jido_ai.values.base import is_too_deep

MOST_LEVELS: Final = 100
ENTRY_FIELDS: Final = tuple(name for name in MemoryEntry.model_fields if name not in ("scope", "source"))
"""The fields of a lesson that a caller may give."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
T = TypeVar("T", bound=BaseModel)
V = TypeVar("V")


# -- JSON ------------------------------------------------------------------------------------------


def parsed(raw: bytes) -> dict[str, Any]:
    """Return the JSON object of a body. Raises `Problem` ("malformed")."""
    try:
        text = raw.decode("utf-8")
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer, parse_float=_number
        )
    except UnicodeDecodeError as error:
        raise Problem("malformed", f"the body must be UTF-8; byte {error.start} is not") from error
    except RecursionError as error:
        raise Problem("malformed", f"the body is nested deeper than {MOST_LEVELS} levels") from error
    except json.JSONDecodeError as error:
        raise Problem("malformed", f"the body must be JSON: {error.msg} at character {error.pos}") from error
    if is_too_deep(value, MOST_LEVELS):
        raise Problem("malformed", f"the body is nested deeper than {MOST_LEVELS} levels")
    if not isinstance(value, dict):
        raise Problem("malformed", f"the body must be a JSON object, got {_kind_of(value)}")
    if "\\u" in text and _has_surrogate(cast("object", value)):
        raise Problem("malformed", "a string has half of a surrogate pair, which is not a character")
    return cast("dict[str, Any]", value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise Problem("malformed", f"the key {double[:100]!r} occurs twice in one object")
    return found


def _no_constant(name: str) -> object:
    raise Problem("malformed", f"{name} is not a JSON number")


def _integer(digits: str) -> int:
    if len(digits) > 100:
        raise Problem("malformed", f"a number has {len(digits)} digits; the maximum is 100")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise Problem("malformed", f"the number {digits[:100]} is too large")
    return number


def _has_surrogate(value: object) -> bool:
    """Tell whether a text or key has a lone surrogate; `value` is not deep."""
    if isinstance(value, str):
        return _SURROGATE.search(value) is not None
    if isinstance(value, dict):
        inside = cast("dict[str, Any]", value)
        return any(_has_surrogate(key) or _has_surrogate(one) for key, one in inside.items())
    return isinstance(value, list) and any(_has_surrogate(one) for one in cast("list[Any]", value))


def _kind_of(value: object) -> str:
    match value:
        case None:
            return "null"
        case str():
            return "a text"
        case bool():
            return "a boolean"
        case list():
            return "an array"
        case _:
            return "a number"


def checked(model: type[T], fields: dict[str, Any]) -> T:
    """Return a request. Raises `Problem` ("impossible") that names the first field that is wrong."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        first, field = faults[0], _field_of(faults[0], fields)
        alike = [one["msg"].removeprefix("Value error, ") for one in faults if _field_of(one, fields) == field]
        problem = ", or ".join([alike[0], *[one.removeprefix("Input should be ") for one in alike[1:]]])
        if first["type"] == "extra_forbidden":
            problem = f"unknown field; {nearest(str(first['loc'][-1])[:100], list(model.model_fields))}"
        elif first["type"] == "missing":
            problem = "the field is missing"
        raise Problem("impossible", f"{field}: {problem}" if field else problem, field=field or None) from error


def _field_of(fault: ErrorDetails, value: Any) -> str:
    """Return the field of a body that is wrong, without the names of the alternatives that it may be."""
    parts: list[str] = []
    for part in fault["loc"]:
        try:
            value = value[part]
        except (LookupError, TypeError):
            if fault["type"] != "missing":
                continue
        parts.append(str(part))
    return ".".join(parts)


def entry_in(fields: dict[str, Any], scope: Scope) -> MemoryEntry:
    """Return the lesson in a body: the fields of `MemoryEntry`, but for those that the server sets itself.

    Raises:
        Problem: a field is unknown, missing or out of range ("impossible").
    """
    for name in fields:
        if name not in ENTRY_FIELDS:
            said = f"{name[:100]}: unknown field; {nearest(name[:100], list(ENTRY_FIELDS))}"
            raise Problem("impossible", said, field=name[:100])
    prompt = fields.get("prompt", "")
    if isinstance(prompt, str) and not prompt.strip():
        message = "must not be blank" if "prompt" in fields else "the field is missing"
        raise Problem("impossible", f"prompt: {message}", field="prompt")
    usual = {} if fields.get("answer") else {"kind": MemoryKind.SEMANTIC}
    given = {**usual, **fields, "scope": scope, "source": "http"}
    try:
        return checked(MemoryEntry, given)
    except ConfigurationError as error:  # of a value inside, as a link
        text = message_of(error).removeprefix("MemoryEntry: ")
        field = re.split(r"[.:]", text, maxsplit=1)[0]
        raise Problem("impossible", text, field=field if field in ENTRY_FIELDS else None) from error


# -- what routes take ------------------------------------------------------------------------------


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Text = Annotated[StrictStr, Field(min_length=1)]
Name = Annotated[StrictStr, Field(min_length=1, max_length=255)]
RunId = Annotated[StrictStr, Field(min_length=1, max_length=255)]
_EVENT_TYPES: Final = [one.value for one in EventType]


class RunRequest(_Request):
    """Starts a run: exactly one of pipeline (with prompt) and graph (with inputs)."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"examples": [{"pipeline": "answer", "prompt": "What is a supervision tree?"}]},
    )

    pipeline: Name | None = None
    graph: Name | None = None
    prompt: StrictStr | None = None
    inputs: dict[str, Any] | None = None
    initial_candidate: StrictStr | None = None
    run_id: RunId | None = None
    metadata: dict[str, Any] | None = None


class ResumeRequest(_Request):
    """Continues a run; a decision answers what waits: by node if several do."""

    decision: StrictBool | StrictStr | dict[str, StrictBool | StrictStr] | None = None


class DecisionRequest(_Request):
    """A person's answer: yes, no, or a text in place of what was shown."""

    decision: StrictBool | StrictStr


class NoteRequest(_Request):
    """A person's opinion of a run. A field that is left out stays as it is; null and an empty text take it away."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{"thumb": "up", "note": "clear, and correct"}]}
    )

    thumb: Literal["up", "down"] | None = None
    note: Annotated[StrictStr, Field(max_length=10_000)] | None = None


class CritiqueRequest(_Request):
    """Judges one candidate with the critics of a pipeline."""

    pipeline: Name
    prompt: Text
    candidate: StrictStr


def _known_type(event: object) -> object:
    """Return an event of an episode; one with a type must have a known one."""
    if isinstance(event, dict):
        fields = cast("dict[str, Any]", event)
        for name in ("type", "event_type"):
            kind = fields.get(name)
            if kind is not None and kind not in _EVENT_TYPES:
                raise ValueError(f"{name} must be one of {', '.join(_EVENT_TYPES)}, got {describe(kind)}")
    return cast("object", event)


def _lower(outcome: object) -> object:
    return outcome.lower() if isinstance(outcome, str) else outcome


_EVENT_SCHEMA: Final = {
    "title": "Event",
    "description": "What happened: a text, or an object with a type and a content; other fields are part of it.",
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": _EVENT_TYPES, "description": "system_event if it is left out."},
                "content": {"description": "What happened; the whole object if it is left out."},
                "tool_name": {"type": ["string", "null"], "description": "The tool, of a call or its response."},
                "error": {"description": "The error, if there was one: a text, or an object."},
                "timestamp": {"type": ["string", "null"], "description": "When it happened, in ISO 8601; else now."},
                "event_id": {"type": ["string", "null"], "description": "Its id; a new one if it is left out."},
                "metadata": {"type": ["object", "null"], "description": "Kept with it."},
            },
            "additionalProperties": True,
        },
    ],
}
AnEvent = Annotated[Any, AfterValidator(_known_type), WithJsonSchema(_EVENT_SCHEMA)]


def _also(*names: str) -> Any:
    """Return a field that is read by several names; the document has the first."""
    return Field(validation_alias=AliasChoices(*names))


class GenerateRequest(_Request):
    """Reflects on an episode of another agent (SPEC R48).

    `tenant_id`, `project_id`, `task_description` and `task_goal` are read, too.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "tenant": "acme",
                    "project": "web",
                    "events": [{"type": "tool_call", "content": "DELETE FROM orders", "error": "permission denied"}],
                    "outcome": "failure",
                    "error": "permission denied",
                    "description": "Remove old orders",
                }
            ]
        },
    )

    tenant: Annotated[Name, _also("tenant", "tenant_id")] = "default"
    project: Annotated[Name, _also("project", "project_id")] = "default"
    events: Annotated[list[AnEvent], Field(min_length=1, max_length=10_000)]
    outcome: Annotated[Outcome | None, BeforeValidator(_lower)] = None
    error: StrictStr | dict[str, Any] | None = None
    description: Annotated[StrictStr | None, _also("description", "task_description")] = None
    goal: Annotated[StrictStr | None, _also("goal", "task_goal")] = None
    session_id: Name | None = None
    related_memory_ids: list[StrictStr] = []


class ChatMessage(BaseModel):
    """A message in OpenAI's form; other fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    role: StrictStr
    content: StrictStr | list[dict[str, Any]] | None = None
    name: StrictStr | None = None
    tool_calls: list[dict[str, Any]] | None = None
    function_call: dict[str, Any] | None = None
    refusal: StrictStr | None = None


def _listed(stop: object) -> object:
    """Return the texts that end an answer; "" ends nothing."""
    if isinstance(stop, str):
        return [stop] if stop else []
    return stop


def _others_turn(part: V) -> V:
    """Return a part of a body. Other threads run only in calls of Python, and pydantic makes no others."""
    return part


_STOP_SCHEMA: Final = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "maxItems": 4}]}
_Stop = Annotated[
    list[Annotated[StrictStr, Field(min_length=1)]],
    Field(max_length=4),
    BeforeValidator(_listed),
    WithJsonSchema(_STOP_SCHEMA),
]
_Tokens = Annotated[
    Annotated[StrictInt, Field(ge=1, le=1_000_000_000)] | None,
    BeforeValidator(lambda value: None if value in (-1, 0) and not isinstance(value, bool) else value),
]
"""-1 is no limit, as llama.cpp, LM Studio and their clients write it; some write 0."""
_Temperature = Annotated[float, Field(ge=0, le=2, strict=True)]
_Share = Annotated[float, Field(ge=0, le=1, strict=True)]
_Seed = Annotated[StrictInt, Field(ge=-(2**63), le=2**63 - 1)]


class OpenAIRequest(BaseModel):
    """The fields that both of OpenAI's requests have; for all others see `serve.parameters`."""

    model_config = ConfigDict(extra="allow", frozen=True)

    model: Name
    stream: StrictBool | None = None
    metadata: dict[str, Any] | None = None
    temperature: _Temperature | None = None
    top_p: _Share | None = None
    max_tokens: _Tokens = None
    max_completion_tokens: _Tokens = None
    max_output_tokens: _Tokens = None
    stop: _Stop | None = None
    seed: _Seed | None = None
    stream_options: dict[str, Any] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: StrictStr | dict[str, Any] | None = None


class ChatRequest(OpenAIRequest):
    """A chat in OpenAI's form: `model` names a pipeline or graph. `jido.warnings` names what has no effect."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"model": "answer", "messages": [{"role": "user", "content": "Hello"}]}]},
    )

    messages: Annotated[list[Annotated[ChatMessage, AfterValidator(_others_turn)]], Field(min_length=1)]
    response_format: dict[str, Any] | None = None


def _given_input(given: object) -> object:
    """Refuse anything but a text or messages, in one sentence for both."""
    if not isinstance(given, str | list) or given == []:
        raise ValueError("must be a text, or a list of at least one message")
    return cast("object", given)


class ResponseRequest(OpenAIRequest):
    """A response in OpenAI's form: `model` names a pipeline or graph. `jido.warnings` names what has no effect."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"model": "answer", "input": "Hello"}]})

    input: Annotated[
        StrictStr | Annotated[list[Annotated[dict[str, Any], AfterValidator(_others_turn)]], Field(min_length=1)],
        BeforeValidator(_given_input),
    ]
    instructions: StrictStr | None = None
    text: dict[str, Any] | None = None
