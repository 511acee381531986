"""The failing tests of a project as a report for people and as JSON: told once, with repairs and questions. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Final

from jido_ai.improve.repair.repairs import Repaired, TestRepairs
from jido_ai.text.change import lines_of
from jido_ai.text.printable import printable
from jido_ai.text.wording import counted

_CHARS: Final = 300
_INDENT: Final = "      "


def repair_lines(
    found: TestRepairs, written: Sequence[str] = (), *, is_written: bool = False, has_diff: bool = True
) -> Iterator[str]:
    """Yield the lines of a report: repairs with their diff, questions, refusals, and a summary.

    Args:
        is_written: sure edits were to be written; `written` are the files that were.
        has_diff: show the sure edits as a diff.
    """
    if found.why:
        yield printable(found.why)
        return
    if not found.failing:
        yield f"all {counted(found.passing, 'test')} pass"
        return
    for one in found.repairs:
        yield from _repair(one, found.sources[one.choices[0].path])
    told = {test for one in found.repairs for test in one.fixed} | {
        test for one in found.refusals for test in one.tests
    }
    yield from (f"  fails    {printable(one.test)}" for one in found.failing if one.test not in told)
    said = {one.test: one.message for one in found.failing}
    for refused in found.refusals:
        for test in refused.tests:
            yield f"  refused  {printable(test)}"
            yield f"{_INDENT}{_short(next(filter(str.strip, said.get(test, '').splitlines()), 'it gives no reason'))}"
        yield f"{_INDENT}{printable(refused.why)}"
    if has_diff:
        yield from (line for path, text in found.texts.items() for line in diff_of(path, found.sources[path], text))
    for path in written:
        yield f"  written  {path}"
    sure = sum(len(one.fixed) for one in found.repairs if one.is_sure)
    asked = sum(len(one.fixed) for one in found.repairs if not one.is_sure)
    done = "repaired" if is_written else "repaired by the edits shown (--apply writes them)"
    yield (
        f"{counted(len(found.failing), 'failing test')}: {sure} {done}, {asked} to decide, "
        f"{len(found.left) - asked} not repaired; {found.seconds:.0f} s"
    )


def _repair(one: Repaired, source: str) -> Iterator[str]:
    tests = ", ".join(map(printable, one.fixed))
    best = one.choices[0]
    if one.is_sure:
        yield f"  fixed    {tests}"
        yield f"{_INDENT}{best.path}:{best.line}: {_edit(best.before, best.after)}"
        yield f"{_INDENT}only the tests vouch for it; {one.measured.sentence}; {counted(one.tried, 'edit')} tried"
        return
    yield f"  asked    {tests}"
    yield f"{_INDENT}{one.doubt}; nothing was written"
    for number, choice in enumerate(one.choices, 1):
        yield f"{_INDENT}{number}. {choice.path}:{choice.line}: {_edit(choice.before, choice.after)}"
        if choice.input:
            yield f"{_INDENT}   {_short(choice.input)} {_gives(choice.gives)}"
        yield from (f"{_INDENT}   | {row}" for row in printable(choice.test).splitlines())
    if len(one.choices) > 1 and best.input:
        what = "Add the test of your choice, and run again; or none of these: then add your own."
        yield f"{_INDENT}Which is right: {_question(one)} {what}"
    if not best.before:
        yield from diff_of(best.path, source, best.text)


def _question(one: Repaired) -> str:
    first, second = one.choices[:2]
    raising = [choice for choice in (first, second) if choice.gives.startswith("raises ")]
    if len(raising) == 1:
        return f"is `{_short(second.input)}` an error?"
    return f"should `{_short(second.input)}` give {_short(first.gives)} or {_short(second.gives)}?"


def _gives(value: str) -> str:
    return _short(value) if value.startswith("raises ") else f"gives {_short(value)}"


def _edit(before: str, after: str) -> str:
    return f"`{_short(before)}` became `{_short(after)}`" if before else "an edit of the model"


def _short(text: str) -> str:
    row = printable(" ".join(text.split()))
    return row if len(row) <= _CHARS else f"{row[: _CHARS - 3]}..."


def diff_of(path: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of a unified diff, which `git apply` takes."""
    lines = difflib.unified_diff(lines_of(before), lines_of(after), f"a/{path}", f"b/{path}", lineterm="")
    yield from (printable(line.removesuffix("\n")) for line in lines)


def repairs_json(found: TestRepairs, written: Sequence[str] = ()) -> dict[str, object]:
    """Return the report as one JSON document, with a version of its form."""
    return {
        "version": 1,
        "summary": {
            "failing": len(found.failing),
            "passing": found.passing,
            "repaired": sum(len(one.fixed) for one in found.repairs if one.is_sure),
            "asked": sum(len(one.fixed) for one in found.repairs if not one.is_sure),
            "left": list(found.left),
            "seconds": round(found.seconds, 1),
            "why": found.why,
        },
        "failing": [{"test": one.test, "message": one.message} for one in found.failing],
        "repairs": [
            {
                "tests": list(one.fixed),
                "is_sure": one.is_sure,
                "doubt": one.doubt,
                "measured": {"right": one.measured.right, "of": one.measured.of},
                "tried": one.tried,
                "passed": one.passed,
                "operator": one.operator,
                "choices": [
                    {
                        "path": choice.path,
                        "line": choice.line,
                        "before": choice.before,
                        "after": choice.after,
                        "input": choice.input,
                        "gives": choice.gives,
                        "test": choice.test,
                        "diff": "\n".join(diff_of(choice.path, found.sources[choice.path], choice.text)),
                    }
                    for choice in one.choices
                ],
            }
            for one in found.repairs
        ],
        "refusals": [{"tests": list(one.tests), "why": one.why, "tried": one.tried} for one in found.refusals],
        "written": list(written),
    }
