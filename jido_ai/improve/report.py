"""The report of `jido improve`: files written, lines for people, JSON, and SARIF for review tools."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Final, Literal

from jido_ai.config import Settings
from jido_ai.critics.tool_critiquer import MOST_FINDINGS
from jido_ai.errors import JidoError
from jido_ai.files.replacement import write_whole
from jido_ai.improve.failing_tests import repair_lines, repairs_json
from jido_ai.improve.sarif import sarif_log
from jido_ai.improve.source_files import SourceFile, replace_file
from jido_ai.loop.convergence import score_of
from jido_ai.protocols import Critiquer, LanguageModel, Reviser
from jido_ai.repair.repairs import TestRepairs
from jido_ai.revisers.edit_policy import CarefulEdits
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.text.change import lines_of
from jido_ai.text.printable import printable
from jido_ai.text.wording import EXPLAINED, counted, money, taken
from jido_ai.values import SLACK, Issue, Location, MemoryEntry, ReflectionResult, Scope, StopReason, new_id

__all__ = ["ImproveOptions", "Improved", "Job", "Output", "Report", "ReportLine", "report", "write_sarif"]

Output = Literal["diff", "apply", "check"]
Style = Literal["", "bold", "dim", "green", "red", "yellow", "cyan", "diff"]
_EXPLAINED: Final = {**EXPLAINED, StopReason.ACCEPTED: "no issues are left"}


@dataclass(frozen=True, slots=True)
class ImproveOptions:
    """The arguments of the command line."""

    files: Sequence[Path]
    memory: Path | str
    since: str | None = None
    tests: Path | None = None
    root: Path | None = None
    max_iterations: int | None = None
    output: Output = "diff"
    format: bool = False
    as_json: bool = False
    sarif: Path | None = None
    unsafe: bool = False
    unsafe_fixes: bool = False
    select: str | None = None
    ignore: Sequence[str] = ()
    exclude: Sequence[str] = ()
    max_severity: float | None = None
    verbosity: int = 0
    model: LanguageModel | str | None = None
    critic: LanguageModel | str | None = None
    settings: Settings = field(default_factory=Settings)
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One file with its critiquer and its reviser.

    Attributes:
        run_id: id of its run, also in the journal.
        root, replaces: its project, and its path there.
        tools: names of the tools that judge it.
        policy, targeted: the policy of edits and the reviser that follows it; None unless the file is Python.
        runs_in_batches: True if its tools run together with those of other files, and no model is asked.
    """

    source: SourceFile
    critiquer: Critiquer
    reviser: Reviser | None
    root: Path
    replaces: str
    tools: tuple[str, ...]
    run_id: str = field(default_factory=lambda: new_id("improve"))
    policy: CarefulEdits | None = None
    targeted: TargetedReviser | None = None
    runs_in_batches: bool = False

    @property
    def name(self) -> str:
        return str(self.source.path)


@dataclass(frozen=True, slots=True)
class Improved:
    """The outcome for one file.

    Attributes:
        text: its new text; the old text if nothing may change.
        left, fixed: the findings in `text`, and the findings that are gone.
        held_back: for remaining findings, why the edit that would fix them was not made.
        taken_back: reverted edits, each with the reason.
    """

    job: Job
    result: ReflectionResult
    text: str
    left: tuple[Issue, ...]
    fixed: tuple[Issue, ...] = ()
    held_back: Mapping[Issue, str] = field(default_factory=dict[Issue, str])
    taken_back: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """True when there is something to write."""
        return self.text != self.job.source.text

    @property
    def is_clean(self) -> bool:
        """True when nothing wrong is left."""
        return not self.left and self.result.accepted


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line, or a diff, for standard output: its head in a style, then plain text."""

    head: str
    text: str = ""
    style: Style = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The lines for standard output and standard error, and the exit status."""

    lines: Sequence[ReportLine]
    messages: Sequence[str]
    status: int


# -- all files -------------------------------------------------------------------------------------


