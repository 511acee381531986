"""Run the examples in one file and write their outcomes as JSON. A script: it is run, never imported.

    python -P -s doctest_json.py REPORT FILE

FILE is a module, which is imported, or a text. Writes {"ran", "skipped", "unfinished", "problems", "outcomes"} to
REPORT and exits with 0, or with 1 if an example failed; the problems are as in `jido_frames`, with the line of the
example. The outcomes are those of docstrings, "passed", "failed" or "skipped", as in `pytest_json`. If the examples end
the process early nothing is written; if their report is not credible, a report with "broken": see `jido_watch`.
"""

from __future__ import annotations

import doctest
import importlib
import linecache
import os
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_frames
import jido_watch

sys.path.pop(0)

_Caught: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType]"


class _Runner(doctest.DocTestRunner):
    """Collects failures instead of printing them."""

    def __init__(self, file: str) -> None:
        super().__init__(verbose=False)
        self._file = file
        self._places = jido_frames.Places(file)
        self.problems: list[dict[str, object]] = []

    def report_start(self, out: object, test: doctest.DocTest, example: doctest.Example) -> None: ...

    def report_success(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None: ...

    def report_failure(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        message = (
            f"{example.source.strip()}: expected {example.want.strip() or 'nothing'}, got {got.strip() or 'nothing'}"
        )
        self._add(test, example, message, None)

    def report_unexpected_exception(
        self, out: object, test: doctest.DocTest, example: doctest.Example, exc_info: _Caught
    ) -> None:
        raised = "".join(traceback.format_exception_only(*exc_info[:2])).strip()
        self._add(test, example, f"{example.source.strip()}: raised {raised}", exc_info)

    def _add(self, test: doctest.DocTest, example: doctest.Example, message: str, caught: _Caught | None) -> None:
        if len(self.problems) >= jido_frames.MOST_PROBLEMS:
            return
        name = test.name.rpartition("/")[2]
        error, trace = (None, None) if caught is None else caught[1:]
        found = self._places.failure(name, message, error, trace, self._file)
        line = (test.lineno or 0) + example.lineno + 1
        here = {"path": self._places.relative(self._file), "line": line}
        found["at"] = {**here, "text": jido_frames.bounded(example.source.strip())}
        if found["path"] is None:
            found.update({**here, "column": _indent(self._file, line, example.indent) + 1})
        self.problems.append(found)


def _indent(file: str, line: int, told: int) -> int:
    """Return an example's indentation in its file: Python 3.13 and newer dedent docstrings."""
    text = linecache.getline(file, line)
    return len(text) - len(text.lstrip()) if ">>>" in text else told


def _tests(file: Path) -> list[doctest.DocTest]:
    if file.suffix not in (".py", ".pyi"):
        text = file.read_text("utf-8")
        return [doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, file.name, str(file), 0)]
    names = [file.stem]
    top = file.parent
    while (top / "__init__.py").is_file() and top != Path.cwd():
        names.insert(0, top.name)
        top = top.parent
    sys.path.insert(0, str(top))
    module = importlib.import_module(".".join(names).removesuffix(".__init__"))
    return [test for test in doctest.DocTestFinder().find(module) if test.examples]


def _act(name: str) -> tuple[int, dict[str, object]]:
    file = Path.cwd() / name
    sys.path.insert(0, str(Path.cwd()))
    runner = _Runner(name)
    ran = skipped = 0
    outcomes: dict[str, str] = {}
    try:
        tests = _tests(file)
    except Exception as error:  # noqa: BLE001 - any exception of the candidate is its problem
        message = f"cannot be imported: {''.join(traceback.format_exception_only(error)).strip()}"
        runner.problems.append(jido_frames.Places(name).failure(name, message, error, error.__traceback__, name))
        outcomes[name] = "error"
        tests = []
    for test in tests:
        result = runner.run(test, out=lambda _text: None)
        left_out = sum(1 for example in test.examples if example.options.get(doctest.SKIP))
        ran += result.attempted - (left_out if getattr(result, "skipped", 0) else 0)
        skipped += left_out
        is_skipped = left_out == len(test.examples)
        outcomes[test.name] = "failed" if result.failed else "skipped" if is_skipped else "passed"
    found: dict[str, object] = {
        "ran": ran,
        "skipped": skipped,
        "unfinished": 0,
        "problems": runner.problems,
        **jido_watch.bounded_outcomes(outcomes),
    }
    return 1 if runner.problems else 0, found


def _check(status: int, found: dict[str, object]) -> str | None:
    if (status == 1) != bool(found["problems"]):
        return f"doctest ended with status {status}, which does not match the results of the examples"
    return None


if __name__ == "__main__":
    sys.exit(jido_watch.run(sys.argv[1], lambda: _act(sys.argv[2]), _check))
