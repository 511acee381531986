"""The prompt for a first candidate, and the parser of the reply, which is plain text. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jido_ai.errors import ParseError
from jido_ai.models.prompts.attempts import findings_in_words
from jido_ai.models.prompts.lessons import lessons_in_words
from jido_ai.models.prompts.template import MAX_CHARS, PromptTemplate, check_texts, system_message
from jido_ai.values import Iteration, MemoryEntry, Message

GENERATION_ROLE: Final = (
    "Answer the question or do the task. Reply with the answer only, with nothing before or after it."
)
_FINDINGS: Final = """\
$findings
Write the answer so that none of these findings applies."""
GENERATION_TEMPLATE: Final = f"""\
$lessons

$prompt

{_FINDINGS}"""
_FIELDS: Final = ("prompt", "lessons", "findings")


@dataclass(frozen=True, slots=True)
class GenerationPrompt:
    """The form of requests for a candidate. The caller's prompt is sent unchanged; everything else is data.

    Attributes:
        template: shows $prompt, $lessons and $findings. A paragraph whose fields are all blank is left out.
        system: what the model is told first; None is nothing.
        max_chars: of each block: lessons, findings in earlier answers.
        is_usual: the template is ours, so a plain draft is asked for by the prompt alone, as it is.
    """

    template: PromptTemplate
    system: str | None
    max_chars: int = MAX_CHARS
    is_usual: bool = True

    @classmethod
    def of(
        cls, *, template: str | None = None, system: str | None = None, max_chars: int = MAX_CHARS
    ) -> GenerationPrompt:
        """Build one from a caller's arguments.

        A template without $prompt or $findings gets them at its end.

        Raises:
            ConfigurationError: the template cannot be used.
        """
        check_texts(system, max_chars)
        checked = PromptTemplate(GENERATION_TEMPLATE if template is None else template, fields=_FIELDS)
        missing = [text for name, text in (("prompt", "$prompt"), ("findings", _FINDINGS)) if not checked.shows(name)]
        if missing:
            checked = PromptTemplate("\n\n".join((template or "", *missing)), fields=_FIELDS)
        return cls(checked, GENERATION_ROLE if system is None else system, max_chars, template is None)

    def messages(
        self,
        prompt: str,
        lessons: Sequence[MemoryEntry],
        attempts: Sequence[Iteration] = (),
        examples: Sequence[MemoryEntry] = (),
    ) -> tuple[Message, ...]:
        """Return the request; `attempts` are the judged candidates of the run, if it begins again.

        Each of the `examples` is a turn before it: the earlier prompt, as it went then, and the accepted answer.
        """
        first = (system_message(self.system),) if self.system else ()
        for example in examples:
            first = (*first, Message("user", example.sent_prompt), Message("assistant", example.answer))
        if self.is_usual and not lessons and not attempts:
            return *first, Message("user", prompt)
        texts = {
            "prompt": prompt,
            "lessons": lessons_in_words(lessons, min(2000, self.max_chars)),
            "findings": findings_in_words(attempts) if attempts else "",
        }
        return *first, Message("user", self.template.render(texts, max_chars=self.max_chars))


def read_generation(text: str) -> str:
    """Return the text. Raises `ParseError` when it is blank."""
    if not text.strip():
        raise ParseError("the reply is blank", raw=text)
    return text