def report(
    done: Sequence[Improved],
    options: ImproveOptions,
    *,
    interrupted: bool = False,
    skipped: Sequence[tuple[str, str]] = (),
    unchecked: Sequence[str] = (),
    tests: Sequence[TestRepairs] = (),
) -> Report:
    """Write files and the SARIF log, and return the report.

    A file that cannot be written keeps its old text and is named, the others are written all the same; the status is 2
    then.

    Args:
        skipped: files that were left alone, each with the reason.
        unchecked: checks that were not made, each with the reason.
        tests: the failing tests of each project and their repairs, told once, before the last line.
    """
    written: list[str] = []
    failed: dict[str, str] = {}
    for one in done if options.output == "apply" and not interrupted else ():
        try:
            written += [one.job.name] if _apply(one) else []
        except JidoError as error:
            failed[one.job.name] = str(error)
    if options.sarif is not None:
        write_sarif(options.sarif, [issue for one in done for issue in _left_in(one, written)])
    lines: list[ReportLine] = []
    if options.as_json:
        told = [{"file": None, "tests": repairs_json(one)} for one in tests if one.failing or one.why]
        lines.append(ReportLine(json.dumps([*(_as_json(one, written) for one in done), *told], indent=2)))
    else:
        for one in done:
            if options.verbosity >= 0 and _is_shown(one, done, options):
                lines += _paragraph(one, written, options)
        told = [one for one in tests if one.failing or one.why] if options.verbosity >= 0 else []
        lines += [
            ReportLine(line)
            for one in told
            for line in repair_lines(one, is_written=options.output == "apply", has_diff=False)
        ]
        lines.append(ReportLine(_summary(done, options, len(skipped))))
    messages: list[str] = []
    if options.verbosity >= 0:
        messages += [f"left alone: {printable(path)}: {printable(why)}" for path, why in skipped]
    messages += [f"not checked: {printable(one)}" for one in unchecked]
    messages += [f"jido: {message}" for message in failed.values()]
    if interrupted:
        messages.append("interrupted: what is shown is the best so far; no file was changed")
        return Report(lines, messages, 130)
    is_left = any(_counts(one, options) for one in done) or any(one.left or one.why for one in tests)
    return Report(lines, messages, 2 if failed else int(is_left))


def _counts(one: Improved, options: ImproveOptions) -> bool:
    """Tell whether the remaining findings of a file make the exit status 1."""
    if options.max_severity is None:
        return not one.is_clean
    limit = options.max_severity + SLACK
    return one.result.error is not None or any((issue.severity or 0.0) > limit for issue in one.left)


def _is_shown(one: Improved, done: Sequence[Improved], options: ImproveOptions) -> bool:
    """Tell whether a file has its own paragraph: among many files, clean and unchanged ones have none."""
    is_quiet = one.is_clean and not one.is_changed and not one.taken_back and one.result.error is None
    return len(done) == 1 or options.verbosity > 0 or not is_quiet


def _summary(done: Sequence[Improved], options: ImproveOptions, alone: int) -> str:
    """Return the last line: the numbers of files and of findings."""
    left = sum(len(one.left) for one in done)
    failed = sum(one.result.error is not None and not one.left for one in done)
    if options.output == "check":
        files = f" in {counted(len(done), 'file')}" if len(done) != 1 else ""
        ended = f", {counted(failed, 'file')} could not be checked" if failed else ""
        return f"checked: {counted(left, 'issue')} found{files}{ended}" + (f", {alone} left alone" if alone else "")
    improved = sum(one.is_changed for one in done)
    clean = sum(one.is_clean and not one.is_changed for one in done)
    others = len(done) - improved - clean
    files = [f"{improved} improved", f"{clean} clean"]
    files += [f"{others} not improved"] if others else []
    files += [f"{alone} left alone"] if alone else []
    held = sum(why.startswith("unsafe") for one in done for why in one.held_back.values())
    back = sum(len(one.taken_back) for one in done)
    findings = [f"{sum(len(one.fixed) for one in done)} fixed", f"{left} left"]
    findings += [f"{held} held back as unsafe"] if held else []
    findings += [f"{back} reverted"] if back else []
    return f"{', '.join(files)}; {', '.join(findings)}"


