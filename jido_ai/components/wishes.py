"""Wishes: the form of the answer and the settings of models that the caller of one run asks for."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final

from jido_ai.text.output_type import OutputType

_OF_ANY_TEXT: Final = ("temperature", "top_p", "seed")
"""Settings that also suit texts other than the answer."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The form and settings that the caller of one run asks for, in place of the settings of the components that write.

    Attributes:
        form: the type of the answer; None for any text.
        settings: by the fields of `CompletionRequest`: temperature, top_p, max_tokens, seed, stop.
    """

    form: OutputType[Any] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def inside(self) -> Wishes:
        """Return the wishes for a text that is not the answer itself."""
        return replace(self, form=None, settings={k: one for k, one in self.settings.items() if k in _OF_ANY_TEXT})


current_wishes: ContextVar[Wishes | None] = ContextVar("current_wishes", default=None)
"""The wishes for the next run that is started in this context."""
