"""Asking a model for a revision, and reading what it answers. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator

from jido_ai.errors import EditError, ParseError
from jido_ai.models.prompts.attempts import failed_in_words, in_lines
from jido_ai.models.prompts.lessons import lessons_in_words
from jido_ai.models.prompts.revised_text import as_revised
from jido_ai.models.prompts.source_file import NUMBERED, SourceFile, has_line_numbers, numbered
from jido_ai.models.prompts.structured_reply import Items, read_reply
from jido_ai.models.prompts.template import MAX_CHARS, TASK_TEMPLATE, PromptTemplate, check_texts, system_message
from jido_ai.text.change import unified_diff
from jido_ai.text.printable import clip
from jido_ai.text.search_replace import MAX_EDITS, Edit, apply_edits
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, MemoryEntry, Message

__all__ = [
    "EDITS_ABOVE",
    "EDITS_SCHEMA",
    "REVISION_SCHEMA",
    "REVISION_TEMPLATE",
    "Revision",
    "RevisionPrompt",
    "critique_in_words",
    "read_edits",
    "read_revision",
    "unified_diff",
]

# -- what is asked ---------------------------------------------------------------------------------

EDITS_ABOVE: Final = 4_000
"""Characters; a longer source file is revised by edits. That is about 100 lines and 1,000 tokens. Up to there the whole
text costs little; above, models drop lines and break escapes in one long JSON string, and replies reach their limits of
tokens and time."""
_ROLE: Final = (
    "You revise a candidate answer to a task. You get the task, the candidate, and a critique with findings. Write an "
    "improved answer: fix each finding that is correct. If two findings contradict each other, trust a tool's over an "
    "opinion. The result must stand on its own as the answer to the task: do not mention the critique in it."
)
_CODE_ROLE: Final = (
    "You fix a source file. You get the task, the file (the candidate), and a critique with findings and their line "
    "numbers. Fix each finding that is correct. Keep the behaviour of everything else, and keep public names and "
    "signatures. If two findings contradict each other, trust a tool's over an opinion. Do not mention the critique in "
    "the file."
)
_PRESERVE: Final = (
    "Keep what is right: copy every part that no finding is about word for word, and change as little as the findings "
    "need."
)
_CLAIMS: Final = (
    '- "changes_made": each change and its reason, in a few words.\n'
    '- "parts_preserved": what you kept on purpose, in a few words.'
)
_REPLY: Final = f"""\
Reply with one JSON object and nothing else. Example, for a candidate "The moon is far away.":
{{"improved_response": "The moon is 384,400 km away.", "changes_made": ["added the distance"], "parts_preserved": []}}
- "improved_response": the whole improved text, not an excerpt and not a description. Write line ends as \\n, quotes \
as \\" and backslashes as \\\\.
{_CLAIMS}"""
_EDITS_REPLY: Final = f"""\
Reply with one JSON object and nothing else. Give edits, not the whole file. Example, for another file:
{{"edits": [{{"search": "def total(prices):\\n    return sum(prices[1:])", "replace": "def total(prices):\\n    return \
sum(prices)"}}], "changes_made": ["total() counts the first price"], "parts_preserved": []}}
- "search": text copied exactly from the candidate, with its indentation and without the line numbers. It must occur \
exactly once in the candidate: add lines around it until it does. Write line ends as \\n, quotes as \\" and \
backslashes as \\\\.
- "replace": the text that takes its place; "" deletes it.
- At most {MAX_EDITS} edits. They must not overlap. Each applies to the candidate as it is shown, not to the result of \
another edit.
{_CLAIMS}"""
REVISION_TEMPLATE: Final = f"""\
{TASK_TEMPLATE}

The candidate to revise:
$candidate

The critique of the candidate:
$critique

