"""A result in a few lines, as text and as HTML. Pure.

It takes what has the attributes of a `ReflectionResult`, whose file imports this one, or a recorded run in flight.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, Final

_MOST_CHARS: Final = 110
_MOST_ISSUES: Final = 3


def one_line(text: str, most: int = _MOST_CHARS) -> str:
    """Return a text on one line of at most `most` characters; a character that cannot be shown becomes "?"."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(text[: 8 * most].split()))
    return line if len(line) <= most else f"{line[: most - 3]}..."


def lines_of(result: Any) -> Iterator[str]:
    """Yield a line for each candidate, its issues under it, and a last line: why the run ended and what it cost."""
    for iteration in result.iterations:
        severity, content = iteration.critique.severity, one_line(iteration.candidate.content)
        yield f"{iteration.index + 1}. severity {severity:.2f}  {content}"
        issues = _issues(iteration)
        yield from (f"   - {issue}" for issue in issues[:_MOST_ISSUES])
        if len(issues) > _MOST_ISSUES:
            yield f"   - and {len(issues) - _MOST_ISSUES} more"
    yield _end(result)


def html_of(result: Any) -> str:
    """Return the same as a table, for notebooks. Every text is escaped."""
    rows = [
        (
            str(iteration.index + 1),
            f"{iteration.critique.severity:.2f}",
            one_line(iteration.candidate.content, 400),
            "; ".join(_issues(iteration)),
        )
        for iteration in result.iterations
    ]
    return table_of(("iteration", "severity", "candidate", "issues"), rows, caption=_end(result))


def table_of(head: tuple[str, ...], rows: list[tuple[str, ...]], caption: str = "") -> str:
    """Return a table as HTML. Every text is escaped."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><tr>{top}</tr>{body}</table>"


def _issues(iteration: Any) -> list[str]:
    return [one_line(issue.message) for issue in iteration.critique.issues]


def _end(result: Any) -> str:
    if not hasattr(result, "stopped_by"):
        return f"it has not ended; {result.spent}"  # a run as its journal has it
    best = result.best_candidate
    shown = [
        iteration.index + 1 for iteration in result.iterations if best is not None and iteration.candidate.id == best.id
    ]
    which = f", the best is {shown[-1]}" if shown and shown[-1] != len(result.iterations) else ""
    error = f" ({result.error.kind}: {one_line(result.error.message)})" if result.error else ""
    return f"{result.stopped_by}{which}{error}; {result.usage}"
