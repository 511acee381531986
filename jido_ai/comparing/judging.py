"""Judging of answers by the checks of their tasks."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from math import inf
from pathlib import Path
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, MethodWrapperType
from typing import Any, Final, cast

from jido_ai.comparing.answers import identity_of
from jido_ai.comparing.cases import Hollow, Verdict
from jido_ai.comparing.tasks import Check, Task, checked_tasks
from jido_ai.components.component import close_all, method_of
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.rules_file import read_rules
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ComponentError, ConfigurationError, JidoError, ToolError, describe, message_of
from jido_ai.files.bounded_read import CONFIG_BYTES, read_at_most
from jido_ai.protocols import RunContext, ToolExecutor
from jido_ai.text.file_form import without_fence, without_prose
from jido_ai.text.printable import clip
from jido_ai.text.python_tree import parsed
from jido_ai.tools.lookup import default_executor, tool_named
from jido_ai.tools.rules import json_schema_tool, must_match, rules_tool
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, CritiqueResult, Usage

_ANSWER: Final = "answer.py"
_TESTS: Final = "test_answer.py"
_NAMES: Final = """\
import answer as _answer
globals().update({_name: _it for _name, _it in vars(_answer).items() if not _name.startswith(("__", "test", "Test"))})
"""
"""Gives the tests the names of the answer, apart from tests of its own."""
_ONE_TEST: Final = "\n\ndef test_the_statements_above():\n    pass\n"
"""Without a function that is a test, the statements are one: pytest needs a function to report."""
_MOST_ANSWER_CHARS: Final = 1_000_000
_MOST_REASONS: Final = 5
"""Of one check."""
_REASON_CHARS: Final = 500
_QUICK_CHARS: Final = 10_000
_REFUSAL: Final = "I'm sorry, but I can't help with that."
_IGNORANCE: Final = "I don't know."

_Reasons = tuple[str, ...]
"""What is wrong with an answer by one check; empty if it passes."""
"""Why a check failed; None if it passed."""
_Run = Callable[[Task, str], Awaitable[tuple[_Reasons, Usage]]]


class Judging:
    """Runs the checks of tasks on their answers.

    The checks by programs run first; a judge is asked only about an answer that passed them. An answer that a task has
    had before gets the same verdict without a call. Programs run in the sandbox, as those of `ToolCritiquer` do.

    Args:
        tasks: all whose answers will be judged.
        executor: runs programs; by default the registered "sandbox".
        unsafe: accept that hostile answers are not confined where no sandbox is available.
        timeout_s: seconds for one check by a program or function; an answer whose tests or command take longer fails.
        seed: of the judges' models, where they take one.
        max_parallel: checks that run at once, at least 1.

    Raises:
        ConfigurationError: a rules file cannot be read, a judge's model is unknown, a number is out of range, or an id
            is used twice. `ToolNotFoundError`, a subclass: a program is not installed.
        AuthenticationError: a judge's provider needs a key and there is none.
    """

    def __init__(
        self,
        tasks: Iterable[Task],
        *,
        executor: ToolExecutor | None = None,
        unsafe: bool = False,
        timeout_s: float = 30.0,
        seed: int | None = None,
        max_parallel: int = 4,
    ) -> None:
        if not 0.0 < timeout_s < inf:
            raise ConfigurationError(f"timeout_s must be above 0 and finite, got {timeout_s}")
        if type(max_parallel) is not int or max_parallel < 1:
            raise ConfigurationError(f"max_parallel must be a whole number of at least 1, got {describe(max_parallel)}")
        self._executor = executor
        self._unsafe = unsafe
        self._timeout_s = timeout_s
        self._seed = seed
        self._turns = asyncio.Semaphore(max_parallel)
        self._judges: dict[tuple[object, str], LLMCritiquer] = {}
        self._tasks = checked_tasks(tasks)
        self._ready: dict[str, list[tuple[Check, _Run]]] = {}
        self._identities: dict[str, list[object]] = {}
        for task in self._tasks:
            self._ready[task.key], self._identities[task.key] = [], []
            for check in sorted(task.checks, key=lambda check: check.is_opinion):  # those by a model last
                files: dict[str, str] = {}
                self._ready[task.key].append((check, self._prepared(task, check, files)))
                judge = identity_of(self._judge_of(check).uses()[0]) if check.is_opinion else None
                self._identities[task.key].append(identity_of_check(check, files, judge))
        self._verdicts: dict[tuple[str, str], Verdict] = {}
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}

    async def __aenter__(self) -> Judging:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the models of judges that were made from their names."""
        await close_all(self.judges)

    @property
    def judges(self) -> tuple[LLMCritiquer, ...]:
        """The judges among the checks, in the order of the tasks."""
        return tuple(self._judges.values())

    def identity(self, task: Task) -> list[object]:
        """Return the identity of a task's checks, with the contents of their files: the same in every process."""
        return self._identities[task.key]

    async def judged(self, task: Task, answer: str) -> Verdict:
        """Run the checks of a task on an answer.

        Raises:
            ConfigurationError: the task is not one of these, or the answer is no text.
            ToolError: a program could not run, or a pattern, schema or function took too long.
            ModelError, ParseError: a judge could not be asked, or its reply cannot be read.
            ComponentError: a function failed, or returned something else than a bool.
        """
        if not isinstance(task, Task) or task.key not in self._ready:
            raise ConfigurationError(f"the task must be one of those given, got {describe(task)}")
        if not isinstance(answer, str):
            raise ConfigurationError(f"an answer must be a string, got {describe(answer)}")
        known = (task.key, answer)
        async with self._locks.setdefault(known, asyncio.Lock()):
            if known not in self._verdicts:
                verdict = await self._judge(task, answer, self._ready[task.key])
                self._verdicts[known] = dataclasses.replace(verdict, judge_calls=0, judge_tokens=0, judge_cost_usd=0.0)
                return verdict
        return self._verdicts[known]

    async def hollow(self) -> tuple[Hollow, ...]:
        """Return the answers without content that pass the checks of tasks, with these tasks.

        Tried are an empty answer, the prompt itself, a refusal, and "I don't know.". Tasks with a judge are left out,
        since no model is asked. A check that cannot run on such an answer does not pass it.
        """
        tasks = [task for task in self._tasks if not any(check.is_opinion for check in task.checks)]
        found: list[Hollow] = []
        for name, probe in _PROBES.items():
            async with asyncio.TaskGroup() as group:
                tries = [group.create_task(self._passes(task, probe(task))) for task in tasks]
            ids = tuple(task.key for task, one in zip(tasks, tries, strict=True) if one.result())
            if ids:
                found.append(Hollow(name, ids))
        return tuple(found)

    async def _passes(self, task: Task, answer: str) -> bool:
        try:
            return (await self.judged(task, answer)).passed
        except JidoError:
            return False

    async def _judge(self, task: Task, answer: str, checks: Sequence[tuple[Check, _Run]]) -> Verdict:
        by = "judge" if any(check.is_opinion for check in task.checks) else "program"
        if len(answer) > _MOST_ANSWER_CHARS:
            return Verdict(False, by, (f"the answer has {len(answer):,} characters; at most 1,000,000 are judged",))
        reasons: list[str] = []
        spent = Usage()
        for check, run in checks:
            if check.is_opinion and reasons:
                break  # it has failed already: ask no model
            async with nullcontext() if check.is_opinion else self._turns:
                wrong, usage = await run(task, answer)
            spent += usage
            reasons += [clip(one, _REASON_CHARS) for one in wrong[:_MOST_REASONS]]
        return Verdict(
            not reasons,
            by,
            tuple(reasons),
            judge_calls=spent.calls,
            judge_tokens=spent.input_tokens + spent.output_tokens,
            judge_cost_usd=None if spent.unpriced_calls else spent.cost_usd,
        )

    # -- checks made ready -------------------------------------------------------------------------

    def _prepared(self, task: Task, check: Check, files: dict[str, str]) -> _Run:
        """Make a check ready to run. The contents of its files are added to `files`."""
        value: Any = check.value
        match check.kind:
            case "exact":
                return _of_text(lambda answer: answer.strip() == value.strip(), f"the answer is not {_quoted(value)}")
            case "contains":
                return _of_text(lambda answer: value in answer, f"the answer does not contain {_quoted(value)}")
            case "regex":
                return self._of_reading(rules_tool(must_match(value), name="regex"))
            case "json_schema":
                return self._of_reading(json_schema_tool(value), form=without_fence)
            case "rules":
                files[value] = _read(value)
                return self._of_reading(rules_tool(*read_rules(files[value], value)))
            case "python_tests":
                return self._of_tests(value)
            case "command":
                return self._of_command(value, files)
            case "judge":
                return self._of_judge(check)
            case _:
                return self._of_function(value)

    def _critiquer(self, tool: Tool) -> ToolCritiquer:
        self._executor = self._executor or default_executor()
        return ToolCritiquer([tool], executor=self._executor, unsafe=self._unsafe, cache=False)

    def _of_reading(self, tool: Tool, form: Callable[[str], str] = str) -> _Run:
        """Return the check of a tool that only reads the answer: if it is killed, that is the fault of its pattern."""
        tool = dataclasses.replace(tool, timeout_s=min(tool.timeout_s, self._timeout_s))
        critiquer = self._critiquer(tool)

        async def run(task: Task, answer: str) -> tuple[_Reasons, Usage]:
            critique = await critiquer.critique(Candidate(form(answer)), _context(task))
            for issue in critique.issues:
                if issue.kind in ("cannot-run", "timeout"):
                    raise ToolError(f"task {task.key}: {issue.message}")
            return _reasons(critique), Usage()

        return run

    def _of_tests(self, tests: str) -> _Run:
        tree = parsed(tests)
        has_functions = tree is not None and any(
            getattr(node, "name", "").startswith(("test", "Test")) for node in tree.body
        )
        text = _NAMES + tests + ("" if has_functions else _ONE_TEST)
        tool = dataclasses.replace(tool_named("pytest").with_arguments(), filename=_TESTS, timeout_s=self._timeout_s)
        self._critiquer(tool)  # pytest is installed

        async def run(task: Task, answer: str) -> tuple[_Reasons, Usage]:
            code = without_prose(answer, is_python=True)
            if not code.strip():
                return ("there is no code in the answer",), Usage()
            if len(code) <= _QUICK_CHARS and await asyncio.to_thread(parsed, code) is None:
                return ("the answer is not Python code",), Usage()
            if any("\ud800" <= char <= "\udfff" for char in code):
                return ("the answer is not Unicode text",), Usage()
            critiquer = self._critiquer(dataclasses.replace(tool, files={_ANSWER: code}))
            return _outcome(task, await critiquer.critique(Candidate(text), _context(task))), Usage()

        return run

    def _of_command(self, argv: tuple[str, ...], files: dict[str, str]) -> _Run:
        arguments = [argv[0], *(_with_file(argument, files) for argument in argv[1:])]
        tool = Tool(
            argv[0],
            arguments,
            input="file" if any("{file}" in argument for argument in argv) else "stdin",
            filename=_ANSWER,
            files=files,
            timeout_s=self._timeout_s,
        )
        critiquer = self._critiquer(tool)

        async def run(task: Task, answer: str) -> tuple[_Reasons, Usage]:
            content = without_fence(answer)
            return _outcome(task, await critiquer.critique(Candidate(content), _context(task))), Usage()

        return run

    def _judge_of(self, check: Check) -> LLMCritiquer:
        model = check.model
        assert model is not None, "checked when it was made"
        key = (model if isinstance(model, str) else id(model), check.value)
        if key not in self._judges:
            self._judges[key] = LLMCritiquer(model, criteria=[check.value], seed=self._seed)
        return self._judges[key]

    def _of_judge(self, check: Check) -> _Run:
        critiquer = self._judge_of(check)

        async def run(task: Task, answer: str) -> tuple[_Reasons, Usage]:
            critique = await critiquer.critique(Candidate(answer), _context(task))
            spent: object = critique.metadata.get("usage")
            said = tuple(f"{critiquer.name}: {reason}" for reason in _reasons(critique))
            return said, Usage.model_validate(spent) if spent is not None else Usage()

        return run

    def _of_function(self, function: Callable[[str], object]) -> _Run:
        call = method_of(function, "passes")
        name = str(getattr(function, "__qualname__", type(function).__qualname__))

        async def run(task: Task, answer: str) -> tuple[_Reasons, Usage]:
            limit = asyncio.timeout(self._timeout_s)
            try:
                async with limit:
                    found = await call(answer)
            except TimeoutError as error:
                if not limit.expired():
                    raise _failed(task, name, error) from error
                raise ToolError(f"task {task.key}: function {name} took longer than {self._timeout_s:g} s") from error
            except JidoError:
                raise
            except asyncio.CancelledError as stray:
                if cast("asyncio.Task[None]", asyncio.current_task()).cancelling():
                    raise
                raise _failed(task, name, stray) from stray
            except Exception as error:
                raise _failed(task, name, error) from error
            if isinstance(found, bool):
                return () if found else (f"function {name} returned False",), Usage()
            if isinstance(found, list | tuple):
                wrong = cast("Sequence[object]", found)
                if all(isinstance(one, str) and one.strip() for one in wrong):
                    return cast("_Reasons", tuple(wrong)), Usage()
            told = describe(cast("object", found))
            said = f"function {name} must return True or False, or a list of what is wrong, got {told}"
            raise ComponentError(f"task {task.key}: {said}")

        return run


