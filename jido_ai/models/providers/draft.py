"""A reply as a server sends it: words, thoughts, tool calls, counts, why it ended; one answer made of them. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, cast

from pydantic_core import from_json, to_json

from jido_ai.values import Usage

FinishReason = Literal["stop", "length", "refusal", "filter"]
_LARGEST_COUNT: Final = 2**53
_ONE_CALL: Final = Usage(calls=1, input_tokens=0, output_tokens=0, unpriced_calls=1)
_FINISH: Final[Mapping[str, FinishReason | Literal["failed"]]] = {
    **dict.fromkeys(
        (
            *("", "stop", "end_turn", "stop_sequence", "tool_use", "tool_calls", "tool_call", "function_call", "eos"),
            *("eos_token", "stop_token", "stop_str", "complete", "completed", "end", "done", "finish", "finished"),
            *("normal", "pause_turn", "load", "function_calls"),
        ),
        "stop",
    ),
    **dict.fromkeys(
        (
            *("length", "max_tokens", "model_length", "max_output_tokens", "max_completion_tokens", "max_new_tokens"),
            *("max_length", "token_limit", "model_context_window_exceeded", "context_length_exceeded"),
            *("context_window_exceeded", "error_limit", "incomplete", "truncated"),
        ),
        "length",
    ),
    "refusal": "refusal",
    **dict.fromkeys(
        (
            *("content_filter", "content_filtered", "filter", "safety", "sensitive", "blocklist", "blocked"),
            *("prohibited_content", "spii", "recitation", "language", "image_safety", "guardrail_intervened"),
            *("moderation", "content_policy", "content_policy_violation", "error_toxic", "model_armor"),
        ),
        "filter",
    ),
    **dict.fromkeys(
        (
            *("error", "failed", "failure", "abort", "aborted", "cancelled", "canceled", "timeout", "unload"),
            *("insufficient_system_resource", "network_error", "server_error", "internal_error", "overloaded"),
            *("malformed_function_call", "unexpected_tool_call"),
        ),
        "failed",
    ),
}
"""Why an answer ended, in the words of OpenAI, Anthropic, Ollama, Mistral, DeepSeek, GLM, Gemini, Cohere, Bedrock,
vLLM, SGLang and TGI."""
_HALF: Final = 0x10F800
"""Half a character stands in a text as a private character from here on, until its other half comes."""
_ESCAPE: Final = re.compile(
    r"\\(?:u(?:d[89ab][0-9a-f]{2})\\u(?:d[c-f][0-9a-f]{2})|u(d[89a-f][0-9a-f]{2})|.)", re.IGNORECASE | re.DOTALL
)
_HALVES: Final = re.compile(r"[\U0010F800-\U0010FBFF]?[\U0010FC00-\U0010FFFF]|[\U0010F800-\U0010FBFF]")


def finish_of(word: object) -> FinishReason | Literal["failed"] | None:
    """Return the reason for the end of an answer, by a server's word for it; None if the word is unknown."""
    text = word.strip().lower() if isinstance(word, str) else ""
    return _FINISH.get(text.removeprefix("finish_reason_").replace("-", "_").replace(" ", "_"))


# -- counts ----------------------------------------------------------------------------------------


def count_of(told: object, *path: str) -> int:
    """Return a count in a response, at least 0; 0 if it is missing or no number, so that a bad count fails no call."""
    for name in path:
        told = cast("dict[object, object]", told).get(name) if isinstance(told, dict) else None
    if told is None:
        return 0
    if isinstance(told, str):
        try:
            told = float(told)
        except ValueError:
            return 0
    if isinstance(told, bool) or not isinstance(told, int | float) or not math.isfinite(told) or told < 0:
        return 0
    return min(math.ceil(told), _LARGEST_COUNT)


def usage_of(counts: Mapping[str, int]) -> Usage:
    """Return the usage of one call, without a price, of the counts "input", "output", "cached" and "reasoning"."""
    told = {"input_tokens": counts.get("input", 0), "output_tokens": counts.get("output", 0)}
    if counts.get("cached") or counts.get("reasoning"):
        told["input_tokens_cached"] = counts.get("cached", 0)
        told["reasoning_tokens"] = counts.get("reasoning", 0)
    return _ONE_CALL.model_copy(update=told)


# -- half characters -------------------------------------------------------------------------------


def halves_kept(text: str) -> str:
    """Return JSON in which the halves of characters are stand-ins: a reader of JSON refuses them."""

    def kept(found: re.Match[str]) -> str:
        half: str | None = found[1]
        return found[0] if half is None else chr(_HALF + int(half, 16) - 0xD800)

    return _ESCAPE.sub(kept, text)


