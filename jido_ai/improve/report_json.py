"""The report of `jido improve` as JSON, version 2; `docs/how-to/improve.md` describes it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jido_ai.improve.failing_tests import repairs_json
from jido_ai.improve.outcome import Improved, ImproveOptions
from jido_ai.improve.report_text import Tally, diff_of, notes_of, place_of
from jido_ai.text.wording import money
from jido_ai.values import Issue

_VERSION: Final = 2
"""Version 1 was a list of files."""


def json_report(
    done: Sequence[Improved],
    tally: Tally,
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


def _file(one: Improved, tally: Tally) -> dict[str, Any]:
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
