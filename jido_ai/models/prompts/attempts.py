"""Attempts: the faults of earlier candidates and replies, in the words of a request. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jido_ai.errors import ParseError, TruncatedError
from jido_ai.models.prompts.template import MAX_CHARS, cut, data_blocks
from jido_ai.text.change import unified_diff
from jido_ai.text.printable import clip, printable
from jido_ai.values import CritiqueResult, ErrorInfo, Issue, Iteration

_MOST_ATTEMPTS: Final = 3
_MOST_NAMED: Final = 5
_MOST_OTHERS: Final = 20
_NAME_CHARS: Final = 200
_MESSAGE_CHARS: Final = 500
_DIFF_CHARS: Final = 4_000
_MOST_ISSUES: Final = 100
_LINE_CHARS: Final = 120
_HARD: Final = frozenset({"test", "syntax", "import", "cannot-run", "timeout"})


def critique_in_words(critique: CritiqueResult, candidate: str = "") -> str:
    """Return a critique as a model reads it: a line for each finding, then for each suggestion.

    The feedback is shown only if there is nothing else, and the severity only if there is no feedback either.

    Args:
        candidate: the criticised text; if it has several lines, a finding with a line number quotes the line.
    """
    lines = candidate.split("\n") if "\n" in candidate.strip("\n") else []
    findings = [f"- {_finding(issue, lines)}" for issue in critique.issues[:_MOST_ISSUES]]
    if len(critique.issues) > _MOST_ISSUES:
        findings.append(f"- and {len(critique.issues) - _MOST_ISSUES} more")
    findings.extend(f"- suggested: {in_lines(text)}" for text in critique.suggestions)
    if findings:
        return "\n".join(findings)
    return f"- {in_lines(critique.feedback)}" if critique.feedback else f"- severity {critique.severity:.2f} as a whole"


def _finding(issue: Issue, lines: Sequence[str]) -> str:
    number = None if issue.location is None else issue.location.line
    if number is None:
        return in_lines(issue.message)
    line = lines[number - 1].strip() if number <= len(lines) else ""
    quoted = f" (`{clip(line, _LINE_CHARS)}`)" if line else ""
    return f"line {number}{quoted}: {in_lines(issue.message)}"


def findings_in_words(attempts: Sequence[Iteration]) -> str:
    """Return the findings of a run's candidates, a line each: first of the best candidate, then
    those that only others had, newest first; twenty of those at most.
    """
    best = max(attempts, key=lambda one: one.critique.score if one.candidate.score is None else one.candidate.score)
    known = {issue.fingerprint for issue in best.critique.issues}
    found = {issue.fingerprint: issue.message for one in attempts for issue in one.critique.issues}
    others = [f"- {in_lines(message)}" for fingerprint, message in reversed(found.items()) if fingerprint not in known]
    left_out = len(others) - _MOST_OTHERS
    more = [f"- and {left_out} more"] if left_out > 0 else []
    return "\n".join([critique_in_words(best.critique), *others[:_MOST_OTHERS], *more])


def failed_in_words(
    candidate: str, setbacks: Sequence[Iteration], attempts: Sequence[Iteration] = (), *, max_chars: int = MAX_CHARS
) -> list[str]:
    """Return a text for each of the newest revisions that failed, three of each sort at most: why, and its change.

    Args:
        candidate: the text that is to be revised.
        setbacks: revisions that broke what worked before.
        attempts: revisions of this text that broke nothing and were not taken.
        max_chars: of all of them; each has an even share of it.
    """
    texts = [
        *(_broken(candidate, one) for one in setbacks[-_MOST_ATTEMPTS:]),
        *(_no_better(candidate, one) for one in attempts[-_MOST_ATTEMPTS:]),
    ]
    return [clip(text, max_chars // len(texts) - 2) for text in dict.fromkeys(texts)]


def _broken(candidate: str, iteration: Iteration) -> str:
    broken = [f"- {clip(in_lines(name), _NAME_CHARS)}" for name in iteration.broken[:_MOST_NAMED]]
    if len(iteration.broken) > _MOST_NAMED:
        broken.append(f"- and {len(iteration.broken) - _MOST_NAMED} more")
    return "\n".join(
        (
            "An earlier revision was rejected because it broke checks that passed before. Do not make this change "
            "again.",
            "It broke:",
            *broken,
            *_findings("Reported:", iteration.critique, only_hard=True),
            *_change(candidate, iteration),
        )
    )


def _no_better(candidate: str, iteration: Iteration) -> str:
    if iteration.candidate.content == candidate:
        return "An earlier revision returned the candidate unchanged. The findings are still open."
    score = iteration.critique.score if iteration.candidate.score is None else iteration.candidate.score
    before = "" if iteration.gain is None else f", the candidate {score - iteration.gain:.2f}"
    return "\n".join(
        (
            f"An earlier revision of this candidate was not taken: it scored {score:.2f}{before}. Try a different "
            "change.",
            *_findings("Findings in it:", iteration.critique, only_hard=False),
            *_change(candidate, iteration),
        )
    )


def _findings(label: str, critique: CritiqueResult, *, only_hard: bool) -> list[str]:
    issues = [one for one in critique.issues if one.kind in _HARD or not only_hard]
    shown = [f"- {clip(in_lines(one.message), _MESSAGE_CHARS)}" for one in issues[:_MOST_NAMED]]
    if len(issues) > _MOST_NAMED:
        shown.append(f"- and {len(issues) - _MOST_NAMED} more")
    return [label, *shown] if shown else []


def _change(candidate: str, iteration: Iteration) -> tuple[str, str]:
    return "Its change:", clip(unified_diff(candidate, iteration.candidate.content), _DIFF_CHARS)


def in_lines(text: str) -> str:
    """Return the text with its further lines indented, so that none passes for the next of a list."""
    return "\n   ".join(text.strip().splitlines())


# -- a step that is tried again --------------------------------------------------------------------

_AFTER_FAILURE: Final = """\
Your last reply could not be used. The reason:
{fault}
Reply to the request above in the form it asks for."""
_SAID: Final = {
    TruncatedError.__name__: "The reply was cut off at the token limit. Give a shorter reply: only what is asked for.",
    "ModelTimeoutError": "The reply did not arrive in time. Give a shorter reply: only what is asked for.",
}
_QUOTED: Final = frozenset({ParseError.__name__, "EditError", "ComponentError", "ReplyError", "RefusalError"})
"""Errors about a reply. Others are about the connection or the program: no model can act on them, and what they say may
be meant for nobody outside."""


def after_failure(request: str, error: ErrorInfo | None) -> str:
    """Return the request of a step that is tried again: the same, with the faults of the last reply.

    Args:
        error: that of the last try; None for a first try. One that is not about the reply leaves the request as it is.
    """
    if error is None:
        return request
    fault = _SAID.get(error.kind) or (cut(error.message, 4 * _MESSAGE_CHARS) if error.kind in _QUOTED else "")
    fault = printable(fault).strip()
    if not fault:
        return request
    return f"{request}\n\n{again_after(fault, beside=request)}"


def again_after(fault: str, *, beside: str = "") -> str:
    """Return the text that asks for another reply and shows the faults of the last one, as data."""
    (block,) = data_blocks([("fault", fault)], beside=beside)
    return _AFTER_FAILURE.format(fault=block)
