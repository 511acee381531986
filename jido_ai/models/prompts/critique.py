"""The prompt for a critique, free or by a checklist, and the parser of the reply. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from sys import intern
from typing import Annotated, Any, Final, cast

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator

from jido_ai.errors import ParseError
from jido_ai.models.prompts.lessons import lessons_in_words
from jido_ai.models.prompts.source_file import NUMBERED, SourceFile, numbered
from jido_ai.models.prompts.structured_reply import (
    SEVERITIES,
    Items,
    LineNumber,
    Prose,
    Severity,
    number_on,
    read_reply,
    warn,
)
from jido_ai.models.prompts.template import DATA_NOTE, MAX_CHARS, PromptTemplate, check_texts, system_message
from jido_ai.text.printable import clip
from jido_ai.values import Candidate, CritiqueResult, Issue, Location, MemoryEntry, Message

# -- what is asked ---------------------------------------------------------------------------------

DOMAINS: Final[Mapping[str, str]] = {
    "code": (
        "The candidate is code. Run it in your head with real values: empty, one, many. Look for wrong results, errors "
        "that are raised or swallowed, names that do not exist, and parts of the task that are missing. Taste is no "
        "fault."
    ),
    "math": (
        "The candidate is mathematics. Redo every step. Check the arithmetic, the units and the conditions of every "
        "theorem, and put the result into the problem. A correct result from a wrong step is a fault."
    ),
    "reasoning": (
        "The candidate is an argument. Check whether each premise is given or assumed, and whether each step follows. "
        "Look for counterexamples, cases that were left out, and a conclusion that claims too much."
    ),
    "writing": (
        "The candidate is a text for readers. Check whether it covers the task, suits its readers and has a clear "
        "order. Look for statements that are vague, repeated, contradictory or false."
    ),
}
"""What to look for, by domain (SPEC J4)."""

CRITIQUE_ROLE: Final = "You judge an answer to a task. You do not rewrite it."
_SEVERITY: Final = "Severity: 0 flawless, below 0.3 good enough, above 0.7 wrong or off the task."
CRITIQUE_FORM: Final = f"""\
List the faults that you can show in this candidate, each precise enough to be fixed, with the exact words it is about \
as "quote". No fault: an empty list. {_SEVERITY}
Reply with JSON: issues, suggestions, feedback in one sentence, severity of the whole."""
CHECKLIST_FORM: Final = f"""\
Judge this candidate by each criterion separately. If one is not met, say as "problem" why, with the exact words it is \
about as "quote". {_SEVERITY}
Reply with JSON: a verdict for each criterion by its number, suggestions, feedback in one sentence."""
_CRITIQUE_SHAPE: Final = """\
{"issues": [{"message": "<the fault>", "severity": <0 to 1>, "kind": "<one word>", "line": null, \
"quote": "<exact words>"}], \
"suggestions": ["<how to fix it>"], "feedback": "<one sentence>", "severity": <0 to 1>}"""
_CHECKLIST_SHAPE: Final = """\
{"verdicts": [{"criterion": <its number>, "met": <true or false>, "problem": "<why not>", \
"severity": <0 to 1>, "kind": "<one word>", "line": null, \
"quote": "<exact words>"}], "suggestions": ["<how to fix it>"], "feedback": "<one sentence>"}"""

CRITIQUE_TEMPLATE: Final = """\
$prompt

$file

$lessons

$project

The candidate to judge:
$candidate"""
CHECKLIST_TEMPLATE: Final = f"""\
{CRITIQUE_TEMPLATE}

