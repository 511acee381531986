"""Asking a model for a first candidate, and reading what it answers: plain text. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jido_ai.errors import ParseError
from jido_ai.models.prompts.attempts import in_lines
from jido_ai.models.prompts.lessons import lessons_in_words
from jido_ai.models.prompts.revision import critique_in_words
from jido_ai.models.prompts.template import MAX_CHARS, PromptTemplate, check_texts, system_message
from jido_ai.values import Iteration, MemoryEntry, Message

__all__ = ["GENERATION_TEMPLATE", "GenerationPrompt", "read_generation"]

_ROLE: Final = "Answer the question or do the task. Reply with the answer only, with nothing before or after it."
GENERATION_TEMPLATE: Final = """\
Lessons from earlier runs on similar tasks:
$lessons

The task follows."""
_ATTEMPTS: Final = PromptTemplate(
    """\
Earlier answers to this task had faults. The critique of the best one:
$critique

Findings in the others:
$others

Write a new answer from the beginning. Avoid these faults where the critique is right. Do not mention the critique or
earlier answers.""",
    fields=("critique", "others"),
)
_MOST_OTHERS: Final = 20


@dataclass(frozen=True, slots=True)
class GenerationPrompt:
    """How a candidate is asked for. The prompt is the caller's own and goes out last, as it is; all else is data.

    Attributes:
        template: shows $lessons; used when there are any.
        system: what the model is told first; None is nothing.
        max_chars: of each block: lessons, critique of the best attempt, findings in the others.
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

    def messages(
        self, prompt: str, lessons: Sequence[MemoryEntry], attempts: Sequence[Iteration] = ()
    ) -> tuple[Message, ...]:
        """Return the request; `attempts` are the judged candidates of the run, if it begins again."""
        told = (system_message(self.system),) if self.system else ()
        if lessons:
            block = self.template.render(
                {"lessons": lessons_in_words(lessons, min(2000, self.max_chars))},
                max_chars=self.max_chars,
                beside=prompt,
            )
            prompt = f"{block}\n\n{prompt}"
        if attempts:
            prompt = f"{_ATTEMPTS.render(_told(attempts), max_chars=self.max_chars, beside=prompt)}\n\n{prompt}"
        return *told, Message("user", prompt)


def _told(attempts: Sequence[Iteration]) -> dict[str, str]:
    """Return the critique of the attempt with the highest score, and the findings that only others had."""
    best = max(attempts, key=lambda one: one.critique.score if one.candidate.score is None else one.candidate.score)
    known = {issue.message for issue in best.critique.issues}
    found = dict.fromkeys(issue.message for one in reversed(attempts) for issue in one.critique.issues)
    others = [f"- {in_lines(message)}" for message in found if message not in known]
    left_out = len(others) - _MOST_OTHERS
    return {
        "critique": critique_in_words(best.critique),
        "others": "\n".join([*others[:_MOST_OTHERS], *([f"- and {left_out} more"] if left_out > 0 else [])]),
    }


def read_generation(text: str) -> str:
    """Return the text. Raises `ParseError` when it is blank."""
    if not text.strip():
        raise ParseError("the reply is blank", raw=text)
    return text
