"""Run tests with pytest and write their outcomes as JSON. A script: it is run, never imported.

    python -P -s pytest_json.py REPORT FILE [--jido-lines JOB] [PYTEST ARGUMENT...]

Writes {"ran", "skipped", "unfinished", "problems", "outcomes"} to REPORT; the problems are as in `jido_frames`, with
FILE as the candidate. The outcomes are those of the first 20,000 tests by name ("outcomes_cut" is true if there are
more): "passed", "failed", "error" (outside of the test itself, or a file that cannot be collected), "skipped",
"xfailed" or "xpassed". Skipped tests and those that are expected to fail did not run; unfinished are those that were
selected but did not finish. Exits as pytest does.

If the session is cut short nothing is written; if it is not credible, {"broken": why}: see `jido_watch`, which also
describes the remaining risk. A run is not credible if its exit status does not match its report, if functions of pytest
were replaced, if a new `conftest.py` appeared, or if hooks come from FILE.

JOB is a file with {path: [line, ...]}, paths relative to the working directory. The report then has {"lines": {path:
{line: [up to three tests that ran it and passed]}}}, for the lines of functions that a test ran in its setup or call;
code that runs when a module is imported does not count. Other threads count, other processes do not.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_watch

sys.path.pop(0)


def _act(file: str, arguments: list[str]) -> tuple[int, dict[str, object]]:
    sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120
    import jido_path  # noqa: PLC0415 - in the process of the tests, not in the one that watches it
    import jido_pytest  # noqa: PLC0415

    sys.path.pop(0)
    jido_path.project_first()
    return jido_pytest.run(file, arguments)


def _check(status: int, found: dict[str, object]) -> str | None:
    """Return why the exit status does not match the report; None if it does."""
    why, problems = found.pop("broken", None), found["problems"]
    if isinstance(why, str):
        return why
    if status == 0 and problems:
        return "pytest ended with status 0 although tests failed"
    if status in (1, 2) and not problems and not found["unfinished"]:
        return f"pytest ended with status {status} although no test failed"
    if status == 0 and not found["outcomes"]:
        return "pytest ended with status 0 although no test ran"
    if status == 5 and found["ran"]:
        return "pytest ended with status 5, as without a test, although tests ran"
    return None


def _main(report: str, file: str, *arguments: str) -> int:
    return jido_watch.run(report, lambda: _act(file, list(arguments)), _check)


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