The criteria:
$criteria"""


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _text(longest: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": longest}


_NUMBER: Final = {"type": "number", "enum": [tenths / 10 for tenths in range(11)]}
"""A severity; servers keep lists of values, and many drop bounds of numbers. A reply may have any number in [0, 1]."""
_PLACE: Final[Mapping[str, Any]] = {
    "kind": _text(20),
    "line": {"type": ["integer", "null"]},
    "quote": _text(100),
}
_SUGGESTIONS: Final = {"type": "array", "items": _text(160), "maxItems": 3}
CRITIQUE_SCHEMA: Final = _object(
    issues={"type": "array", "items": _object(message=_text(160), severity=_NUMBER, **_PLACE), "maxItems": 5},
    suggestions=_SUGGESTIONS,
    feedback=_text(200),
    severity=_NUMBER,
)
CHECKLIST_SCHEMA: Final = _object(
    verdicts={
        "type": "array",
        "items": _object(
            criterion={"type": "integer"}, met={"type": "boolean"}, problem=_text(160), severity=_NUMBER, **_PLACE
        ),
    },
    suggestions=_SUGGESTIONS,
    feedback=_text(200),
)


@dataclass(frozen=True, slots=True)
class CritiquePrompt:
    """The form of requests for a critique.

    Args:
        template: shows $prompt, $candidate (required), $lessons, $file, $project, and with criteria $criteria (required
            then).
        system: the role, to which `DATA_NOTE` is added.
        guidance: of the domain, shown after the candidate. The form of the reply is always the end of the request.
        shape: of the reply, for a model whose server does not enforce the schema.
        is_code: the lines of the candidate are shown with their numbers, whether or not the file is known.

    Raises:
        ConfigurationError: the template cannot be used.
    """

    template: PromptTemplate
    system: str
    guidance: str
    schema: Mapping[str, Any]
    shape: str
    criteria: tuple[str, ...] = ()
    max_chars: int = MAX_CHARS
    is_code: bool = False

    @classmethod
    def of(
        cls,
        *,
        domain: str | None = None,
        criteria: tuple[str, ...] = (),
        template: str | None = None,
        system: str | None = None,
        max_chars: int = MAX_CHARS,
    ) -> CritiquePrompt:
        """Build one from a caller's arguments."""
        check_texts(system, max_chars)
        usual = CHECKLIST_TEMPLATE if criteria else CRITIQUE_TEMPLATE
        fields = ("prompt", "candidate", "lessons", "file", "project", *(("criteria",) if criteria else ()))
        required = ("candidate", *(("criteria",) if criteria else ()))
        return cls(
            PromptTemplate(usual if template is None else template, fields=fields, required=required),
            CRITIQUE_ROLE if system is None else system,
            DOMAINS.get(domain or "", "") if system in (None, CRITIQUE_ROLE) else "",
            CHECKLIST_SCHEMA if criteria else CRITIQUE_SCHEMA,
            _CHECKLIST_SHAPE if criteria else _CRITIQUE_SHAPE,
            criteria,
            max_chars,
            domain == "code",
        )

    def messages(
        self, prompt: str, candidate: str, lessons: Sequence[MemoryEntry], *, source: SourceFile | None = None
    ) -> tuple[Message, ...]:
        """Return the request; every text in it but the prompt is data in a block.

        Args:
            source: the file that the candidate is the text of; its lines are shown with their numbers.
        """
        has_numbers = self.is_code or source is not None
        texts = {
            "prompt": prompt,
            "candidate": numbered(candidate, self.max_chars) if has_numbers else candidate,
            "lessons": lessons_in_words(lessons, min(2000, self.max_chars)),
            "criteria": "\n".join(f"{number}. {text}" for number, text in enumerate(self.criteria, 1)),
            "file": source.heading if source else "",
            "project": source.surroundings if source else "",
        }
        whole = ("candidate", "project") if has_numbers else ()  # bounded above, and not to be cut within a line
        content = self.template.render(texts, max_chars=self.max_chars, whole=whole)
        form = CHECKLIST_FORM if self.criteria else CRITIQUE_FORM
        end = " ".join(filter(None, (NUMBERED if has_numbers else "", self.guidance, form)))
        return system_message(f"{self.system} {DATA_NOTE}"), Message("user", f"{content}\n\n{end}")


# -- what is answered ------------------------------------------------------------------------------


def _as_object(value: object) -> object:
    return {"message": value} if isinstance(value, str) else value


def _or_none(value: object) -> object:
    return None if value in (None, "") else value


def _one_quote(value: object) -> object:
    """Return the quotation: the first text of a list; None for words such as "none"."""
    if isinstance(value, list):
        value = next((one for one in cast("list[object]", value) if isinstance(one, str)), None)
    return None if isinstance(value, str) and _plain(value).strip("()[]<>.") in _NO_QUOTE else value


_LINE: Final = re.compile(r"(?:^|line\s*|:)(\d{1,9})\b", re.IGNORECASE)


