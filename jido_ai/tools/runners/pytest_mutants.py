"""Try texts in place of one file until the tests pass, and write the results as JSON. A script, never imported.

    python -P -s pytest_mutants.py REPORT FILE JOB [PYTEST ARGUMENT...]

JOB is a file with {"texts": [...], "first": [...], "skip": [...], "seconds_each", "seconds", "enough"}. A text is one
of FILE, or [path, text] of another file. Each gets its own process, one after the other. A process is killed after
`seconds_each` of CPU time besides the start of pytest, or if it waits for very long, so that a busy machine changes
nothing; after `seconds`, or once all tests passed on `enough` texts, the remaining texts are not tried. The tests named
in `first` run before the others, those in `skip` not at all. Writes {"passed": [number of tests that passed, or null if
one failed, none ran, or it took too long], "reached": [number of tests that passed before the first that failed],
"warm": whether pytest was configured once for all} to REPORT, numbers for each text that was tried, and exits with 0.

With "keep": [...] in JOB, a text need not make all tests pass. Those in `first` all run, those in "late" of them (that
would take too long) at the very end; if none of them passes, no other test runs. "fixed" then has, for each text, those
of `first` that pass, or null if one of `keep` no longer does ("broken": how many passed, and which broke); a file that
could not be collected counts as fixed if all of its tests pass now. A text is enough if it fixes all of `first`.

Pytest is loaded once and, if its plugins and the project's conftest do not load FILE, configured once: a text then
costs a fork, the import of the tests and the tests; the session too is started once if only pytest itself has to do
with that. Otherwise each process configures it again.
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

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_path

sys.path.pop(0)
import pytest  # after the pop: our neighbours must not shadow its imports

_WARM_S = 0.2  # of CPU time, for a configured pytest to start and end
_COLD_S = 0.6
_GARBAGE = (20_000, 20, 100)  # thresholds of the search for garbage
_WAIT = 20.0  # times the CPU time limit, plus 5 seconds: time limit of a process


class _Count:
    """A pytest plugin that reports the number of passed tests, and ends the process before the summary."""

    def __init__(self, first: list[str], skip: list[str], keep: list[str] | None, late: list[str]) -> None:
        self._rank = {test: rank for rank, test in enumerate(one for one in first if one not in late)}
        self._first = first
        self._skip = frozenset(skip)
        self._keep = None if keep is None else frozenset(keep)
        self._late = frozenset(late)
        self._is_late = False
        self._broken = ""
        self.writing = -1
        self.passed: set[str] = set()  # by name: a test reports each of its subtests
        self._failed: set[str] = set()
        self._collected: set[str] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self._skip]
        last = len(self._rank)
        items.sort(key=lambda item: self._rank.get(item.nodeid, last + (item.nodeid in self._late)))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.passed:
            self._collected.add(report.nodeid)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self._keep is None or nodeid in self._rank:
            return
        if nodeid not in self._late and self._rank and not self._fixed() and all("::" in one for one in self._rank):
            self._end(1)  # none of those that failed passes
        if nodeid in self._late and not self._is_late:
            self._is_late = True
            self._tell(0)  # which counts if the process is ended in one of these

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)
        if report.failed:
            self._failed.add(report.nodeid)
            if self._keep is not None and report.nodeid in self._keep:
                self._broken = report.nodeid
                self._end(1)

    def _fixed(self) -> list[str]:
        return [one for one in self._first if (self._passes(one) if "::" in one else self._loads(one))]

    def _passes(self, test: str) -> bool:
        return test in self.passed and test not in self._failed

    def _loads(self, file: str) -> bool:
        own = f"{file}::"
        does = any(one.startswith(own) for one in self.passed)
        return does and file in self._collected and not any(one.startswith(own) for one in self._failed)

    def _tell(self, status: int, *, is_end: bool = False) -> None:
        told: dict[str, Any] = {"status": status, "passed": len(self.passed), "is_end": is_end}
        if self._keep is not None:
            is_kept = self._keep <= self.passed - self._failed
            told["fixed"] = self._fixed() if is_kept and status in (0, 1) else None
            told["broken"] = [len(self._fixed()), self._broken] if self._broken else None
        os.write(self.writing, f"{json.dumps(told)}\n".encode())

    def _end(self, status: int) -> None:
        self._tell(status, is_end=True)
        os._exit(0)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if self.writing < 0:  # the process that started the trials
            return
        self._end(int(exitstatus))


class _Trials:
    """The remaining texts and the results of the others; a plugin that tries them once pytest is configured."""

    def __init__(self, file: str, job: Path, arguments: list[str]) -> None:
        asked = json.loads(job.read_text("utf-8"))
        self._texts = [(file, one) if isinstance(one, str) else (one[0], one[1]) for one in asked["texts"]]
        self._files = {path: Path(path).read_bytes() for path, _ in self._texts}
        self._each_s: float = asked["seconds_each"]
        self._end = time.monotonic() + asked["seconds"]
        self._enough: int = asked["enough"]
        ending = "-x" if asked.get("keep") is None else "--continue-on-collection-errors"
        self._arguments = [*arguments, ending]
        keep = asked.get("keep")
        self._all = None if keep is None else len(asked["first"])
        self._count = _Count(asked["first"], asked["skip"], keep, asked.get("late", []))
        self.warm = False
        self._starts_session = False
        self.found: list[int | None] = []
        self.reached: list[int] = []
        self.fixed: list[list[str] | None] = []
        self.broken: list[Any] = []

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
        self._starts_session = all(
            _is_of_pytest(hookimpl) for hookimpl in config.hook.pytest_sessionstart.get_hookimpls()
        )
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
        targets = {os.path.realpath(path) for path in self._files}
        return any(isinstance(name, str) and os.path.realpath(name) in targets for name in names)

    def _goes_on(self) -> bool:
        return len(self.found) < len(self._texts) and time.monotonic() < self._end and not self._has_enough()

    def _has_enough(self) -> bool:
        if self._all is None:
            return sum(bool(passed) for passed in self.found) >= self._enough
        return sum(one is not None and len(one) == self._all for one in self.fixed) >= self._enough

    def _try(self, begin_s: float, act: Callable[[], object] | None) -> bool:
        """Run the tests on the next text in a new process; True in that process if `act` is None."""
        reading, writing = os.pipe()
        limit_s = begin_s + self._each_s
        child = os.fork()
        if child:
            os.close(writing)
            wait_s = min(5.0 + _WAIT * limit_s, max(1.0, self._end - time.monotonic()))
            told = _outcome(child, reading, wait_s)
            path = self._texts[len(self.found)][0]
            Path(path).write_bytes(self._files[path])
            reached = told.get("passed", 0)
            self.found.append(reached if reached > 0 and told["status"] == 0 else None)
            self.reached.append(reached)
            self.fixed.append(told.get("fixed"))
            self.broken.append(told.get("broken"))
            return False
        try:
            os.close(reading)
            os.setsid()
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, limit_s)
            path, text = self._texts[len(self.found)]
            Path(path).write_bytes(text.encode("utf-8", "surrogatepass"))
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


def _outcome(child: int, reading: int, limit_s: float) -> dict[str, Any]:
    """Wait for a process, end its whole group, and return the last that it told; empty if it told nothing."""
    end, said = time.monotonic() + limit_s, b""
    try:
        while select.select([reading], [], [], max(0.0, end - time.monotonic()))[0]:
            part = os.read(reading, 65_536)
            said += part
            if not part or b'"is_end": true' in part:  # what the tests started may keep the pipe open
                break
    finally:
        os.close(reading)
        for act in (lambda: os.killpg(child, signal.SIGKILL), lambda: os.kill(child, signal.SIGKILL)):
            try:
                act()
            except ProcessLookupError:
                pass  # it has ended, or has no process group yet
        os.waitpid(child, 0)
    rows = said.split(b"\n")[:-1]  # whole ones
    return json.loads(rows[-1]) if rows else {}


def _main(report: str, file: str, job: str, *arguments: str) -> None:
    target = Path.cwd() / report
    jido_path.project_first()
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    trials = _Trials(file, Path(job), [*arguments, "--tb=no"])
    trials.run()
    found = {"passed": trials.found, "reached": trials.reached, "fixed": trials.fixed}
    found |= {"broken": trials.broken, "warm": trials.warm}
    target.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
