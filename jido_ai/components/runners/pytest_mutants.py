"""Try texts in the place of one file until the tests pass, and write how each did as JSON. A script, never imported.

    python -P -s pytest_mutants.py REPORT FILE JOB [PYTEST ARGUMENT...]

JOB is a file with {"texts": [...], "seconds_each", "seconds"}. Each text gets a process of its own, one after the
other, that is killed after `seconds_each` of computing, or five times that of waiting; after `seconds`, or when all
tests passed, the rest is not tried. Writes [number of tests that passed, or null when one failed, none ran, or it took
too long] to REPORT, one for each text that was tried, and ends with 0. It needs pytest, which is loaded once.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from pathlib import Path

import pytest


class _Count:
    """A plugin of pytest that tells how many tests passed, and ends the process before anything is summed up."""

    def __init__(self, writing: int) -> None:
        self._writing = writing
        self.passed = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.passed += report.when == "call" and report.passed

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        os.write(self._writing, f"{int(exitstatus)} {self.passed}\n".encode())
        os._exit(0)


def _try(file: str, text: str, arguments: list[str], limit_s: float) -> int | None:
    """Return how many tests passed in a process of its own, None unless all of them did, in time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.setsid()
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, limit_s)
            Path(file).write_bytes(text.encode("utf-8", "surrogatepass"))
            pytest.main([*arguments, "-x", "--tb=no"], plugins=[_Count(writing)])
        finally:
            os._exit(1)
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], 5 * limit_s)
        words = os.read(reading, 100).split() if ready else []
    finally:
        os.close(reading)
        for end in (lambda: os.killpg(child, signal.SIGKILL), lambda: os.kill(child, signal.SIGKILL)):
            try:
                end()
            except ProcessLookupError:
                pass  # it has ended, or has no group of its own yet
        os.waitpid(child, 0)
    return int(words[1]) if len(words) == 2 and words[0] == b"0" and int(words[1]) > 0 else None


def _main(report: str, file: str, job: str, *arguments: str) -> None:
    target = Path.cwd() / report
    asked = json.loads(Path(job).read_text("utf-8"))
    sys.path.insert(0, str(Path.cwd()))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    pytest.main(["--markers", "--noconftest", "-c", os.devnull])  # loads the plugins, and nothing of the project
    end = time.monotonic() + asked["seconds"]
    found: list[int | None] = []
    for text in asked["texts"]:
        if time.monotonic() >= end or any(found):
            break
        found.append(_try(file, text, list(arguments), asked["seconds_each"]))
    target.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
