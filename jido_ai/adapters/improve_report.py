"""What `jido improve` says when it is over: files written, a report for people, JSON, and SARIF for review tools."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Final, Literal, TextIO

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from jido_ai.adapters.cli_live import EXPLAINED, counted, money, taken
from jido_ai.adapters.file_replacement import write_whole
from jido_ai.adapters.source_files import SourceFile, replace_file
from jido_ai.config import Settings
from jido_ai.errors import JidoError
from jido_ai.logic.convergence import score_of
from jido_ai.logic.prompt_template import printable
from jido_ai.logic.sarif import sarif_log
from jido_ai.logic.text_change import lines_of
from jido_ai.protocols import Critiquer, LanguageModel, Reviser
from jido_ai.values import Finding, Issue, Location, MemoryEntry, ReflectionResult, StopReason, new_id

__all__ = ["ImproveOptions", "Job", "Output", "report", "write_sarif"]

Output = Literal["diff", "apply", "check"]
_EXPLAINED: Final = {**EXPLAINED, StopReason.ACCEPTED: "nothing is left to find"}


@dataclass(frozen=True, slots=True)
class ImproveOptions:
    """What the command line said."""

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
    model: LanguageModel | str | None = None
    critic: LanguageModel | str | None = None
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class Job:
    """One file, and who judges and mends it.

    Attributes:
        run_id: of its run, in the journal too.
        root, replaces: its project, and its path there.
        tools: the names of those that judge.
    """

    source: SourceFile
    critiquer: Critiquer
    reviser: Reviser | None
    root: Path
    replaces: str
    tools: tuple[str, ...]
    run_id: str = field(default_factory=lambda: new_id("improve"))

    @property
    def name(self) -> str:
        return str(self.source.path)


# -- all files -------------------------------------------------------------------------------------


def report(
    done: Sequence[tuple[Job, ReflectionResult]],
    options: ImproveOptions,
    out: TextIO,
    err: TextIO,
    *,
    interrupted: bool,
) -> int:
    """Write files and the SARIF log, print what came of it, and return the exit status.

    A file that cannot be written is left as it is and named, the others are written all the same; the status is 2 then.
    """
    written: list[str] = []
    failed: dict[str, str] = {}
    for job, result in done if options.output == "apply" and not interrupted else ():
        try:
            written += [job.name] if _apply(job, result) else []
        except JidoError as error:
            failed[job.name] = str(error)
    if options.sarif is not None:
        left = [issue for job, result in done for issue in _left_in(job, result, written)]
        write_sarif(options.sarif, left)
    if options.as_json:
        out.write(json.dumps([_as_json(job, result, written) for job, result in done], indent=2) + "\n")
    else:
        console = Console(file=out, highlight=False)
        for job, result in done:
            _print(console, job, result, written, options)
    for said in failed.values():
        err.write(f"jido: {said}\n")
    if interrupted:
        err.write("interrupted: what is shown is the best so far; no file was changed\n")
        return 130
    return 2 if failed else 1 if any(_is_left(result) for _, result in done) else 0


def _left_in(job: Job, result: ReflectionResult, written: Sequence[str]) -> list[tuple[str, Issue]]:
    """Return what is left, each with its path, and where it is in the file as it lies there now."""
    found = list(result.open_issues)
    if job.name not in written and _diff(job, result) and result.iterations:
        before: dict[str, list[Issue]] = {}
        for issue in result.iterations[0].critique.issues:
            before.setdefault(issue.fingerprint, []).append(issue)
        for place, issue in enumerate(found):
            same = before.get(issue.fingerprint)
            path = issue.location.path if issue.location else None
            found[place] = same.pop(0) if same else issue.replace(location=Location(path))
    return [(_reference(job, issue), issue) for issue in found]


def _reference(job: Job, issue: Issue) -> str:
    """Return the path of an issue as seen from the repository, or from where we are."""
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


def _is_left(result: ReflectionResult) -> bool:
    return bool(result.open_issues) or not result.accepted


def _apply(job: Job, result: ReflectionResult) -> bool:
    best = result.best_candidate
    if best is None or best.content == job.source.text:
        return False
    try:
        replace_file(job.source, best.content)
    except OSError as error:
        raise JidoError(f"{job.name}: cannot be written: {error.strerror}; it was left as it is") from error
    return True


def _diff(job: Job, result: ReflectionResult) -> str:
    best = result.best_candidate
    if best is None or best.content == job.source.text:
        return ""
    before, after = (lines_of(text) for text in (job.source.text, best.content))
    lines: list[str] = []
    for line in difflib.unified_diff(before, after, f"a/{job.name}", f"b/{job.name}"):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def _place(issue: Issue, job: Job) -> str:
    """Return where, with the path as the user wrote it, so that terminals and editors can follow it."""
    place = issue.location
    if place is None:
        return job.name
    tail = ":".join(str(part) for part in (place.line, place.column) if part is not None)
    named = job.name if place.path is None or job.name.endswith(place.path) else place.path
    return f"{named}:{tail}" if tail else named


def _print(
    console: Console, job: Job, result: ReflectionResult, written: Sequence[str], options: ImproveOptions
) -> None:
    def line(style: str, label: str, text: str) -> None:
        console.print(Text.assemble((f"  {label:<9}", style), printable(text)), soft_wrap=True)

    count, why = counted(result.total_iterations, "iteration"), _EXPLAINED[result.stop_reason]
    head = f": {result.stop_reason.value} after {count}: {why}"
    console.print(Text.assemble((printable(job.name), "bold"), head), soft_wrap=True)
    if result.iterations:
        first, best = result.iterations[0], _best(result)
        line(
            "dim",
            "score",
            f"{score_of(first):.2f} -> {score_of(best):.2f}, severity {first.critique.severity:.2f} -> "
            f"{best.critique.severity:.2f}, in {result.duration_s:.1f} s",
        )
    for finding in result.findings:
        _print_finding(line, finding, job)
    if result.error is not None and result.error.kind != result.stop_reason.value:  # else it is told above
        line("red", "error", f"{result.error.component or 'run'}: {result.error.kind}: {result.error.message}")
    for note in _notes(result):
        line("yellow", "note", note)
    if result.usage.calls:
        line("dim", "took", taken(result.usage))
    for label, lessons in (("recalled", result.lessons_used), ("learnt", result.lessons_stored)):
        for lesson in lessons:
            line("cyan", label, _lesson(lesson))
    if job.name in written:
        line("green", "written", job.name)
    diff = _diff(job, result)
    if diff and options.output == "diff":
        if console.is_terminal:
            console.print(Syntax(printable(diff).rstrip("\n"), "diff", background_color="default"), end="")
        else:
            console.file.write(diff)


def _print_finding(line: Callable[[str, str, str], None], finding: Finding, job: Job) -> None:
    issue = finding.issue
    head, *more = issue.message.splitlines() or [""]
    rule = f"{issue.rule} " if issue.rule and not head.startswith(issue.rule) else ""
    style = "green" if finding.status == "fixed" else "red" if (issue.severity or 0.0) >= 0.7 else "yellow"
    line(style, "fixed" if finding.status == "fixed" else "left", f"{_place(issue, job)}: {rule}{head}")
    for text in more:
        line("", "", f"  {text}")


def _notes(result: ReflectionResult) -> list[str]:
    """Return what a reader must know of edits in the best candidate: a model's, and those only the tests vouch for."""
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


