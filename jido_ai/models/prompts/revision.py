"""Asking a model for a revision, and reading what it answers. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, field_validator

from jido_ai.models.prompts.lessons import format_for_prompt
from jido_ai.models.prompts.structured_reply import Items, read_reply
from jido_ai.models.prompts.template import MAX_CHARS, PromptTemplate, check_texts, system_message
from jido_ai.text.change import lines_of
from jido_ai.text.printable import clip
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, MemoryEntry, Message

__all__ = ["REVISION_SCHEMA", "REVISION_TEMPLATE", "Revision", "RevisionPrompt", "read_revision", "unified_diff"]

# -- what is asked ---------------------------------------------------------------------------------

_ROLE: Final = (
    "You revise a candidate answer to a prompt after a critique of it. Mend what the critique names, if it is really "
    "wrong; where two findings contradict each other, what a tool found counts more than what was said. The result "
    "must stand on its own as the answer to the prompt: do not mention the critique in it."
)
_PRESERVE: Final = (
    "Keep what is right: leave every part that no finding touches as it is, word for word, and change as little as the "
    "findings need."
)
_REPLY: Final = """\
Answer with one JSON object and nothing else:
{"improved_response": "...", "changes_made": ["..."], "parts_preserved": ["..."]}
"improved_response" is the whole improved text, never an excerpt or a description of it, with line ends as \\n and \
quotes as \\". "changes_made" says in short what was changed and why, "parts_preserved" what was kept on purpose."""
REVISION_TEMPLATE: Final = """\
What was asked for:
$prompt

What earlier attempts taught:
$lessons

The candidate to revise:
$candidate

The critique of it:
$critique"""
_TEXTS: Final = {"type": "array", "items": {"type": "string"}}
REVISION_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "improved_response": {"type": "string"},
        "changes_made": _TEXTS,
        "parts_preserved": _TEXTS,
    },
    "required": ["improved_response", "changes_made", "parts_preserved"],
    "additionalProperties": False,
}
_FIELDS: Final = ("prompt", "candidate", "critique", "lessons")
_MOST_ISSUES: Final = 100
_MOST_SETBACKS: Final = 3
_MOST_BROKEN: Final = 5
_SETBACK_CHARS: Final = 4_000
_HARD: Final = frozenset({"test", "syntax", "import", "cannot-run", "timeout"})


@dataclass(frozen=True, slots=True)
class RevisionPrompt:
    """How a revision is asked for.

    Attributes:
        template: shows $candidate and $critique (both required), $prompt, $lessons.
        system: role and form of the reply.
        max_chars: of each field.
    """

    template: PromptTemplate
    system: str
    max_chars: int = MAX_CHARS

    @classmethod
    def of(
        cls,
        *,
        preserve_correct: bool = True,
        template: str | None = None,
        system: str | None = None,
        max_chars: int = MAX_CHARS,
    ) -> RevisionPrompt:
        """Make one from what a caller may say; `system` takes the place of the role.

        Raises:
            ConfigurationError: the template cannot be used.
        """
        check_texts(system, max_chars)
        role = _ROLE if system is None else system
        parts = (role, _PRESERVE, _REPLY) if preserve_correct else (role, _REPLY)
        text = REVISION_TEMPLATE if template is None else template
        return cls(
            PromptTemplate(text, fields=_FIELDS, required=("candidate", "critique")), "\n\n".join(parts), max_chars
        )

    def messages(
        self,
        prompt: str,
        candidate: str,
        critique: CritiqueResult,
        lessons: Sequence[MemoryEntry],
        setbacks: Sequence[Iteration] = (),
    ) -> tuple[Message, ...]:
        """Return the request; every text in it is data in a block.

        Args:
            setbacks: earlier revisions that broke what worked: what broke and what was changed is told.
        """
        texts = {
            "prompt": prompt,
            "candidate": candidate,
            "critique": "\n\n".join([in_words(critique), *rejected_in_words(candidate, setbacks)]),
            "lessons": format_for_prompt(lessons),
        }
        return system_message(self.system), Message("user", self.template.render(texts, max_chars=self.max_chars))