async def judged(task: Task, answer: str, **settings: Any) -> Verdict:
    """Run the checks of one task on one answer.

    Args:
        settings: of `Judging`.

    Raises:
        JidoError: as `Judging` and `Judging.judged` do.
    """
    async with Judging([task], **settings) as judging:
        return await judging.judged(task, answer)


_PROBES: Final[Mapping[str, Callable[[Task], str]]] = {
    "an empty answer": lambda _: "",
    "the prompt itself": lambda task: task.prompt,
    "a refusal": lambda _: _REFUSAL,
    "an answer that says “I don't know”": lambda _: _IGNORANCE,
}


def _of_text(passes: Callable[[str], bool], otherwise: str) -> _Run:
    async def run(_: Task, answer: str) -> tuple[_Reasons, Usage]:
        return () if passes(answer) else (otherwise,), Usage()

    return run


def _quoted(text: str) -> str:
    return repr(clip(text, 80))


def _context(task: Task) -> RunContext:
    return RunContext(f"compare {task.key}", task.prompt)


def _reasons(critique: CritiqueResult) -> _Reasons:
    return tuple(dict.fromkeys(issue.message for issue in critique.issues))


def _outcome(task: Task, critique: CritiqueResult) -> _Reasons:
    """Return the reasons of a tool that ran the answer: a crash or a run that does not end is the answer's fault."""
    for tool in critique.metadata["tools"].values():
        if "error" in tool:
            raise ToolError(f"task {task.key}: {tool['error']}")
    return _reasons(critique)


