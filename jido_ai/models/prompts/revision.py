"""The prompt for a revision, and the parser of the reply. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from jido_ai.errors import EditError, ParseError
from jido_ai.models.prompts.attempts import critique_in_words, failed_in_words
from jido_ai.models.prompts.lessons import lessons_in_words
from jido_ai.models.prompts.source_file import SourceFile
from jido_ai.models.prompts.structured_reply import LONGEST_REPLY, Items, read_reply
from jido_ai.models.prompts.template import DATA_NOTE, MAX_CHARS, PromptTemplate, check_texts, system_message
from jido_ai.text.comments import program_of
from jido_ai.text.file_form import BOM, in_form_of, without_fence, without_prose
from jido_ai.text.json_branches import is_same, merged_branches
from jido_ai.text.json_reply import parsed
from jido_ai.text.output_type import OutputType, Reading, Readings
from jido_ai.text.placeholders import new_placeholder
from jido_ai.text.printable import clip
from jido_ai.text.search_replace import MAX_EDITS, Replacement, apply_edits
from jido_ai.values import Candidate, CritiqueResult, Iteration, MemoryEntry, Message

# -- what is asked ---------------------------------------------------------------------------------

EDITS_ABOVE: Final = 4_000
"""Characters; a longer source file is revised by edits. That is about 100 lines and 1,000 tokens. Up to there the whole
text costs little; above, models drop lines and break escapes in one long JSON string, and replies reach their limits of
tokens and time."""
Form = Literal["text", "json", "edits"]
"""How a revision comes back: as the text alone, as a JSON object that holds it, or as search and replace edits."""
REVISION_ROLE: Final = "You improve an answer to a task."
_PRESERVE: Final = ", and change nothing else"
REVISION_TEMPLATE: Final = f"""\
$prompt

$file

$lessons

$project

An answer to this:
$candidate

Its faults:
$critique

Earlier revisions that failed:
$attempts

Fix these faults where they are right{_PRESERVE}."""
REVISION_FORMS: Final[Mapping[Form, str]] = {
    "text": "Write the whole improved answer, and nothing else.",
    "json": 'Reply with JSON: the whole improved answer in "improved_response", and what you changed.',
    "edits": f"""\
Reply with JSON: at most {MAX_EDITS} edits. "search" is copied exactly from the answer and occurs in it once; \
"replace" takes its place.""",
}
"""The last line of each request."""
SHAPES: Final[Mapping[Form, str]] = {
    "text": "",
    "json": '{"improved_response": "<the improved answer>", "changes_made": ["<a change>"], "parts_preserved": []}',
    "edits": '{"edits": [{"search": "<exact lines>", "replace": "<new lines>"}], "changes_made": ["<a change>"]}',
}
"""The shape of a reply, for models whose server does not enforce its schema."""
_TEXTS: Final = {"type": "array", "items": {"type": "string", "maxLength": 160}, "maxItems": 8}
_TEXT: Final = {"type": "string"}


def _schema(**properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


SCHEMAS: Final[Mapping[Form, Mapping[str, Any] | None]] = {
    "text": None,
    "json": _schema(improved_response=_TEXT, changes_made=_TEXTS, parts_preserved=_TEXTS),
    "edits": _schema(
        edits={"type": "array", "items": _schema(search=_TEXT, replace=_TEXT), "maxItems": MAX_EDITS},
        changes_made=_TEXTS,
    ),
}
_FIELDS: Final = ("prompt", "candidate", "critique", "lessons", "file", "project", "attempts")


@dataclass(frozen=True, slots=True)
class RevisionPrompt:
    """The form of requests for a revision.

    Attributes:
        template: shows $candidate and $critique (both required), $prompt, $lessons, $file, $project, $attempts.
        role: the system message, to which `DATA_NOTE` is added. The form of the reply is always the last line.
        max_chars: of each field.
    """

    template: PromptTemplate
    role: str = REVISION_ROLE
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
        """Build one from a caller's arguments; `system` replaces the role.

        Args:
            preserve_correct: the usual template asks to change nothing else.

        Raises:
            ConfigurationError: the template cannot be used.
        """
        check_texts(system, max_chars)
        usual = REVISION_TEMPLATE if preserve_correct else REVISION_TEMPLATE.replace(_PRESERVE, "")
        checked = PromptTemplate(
            usual if template is None else template, fields=_FIELDS, required=("candidate", "critique")
        )
        return cls(checked, REVISION_ROLE if system is None else system, max_chars)

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
        form: Form = "text",
    ) -> tuple[Message, ...]:
        """Return the request; every text in it but the prompt is data in a block.

        Args:
            setbacks: earlier revisions that broke what worked.
            attempts: earlier revisions of this candidate that were not taken.
            source: the file that the candidate is the text of.
        """
        failed = failed_in_words(candidate, setbacks, attempts, max_chars=self.max_chars)
        parts = [critique_in_words(critique, candidate)]
        if not self.template.shows("attempts"):
            parts += failed
        texts = {
            "prompt": prompt,
            "candidate": candidate,
            "critique": "\n\n".join(parts),
            "lessons": lessons_in_words(lessons, min(2000, self.max_chars)),
            "attempts": "\n\n".join(failed),
            "file": source.heading if source else "",
            "project": source.surroundings if source else "",
        }
        content = self.template.render(texts, max_chars=self.max_chars, whole=("project",))
        return system_message(f"{self.role} {DATA_NOTE}"), Message("user", f"{content}\n{REVISION_FORMS[form]}")


# -- what is answered ------------------------------------------------------------------------------


class Revision(BaseModel):
    """A parsed model revision.

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
_MOST_COMPARED: Final = 1_000
_MOST_CHANGES: Final = 10
_CHANGE_CHARS: Final = 80


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