def in_words(critique: CritiqueResult) -> str:
    """Return a critique as a model reads it: severity, findings with place and severity, suggestions, what is good."""
    lines = [f"Severity as a whole: {critique.severity:.2f}"]
    lines.extend(f"{number}. {_finding(issue)}" for number, issue in enumerate(critique.issues[:_MOST_ISSUES], 1))
    if len(critique.issues) > _MOST_ISSUES:
        lines.append(f"[… {len(critique.issues) - _MOST_ISSUES} more findings left out]")
    for label, texts in (("Suggestions", critique.suggestions), ("Good as it is", critique.strengths)):
        if texts:
            lines.append(f"{label}:")
            lines.extend(f"- {_indented(text)}" for text in texts)
    if critique.feedback:
        lines.append(f"In short: {_indented(critique.feedback)}")
    return "\n".join(lines)


def rejected_in_words(candidate: str, setbacks: Sequence[Iteration]) -> list[str]:
    """Return what a model must know of the newest revisions that were rejected: what broke, why, and the change."""
    told: list[str] = []
    for iteration in setbacks[-_MOST_SETBACKS:]:
        broken = [f"- {clip(name, 200)}" for name in iteration.broken[:_MOST_BROKEN]]
        if len(iteration.broken) > _MOST_BROKEN:
            broken.append(f"- and {len(iteration.broken) - _MOST_BROKEN} more")
        why = [f"- {clip(_indented(one.message), 500)}" for one in iteration.critique.issues if one.kind in _HARD]
        diff = clip(unified_diff(candidate, iteration.candidate.content), _SETBACK_CHARS)
        parts = [
            "An earlier revision was rejected because it broke what worked before. Do not make this change again.",
            "It broke:",
            *broken,
            *(["What was reported:", *why[:_MOST_BROKEN]] if why else []),
            "The rejected change:",
            diff,
        ]
        told.append("\n".join(parts))
    return told


def _finding(issue: Issue) -> str:
    about = [text for text in (issue.source, issue.rule, issue.kind) if text]
    if issue.location is not None and issue.location.line is not None:
        about.insert(0, f"line {issue.location.line}")
    if issue.severity is not None:
        about.append(f"severity {issue.severity:.2f}")
    head = f"[{clip(' '.join(', '.join(about).split()), 200)}] " if about else ""
    return f"{head}{_indented(issue.message)}"


def _indented(text: str) -> str:
    return "\n   ".join(text.strip().splitlines())


# -- what is answered ------------------------------------------------------------------------------


class Revision(BaseModel):
    """A revision as a model told it.

    Attributes:
        changes_made, parts_preserved: what it claims; the real change is the difference of the texts.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    improved_response: str
    changes_made: Items = ()
    parts_preserved: Items = ()

    @field_validator("improved_response")
    @classmethod
    def _is_a_text(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("must not be blank")
        if _SURROGATE.search(value):
            raise ValueError("has half a character (a lone surrogate)")
        return value


_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FENCE: Final = re.compile(r"\s*```[^\n`]*\n(.*?)\n?```\s*", re.DOTALL)


def read_revision(text: str, candidate: Candidate) -> tuple[Revision, tuple[str, ...]]:
    """Return the revision, and warnings about what had to be done to read it.

    A code fence around the whole text goes, unless the candidate has one; a line end at the end of the candidate
    stays. Only a whole text is taken: one that was cut off, or whose end has to be guessed, is not.

    Raises:
        ParseError: see `read_reply`.
    """
    reading = read_reply(text, Revision, verbatim=("improved_response",))
    improved = reading.value.improved_response
    fenced = _FENCE.fullmatch(improved)
    if fenced and "```" not in fenced[1] and not candidate.content.lstrip().startswith("```"):
        improved = fenced[1]
    if candidate.content.endswith("\n") and not improved.endswith("\n"):
        improved += "\n"
    if improved is reading.value.improved_response:
        return reading.value, reading.warnings
    return reading.value.model_copy(update={"improved_response": improved}), reading.warnings


def unified_diff(before: str, after: str) -> str:
    """Return the real difference of two texts, line ends included; "" when they are equal."""
    lines = difflib.unified_diff(lines_of(before), lines_of(after), "before", "after", lineterm="")
    return "\n".join(line.removesuffix("\n") for line in lines)
