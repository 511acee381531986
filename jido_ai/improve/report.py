"""The report of `jido improve`: files written, lines for people, JSON, and SARIF for review tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any, Final

from jido_ai.errors import JidoError
from jido_ai.files.replacement import write_whole
from jido_ai.improve.baseline import write_baseline
from jido_ai.improve.failing_tests import repairs_json
from jido_ai.improve.outcome import FileJob, Improved, ImproveOptions, TestsOutcome
from jido_ai.improve.report_text import ReportLine, ReportTally, diff_of, notes_of, place_of, text_report
from jido_ai.improve.sarif import sarif_log
from jido_ai.improve.source_files import replace_file
from jido_ai.text.printable import printable
from jido_ai.text.wording import money
from jido_ai.tools.reports.linters import RuffFix
from jido_ai.values import SLACK, Issue, Location


@dataclass(frozen=True, slots=True)
class ImproveReport:
    """The lines for standard output and standard error, and the exit status."""

    lines: Sequence[ReportLine]
    messages: Sequence[str]
    status: int


def report(
    done: Sequence[Improved],
    options: ImproveOptions,
    *,
    interrupted: bool = False,
    skipped: Sequence[tuple[str, str]] = (),
    unchecked: Sequence[str] = (),
    clean: Sequence[str] = (),
    tests: TestsOutcome | None = None,
    known: int = 0,
) -> ImproveReport:
    """Write files and the SARIF log, and return the report.

    A file that cannot be written keeps its old text and is named, the others are written all the same; the status is 2
    then.

    Args:
        skipped: files that were left alone, each with the reason.
        unchecked: checks that were not made, each with the reason.
        clean: names of files in which the linter found nothing, so that nothing more was done about them.
        tests: the outcome of the tests; None without tests.
        known: number of findings that were not told because they are old.
    """
    written: list[str] = []
    failed: dict[str, str] = {}
    for one in done if options.output == "apply" and not interrupted else ():
        try:
            written += [one.job.name] if _apply(one) else []
        except JidoError as error:
            failed[one.job.name] = str(error)
    ended = tests or TestsOutcome()
    tally = ReportTally.of(
        done, options, written=written, skipped=skipped, clean=clean, tests=ended, known=known, interrupted=interrupted
    )
    if options.write_baseline is not None and not interrupted:
        write_baseline(
            options.write_baseline,
            [(reference(one.job), there) for one in done for there, _ in _left_in(one, written)],
        )
    if options.sarif is not None:
        _write_log(options.sarif, done, written)
    left = any(_counts(one, options) for one in done) and options.write_baseline is None
    left = left or bool(ended.failing) or bool(ended.problems)
    status = 130 if interrupted else 2 if failed else 1 if left else 0
    if options.as_json:
        told = json_report(done, tally, options, status=status, skipped=skipped, unchecked=unchecked, clean=clean)
        lines = [ReportLine(json.dumps(told, indent=2))]
    elif options.is_hook and status == 0 and not written:
        lines = []
    else:
        lines = text_report(done, tally, options)
    messages: list[str] = []
    if options.verbosity >= 0 and not (options.is_hook and status == 0):
        messages += [f"left alone: {printable(path)}: {printable(why)}" for path, why in skipped]
    if not (options.is_hook and status == 0):
        messages += [f"not checked: {printable(one)}" for one in unchecked]
        messages += [
            f"not checked: {printable(test)}: it needs the network, which the sandbox does not have"
            for test in ended.unreached
        ]
    messages += [f"jido: {message}" for message in failed.values()]
    if interrupted:
        messages.append("interrupted: what is shown is the best so far; no file was changed")
    return ImproveReport(lines, messages, status)


def _counts(one: Improved, options: ImproveOptions) -> bool:
    """Tell whether the remaining findings of a file make the exit status 1."""
    if options.max_severity is None:
        return not one.is_clean
    limit = options.max_severity + SLACK
    return one.result.error is not None or any((issue.severity or 0.0) > limit for issue in one.left)


def _apply(one: Improved) -> bool:
    if not one.is_changed:
        return False
    try:
        replace_file(one.job.source, one.text)
    except OSError as error:
        raise JidoError(f"{one.job.name}: cannot be written: {error.strerror}; it was left as it is") from error
    return True


# -- SARIF -----------------------------------------------------------------------------------------


def _write_log(path: Path, done: Sequence[Improved], written: Sequence[str]) -> None:
    """Write the findings in the files on disk."""
    found: list[tuple[str, Issue]] = []
    reasons: dict[tuple[str, Issue], str] = {}
    fixes: dict[tuple[str, Issue], RuffFix] = {}
    about: dict[str, str] = {}
    for one in done:
        for issue, why in _left_in(one, written):
            here = (reference(one.job, issue), issue)
            found.append(here)
            if why is not None:
                reasons[here] = why
            if (ruff := one.diagnostics.get(_place_of(issue))) is None:
                continue
            if ruff.fix is not None and ruff.fix.edits:
                fixes[here] = ruff.fix
            if ruff.url:
                about[issue.rule or ""] = ruff.url
    root = _top(Path.cwd()).as_uri() + "/"
    write_sarif(path, found, reasons=reasons, fixes=fixes, about=about, root=root)


def _left_in(one: Improved, written: Sequence[str]) -> list[tuple[Issue, str | None]]:
    """Return the remaining findings, each at its place in the file on disk and with the reason why it is left."""
    found = list(one.left)
    if one.job.name not in written and one.is_changed and one.result.iterations:
        before: dict[str, list[Issue]] = {}
        for issue in one.result.iterations[0].critique.issues:
            before.setdefault(issue.fingerprint, []).append(issue)
        for place, issue in enumerate(found):
            same = before.get(issue.fingerprint)
            path = issue.location.path if issue.location else None
            found[place] = same.pop(0) if same else issue.replace(location=Location(path))
    return [(there, one.why.get(issue)) for there, issue in zip(found, one.left, strict=True)]


def _place_of(issue: Issue) -> tuple[str, int, int]:
    place = issue.location
    return (issue.rule or "", place.line or 0 if place else 0, place.column or 0 if place else 0)


def reference(job: FileJob, issue: Issue | None = None) -> str:
    """Return the path of a file, or of an issue, relative to the repository, or else to the working directory."""
    path = job.source.path.absolute()
    if issue is not None and issue.location is not None and issue.location.path not in (None, job.replaces):
        path = job.root.absolute() / (issue.location.path or "")
    top = _top(Path.cwd())
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else path.as_posix().lstrip("/")


def _top(here: Path) -> Path:
    """Return the directory that paths are relative to: the repository's, else the working directory."""
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def write_sarif(
    path: Path,
    found: Sequence[tuple[str, Issue]],
    *,
    reasons: Mapping[tuple[str, Issue], str] | None = None,
    fixes: Mapping[tuple[str, Issue], RuffFix] | None = None,
    about: Mapping[str, str] | None = None,
    root: str | None = None,
) -> None:
    """Write the log in one step. Raises `JidoError` when it cannot be written."""
    log = sarif_log(found, version=version_of("jido-ai"), reasons=reasons, fixes=fixes, about=about, root=root)
    try:
        write_whole(path, (json.dumps(log, indent=2) + "\n").encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise JidoError(f"{path}: cannot be written: {error.strerror}; name another --sarif") from error


# -- report json -----------------------------------------------------------------------------------


_VERSION: Final = 2
"""Version 1 was a list of files."""


def json_report(
    done: Sequence[Improved],
    tally: ReportTally,
    options: ImproveOptions,
    *,
    status: int,
    skipped: Sequence[tuple[str, str]] = (),
    unchecked: Sequence[str] = (),
    clean: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the report: every finding once, in one list; those held back are marked."""
    return {
        "version": _VERSION,
        "summary": {
            "status": status,
            "mode": options.output,
            "improved": tally.improved,
            "written": len(tally.written),
            "clean": tally.clean,
            "not_improved": tally.others,
            "left_alone": len(skipped),
            "fixed": tally.fixed,
            "left": tally.left,
            "held_back": tally.held,
            "reverted": tally.reverted,
            "known": tally.known,
            "tests_fixed": len(tally.tests.fixed),
            "tests_failing": len(tally.tests.failing),
        },
        "files": [_file(one, tally) for one in done],
        "clean": list(clean),
        "tests": {
            "fixed": [_plain(one) for one in tally.tests.fixed],
            "failing": [_plain(one) for one in tally.tests.failing],
            "problems": list(tally.tests.problems),
            "need_network": list(tally.tests.unreached),
            "repairs": [repairs_json(one) for one in tally.tests.repairs],
        },
        "left_alone": [{"file": path, "why": why} for path, why in skipped],
        "unchecked": list(unchecked),
    }


def _plain(issue: Issue) -> dict[str, Any]:
    return issue.model_dump(mode="json", exclude_none=True)


def _file(one: Improved, tally: ReportTally) -> dict[str, Any]:
    job, result = one.job, one.result

    def issue(found: Issue) -> dict[str, Any]:
        why = one.why.get(found)
        reason = {} if why is None else {"why": why, "held_back": why.startswith("unsafe")}
        return {**_plain(found), "at": place_of(found, job), **reason}

    return {
        "file": job.name,
        "stop_reason": result.stop_reason.value,
        "fixed": [issue(found) for found in one.fixed],
        "left": [issue(found) for found in one.left],
        "reverted": list(one.taken_back),
        "lessons_used": [lesson.id for lesson in result.lessons_used],
        "lessons_stored": [lesson.id for lesson in result.lessons_stored],
        "notes": notes_of(result) if one.is_changed else [],
        "error": None if result.error is None else result.error.model_dump(mode="json"),
        "diff": diff_of(one),
        "written": job.name in tally.written,
        "usage": {**result.usage.model_dump(), "cost": money(result.usage)} if result.usage.calls else None,
        "duration_s": round(result.duration_s, 3),
    }
