"""Asking a model for a first candidate, and reading what it answers: plain text. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jido_ai.errors import ParseError
from jido_ai.models.prompts.lessons import lessons_in_words
from jido_ai.models.prompts.template import MAX_CHARS, PromptTemplate, check_texts, system_message
from jido_ai.values import MemoryEntry, Message

__all__ = ["GENERATION_TEMPLATE", "GenerationPrompt", "read_generation"]

_ROLE: Final = "Answer the question or do the task. Reply with the answer only, with nothing before or after it."
GENERATION_TEMPLATE: Final = """\
Lessons from earlier runs on similar tasks:
$lessons

The task follows."""


@dataclass(frozen=True, slots=True)
class GenerationPrompt:
    """How a candidate is asked for. The prompt is the caller's own and goes out last, as it is; lessons are data.

    Attributes:
        template: shows $lessons; used when there are any.
        system: what the model is told first; None is nothing.
        max_chars: of the lessons.
    """

    template: PromptTemplate
    system: str | None
    max_chars: int = MAX_CHARS

    @classmethod
    def of(
        cls, *, template: str | None = None, system: str | None = None, max_chars: int = MAX_CHARS
    ) -> GenerationPrompt:
        """Make one from what a caller may say. Raises `ConfigurationError` when the template cannot be used."""
        check_texts(system, max_chars)
        text = GENERATION_TEMPLATE if template is None else template
        return cls(
            PromptTemplate(text, fields=("lessons",), required=("lessons",)),
            _ROLE if system is None else system,
            max_chars,
        )

    def messages(self, prompt: str, lessons: Sequence[MemoryEntry]) -> tuple[Message, ...]:
        """Return the request."""
        told = (system_message(self.system),) if self.system else ()
        if lessons:
            block = self.template.render(
                {"lessons": lessons_in_words(lessons, min(2000, self.max_chars))},
                max_chars=self.max_chars,
                beside=prompt,
            )
            prompt = f"{block}\n\n{prompt}"
        return *told, Message("user", prompt)


def read_generation(text: str) -> str:
    """Return the text. Raises `ParseError` when it is blank."""
    if not text.strip():
        raise ParseError("the reply is blank", raw=text)
    return text
