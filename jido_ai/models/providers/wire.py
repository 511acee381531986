"""Wire: types and helpers to parse the fields of a provider's response."""

from __future__ import annotations

from typing import Annotated, Any, Final, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from jido_ai.models.providers.draft import Draft, finish_of, halves_kept, usage_of
from jido_ai.models.providers.http import ProviderSaysError
from jido_ai.values import Completion

_TEXT_PARTS: Final = ("text", "output_text")
_THOUGHT_PARTS: Final = ("thinking", "redacted_thinking", "reasoning")
_COMPLETION: Final = Completion("")


def _joined(content: object) -> object:
    """Return the text of a list of parts, without thoughts; None if there are only parts of other kinds."""
    if not isinstance(content, list):
        return content
    texts: list[str] = []
    is_other = False
    for part in cast("list[object]", content):
        fields = cast("dict[str, object]", part) if isinstance(part, dict) else {"text": part}
        kind, text = fields.get("type", "text"), fields.get("text")
        if kind in _TEXT_PARTS and isinstance(text, str):
            texts.append(text)
        elif kind not in _THOUGHT_PARTS:
            is_other = True
    return None if is_other and not texts else "".join(texts)


Content = Annotated[str | None, BeforeValidator(_joined)]
"""The text of a message, which may come as a list of parts."""


class Wire(BaseModel):
    """Base of parsed responses: exact types; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", hide_input_in_errors=True)

    @classmethod
    def of(cls, data: str | bytes) -> Self:
        """Parse JSON, with or without a byte order mark. Raises `ValidationError`, `UnicodeDecodeError`."""
        data = data.removeprefix(b"\xef\xbb\xbf") if isinstance(data, bytes) else data.removeprefix("\ufeff")
        try:
            return cls.model_validate_json(data)
        except ValidationError:
            text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
            kept = halves_kept(text)
            if kept == text:
                raise
        return cls.model_validate_json(kept)


def completion_of(draft: Draft) -> Completion | None:
    """Return the completion of a reply that has ended; None if it has neither a text nor a reason for having none.

    Raises:
        ProviderSaysError: the server ended it because it failed.
    """
    reason = finish_of(draft.ended)
    if reason == "failed":
        raise ProviderSaysError({"code": "unavailable", "message": f"it ended the answer with {draft.ended!r}"})
    if draft.is_empty:
        return None
    fields: dict[str, Any] = {"text": draft.text or "", "model": draft.model, "usage": usage_of(draft.counts)}
    fields |= {"finish_reason": reason or "stop", "response_id": draft.response_id}
    fields["is_only_thoughts"] = draft.is_only_thoughts
    return _COMPLETION.model_copy(update=fields | ({} if reason else {"ended_by": draft.ended}))
