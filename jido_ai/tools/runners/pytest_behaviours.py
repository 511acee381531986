"""Run tests with varied inputs on several texts in place of one file; write each one's behaviour as JSON. A script.

    python -P -s pytest_behaviours.py REPORT FILE JOB [PYTEST ARGUMENT...]

JOB is a file with {"texts": [...], "seconds_each", "seconds"}; a text is one of FILE, or [path, text] of another file.
Each test function without fixtures is a source of probes: the function as it is, and with one of its constants or lists
changed. With "literals": [...] in JOB, those are tried for its constants; with "sides": [[place of a text, line, code,
code], ...], numbers are also changed so that the two sides, as they are compared in that line of that text, become
equal or differ by one. A probe does not judge; it records the values that the asserts look at. Writes {"behaviours":
[{probe: [[code, value], ...]} or null, ...]} to REPORT: one per text, null if the tests could not be loaded; a probe
that raised ends with ["raises", name of the exception]. Texts have the same probes, in the same order, unless
`seconds_each` of CPU time were over. Exits with 0.
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

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_path

sys.path.pop(0)
import pytest  # after the pop: our neighbours must not shadow its imports

_START_S: Final = 1.0  # of CPU time, for pytest to collect the tests
_PROBE_S: Final = 0.1
_MOST: Final = 40  # probes of one test
_MOST_RECORDS: Final = 40
_CHARS: Final = 300
_CODE_CHARS: Final = 2_000
_MOST_SHIFTS: Final = 4


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
        return [ast.copy_location(record, node) for record in records]


def _record(value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("__jido_record__", ast.Load()), [ast.Constant(ast.unparse(value)), value], [])


def _variants(function: ast.FunctionDef, literals: list[Any], shifts: list[float]) -> Iterator[ast.FunctionDef]:
    """Yield the function itself and with one constant or list changed."""
    yield function
    nodes = list(ast.walk(function))
    names = {id(one.keywords) for one in nodes if isinstance(one, ast.Call)}  # pytest.raises(match=...) is no input
    kept = {
        part for one in nodes if id(getattr(one, "keywords", None)) in names
        for word in getattr(one, "keywords", []) if word.arg == "match" for part in ast.walk(word)
    }  # fmt: skip
    others_of = [[] if node in kept else _others(node, literals, shifts) for node in nodes]
    for turn in range(max(map(len, others_of), default=0)):
        for place, others in enumerate(others_of):
            if turn >= len(others):
                continue
            changed = copy.deepcopy(function)
            node = list(ast.walk(changed))[place]
            _become(node, others[turn])
            yield changed


def _others(node: ast.AST, literals: list[Any], shifts: list[float]) -> list[Any]:
    """Return replacements of a constant or list; the boundaries and literals of the edited line come first."""
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, int) and not isinstance(value, bool):
            near = [value + int(shift) for shift in shifts if shift == int(shift)]
            near += [literal for literal in literals if isinstance(literal, int) and not isinstance(literal, bool)]
            found = [*near, value + 1, max(value - 1, 0), 2 * value + 1, 0]
            return list(dict.fromkeys(one for one in found if one != value))
        if isinstance(value, float):
            return [*(value + shift for shift in shifts), value * 2 + 0.5, 0.0]
        if isinstance(value, str):
            texts = [literal for literal in literals if isinstance(literal, str) and literal]
            within = [*(value + text for text in texts), *(text + text for text in texts), *texts]
            found = [*within, value[:-1], value + value[:1], value[::-1], ""]
            return list(dict.fromkeys(one for one in found if one != value))
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


class _Filled(ast.NodeTransformer):
    """Puts the values of parameters that can be written as code into their places, so that they are varied too."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load) or node.id not in self._given:
            return node
        try:
            code = ast.parse(repr(self._given[node.id]), mode="eval").body
            return code if ast.literal_eval(code) == self._given[node.id] else node
        except (SyntaxError, ValueError):
            return node


