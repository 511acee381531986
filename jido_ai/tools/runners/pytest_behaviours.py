"""Run tests with varied inputs on several texts in place of one file; write each one's behaviour as JSON. A script.

    python -P -s pytest_behaviours.py REPORT FILE JOB [PYTEST ARGUMENT...]

JOB is a file with {"texts": [...], "seconds_each", "seconds"}. Each test function without fixtures is a source of
probes: the function as it is, and with one of its constants or lists changed. A probe does not judge; it records the
values that the asserts look at. Writes {"behaviours": [{probe: [[code, value], ...]} or null, ...]} to REPORT: one per
text, null if the tests could not be loaded; a probe that raised ends with ["raises", name of the exception]. Texts have
the same probes, in the same order, unless `seconds_each` of CPU time were over. Exits with 0.
"""

from __future__ import annotations

import ast
import copy
import gc
import inspect
import json
import os
import re
import select
import signal
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final, cast

import pytest

_START_S: Final = 1.0  # of CPU time, for pytest to collect the tests
_PROBE_S: Final = 0.1
_MOST: Final = 40  # probes of one test
_MOST_RECORDS: Final = 40
_CHARS: Final = 300


class Timeout(BaseException):
    """A probe took too long. Not an Exception, which the code under test might catch."""


# -- probes ----------------------------------------------------------------------------------------


class _Recording(ast.NodeTransformer):
    """Replaces asserts by records of the values that they look at."""

    def visit_Assert(self, node: ast.Assert) -> Any:
        test = node.test
        test = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
        sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
        found = [side for side in sides if any(isinstance(one, ast.Call | ast.Name) for one in ast.walk(side))]
        records = [ast.Expr(_record(side)) for side in found] or [ast.Pass()]
        return [ast.copy_location(one, node) for one in records]


def _record(value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("__jido_record__", ast.Load()), [ast.Constant(ast.unparse(value)), value], [])


def _variants(function: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    """Yield the function itself and with one constant or list changed."""
    yield function
    places = [place for place, node in enumerate(ast.walk(function)) if _others(node)]
    depth = max((len(_others(node)) for node in ast.walk(function)), default=0)
    for turn in range(depth):
        for place in places:
            changed = copy.deepcopy(function)
            node = list(ast.walk(changed))[place]
            others = _others(node)
            if turn < len(others):
                _become(node, others[turn])
                yield changed


def _others(node: ast.AST) -> list[Any]:
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, int) and not isinstance(value, bool):
            return list(dict.fromkeys(one for one in (value + 1, max(value - 1, 0), 2 * value + 1, 0) if one != value))
        if isinstance(value, float):
            return [value * 2 + 0.5, 0.0]
        if isinstance(value, str):
            return list(dict.fromkeys(one for one in (value[:-1], value + value[:1], value[::-1], "") if one != value))
    elif isinstance(node, ast.List | ast.Tuple) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        items = node.elts
        return [items[:-1], items[::-1], [*items, items[0]], items[1:]]
    elif isinstance(node, ast.List) and node.elts and isinstance(node.ctx, ast.Load):
        return [[], [*node.elts, *node.elts]]
    return []


def _become(node: ast.AST, other: Any) -> None:
    if isinstance(node, ast.Constant):
        node.value = other
    elif isinstance(node, ast.List | ast.Tuple):
        node.elts = copy.deepcopy(other)


def _probes(item: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and the code of each probe of a test."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(item.function)))
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef):
        return
    function.decorator_list = []
    function = _Recording().visit(function)
    for number, variant in enumerate(_variants(function)):
        if number >= _MOST:
            return
        final = _Renamed(variant).visit(copy.deepcopy(variant))
        module = ast.fix_missing_locations(ast.Module([final], []))
        yield f"{item.nodeid}#{number}", compile(module, "<probe>", "exec")