def read_text(text: str, candidate: Candidate, *, is_file: bool = False) -> tuple[Revision, tuple[str, ...]]:
    """Return the revision in a reply: its whole text, or the text of a JSON object if the model sent one.

    It gets the form of the candidate: see `as_revised`. What was changed is computed, not claimed.

    Args:
        is_file: the candidate is a source file, and no text for readers.

    Raises:
        ParseError: the reply is blank, or longer than a million characters; see also `as_revised`.
    """
    if text.lstrip().startswith("{") and "improved_response" in text and "improved_response" not in candidate.content:
        return read_revision(text, candidate, is_file=is_file)
    if not text.strip():
        raise ParseError("the reply is blank", raw=text)
    if len(text) > LONGEST_REPLY:
        raise ParseError(f"the reply has {len(text)} characters, more than {LONGEST_REPLY}", raw=text)
    improved = as_revised(text, candidate.content, is_file=is_file)
    changes = changes_in_words(candidate.content, improved)
    return Revision.model_construct(improved_response=improved, changes_made=changes, parts_preserved=()), ()


def read_json(
    text: str,
    candidate: Candidate,
    critique: CritiqueResult,
    output: OutputType[Any],
    known: Readings | None = None,
) -> tuple[Revision, tuple[str, ...]]:
    """Return the candidate, a JSON text, with the branches of the reply where the critique has findings.

    The reply counts whole where the structure around a finding is another (see `merged_branches`), where what came of
    it has a fault that the reply has not, and where nothing but a repeated candidate came of a reply that validates.

    Raises:
        ParseError: the reply is no JSON.
    """
    reading = output.read(text, known, is_reply=True)
    if (fault := next((one for one in reading.issues if one.kind == "json"), None)) is not None:
        raise ParseError(fault.message, raw=text)
    improved = merged_branches(candidate.content, reading.text, critique.issues, output.tags)
    left, said = (_places(one) for one in (output.check(improved, known), reading))
    if not left <= said or (reading.fits and _is_as_before(candidate.content, improved)):
        improved = reading.text  # the model changed more than the findings, and rightly
    changes = changes_in_words(candidate.content, improved)
    return Revision.model_construct(improved_response=improved, changes_made=changes, parts_preserved=()), ()


def _places(reading: Reading[Any]) -> set[tuple[str | None, str | None]]:
    return {(one.rule, one.location and one.location.path) for one in reading.issues}


def _is_as_before(before: str, after: str) -> bool:
    try:
        return is_same(parsed(before), parsed(after))
    except (ValueError, RecursionError):
        return False