def _probes(item: Any, given: dict[str, Any], literals: list[Any], shifts: list[float]) -> Iterator[tuple[str, Any]]:
    """Yield the name and the code of each probe of a test."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(item.function)))
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef):
        return
    function.decorator_list = []
    function = _Filled(given).visit(_Recording().visit(function))
    most = _MOST if not literals and not shifts else 2 * _MOST
    for number, variant in enumerate(_variants(function, literals, shifts)):
        if number >= most:
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
            node.args[0] = ast.Constant(" ".join(code.split())[-_CODE_CHARS:])
        return node


def _is_record(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else node
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "__jido_record__"


# -- the plugin ------------------------------------------------------------------------------------


class _Behaviours:
    """A pytest plugin: forks once per text when pytest is configured, and runs the probes in place of the tests."""

    def __init__(self, file: str, job: Path, report: Path) -> None:
        asked = json.loads(job.read_text("utf-8"))
        self._report = report
        self._texts = [(file, one) if isinstance(one, str) else (one[0], one[1]) for one in asked["texts"]]
        self._literals: list[Any] = asked.get("literals", [])
        self._sides: list[tuple[int, int, str, str]] = [tuple(one) for one in asked.get("sides", [])]
        self._shifts: dict[str, list[float]] = {}
        self._each_s: float = asked["seconds_each"]
        self._end = time.monotonic() + asked["seconds"]
        self._place, self._is_look = -1, False

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self) -> int | None:
        """Return None in a process that must run the probes, and 0 in the one that started them."""
        gc.freeze()  # what is loaded is neither searched for garbage nor copied in each process
        for place in dict.fromkeys(side[0] for side in self._sides):
            if self._fork(place, is_look=True):
                return None
            try:
                told: dict[str, list[float]] = json.loads(self._report.with_suffix(".look").read_text("utf-8"))
            except (OSError, ValueError):
                continue  # it was ended before it could tell
            for test, shifts in told.items():
                self._shifts[test] = list(dict.fromkeys([*self._shifts.get(test, []), *shifts]))
        for place in range(len(self._texts)):
            if time.monotonic() > self._end:
                return 0
            if self._fork(place, is_look=False):
                return None
        return 0

    def _fork(self, place: int, *, is_look: bool) -> bool:
        """Return True in a new process, with a text in place; False in this one, when that process has ended."""
        path, text = self._texts[place]
        before = Path(path).read_bytes()
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)  # `writing` stays open until the process ends
            os.setsid()
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, _START_S + 2 * self._each_s)
            Path(path).write_bytes(text.encode("utf-8", "surrogatepass"))
            self._place, self._is_look = place, is_look
            return True
        os.close(writing)
        select.select([reading], [], [], max(0.1, self._end - time.monotonic()))
        os.close(reading)
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has ended
        os.waitpid(child, 0)
        Path(path).write_bytes(before)
        return False

    def _look(self, items: list[Any]) -> None:
        """Write how far the sides of the edited comparisons are apart in each test."""
        path = os.path.realpath(self._texts[self._place][0])
        sides = [side[1:] for side in self._sides if side[0] == self._place]
        found: dict[str, list[float]] = {}
        for item in items:
            apart: list[float] = []

            def trace(frame: FrameType, event: str, _arg: object, apart: list[float] = apart) -> Any:
                if os.path.realpath(frame.f_code.co_filename) != path:
                    return None
                for line, left, right in sides:
                    if event == "line" and frame.f_lineno == line and len(apart) < _MOST_SHIFTS:
                        apart += _apart(frame, left, right)
                return trace

            wanted = _wanted(item)
            if wanted is None:
                continue
            sys.settrace(trace)
            try:
                item.obj(**copy.deepcopy(wanted))
            except BaseException:  # noqa: BLE001 - whatever it raises, its comparisons were seen
                pass
            finally:
                sys.settrace(None)
            near = [sign * one + by for one in apart for by in (0, 1, -1) for sign in (1, -1)]
            found[item.nodeid] = [fromkey for fromkey in dict.fromkeys(near) if fromkey]
        self._report.with_suffix(".look").write_text(json.dumps(found), "utf-8")
        os._exit(0)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if self._is_look:
            self._look([one for one in session.items if isinstance(one, pytest.Function)])
        found: dict[str, list[list[str]]] = {}
        end = time.process_time() + self._each_s
        items: list[Any] = [one for one in session.items if isinstance(one, pytest.Function)]
        for item in items:
            given = _wanted(item)
            if given is None:
                continue
            try:
                for name, code in _probes(item, given, self._literals, self._shifts.get(item.nodeid, [])):
                    if time.process_time() > end:
                        break
                    found[name] = _run(item, code, given)
            except Exception:  # noqa: BLE001 - its source cannot be read or varied: no probes of it
                continue
        here = self._report.with_suffix(f".{self._place}")
        here.write_text(json.dumps(found), "utf-8")
        os._exit(0)


def _wanted(item: Any) -> dict[str, Any] | None:
    """Return the arguments of a test; None if it needs fixtures, or an event loop."""
    given = getattr(getattr(item, "callspec", None), "params", {})
    wanted = [name for name in inspect.signature(item.function).parameters if name != "self"]
    if not all(name in given for name in wanted) or inspect.iscoroutinefunction(item.function):
        return None
    return {name: given[name] for name in wanted}


def _apart(frame: FrameType, left: str, right: str) -> list[float]:
    """Return how far two values of a frame are apart; nothing if that is no number."""
    try:
        space = {**frame.f_globals, **frame.f_locals}
        distance = eval(left, space) - eval(right, space)
    except Exception:  # noqa: BLE001 - not numbers, or not yet known
        return []
    return [distance] if isinstance(distance, int | float) else []


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
    jido_path.project_first()
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
