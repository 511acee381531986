"""The report of `jido improve` for people: bugs first, then rule by count, then one line for each file. Pure."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from jido_ai.improve.failing_tests import repair_lines
from jido_ai.improve.outcome import FileJob, Improved, ImproveOptions, TestsOutcome
from jido_ai.text.change import lines_of
from jido_ai.text.printable import printable
from jido_ai.text.wording import EXPLAINED, counted, taken
from jido_ai.values import Issue, MemoryEntry, ReflectionResult, StopReason

Style = Literal["", "bold", "dim", "green", "red", "yellow", "cyan", "diff"]
_BUG_RULES: Final = (
    "F402", "F50", "F52", "F601", "F602", "F621", "F622", "F63", "F70", "F82", "B002", "B003", "B005", "B012", "B015",
    "B018", "B020", "B021", "B023", "B025", "B029", "B030", "B031", "B032", "B035", "E9", "PLE", "RUF006",
)  # fmt: skip
_BUG_SEVERITY: Final = 0.7
_FEW: Final = 3
"""Findings of one rule that are told one by one; of more the places of the first ones are."""
_TEST_LINES: Final = 6
_UNFINISHED: Final = frozenset({StopReason.DEADLINE, StopReason.BUDGET, StopReason.CANCELLED, StopReason.SUSPENDED})


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line, or a diff, for standard output: its head in a style, then plain text."""

    head: str
    text: str = ""
    style: Style = ""


@dataclass(frozen=True, slots=True)
class ReportTally:
    """The numbers of a report, of what is on disk when files were to be written.

    Attributes:
        written: names of the files that were written.
        improved, clean, others, alone: numbers of files.
        fixed, left, held, reverted, known: numbers of findings; those held back as unsafe are among those left.
        unwritten: number of files that could not be written.
        tests: the outcome of the tests.
    """

    written: tuple[str, ...] = ()
    improved: int = 0
    clean: int = 0
    others: int = 0
    alone: int = 0
    fixed: int = 0
    left: int = 0
    held: int = 0
    reverted: int = 0
    known: int = 0
    unwritten: int = 0
    failed: int = 0
    tests: TestsOutcome = field(default_factory=TestsOutcome)

    @classmethod
    def of(
        cls,
        done: Sequence[Improved],
        options: ImproveOptions,
        *,
        written: Sequence[str],
        skipped: Sequence[tuple[str, str]],
        clean: Sequence[str],
        tests: TestsOutcome,
        known: int,
        interrupted: bool,
    ) -> ReportTally:
        """Return the numbers; a change that was to be written and was not counts as not made."""
        applies = options.output == "apply"
        made = [one for one in done if one.is_changed and (not applies or one.job.name in written)]
        lost = [one for one in done if one.is_changed and applies and one.job.name not in written]
        untouched = sum(one.is_clean and not one.is_changed for one in done)
        left = sum(len(one.left) for one in done) + sum(len(one.fixed) for one in lost)
        return cls(
            written=tuple(written),
            improved=len(made),
            clean=untouched + len(clean),
            others=len(done) - len(made) - untouched,
            alone=len(skipped),
            fixed=sum(len(one.fixed) for one in made),
            left=left,
            held=sum(why.startswith("unsafe") for one in done for why in one.why.values()),
            reverted=sum(len(one.taken_back) for one in done),
            known=known,
            unwritten=0 if interrupted else len(lost),
            failed=sum(one.result.error is not None and not one.left for one in done),
            tests=tests,
        )


def text_report(done: Sequence[Improved], tally: ReportTally, options: ImproveOptions) -> list[ReportLine]:
    """Return the lines of the report; with `-q` only the last one."""
    lines: list[ReportLine] = []
    if options.verbosity > 0:
        lines += [line for one in done for line in _paragraph(one, tally, options)]
    elif options.verbosity == 0:
        lines += _findings(done)
        lines += [line for one in done for line in _file(one, tally, options)]
    if options.verbosity >= 0:
        lines += _tests(tally.tests, is_written=options.output == "apply")
        lines += _held_back(done)
    return [*lines, ReportLine(_summary(tally, options, len(done)))]