def _lesson(lesson: MemoryEntry) -> str:
    text = " ".join(f"{lesson.mistake} => {lesson.correction}".split())
    text = text if len(text) <= 100 else text[:99] + "…"
    return f"{text}  [{lesson.id}, helped {lesson.success_count} of {lesson.use_count}]"


def _best(result: ReflectionResult) -> Any:
    assert result.best_candidate is not None
    return next(one for one in result.iterations if one.candidate.id == result.best_candidate.id)


def _as_json(job: Job, result: ReflectionResult, written: Sequence[str]) -> dict[str, Any]:
    def issue(one: Issue) -> dict[str, Any]:
        return {**one.model_dump(mode="json", exclude_none=True), "at": _place(one, job)}

    first = result.iterations[0] if result.iterations else None
    best = _best(result) if result.best_candidate is not None else None
    return {
        "file": job.name,
        "stop_reason": result.stop_reason.value,
        "iterations": result.total_iterations,
        "severity": None if first is None or best is None else [first.critique.severity, best.critique.severity],
        "score": None if first is None or best is None else [score_of(first), score_of(best)],
        "fixed": [issue(finding.issue) for finding in result.findings if finding.status == "fixed"],
        "left": [issue(one) for one in result.open_issues],
        "lessons_used": [lesson.id for lesson in result.lessons_used],
        "lessons_stored": [lesson.id for lesson in result.lessons_stored],
        "notes": _notes(result),
        "error": None if result.error is None else result.error.model_dump(mode="json"),
        "diff": _diff(job, result),
        "written": job.name in written,
        "usage": {**result.usage.model_dump(), "cost": money(result.usage)} if result.usage.calls else None,
        "duration_s": round(result.duration_s, 3),
    }