def _left_in(one: Improved, written: Sequence[str]) -> list[tuple[str, Issue]]:
    """Return the remaining findings, each with its path and its place in the file on disk."""
    found = list(one.left)
    if one.job.name not in written and one.is_changed and one.result.iterations:
        before: dict[str, list[Issue]] = {}
        for issue in one.result.iterations[0].critique.issues:
            before.setdefault(issue.fingerprint, []).append(issue)
        for place, issue in enumerate(found):
            same = before.get(issue.fingerprint)
            path = issue.location.path if issue.location else None
            found[place] = same.pop(0) if same else issue.replace(location=Location(path))
    return [(_reference(one.job, issue), issue) for issue in found]


def _reference(job: Job, issue: Issue) -> str:
    """Return the path of an issue relative to the repository, or else to the working directory."""
    path = job.source.path.absolute()
    if issue.location is not None and issue.location.path not in (None, job.replaces):
        path = job.root.absolute() / (issue.location.path or "")
    here = Path.cwd()
    top = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else path.as_posix().lstrip("/")


def write_sarif(path: Path, found: Sequence[tuple[str, Issue]]) -> None:
    """Write the log in one step. Raises `JidoError` when it cannot be written."""
    text = json.dumps(sarif_log(found, version=version_of("jido-ai")), indent=2) + "\n"
    try:
        write_whole(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise JidoError(f"{path}: cannot be written: {error.strerror}; name another --sarif") from error


def _apply(one: Improved) -> bool:
    if not one.is_changed:
        return False
    try:
        replace_file(one.job.source, one.text)
    except OSError as error:
        raise JidoError(f"{one.job.name}: cannot be written: {error.strerror}; it was left as it is") from error
    return True


def _diff(one: Improved) -> str:
    if not one.is_changed:
        return ""
    name = one.job.name
    before, after = (lines_of(text) for text in (one.job.source.text, one.text))
    lines: list[str] = []
    for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def _place(issue: Issue, job: Job) -> str:
    """Return the place of an issue with the path as the user wrote it, so that terminals and editors can follow it."""
    place = issue.location
    if place is None:
        return job.name
    tail = ":".join(str(part) for part in (place.line, place.column) if part is not None)
    named = job.name if place.path is None or job.name.endswith(place.path) else place.path
    return f"{named}:{tail}" if tail else named


def _paragraph(one: Improved, written: Sequence[str], options: ImproveOptions) -> Iterator[ReportLine]:
    """Return the lines about one file."""
    job, result = one.job, one.result

    def line(style: Style, label: str, text: str) -> ReportLine:
        return ReportLine(f"  {label:<9}", printable(text), style)

    def about(issue: Issue, style: Style, label: str, why: str | None = None) -> Iterator[ReportLine]:
        head, *more = issue.message.splitlines() or [""]
        rule = f"{issue.rule} " if issue.rule and not head.startswith(issue.rule) else ""
        yield line(style, label, f"{_place(issue, job)}: {rule}{head}" + (f" ({why})" if why else ""))
        yield from (line("", "", f"  {text}") for text in more)

    yield ReportLine(printable(job.name), f": {_head(one, options)}", "bold")
    if result.iterations and options.output != "check":
        first, best = result.iterations[0], _best(result)
        score = f"{score_of(first):.2f} -> {score_of(best):.2f}"
        severity = f"{first.critique.severity:.2f} -> {best.critique.severity:.2f}"
        yield line("dim", "score", f"{score}, severity {severity}, in {result.duration_s:.1f} s")
    for issue in one.fixed:
        yield from about(issue, "green", "fixed")
    for issue in one.left:
        yield from about(issue, "red" if (issue.severity or 0.0) >= 0.7 else "yellow", "left", one.held_back.get(issue))
    for text in _left_out(result):
        yield line("yellow", "more", text)
    for why in one.taken_back:
        yield line("yellow", "back", why)
    if result.error is not None and result.error.kind != result.stop_reason.value:  # else the head says so
        error = result.error
        yield line("red", "error", f"{error.component or 'run'}: {error.kind}: {error.message}")
    for note in _notes(result) if one.is_changed else ():
        yield line("yellow", "note", note)
    if result.usage.calls:
        yield line("dim", "took", taken(result.usage))
    if options.verbosity > 0:
        for label, lessons in (("recalled", result.lessons_used), ("learned", result.lessons_stored)):
            for lesson in lessons:
                yield line("cyan", label, _lesson(lesson))
    if job.name in written:
        yield line("green", "written", job.name)
    if options.output == "diff" and one.is_changed:
        yield ReportLine(_diff(one), style="diff")


def _head(one: Improved, options: ImproveOptions) -> str:
    """Return the outcome for a file in one line."""
    result = one.result
    if options.output == "check" and result.error is None and result.iterations:
        return f"checked: {counted(len(one.left), 'issue')} found" if one.left else "checked: no issues found"
    count = counted(result.total_iterations, "iteration")
    if one.is_clean and not one.is_changed:
        return f"clean after {count}"
    return f"{result.stop_reason.value} after {count}: {_EXPLAINED[result.stop_reason]}"


def _notes(result: ReflectionResult) -> list[str]:
    """Return the notes on edits in the best candidate by a model, and on edits that only the tests vouch for."""
    made = {one.candidate.id: one.candidate for one in result.iterations}
    found: list[str] = []
    candidate = result.best_candidate
    while candidate is not None:
        if candidate.metadata.get("vouched_by") == "tests" and candidate.reasoning:
            found.insert(0, candidate.reasoning)
        elif candidate.model is not None:
            found.insert(0, f"{candidate.model}: {candidate.reasoning or 'revised'}")
        candidate = made.get(candidate.parent_id or "")
    return found


def _left_out(result: ReflectionResult) -> list[str]:
    """Return a line for each tool that found more issues than a critique holds."""
    if not result.iterations or result.best_candidate is None:
        return []
    critique = _best(result).critique
    found: Mapping[str, Mapping[str, Any]] = critique.metadata.get("tools", {})
    return [
        f"{tool} found {about['findings']:,} issues; only the first {MOST_FINDINGS:,} are judged"
        for tool, about in found.items()
        if about.get("findings", 0) > MOST_FINDINGS
    ]


def _lesson(lesson: MemoryEntry) -> str:
    text = " ".join(f"{lesson.mistake} => {lesson.correction}".split())
    text = text if len(text) <= 100 else text[:99] + "…"
    return f"{text}  [{lesson.id}, helped {lesson.success_count} of {lesson.use_count}]"


def _best(result: ReflectionResult) -> Any:
    assert result.best_candidate is not None
    return next(one for one in result.iterations if one.candidate.id == result.best_candidate.id)


def _as_json(improved: Improved, written: Sequence[str]) -> dict[str, Any]:
    job, result = improved.job, improved.result

    def issue(one: Issue) -> dict[str, Any]:
        fields = {**one.model_dump(mode="json", exclude_none=True), "at": _place(one, job)}
        why = improved.held_back.get(one)
        return fields if why is None else {**fields, "why": why}

    first = result.iterations[0] if result.iterations else None
    best = _best(result) if result.best_candidate is not None else None
    return {
        "file": job.name,
        "stop_reason": result.stop_reason.value,
        "iterations": result.total_iterations,
        "severity": None if first is None or best is None else [first.critique.severity, best.critique.severity],
        "score": None if first is None or best is None else [score_of(first), score_of(best)],
        "fixed": [issue(one) for one in improved.fixed],
        "left": [issue(one) for one in improved.left],
        "held_back": [issue(one) for one, why in improved.held_back.items() if why.startswith("unsafe")],
        "taken_back": list(improved.taken_back),
        "lessons_used": [lesson.id for lesson in result.lessons_used],
        "lessons_stored": [lesson.id for lesson in result.lessons_stored],
        "notes": _notes(result) if improved.is_changed else [],
        "error": None if result.error is None else result.error.model_dump(mode="json"),
        "diff": _diff(improved),
        "written": job.name in written,
        "usage": {**result.usage.model_dump(), "cost": money(result.usage)} if result.usage.calls else None,
        "duration_s": round(result.duration_s, 3),
    }