class _Renamed(ast.NodeTransformer):
    """Names each record by the code of its value, after a variation, with the statements that it needs."""

    def __init__(self, function: ast.FunctionDef) -> None:
        walked = list(ast.walk(function))
        self._own = {node.id for node in walked if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self._begin = "; ".join(ast.unparse(one) for one in function.body if not _is_record(one)) + "; "

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if _is_record(node):
            value = node.args[1]
            needs = any(isinstance(one, ast.Name) and one.id in self._own for one in ast.walk(value))
            code = (self._begin if needs else "") + ast.unparse(value)
            node.args[0] = ast.Constant(" ".join(code.split())[-_CHARS:])
        return node


def _is_record(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else node
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "__jido_record__"


# -- the plugin ------------------------------------------------------------------------------------


class _Behaviours:
    """A pytest plugin: forks once per text when pytest is configured, and runs the probes in place of the tests."""

    def __init__(self, file: str, job: Path, report: Path) -> None:
        asked = json.loads(job.read_text("utf-8"))
        self._file, self._report = file, report
        self._texts: list[str] = asked["texts"]
        self._each_s: float = asked["seconds_each"]
        self._end = time.monotonic() + asked["seconds"]
        self._place = -1

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self) -> int | None:
        """Return None in a process that must run the probes, and 0 in the one that started them."""
        gc.freeze()  # what is loaded is neither searched for garbage nor copied in each process
        for place, text in enumerate(self._texts):
            if time.monotonic() > self._end:
                return 0
            reading, writing = os.pipe()
            child = os.fork()
            if not child:
                os.close(reading)  # `writing` stays open until the process ends
                os.setsid()
                signal.signal(signal.SIGPROF, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_PROF, _START_S + 2 * self._each_s)
                Path(self._file).write_bytes(text.encode("utf-8", "surrogatepass"))
                self._place = place
                return None
            os.close(writing)
            select.select([reading], [], [], max(0.1, self._end - time.monotonic()))
            os.close(reading)
            try:
                os.killpg(child, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it has ended
            os.waitpid(child, 0)
        return 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        found: dict[str, list[list[str]]] = {}
        end = time.process_time() + self._each_s
        items: list[Any] = [one for one in session.items if isinstance(one, pytest.Function)]
        for item in items:
            given = getattr(getattr(item, "callspec", None), "params", {})
            wanted = [name for name in inspect.signature(item.function).parameters if name != "self"]
            if not all(name in given for name in wanted) or inspect.iscoroutinefunction(item.function):
                continue
            try:
                probes = _probes(item)
                for name, code in probes:
                    if time.process_time() > end:
                        break
                    found[name] = _run(item, code, {name: given[name] for name in wanted})
            except Exception:  # noqa: BLE001 - its source cannot be read or varied: no probes of it
                continue
        here = self._report.with_suffix(f".{self._place}")
        here.write_text(json.dumps(found), "utf-8")
        os._exit(0)


def _run(item: Any, code: Any, given: dict[str, Any]) -> list[list[str]]:
    """Return the records of a probe."""
    records: list[list[str]] = []

    def record(text: str, value: object) -> None:
        if len(records) < _MOST_RECORDS:
            records.append([text, _shown(value)])

    space: dict[str, Any] = dict(item.function.__globals__)
    space["__jido_record__"] = record

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise Timeout

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, _PROBE_S, _PROBE_S)
        exec(code, space)
        function = space[item.function.__name__]
        if getattr(item.obj, "__self__", None) is not None:
            function = function.__get__(item.obj.__self__)
        function(**copy.deepcopy(given))
    except BaseException as error:  # noqa: BLE001 - whatever the candidate raises is what it does
        records.append(["raises", type(error).__name__])
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
    return records


def _shown(value: object) -> str:
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(repr, cast("set[object]", value))))[:_CHARS] + "}"
    return re.sub(r"0x[0-9a-f]+", "0x", repr(value))[:_CHARS]


def _main(report: str, file: str, job: str, *arguments: str) -> None:
    target = Path.cwd() / report
    sys.path.insert(0, str(Path.cwd()))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    behaviours = _Behaviours(file, Path(job).resolve(), target)
    texts = json.loads(Path(job).read_text("utf-8"))["texts"]
    pytest.main(list(arguments), plugins=[behaviours])
    found: list[Any] = []
    for place in range(len(texts)):
        try:
            found.append(json.loads(target.with_suffix(f".{place}").read_text("utf-8")))
        except (OSError, ValueError):  # the process was ended before it could write
            found.append(None)
    target.write_text(json.dumps({"behaviours": found}), "utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
