"""Try texts in place of one file until the tests pass, and write the results as JSON. A script, never imported.

    python -P -s pytest_mutants.py REPORT FILE JOB [PYTEST ARGUMENT...]

JOB is a file with {"texts": [...], "first": [...], "skip": [...], "seconds_each", "seconds", "enough"}. Each text gets
its own process, one after the other. A process is killed after `seconds_each` of CPU time besides the start of pytest,
or if it waits for very long, so that a busy machine changes nothing; after `seconds`, or once all tests passed on
`enough` texts, the remaining texts are not tried. The tests named in `first` run before the others, those in `skip` not
at all. Writes {"passed": [number of tests that passed, or null if one failed, none ran, or it took too long],
"reached": [number of tests that passed before the first that failed], "warm": whether pytest was configured once for
all} to REPORT, numbers for each text that was tried, and exits with 0.

Pytest is loaded once and, if its plugins and the project's conftest do not load FILE, configured once: a text then
costs a fork, the import of the tests and the tests; the session too is started once if
only pytest itself has to do with that. Otherwise each process configures it again.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_WARM_S = 0.2  # of CPU time, for a configured pytest to start and end
_COLD_S = 0.6
_GARBAGE = (20_000, 20, 100)  # thresholds of the search for garbage
_WAIT = 20.0  # times the CPU time limit, plus 5 seconds: time limit of a process


class _Count:
    """A pytest plugin that reports the number of passed tests, and ends the process before the summary."""

    def __init__(self, first: list[str], skip: list[str]) -> None:
        self._rank = {test: rank for rank, test in enumerate(first)}
        self._skip = frozenset(skip)
        self.writing = -1
        self.passed: set[str] = set()  # by name: a test reports each of its subtests

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self._skip]
        items.sort(key=lambda item: self._rank.get(item.nodeid, len(self._rank)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if self.writing < 0:  # the process that started the trials
            return
        os.write(self.writing, f"{int(exitstatus)} {len(self.passed)}\n".encode())
        os._exit(0)


class _Trials:
    """The remaining texts and the results of the others; a plugin that tries them once pytest is configured."""

    def __init__(self, file: str, job: Path, arguments: list[str]) -> None:
        asked = json.loads(job.read_text("utf-8"))
        self._file = file
        self._texts: list[str] = asked["texts"]
        self._each_s: float = asked["seconds_each"]
        self._end = time.monotonic() + asked["seconds"]
        self._enough: int = asked["enough"]
        self._arguments = arguments
        self._count = _Count(asked["first"], asked["skip"])
        self.warm = False
        self._starts_session = False
        self.found: list[int | None] = []
        self.reached: list[int] = []

    def run(self) -> None:
        """Try all of them, with one configured pytest if possible."""
        parent, before = os.getpid(), set(sys.modules)
        try:
            pytest.main(self._arguments, plugins=[self._count, self])
        finally:
            if os.getpid() != parent:  # a trial that ended without a session or report has failed
                os._exit(1)
        here = os.path.realpath(Path.cwd()) + os.sep
        for name in set(sys.modules) - before:  # modules of the project must be loaded again, with the text in place
            if os.path.realpath(getattr(sys.modules[name], "__file__", None) or "").startswith(here):
                del sys.modules[name]
        while self._goes_on():
            self._try(_COLD_S, lambda: pytest.main(self._arguments, plugins=[self._count]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self, config: pytest.Config) -> int | None:
        """Return None in a process that must run the tests, and 0 in the one that started them."""
        if self._is_loaded():
            return 0
        self._starts_session = all(_is_of_pytest(one) for one in config.hook.pytest_sessionstart.get_hookimpls())
        return None if self._starts_session or self._try_all() else 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> bool | None:
        """As `pytest_cmdline_main`, once the session has started: in another plugin this may happen only once."""
        return None if not self._starts_session or self._try_all() else True

    def _try_all(self) -> bool:
        """Try the texts, each in a new process; return True in that process, False in this one."""
        self.warm = True
        gc.freeze()  # what is loaded is neither searched for garbage nor copied in each process
        gc.set_threshold(*_GARBAGE)
        return any(self._try(_WARM_S, None) for _ in iter(self._goes_on, False))

    def _is_loaded(self) -> bool:
        names = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        target = os.path.realpath(self._file)
        return any(isinstance(name, str) and os.path.realpath(name) == target for name in names)

    def _goes_on(self) -> bool:
        return len(self.found) < len(self._texts) and time.monotonic() < self._end and not self._has_enough()

    def _has_enough(self) -> bool:
        return sum(bool(passed) for passed in self.found) >= self._enough

    def _try(self, begin_s: float, act: Callable[[], object] | None) -> bool:
        """Run the tests on the next text in a new process; True in that process if `act` is None."""
        reading, writing = os.pipe()
        limit_s = begin_s + self._each_s
        child = os.fork()
        if child:
            os.close(writing)
            wait_s = min(5.0 + _WAIT * limit_s, max(1.0, self._end - time.monotonic()))
            passed, reached = _outcome(child, reading, wait_s)
            self.found.append(passed)
            self.reached.append(reached)
            return False
        try:
            os.close(reading)
            os.setsid()
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, limit_s)
            Path(self._file).write_bytes(self._texts[len(self.found)].encode("utf-8", "surrogatepass"))
            self._count.writing = writing
        except BaseException:  # noqa: BLE001 - in any case this process must not continue as if it were its parent
            os._exit(1)
        if act is None:
            return True
        try:
            act()
        finally:
            os._exit(1)


def _is_of_pytest(hook: Any) -> bool:
    return hook.function.__module__.partition(".")[0] in ("_pytest", "pytest")


def _outcome(child: int, reading: int, limit_s: float) -> tuple[int | None, int]:
    """Wait for a process, end its whole group, and return how many tests passed: if all did, and in any case."""
    try:
        ready, _, _ = select.select([reading], [], [], limit_s)
        words = os.read(reading, 100).split() if ready else []
    finally:
        os.close(reading)
        for end in (lambda: os.killpg(child, signal.SIGKILL), lambda: os.kill(child, signal.SIGKILL)):
            try:
                end()
            except ProcessLookupError:
                pass  # it has ended, or has no process group yet
        os.waitpid(child, 0)
    reached = int(words[1]) if len(words) == 2 else 0
    return (reached if reached > 0 and words[0] == b"0" else None), reached


def _main(report: str, file: str, job: str, *arguments: str) -> None:
    target = Path.cwd() / report
    sys.path.insert(0, str(Path.cwd()))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    trials = _Trials(file, Path(job), [*arguments, "-x", "--tb=no"])
    trials.run()
    target.write_text(json.dumps({"passed": trials.found, "reached": trials.reached, "warm": trials.warm}), "utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