class _JudgeReply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


def _number_in(location: object) -> object:
    """Return the line of a location, in the forms models give it: 3, "line 3", {"line": 3}."""
    if isinstance(location, dict):
        return cast("dict[str, object]", location).get("line")
    if isinstance(location, str):
        found = _LINE.search(location[:100])
        return found[1] if found else None
    return location


class _Place(_JudgeReply):
    kind: Annotated[Prose | None, BeforeValidator(_or_none)] = None
    line: LineNumber = None
    quote: Annotated[str | None, BeforeValidator(_one_quote)] = None

    @model_validator(mode="before")
    @classmethod
    def _may_have_a_location(cls, data: object) -> object:
        if isinstance(data, dict) and "location" in data and "line" not in data:
            told = cast("dict[str, object]", data)
            return {**told, "line": _number_in(told["location"])}
        return cast("object", data)


class _IssueReply(_Place):
    message: Annotated[
        Prose, Field(min_length=1, validation_alias=AliasChoices("message", "description", "issue", "problem"))
    ]
    severity: Severity | None = None


def _known_issues(value: object, info: ValidationInfo) -> object:
    """Drop blank issues, and all after the first hundred; one alone is a list of one."""
    if value is None:
        return ()
    if isinstance(value, str | dict):
        value = [cast("object", value)]
    if not isinstance(value, list):
        return value
    issues = [item for item in cast("list[object]", value) if not (isinstance(item, str) and not item.strip())]
    if len(issues) > _MOST_ISSUES:
        warn(info, f"{len(issues) - _MOST_ISSUES} of {len(issues)} were left out")
    return tuple(issues[:_MOST_ISSUES])


_MOST_ISSUES: Final = 100


