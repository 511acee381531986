"""Parameters of OpenAI's requests: which are passed on to the models, which are refused, which have no effect. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from jido_ai.errors import describe
from jido_ai.serve.problems import Problem

PASSED_ON: Final[Mapping[str, str]] = {
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
    "stop": "stop",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
}
"""Parameters that generators and revisers pass on, and their names in `CompletionRequest`; of two limits the lower."""

REFUSED: Final[Mapping[str, tuple[tuple[object, ...], str]]] = {
    "n": ((1,), "one answer is judged and revised"),
    "logprobs": ((False,), "an answer that was revised has no probabilities"),
    "top_logprobs": ((0,), "an answer that was revised has no probabilities"),
    "logit_bias": (({},), "the models of a pipeline differ in their tokens"),
    "presence_penalty": ((0,), "the models of a pipeline do not take it"),
    "frequency_penalty": ((0,), "the models of a pipeline do not take it"),
    "functions": (([],), "the answer is one text; functions are not called"),
    "function_call": (("none", "auto"), "the answer is one text; functions are not called"),
    "audio": ((), "the answer is one text"),
    "modalities": ((["text"], []), "the answer is one text"),
    "background": ((False,), "start a run with POST /v1/runs and ask for it later"),
    "previous_response_id": ((), "responses are not continued; send the whole conversation as input"),
    "conversation": ((), "conversations are not kept; send the whole conversation as input"),
    "prompt": ((), "prompts are not kept; send the text as input"),
}
"""Parameters that cannot be honoured: the values that ask for nothing, beside null, and why any other is refused."""

NO_EFFECT: Final[Mapping[str, str]] = {
    "user": "the token names the caller",
    "safety_identifier": "the token names the caller",
    "store": "every run is kept",
    "service_tier": "there is one tier",
    "parallel_tool_calls": "tools are not called",
    "max_tool_calls": "tools are not called",
    "reasoning_effort": "the settings of the models decide",
    "reasoning": "the settings of the models decide",
    "verbosity": "the settings of the models decide",
    "truncation": "nothing is cut",
    "include": "an answer has no more parts",
    "prediction": "the answer is written anew",
    "prompt_cache_key": "the settings of the models decide",
    "prompt_cache_retention": "the settings of the models decide",
    "web_search_options": "tools are not called",
}
"""Parameters that are taken without effect, and the reason that a warning gives."""

_TOOL_CHOICES: Final = (None, "auto", "none")


def settings_in(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of models that a request asks for, by the fields of `CompletionRequest`.

    Args:
        asked: the parameters of a request whose fields are checked.

    Raises:
        Problem: a parameter cannot be honoured ("malformed").
    """
    for name, (nothing, why) in REFUSED.items():
        value = asked.get(name)
        if value is not None and not any(
            value == one and isinstance(value, bool) is isinstance(one, bool) for one in nothing
        ):
            raise Problem("malformed", f"{name} is not supported, got {describe(value)}: {why}", field=name)
    choice: object = asked.get("tool_choice")
    if choice not in _TOOL_CHOICES:
        mode = _map(choice).get("mode")
        if mode != "auto":  # of allowed_tools
            message = (
                f'tool_choice must be "auto" or "none", got {describe(choice)}: tools are not called; for an object, '
                "ask for a form (response_format)"
            )
            raise Problem("malformed", message, field="tool_choice")
    settings: dict[str, Any] = {}
    for name, setting in PASSED_ON.items():
        value = asked.get(name)
        if value is None or value == []:
            continue
        settings[setting] = min(value, settings[setting]) if setting == "max_tokens" and setting in settings else value
    return settings


def warnings_of(asked: Mapping[str, Any], known: frozenset[str]) -> list[str]:
    """Return a sentence for each parameter that has no effect on the answer.

    Args:
        known: names of the parameters that the route reads itself.
    """
    found = ["tools are not called: the answer is a text"] if asked.get("tools") else []
    found += [f"{name} has no effect: {why}" for name, why in NO_EFFECT.items() if asked.get(name) is not None]
    ours = {*PASSED_ON, *REFUSED, *NO_EFFECT, "tools", "tool_choice", *known}
    unknown = sorted(name[:100] for name in asked if name not in ours)
    if unknown:
        found.append(f"unknown parameters have no effect: {', '.join(unknown[:20])}")
    return found


def form_in(format: object, field: str) -> dict[str, Any] | None:
    """Return the JSON Schema that an answer is asked to conform to; None for any text.

    Args:
        format: a `response_format`, or the `text.format` of a response.
        field: its name, in errors.

    Raises:
        Problem: it is none of OpenAI's ("malformed").
    """
    if format is None:
        return None
    given = _map(format)
    kind: object = given.get("type")
    match kind:
        case "text":
            return None
        case "json_object":
            return {"type": "object"}
        case "json_schema":
            schema: object = _map(given.get("json_schema", given)).get("schema")
            if isinstance(schema, Mapping):
                return dict(cast("Mapping[str, Any]", schema))
            raise Problem(
                "malformed", f"{field} needs a schema, which is an object, got {describe(schema)}", field=field
            )
        case _:
            message = f'{field} must have the type "text", "json_object" or "json_schema", got {describe(kind)}'
            raise Problem("malformed", message, field=field)


def _map(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