def _joined(found: re.Match[str]) -> str:
    if len(found[0]) == 1:
        return "\ufffd"
    high, low = (ord(half) - _HALF for half in found[0])
    return chr(0x10000 + (high << 10) + (low - 0x400))


class HalfCharacters:
    """Joins the halves of characters that came in two pieces of a text; one alone becomes U+FFFD."""

    def __init__(self) -> None:
        self._first = ""

    def take(self, piece: str) -> str:
        """Return the next piece; the first half of a character at its end is kept for the next one."""
        text, self._first = self._first + piece, ""
        if "\U0010f800" <= text[-1:] <= "\U0010fbff":
            text, self._first = text[:-1], text[-1]
        return text if text.isascii() else _HALVES.sub(_joined, text)

    def rest(self) -> str:
        """Return the rest, at the end of the text."""
        rest, self._first = self._first, ""
        return "\ufffd" if rest else ""


# -- the answer ------------------------------------------------------------------------------------


class Draft:
    """A reply as it grows, whole or in pieces.

    Args:
        is_typed: a schema was sent. Some servers answer it with a call of a tool that they make of it, and some put the
            answer where its thoughts belong.

    Attributes:
        counts: of tokens, each the largest that was told: a last event may have only some of them, or zeros.
        model, response_id: as told last.
        ended: the server's word for why it ended; None until then.
    """

    def __init__(self, *, is_typed: bool) -> None:
        self.counts: dict[str, int] = {}
        self.model: str | None = None
        self.response_id: str | None = None
        self.ended: str | None = None
        self._is_typed = is_typed
        self._words: list[str] = []
        self._has_words = False
        self._thoughts: list[str] = []
        self._has_thoughts = False
        self._call: list[str] = []
        self._call_index: object = None
        self._call_id: object = None
        self._is_first_call = True

    def count(self, **counts: int) -> None:
        """Take counts of tokens."""
        for name, number in counts.items():
            self.counts[name] = max(self.counts.get(name, 0), number)

    def tell(self, *, model: object = None, response_id: object = None, ended: object = None) -> None:
        """Take names of the reply; one that is no text is ignored, so that it fails no call."""
        self.model = model if isinstance(model, str) and model else self.model
        self.response_id = response_id if isinstance(response_id, str) and response_id else self.response_id
        self.ended = ended if isinstance(ended, str) and ended else self.ended

    def say(self, words: str | None) -> str:
        """Take words, and return them."""
        if words is not None:
            self._has_words = True
            self._words.append(words)
        return words or ""

    def think(self, thoughts: object) -> None:
        """Take thoughts."""
        self._has_thoughts = self._has_thoughts or bool(thoughts)
        if self._is_typed and isinstance(thoughts, str):
            self._thoughts.append(thoughts)

    def call(self, calls: object) -> str:
        """Take tool calls, or pieces of them, and return the arguments of the first one, as JSON."""
        said: list[str] = []
        for call in cast("list[object]", calls) if isinstance(calls, list) and self._is_typed else ():
            fields = cast("dict[str, Any]", call) if isinstance(call, dict) else {}
            function: object = fields.get("function")
            given = cast("dict[str, object]", function) if isinstance(function, dict) else {}
            index, id = fields.get("index"), fields.get("id") or None
            if not self._call:
                self._call_index, self._call_id = index, id
            elif (id is not None and id != self._call_id) or given.get("name"):  # or the same call, told anew
                self._is_first_call = self._is_first_call and not _is_json("".join(self._call))
            if index != self._call_index or not self._is_first_call:
                continue
            arguments = given.get("arguments")
            if arguments is not None:
                said.append(arguments if isinstance(arguments, str) else to_json(arguments).decode("utf-8"))
                self._call.append(said[-1])
        return "" if self._has_json_words else "".join(said)

    @property
    def _has_json_words(self) -> bool:
        return any(words.strip() for words in self._words) and "".join(self._words).lstrip().startswith(("{", "["))

    @property
    def is_empty(self) -> bool:
        """True if there is neither an answer nor a thought, nor a reason for having none."""
        return self.text is None and finish_of(self.ended) in ("stop", None)

    @property
    def is_only_thoughts(self) -> bool:
        """True if there are thoughts, and nothing else."""
        return self._has_thoughts and not (self.text or "").strip()

    @property
    def text(self) -> str | None:
        """The answer; "" if there are only thoughts, None if there is nothing."""
        words, call = "".join(self._words), "".join(self._call)
        if self._is_typed:
            if call.strip() and not self._has_json_words:
                return call
            thoughts = "".join(self._thoughts)
            if not words.strip() and thoughts.lstrip().startswith(("{", "[")) and _is_json(thoughts):
                return thoughts
        return words if self._has_words else "" if self._has_thoughts else None


def _is_json(text: str) -> bool:
    try:
        from_json(text)
    except ValueError:
        return False
    return True