def read_revision(text: str, candidate: Candidate, *, is_file: bool = False) -> tuple[Revision, tuple[str, ...]]:
    """Return the revision in a JSON object, and warnings about the repairs that were needed to read it.

    The text is taken as `read_text` does. Only a whole one is taken: one that was cut off, or whose end has to be
    guessed, is not.

    Raises:
        ParseError: see `read_reply` and `as_revised`.
    """
    reading = read_reply(text, Revision, verbatim=("improved_response",))
    improved = as_revised(reading.value.improved_response, candidate.content, is_file=is_file)
    return reading.value.model_copy(update={"improved_response": improved}), reading.warnings


def changes_in_words(before: str, after: str) -> tuple[str, ...]:
    """Return the changes of a revision: each run of lines or, within a line, of words; at most ten.

    A change is told as "OLD -> NEW", 80 characters of each; "" stands for nothing.
    """
    old, new = before.splitlines(), after.splitlines()
    if len(old) == len(new) == 1:
        old, new = before.split(), after.split()
    if len(old) + len(new) > _MOST_COMPARED:
        return ()
    joiner = " " if len(before.splitlines()) == 1 else "\n"
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    changed = [one for one in matcher.get_opcodes() if one[0] != "equal"]
    shown = [
        f"{clip(joiner.join(old[i:j]), _CHANGE_CHARS)!r} -> {clip(joiner.join(new[k:m]), _CHANGE_CHARS)!r}"
        for _, i, j, k, m in changed[:_MOST_CHANGES]
    ]
    return (*shown, *([f"and {len(changed) - _MOST_CHANGES} more"] if len(changed) > _MOST_CHANGES else []))


def read_edits(text: str, candidate: Candidate, *, is_file: bool = False) -> tuple[Revision, tuple[str, ...]]:
    """Return the candidate with the edits applied, and warnings about the repairs that were needed to read them.

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
        improved = apply_edits(candidate.content, [Replacement(one.search, one.replace) for one in reply.edits])
    except EditError as error:
        raise EditError(str(error), number=error.number, raw=text) from None
    if not improved.strip():
        raise EditError("the edits leave nothing of the candidate", number=len(reply.edits), raw=text)
    improved = as_revised(improved, candidate.content, is_file=is_file)
    revision = Revision.model_construct(
        improved_response=improved, changes_made=reply.changes_made, parts_preserved=reply.parts_preserved
    )
    return revision, reading.warnings


# -- revised text ----------------------------------------------------------------------------------


_FENCES: Final = ("```", "~~~")
_DIFF: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:diff|patch)\b", re.IGNORECASE | re.MULTILINE)
_PYTHON: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*py", re.IGNORECASE | re.MULTILINE)
_HUNK: Final = re.compile(r"^@@ ", re.MULTILINE)
_TAGGED: Final = re.compile(r"\s*<(candidate(?:_\d+)?)>\n?(.*?)\n?</\1>\s*", re.DOTALL)


def as_revised(improved: str, candidate: str, *, is_file: bool) -> str:
    """Return the revised text of a candidate.

    The tag that the request has around the candidate goes, unless the candidate has such tags. A code fence around the
    whole text goes, unless the candidate begins with one; of a source file, prose around the only fence (or the only
    one in Python), and half a fence, go too, unless the candidate has fences. Line ends, byte order mark, shebang,
    coding line, licence header and the last line end are those of the candidate: see `in_form_of`.

    Args:
        is_file: the candidate is a source file, and no text for readers.

    Raises:
        ParseError: the text of a source file is a fenced diff; or it has a placeholder in place of what the candidate
            has: see `new_placeholder`.
    """
    echo = None if "<candidate" in candidate else _TAGGED.fullmatch(improved)
    text = improved if echo is None else echo[2]
    if not candidate.lstrip().startswith(_FENCES):
        reply = text.removeprefix(BOM).replace("\r\n", "\n")
        if is_file and "```" not in candidate:
            bare = without_prose(reply, is_python=reply.count("```") == 4 and program_of(candidate) is not None)
        else:
            bare = without_fence(reply)
        if bare is not reply:
            text = bare
            if is_file and _DIFF.search(reply) and not _PYTHON.search(reply) and not _HUNK.search(candidate):
                raise ParseError("the revised text is a diff; give the whole text, nothing left out", raw=improved)
    text = in_form_of(candidate, text, is_file=is_file)
    if (found := new_placeholder(candidate, text, is_file=is_file)) is not None:
        raise ParseError(f"the revised text has {found}; give the whole text, nothing left out", raw=improved)
    return text