class _CritiqueReply(_JudgeReply):
    issues: Annotated[
        tuple[Annotated[_IssueReply, BeforeValidator(_as_object)], ...], BeforeValidator(_known_issues)
    ] = ()
    suggestions: Items = ()
    strengths: Items = ()
    feedback: Prose | None = None
    severity: Severity
    reward: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _is_a_critique(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        told = _on_one_scale(cast("dict[str, object]", data))
        if set(told) != {"severity"} and not {"issues", "suggestions", "feedback"} & set(told):
            raise ValueError("issues: missing")  # one issue of a list has a severity, too, and a message
        return told


def _on_one_scale(told: dict[str, object]) -> dict[str, object]:
    """Return a reply with a severity, where it has only a reward in [-1, 1] or a score in [0, 1] (SPEC C2, D2).

    A reasoning is its feedback. Raises `ValueError` for a reward or a score on another scale.
    """
    rest = {name: value for name, value in told.items() if name != "reward"}
    if rest.get("feedback") is None and "reasoning" in rest:
        rest["feedback"] = rest.pop("reasoning")
    if rest.get("severity") is not None:
        return rest
    for name, least, scale in _OTHER_SCALES:
        if told.get(name) is not None:
            try:
                value = number_on(told[name], least, 1.0, scale)
            except ValueError as error:
                raise ValueError(f"{name}: {error}; or give severity, a number from {SEVERITIES}") from None
            own = {"reward": value} if name == "reward" else {}
            return {**rest, **own, "severity": (1.0 - value) / (1.0 - least)}
    return rest


_OTHER_SCALES: Final = (
    ("reward", -1.0, "-1 (unusable) to 1 (flawless)"),
    ("score", 0.0, "0 (unusable) to 1 (flawless)"),
)


class _Verdict(_Place):
    criterion: int
    met: bool
    problem: Prose = ""
    severity: Severity | None = None

    @model_validator(mode="after")
    def _what_is_not_met_has_a_severity(self) -> _Verdict:
        if not self.met and self.severity is None:
            raise ValueError("a criterion that is not met needs a severity")
        return self


class _ChecklistReply(_JudgeReply):
    verdicts: Annotated[tuple[_Verdict, ...], BeforeValidator(_known_issues)]
    suggestions: Items = ()
    strengths: Items = ()
    feedback: Prose | None = None


# Copied with what a reply says, which was checked when it was read.
_SOME_ISSUE: Final = Issue("?", severity=None, kind=None, location=None, source=None)
_SOME_CRITIQUE: Final = CritiqueResult(severity=0.0)


def read_critique(text: str, candidate: Candidate, source: str) -> CritiqueResult:
    """Read a free critique.

    Severity is required, and never made up; a reward, else a score, says it where the reply has none. A line that the
    candidate does not have is left out, unless the quote tells the right one; that is in metadata["warnings"].

    An issue whose quote is nowhere in the candidate is invented: it is dropped, and metadata["dropped"] has its
    message, severity, kind and quote. If the worst issue was among them, the severity of the critique is at most that
    of the worst issue left. If none is left, the severity stays as the model gave it, since there is nothing else to
    derive it from, and the suggestions, which are about the dropped issues, go to metadata["dropped_suggestions"].

    Raises:
        ParseError: see `read_reply`; also for a number on another scale.
    """
    reading = read_reply(text, _CritiqueReply, may_be_unclosed=True, judged=candidate.content)
    reply, warnings = reading.value, list(reading.warnings)
    places = _Places(candidate.content, warnings)
    real: list[_IssueReply] = []
    dropped: list[_IssueReply] = []
    for one in reply.issues:
        (real if places.has(one) else dropped).append(one)
    severity = _severity_of(reply.severity, real, dropped)
    is_empty = bool(dropped) and not real
    metadata: dict[str, Any] = {}
    if dropped:
        metadata["dropped"] = [one.model_dump(include=_DROPPED) for one in dropped]
    if is_empty and reply.suggestions:
        metadata["dropped_suggestions"] = list(reply.suggestions)
    issues = [
        _SOME_ISSUE.model_copy(
            update={
                "message": one.message,
                "severity": one.severity,
                "kind": _kind(one),
                "location": places.find(one),
                "source": source,
            }
        )
        for one in real
    ]
    return _SOME_CRITIQUE.model_copy(
        update={
            "severity": severity,
            "issues": tuple(dict.fromkeys(issues)),
            "suggestions": () if is_empty else tuple(dict.fromkeys(reply.suggestions)),
            "feedback": reply.feedback or None,
            "source": source,
            "metadata": metadata | _told(warnings),
            "score": 1.0 - severity,
            "reward": None if reply.reward is None else 1.0 - 2.0 * severity,
            "criterion_scores": {},
            "strengths": tuple(dict.fromkeys(reply.strengths)),
        }
    )


_DROPPED: Final = {"message", "severity", "kind", "quote"}


def _severity_of(whole: float, real: Sequence[_IssueReply], dropped: Sequence[_IssueReply]) -> float:
    """Return the severity of a critique without the dropped issues; an issue that gives none is as severe as it."""
    if not real or not dropped:
        return whole
    left, gone = (max(whole if one.severity is None else one.severity for one in some) for some in (real, dropped))
    return min(whole, left) if gone > left else whole


def read_checklist(text: str, candidate: Candidate, source: str, criteria: Mapping[str, float]) -> CritiqueResult:
    """Read the verdicts on a checklist.

    Every criterion that is not met is an issue. A criterion's score is 1.0 when it is met, else 1 - its severity; the
    candidate's severity is that of its worst criterion, its score the weighted mean of the criteria's. A verdict whose
    quote is nowhere in the candidate still counts, since it is about the criterion; metadata["warnings"] has the quote.

    Args:
        criteria: their texts and weights, in the order of their numbers.

    Raises:
        ParseError: as `read_reply`; or a criterion has no verdict, or two that differ.
    """
    reading = read_reply(text, _ChecklistReply, may_be_unclosed=True, judged=candidate.content)
    reply, warnings = reading.value, list(reading.warnings)
    verdicts: dict[int, _Verdict] = {}
    for one in reply.verdicts:
        if not 1 <= one.criterion <= len(criteria):
            raise ParseError(f"verdicts: there is no criterion {one.criterion}", raw=text)
        if verdicts.setdefault(one.criterion, one).met != one.met:
            raise ParseError(f"verdicts: criterion {one.criterion} has two different verdicts", raw=text)
    missing = [str(number) for number in range(1, len(criteria) + 1) if number not in verdicts]
    if missing:
        raise ParseError(f"verdicts: criterion {', '.join(missing)} has no verdict", raw=text)
    places = _Places(candidate.content, warnings)
    issues: list[Issue] = []
    scores: dict[str, float] = {}
    for number, criterion in enumerate(criteria, 1):
        one = verdicts[number]
        severity = 0.0 if one.met else one.severity or 0.0
        scores[criterion] = 1.0 - severity
        if not one.met:
            if not places.has(one):
                warnings.append(f"quote: {clip(one.quote or '', 80)!r} is not in the candidate")
            issues.append(
                Issue(
                    one.problem or f"not met: {clip(criterion, 500)}",
                    severity=severity,
                    kind=_kind(one),
                    location=places.find(one),
                    source=source,
                    rule=f"criterion {number}",
                )
            )
    weight = sum(criteria.values())
    return CritiqueResult(
        severity=max((issue.severity or 0.0 for issue in issues), default=0.0),
        score=min(1.0, sum(scores[name] * criteria[name] for name in criteria) / weight),
        issues=issues,
        suggestions=tuple(dict.fromkeys(reply.suggestions)),
        strengths=tuple(dict.fromkeys(reply.strengths)),
        feedback=reply.feedback or None,
        criterion_scores=scores,
        source=source,
        metadata=_told(warnings),
    )


def _kind(reply: _Place) -> str | None:
    return intern(clip(" ".join(reply.kind.casefold().split()), 40)) if reply.kind else None  # few, and in many issues


def _told(warnings: Sequence[str]) -> dict[str, Any]:
    return {"warnings": list(warnings)} if warnings else {}


class _Places:
    """Finds the line of an issue: the one it names, or the only one that contains its quotation."""

    def __init__(self, text: str, warnings: list[str]) -> None:
        self._lines = text.removesuffix("\n").split("\n")  # as tools and editors count them
        self._whole = text
        self._warnings = warnings

    @cached_property
    def _text(self) -> str:
        return _plain(self._whole)

    def has(self, reply: _Place) -> bool:
        """Tell whether the issue's quotation is in the candidate; True without a quotation.

        White space, case, typographic marks, quote marks and ellipses around the quote, ellipses in it, and line
        numbers in front of its lines do not matter.
        """
        if not (quote := reply.quote):
            return True
        unnumbered = "\n".join(_LINE_NUMBER.sub("", line) for line in quote.split("\n"))
        return any(self._is_there(_plain(one)) for one in dict.fromkeys((quote, unnumbered)))

    def _is_there(self, quote: str) -> bool:
        if quote in self._text:
            return True
        end = 0
        for part in _ELLIPSIS.split(quote.strip(_AROUND)):
            place = self._text.find(part.strip(_AROUND), end)
            if place < 0:
                return False
            end = place + len(part.strip(_AROUND))
        return True

    def find(self, reply: _Place) -> Location | None:
        line = reply.line
        quoted = reply.quote.strip().splitlines() if reply.quote else []
        quote = quoted[0].strip() if quoted else ""
        number = _LINE_NUMBER.match(quote)
        if number and not any(quote in text for text in self._lines):
            line, quote = line or int(number[1]), quote[number.end() :].strip()
        is_there = line is not None and line <= len(self._lines)
        if quote and not (is_there and quote in self._lines[cast("int", line) - 1]):
            found = [number for number, text in enumerate(self._lines, 1) if quote in text]
            if len(found) == 1:
                return Location(line=found[0])
        if is_there:
            return Location(line=line)
        if line is not None:
            self._warnings.append(f"line: {line} is not in the candidate, which has {len(self._lines)}")
        return None


_STRAIGHT: Final = str.maketrans("\u2018\u2019\u201a\u201c\u201d\u201e\u2013\u2014\u2212", "'''" + '"""---')
_AROUND: Final = "'\"`*\u00ab\u00bb.\u2026"
_ELLIPSIS: Final = re.compile(r"\.{3,}|\u2026")
_LINE_NUMBER: Final = re.compile(r"[ \t]*(?:line[ \t]+)?([1-9][0-9]{0,8})[ \t]?[|:] ?", re.IGNORECASE)
_NO_QUOTE: Final = frozenset({"", "missing", "n/a", "none", "null"})


def _plain(text: str) -> str:
    """Return a text as quotes are looked for in it: without white space, case and typographic marks."""
    return "".join(text.translate(_STRAIGHT).replace("\\n", "").casefold().split())