def _failed(task: Task, name: str, error: BaseException) -> ComponentError:
    said = clip(message_of(error), _REASON_CHARS)
    return ComponentError(f"task {task.key}: function {name} failed: {type(error).__name__}: {said}")


def _read(path: str) -> str:
    try:
        data = read_at_most(Path(path), CONFIG_BYTES)
        text = "" if data is None else data.decode("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"cannot read the rules file {path}: {error}") from error
    if data is None:
        raise ConfigurationError(f"the rules file {path} is larger than 1 MiB")
    return text


def _with_file(argument: str, files: dict[str, str]) -> str:
    """Return an argument of a command; that of a file is its name beside the answer, and adds the file to `files`."""
    if not argument or argument.startswith("-") or "{file}" in argument or "\0" in argument:
        return argument
    try:
        data = read_at_most(Path(argument), CONFIG_BYTES)
        text = None if data is None else data.decode("utf-8")
    except (OSError, ValueError):  # no file, or not one of text: the program will say
        return argument
    if text is None:
        raise ConfigurationError(f"command: {argument} is larger than 1 MiB, the limit for a file of a command")
    name = Path(argument).name
    if name == _ANSWER or files.get(name, text) != text:
        raise ConfigurationError(f"command: another file is named {name}, too: rename {argument}")
    files[name] = text
    return name


# -- check identity --------------------------------------------------------------------------------


_MOST_VALUES: Final = 10_000
_PLAIN: Final = (str, bytes, int, float, complex, type(None), type(...))


def identity_of_check(check: Check, files: Mapping[str, str], judge: str | None) -> list[object]:
    """Return the identity of a check, JSON-ready.

    A function is known by its name, its code, and the plain values and functions that it is bound to by defaults,
    closure or object; global names that it uses are not looked up.

    Args:
        files: the contents of its files, by name.
        judge: the identity of a judge's model; None of other checks.
    """
    value: object = check.value
    if not callable(value):
        own: list[object] = [*([judge] if judge is not None else []), *sorted(files.items())]
        return [check.kind, json.dumps(value, sort_keys=True), *([_digest(own)] if own else [])]
    name = getattr(value, "__qualname__", type(value).__qualname__)
    return [check.kind, str(name), _digest(_Reading().told(value))]


class _Reading:
    """Puts values and functions in a form that is the same in every process, as far as they can be looked into."""

    def __init__(self) -> None:
        self._path: set[int] = set()
        self._left = _MOST_VALUES

    def told(self, value: Any) -> object:
        """Return the form of a value: of one that is not plain, the name of its type."""
        if isinstance(value, _PLAIN):
            return repr(value)
        self._left -= 1
        if id(value) in self._path or self._left < 0:
            return type(value).__qualname__
        self._path.add(id(value))
        try:
            return self._looked_into(value)
        finally:
            self._path.discard(id(value))

    def _looked_into(self, value: Any) -> object:
        match value:
            case tuple() | list():
                return [self.told(one) for one in cast("list[object]", value)]
            case set() | frozenset():
                return sorted(json.dumps(self.told(one)) for one in cast("set[object]", value))
            case Mapping():
                pairs = cast("Mapping[object, object]", value).items()
                return sorted(json.dumps([self.told(key), self.told(one)]) for key, one in pairs)
            case functools.partial():
                bound = cast("functools.partial[object]", value)
                return self.told((bound.func, bound.args, bound.keywords))
            case CodeType():
                return [value.co_code.hex(), list(value.co_names), self.told(value.co_consts)]
            case FunctionType():
                cells = [_content(cell) for cell in value.__closure__ or ()]
                return self.told((value.__code__, value.__defaults__, value.__kwdefaults__, cells))
            case MethodType():
                return self.told((value.__func__, _state(value.__self__)))
            case BuiltinMethodType() | MethodWrapperType():
                return [value.__qualname__, self.told(value.__self__)]
            case _ if callable(value) and not hasattr(value, "__qualname__"):
                return self.told((type(value).__call__, _state(value)))
            case _:
                return str(getattr(value, "__qualname__", type(value).__qualname__))


def _state(owner: object) -> dict[str, object]:
    slots = getattr(type(owner), "__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return {**{name: getattr(owner, name, None) for name in names}, **getattr(owner, "__dict__", {})}


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not set yet
        return None


def _digest(told: object) -> str:
    return hashlib.sha256(json.dumps(told).encode("utf-8", "surrogatepass")).hexdigest()