def is_probably_a_bug(issue: Issue) -> bool:
    """Tell whether a finding is about what the program does, rather than about how it is written."""
    if issue.source == "tool:ruff":
        return issue.kind == "syntax" or (issue.rule or "").startswith(_BUG_RULES)
    return issue.kind == "syntax" or (issue.severity or 0.0) >= _BUG_SEVERITY


# -- what is left ----------------------------------------------------------------------------------


def _findings(done: Sequence[Improved]) -> Iterator[ReportLine]:
    """Yield the remaining findings: probable bugs one by one, others by rule, the most frequent first."""
    left = [(one, issue) for one in done for issue in one.left]
    bugs = [(one, issue) for one, issue in left if is_probably_a_bug(issue)]
    rest = [(one, issue) for one, issue in left if not is_probably_a_bug(issue)]
    by_rule: dict[str, list[tuple[Improved, Issue]]] = {}
    for one, issue in rest:
        by_rule.setdefault(_rule(issue), []).append((one, issue))
    if bugs and rest:
        yield ReportLine("probably bugs:", style="bold")
    for one, issue in bugs:
        yield from _finding(one, issue, "red")
    if bugs and rest:
        yield ReportLine("other findings:", style="bold")
    for rule, found in sorted(by_rule.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        if len(found) <= _FEW:
            for one, issue in found:
                yield from _finding(one, issue, "yellow")
            continue
        places = ", ".join(place_of(issue, one.job) for one, issue in found[:_FEW])
        why = _common_reason(found)
        text = f" x {len(found)}: {_first_line(found[0][1])}: {places} and {len(found) - _FEW} more{why}"
        yield ReportLine(printable(rule), printable(text), "yellow")


def _finding(one: Improved, issue: Issue, style: Style) -> Iterator[ReportLine]:
    head, *more = issue.message.splitlines() or [""]
    rule = f"{issue.rule} " if issue.rule and not head.startswith(issue.rule) else ""
    why = one.why.get(issue)
    yield ReportLine(
        printable(place_of(issue, one.job)), printable(f": {rule}{head}" + (f" ({why})" if why else "")), style
    )
    yield from (ReportLine("", printable(f"    {text}")) for text in more[:_TEST_LINES])


def _common_reason(found: Sequence[tuple[Improved, Issue]]) -> str:
    """Return the most frequent reason for which findings were left, in brackets."""
    reasons = Counter(why for one, issue in found if (why := one.why.get(issue)) is not None)
    if not reasons:
        return ""
    ((why, count),) = reasons.most_common(1)
    return f" ({why})" if count == len(found) else f" ({count}: {why})"


def _held_back(done: Sequence[Improved]) -> Iterator[ReportLine]:
    """Yield one line for all that is held back, by reason, with the option that would make it."""
    reasons = Counter(
        f"{issue.rule or issue.kind}: {why.removeprefix('unsafe: ')}"
        for one in done
        for issue, why in one.why.items()
        if why.startswith("unsafe")
    )
    if len(reasons) > _FEW or sum(reasons.values()) > _FEW:
        told = "; ".join(f"{count} x {why}" for why, count in reasons.most_common(_FEW))
        more = f"; {counted(len(reasons) - _FEW, 'more reason')}" if len(reasons) > _FEW else ""
        yield ReportLine("held back", printable(f": {told}{more}. --unsafe-fixes makes them"), "yellow")


def _tests(tests: TestsOutcome, *, is_written: bool) -> Iterator[ReportLine]:
    """Yield the tests, each once: they are the project's, not a file's."""
    for why in tests.problems:
        yield ReportLine("tests", printable(f": {why.removeprefix('the tests ')}"), "red")
    searched = {one.test for found in tests.repairs for one in found.failing}
    for found in tests.repairs:
        yield from map(ReportLine, repair_lines(found, is_written=is_written, has_diff=False))
    for issue in tests.fixed:
        if issue.rule in searched:
            continue
        yield ReportLine("test passes now", printable(f": {issue.rule or _first_line(issue)}"), "green")
    for issue in tests.failing:
        if issue.rule in searched:
            continue
        head, *more = issue.message.splitlines() or [""]
        place = issue.location
        where = "" if place is None or place.line is None else f" ({place.path}:{place.line})"
        yield ReportLine("test fails", printable(f": {head}{where}"), "red")
        yield from (ReportLine("", printable(f"    {text}")) for text in more[:_TEST_LINES])
        if len(more) > _TEST_LINES:
            yield ReportLine("", f"    ({len(more) - _TEST_LINES} more lines)", "dim")


# -- one file --------------------------------------------------------------------------------------


def _file(one: Improved, tally: ReportTally, options: ImproveOptions) -> Iterator[ReportLine]:
    """Yield the line about a file that was changed, or that failed; with its notes and its diff."""
    result = one.result
    if (
        one.is_changed
        or one.taken_back
        or one.trouble
        or _left_out(result)
        or result.error is not None
        or result.stop_reason in _UNFINISHED
    ):
        rules = Counter(_rule(issue) for issue in one.fixed)
        fixed = ", ".join(f"{rule} x {count}" if count > 1 else rule for rule, count in rules.most_common())
        yield ReportLine(
            printable(one.job.name), printable(f": {_outcome(one, tally, options)}{f' ({fixed})' if fixed else ''}"),
            "bold",
        )  # fmt: skip
        yield from _details(one)
    if options.output == "diff" and one.is_changed:
        yield ReportLine(diff_of(one), style="diff")


def _paragraph(one: Improved, tally: ReportTally, options: ImproveOptions) -> Iterator[ReportLine]:
    """Yield all about one file, for `-v`."""
    yield ReportLine(printable(one.job.name), f": {_outcome(one, tally, options)}", "bold")
    for issue in one.fixed:
        yield _line("green", "fixed", _told(issue, one.job))
    for issue in one.left:
        why = one.why.get(issue)
        style: Style = "red" if is_probably_a_bug(issue) else "yellow"
        yield _line(style, "left", _told(issue, one.job) + (f" ({why})" if why else ""))
        yield from (_line("", "", f"  {text}") for text in issue.message.splitlines()[1:])
    yield from _details(one)
    for label, lessons in (("recalled", one.result.lessons_used), ("learned", one.result.lessons_stored)):
        for lesson in lessons:
            yield _line("cyan", label, _lesson(lesson))
    if options.output == "diff" and one.is_changed:
        yield ReportLine(diff_of(one), style="diff")


def _details(one: Improved) -> Iterator[ReportLine]:
    result = one.result
    for text in _left_out(result):
        yield _line("yellow", "more", text)
    for why in one.taken_back:
        yield _line("yellow", "reverted", why)
    if result.error is not None:
        error = result.error
        yield _line("red", "error", f"{error.component or 'run'}: {error.kind}: {error.message}")
    for why in one.trouble:
        yield _line("red", "error", why)
    for note in notes_of(result) if one.is_changed else ():
        yield _line("yellow", "note", note)
    if result.usage.calls:
        yield _line("dim", "took", taken(result.usage))


def _outcome(one: Improved, tally: ReportTally, options: ImproveOptions) -> str:
    """Return the outcome for a file: "3 fixed, 1 left"."""
    if options.output == "check":
        return f"{counted(len(one.left), 'issue')} found" if one.left else "no issues found"
    if one.is_clean and not one.is_changed:
        return "clean"
    is_lost = options.output == "apply" and one.is_changed and one.job.name not in tally.written
    fixed, left = len(one.fixed), len(one.left)
    told = f"0 fixed, {left + fixed} left" if is_lost else f"{fixed} fixed, {left} left"
    why = "" if one.result.stop_reason not in _UNFINISHED else f"; {EXPLAINED[one.result.stop_reason]}"
    state = ", written" if one.job.name in tally.written else ", not written" if is_lost else ""
    return f"{told}{state}{why}"


def _line(style: Style, label: str, text: str) -> ReportLine:
    return ReportLine(f"  {label:<9}", printable(text), style)


def _told(issue: Issue, job: FileJob) -> str:
    head = _first_line(issue)
    rule = f"{issue.rule} " if issue.rule and not head.startswith(issue.rule) else ""
    return f"{place_of(issue, job)}: {rule}{head}"


def _rule(issue: Issue) -> str:
    return issue.rule or issue.kind or "finding"


def _first_line(issue: Issue) -> str:
    return (issue.message.splitlines() or [""])[0]


def place_of(issue: Issue, job: FileJob) -> str:
    """Return the place of an issue with the path as the user wrote it, so that terminals and editors can follow it."""
    place = issue.location
    if place is None:
        return job.name
    tail = ":".join(str(part) for part in (place.line, place.column) if part is not None)
    named = job.name if place.path is None or job.name.endswith(place.path) else place.path
    return f"{named}:{tail}" if tail else named


def diff_of(one: Improved) -> str:
    """Return the change of a file as a unified diff; nothing if it is not changed."""
    if not one.is_changed:
        return ""
    name = one.job.name
    before, after = (lines_of(text) for text in (one.job.source.text, one.text))
    lines: list[str] = []
    for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def notes_of(result: ReflectionResult) -> list[str]:
    """Return the notes on edits in the best candidate by a model, and on edits that only the tests vouch for."""
    made = {one.candidate.id: one.candidate for one in result.iterations}
    found: list[str] = []
    candidate = result.best_candidate
    while candidate is not None:
        if candidate.metadata.get("vouched_by") == "tests" and candidate.reasoning:
            _, comma, edit = candidate.reasoning.partition(", line ")  # what comes before is for the memory
            found.insert(0, f"line {edit}" if comma else candidate.reasoning)
        elif candidate.model is not None:
            found.insert(0, f"{candidate.model}: {candidate.reasoning or 'revised'}")
        candidate = made.get(candidate.parent_id or "")
    return found


def _left_out(result: ReflectionResult) -> list[str]:
    """Return a line for each tool that found more issues than a critique holds."""
    best = result.best_candidate
    if not result.iterations or best is None:
        return []
    critique = next(one for one in result.iterations if one.candidate.id == best.id).critique
    found: Mapping[str, Mapping[str, Any]] = critique.metadata.get("tools", {})
    return [
        f"{tool} found {about['findings']:,} issues; only the first {about['judged']:,} are judged"
        for tool, about in found.items()
        if about.get("findings", 0) > about.get("judged", about.get("findings", 0))
    ]


def _lesson(lesson: MemoryEntry) -> str:
    text = " ".join(f"{lesson.mistake} => {lesson.correction}".split())
    text = text if len(text) <= 100 else text[:99] + "…"
    seen = f", {lesson.success_count} of {lesson.use_count} runs shown it succeeded" if lesson.use_count else ""
    return f"{text}  [{lesson.id}{seen}]"


# -- the last line ---------------------------------------------------------------------------------


def _summary(tally: ReportTally, options: ImproveOptions, judged: int) -> str:
    """Return the last line: the numbers of files and of findings."""
    tests = tally.tests
    said = [counted(len(tests.fixed), "failing test") + " repaired"] if tests.fixed else []
    said += (
        [f"{counted(len(tests.failing), 'test')} fail{'s' if len(tests.failing) == 1 else ''}"] if tests.failing else []
    )
    end = "".join(f"; {one}" for one in said)
    known = f", {tally.known} known and not shown" if tally.known else ""
    if options.output == "check":
        total = judged + tally.clean - (judged - tally.others - tally.improved)
        files = f" in {counted(total, 'file')}" if total != 1 else ""
        ended = f", {counted(tally.failed, 'file')} could not be checked" if tally.failed else ""
        alone = f", {tally.alone} left alone" if tally.alone else ""
        return f"checked: {counted(tally.left, 'issue')} found{files}{known}{ended}{alone}{end}"
    files = [f"{tally.improved} improved", f"{tally.clean} clean"]
    files += [f"{tally.others} not improved"] if tally.others else []
    files += [f"{tally.unwritten} of them not written"] if tally.unwritten else []
    files += [f"{tally.alone} left alone"] if tally.alone else []
    held = f" ({tally.held} held back as unsafe)" if tally.held else ""
    findings = [f"{tally.fixed} fixed", f"{tally.left} left{held}{known}"]
    findings += [f"{tally.reverted} reverted"] if tally.reverted else []
    return f"{', '.join(files)}; {', '.join(findings)}{end}"