Earlier revisions that failed, and why. Do not repeat them:
$attempts"""
_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
REVISION_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "improved_response": _TEXT,
        "changes_made": _TEXTS,
        "parts_preserved": _TEXTS,
    },
    "required": ["improved_response", "changes_made", "parts_preserved"],
    "additionalProperties": False,
}
EDITS_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"search": _TEXT, "replace": _TEXT},
                "required": ["search", "replace"],
                "additionalProperties": False,
            },
        },
        "changes_made": _TEXTS,
        "parts_preserved": _TEXTS,
    },
    "required": ["edits", "changes_made", "parts_preserved"],
    "additionalProperties": False,
}
_FIELDS: Final = ("prompt", "candidate", "critique", "lessons", "file", "project", "attempts")
_MOST_ISSUES: Final = 100


@dataclass(frozen=True, slots=True)
class RevisionPrompt:
    """How a revision is asked for.

    Attributes:
        template: shows $candidate and $critique (both required), $prompt, $lessons, $file, $project, $attempts.
        role: in place of the usual one; the form of the reply is always added.
        preserve_correct: asks to leave alone what no finding is about.
        max_chars: of each field.
    """

    template: PromptTemplate
    role: str | None = None
    preserve_correct: bool = True
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
        text = REVISION_TEMPLATE if template is None else template
        checked = PromptTemplate(text, fields=_FIELDS, required=("candidate", "critique"))
        return cls(checked, system, preserve_correct, max_chars)

    @property
    def system(self) -> str:
        """Role and form of the reply for a text of which nothing else is known."""
        return self.system_for(None, by_edits=False)

    def system_for(self, source: SourceFile | None, *, by_edits: bool) -> str:
        """Return role and form of the reply."""
        parts = [(_CODE_ROLE if source and source.is_code else _ROLE) if self.role is None else self.role]
        if self.preserve_correct:
            parts.append(_PRESERVE)
        if source:
            parts.append(NUMBERED)
        parts.append(_EDITS_REPLY if by_edits else _REPLY)
        return "\n\n".join(parts)

    def messages(
        self,
        prompt: str,
        candidate: str,
        critique: CritiqueResult,
        lessons: Sequence[MemoryEntry],
        setbacks: Sequence[Iteration] = (),
        *,
        attempts: Sequence[Iteration] = (),
        source: SourceFile | None = None,
        by_edits: bool = False,
    ) -> tuple[Message, ...]:
        """Return the request; every text in it is data in a block.

        Args:
            setbacks: earlier revisions that broke what worked.
            attempts: earlier revisions of this candidate that were not taken.
            source: the file that the candidate is the text of; its lines are shown with their numbers.
            by_edits: asks for edits instead of the whole text.
        """
        failed = failed_in_words(candidate, setbacks, attempts, max_chars=self.max_chars)
        told = [critique_in_words(critique)]
        if not self.template.shows("attempts"):
            told += failed
        texts = {
            "prompt": prompt,
            "candidate": numbered(candidate, self.max_chars) if source else candidate,
            "critique": "\n\n".join(told),
            "lessons": lessons_in_words(lessons, min(2000, self.max_chars)),
            "attempts": "\n\n".join(failed),
            "file": source.heading if source else "",
            "project": source.surroundings if source else "",
        }
        whole = ("candidate", "project") if source else ()  # bounded above, and not to be cut within a line
        content = self.template.render(texts, max_chars=self.max_chars, whole=whole)
        return system_message(self.system_for(source, by_edits=by_edits)), Message("user", content)


def critique_in_words(critique: CritiqueResult) -> str:
    """Return a critique as a model reads it: severity, findings with place and severity, suggestions, what is good."""
    lines = [f"Severity as a whole: {critique.severity:.2f}"]
    lines.extend(f"{number}. {_finding(issue)}" for number, issue in enumerate(critique.issues[:_MOST_ISSUES], 1))
    if len(critique.issues) > _MOST_ISSUES:
        lines.append(f"[… {len(critique.issues) - _MOST_ISSUES} more findings left out]")
    for label, texts in (("Suggestions", critique.suggestions), ("Good as it is", critique.strengths)):
        if texts:
            lines.append(f"{label}:")
            lines.extend(f"- {in_lines(text)}" for text in texts)
    if critique.feedback:
        lines.append(f"In short: {in_lines(critique.feedback)}")
    return "\n".join(lines)


def _finding(issue: Issue) -> str:
    about = [text for text in (issue.source, issue.rule, issue.kind) if text]
    if issue.location is not None and issue.location.line is not None:
        about.insert(0, f"line {issue.location.line}")
    if issue.severity is not None:
        about.append(f"severity {issue.severity:.2f}")
    head = f"[{clip(' '.join(', '.join(about).split()), 200)}] " if about else ""
    return f"{head}{in_lines(issue.message)}"


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


class _EditReply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    search: str
    replace: str

    @field_validator("replace")
    @classmethod
    def _is_whole(cls, value: str) -> str:
        if _SURROGATE.search(value):
            raise ValueError("has half a character (a lone surrogate)")
        return value


class _EditsReply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    edits: Annotated[tuple[_EditReply, ...], Field(max_length=MAX_EDITS)]
    changes_made: Items = ()
    parts_preserved: Items = ()


def read_revision(
    text: str, candidate: Candidate, *, was_numbered: bool = False, is_file: bool = False
) -> tuple[Revision, tuple[str, ...]]:
    """Return the revision, and warnings about what had to be done to read it.

    Only a whole text is taken: one that was cut off, or whose end has to be guessed, is not. It gets the form of the
    candidate: see `as_revised`.

    Args:
        was_numbered: the candidate was shown with line numbers; a text that has them on each line is not taken.
        is_file: the candidate is a source file, and no text for readers.

    Raises:
        ParseError: see `read_reply` and `as_revised`.
    """
    reading = read_reply(text, Revision, verbatim=("improved_response",))
    improved = as_revised(reading.value.improved_response, candidate.content, is_file=is_file)
    if was_numbered and has_line_numbers(improved) and not has_line_numbers(candidate.content):
        raise ParseError("improved_response: has line numbers; give the text without them", raw=text)
    if improved == reading.value.improved_response:
        return reading.value, reading.warnings
    return reading.value.model_copy(update={"improved_response": improved}), reading.warnings


def read_edits(text: str, candidate: Candidate, *, is_file: bool = False) -> tuple[Revision, tuple[str, ...]]:
    """Return the revision that edits make of the candidate, and warnings about what had to be done to read them.

    All edits are applied or none: see `apply_edits`. No edit is guessed, or applied where it nearly fits.

    Args:
        is_file: the candidate is a source file, and no text for readers.

    Raises:
        EditError: an edit cannot be applied, or nothing is left of the text.
        ParseError: see `read_reply` and `as_revised`.
    """
    reading = read_reply(text, _EditsReply, verbatim=("search", "replace"))
    reply = reading.value
    try:
        improved = apply_edits(candidate.content, [Edit(one.search, one.replace) for one in reply.edits])
    except EditError as error:
        raise EditError(str(error), number=error.number, raw=text) from None
    if not improved.strip():
        raise EditError("the edits leave nothing of the candidate", number=len(reply.edits), raw=text)
    improved = as_revised(improved, candidate.content, is_file=is_file)
    revision = Revision.model_construct(
        improved_response=improved, changes_made=reply.changes_made, parts_preserved=reply.parts_preserved
    )
    return revision, reading.warnings
