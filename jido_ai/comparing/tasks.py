"""Tasks of a comparison and the checks that decide whether an answer passes. Pure."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.protocols import AnyModel
from jido_ai.text.json_schema import check_schema
from jido_ai.text.numbers import is_number
from jido_ai.text.python_tree import tree_of

KINDS: Final = ("exact", "contains", "regex", "json_schema", "rules", "python_tests", "command", "judge", "function")
"""The kinds of checks."""
_ID_DIGITS: Final = 12
_FILE: Final = "{file}"


@dataclass(frozen=True, slots=True)
class Check:
    """A condition that an answer must meet; made by one of the class methods.

    Attributes:
        kind: "exact", "contains", "regex", "json_schema", "rules", "python_tests", "command", "judge" or "function".
        value: the text, schema, path, tests, command or function; of a judge, its criterion.
        model: the model of a judge.

    Raises:
        ConfigurationError: the kind is unknown, or the value can never work: a blank text, an invalid pattern or
            schema, tests that are no Python.
    """

    kind: str
    value: Any
    model: AnyModel | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ConfigurationError(f"kind must be one of {', '.join(KINDS)}, got {describe(self.kind)}")
        object.__setattr__(self, "value", _CHECKED[self.kind](self.value))
        if (self.model is None) == (self.kind == "judge"):
            said = "a judge needs a model" if self.kind == "judge" else f"a check {self.kind} takes no model"
            raise ConfigurationError(f"{said}, got {describe(self.model)}")
        if isinstance(self.model, str):
            _text("the model of a judge", self.model)

    @property
    def is_opinion(self) -> bool:
        """True if a model judges, not a program."""
        return self.kind == "judge"

    @classmethod
    def exact(cls, text: str) -> Check:
        """The answer is this text, apart from white space around it."""
        return cls("exact", text)

    @classmethod
    def contains(cls, text: str) -> Check:
        """This text occurs in the answer, in the same case."""
        return cls("contains", text)

    @classmethod
    def regex(cls, pattern: str) -> Check:
        """A pattern of `re` matches somewhere in the answer; "(?m)" and similar set flags."""
        return cls("regex", pattern)

    @classmethod
    def json_schema(cls, schema: Mapping[str, Any]) -> Check:
        """The answer is JSON that conforms to a JSON Schema; a code fence around it is ignored."""
        return cls("json_schema", schema)

    @classmethod
    def rules(cls, path: str | PurePath) -> Check:
        """The answer breaks none of the rules of a TOML file, as in graphs; the path is relative to the working
        directory."""
        return cls("rules", path)

    @classmethod
    def python_tests(cls, tests: str) -> Check:
        """The answer is Python code that passes tests, in the sandbox.

        The tests are assert statements or functions of pytest; they see the names that the code defines, and may import
        it as `answer`. Code in a fence is taken out of the answer.
        """
        return cls("python_tests", tests)

    @classmethod
    def command(cls, argv: Sequence[str]) -> Check:
        """A program ends with status 0, in the sandbox, without a shell.

        "{file}" is a file with the answer, of a name that ends in ".py"; without it, the answer is the standard input.
        Other arguments that are paths of files are copied beside it.
        """
        return cls("command", argv)

    @classmethod
    def judge(cls, model: AnyModel, criterion: str) -> Check:
        """A model says that the answer meets a criterion, as one of `LLMCritiquer`: an opinion, and told as one."""
        return cls("judge", criterion, model)

    @classmethod
    def function(
        cls, passes: Callable[[str], bool | Sequence[str]] | Callable[[str], Awaitable[bool | Sequence[str]]]
    ) -> Check:
        """A function of the answer's text returns True, or a list of what is wrong that is empty; it may be async."""
        return cls("function", passes)


@dataclass(frozen=True, slots=True)
class Task:
    """A prompt, and the checks that its answer must pass, all of them.

    Attributes:
        prompt: what is asked.
        checks: at least one.
        id: unique in a set; None: made of the prompt and checks.
        initial_candidate: the text to improve; None: a first answer is asked for.
        output: the type of the answer; None: text.
        weight: counts in the table, never in the statistics; above 0.
        metadata: kept with the task; "family" groups tasks in the report.

    Raises:
        ConfigurationError: the prompt or id is blank, there is no check, or the weight is not above 0.
    """

    prompt: str
    checks: Sequence[Check]
    id: str | None = None
    initial_candidate: str | None = None
    output: Any = None
    weight: float = 1.0
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        _text("prompt", self.prompt)
        given: object = self.checks
        if isinstance(given, Check):
            given = (given,)
        checks = tuple(cast("Sequence[object]", given)) if isinstance(given, Sequence) else (given,)
        if not checks or not all(isinstance(check, Check) for check in checks):
            raise ConfigurationError(f"checks must be a sequence of at least one Check, got {describe(self.checks)}")
        object.__setattr__(self, "checks", checks)
        if not is_number(self.weight) or self.weight <= 0:
            raise ConfigurationError(f"weight must be above 0 and finite, got {describe(self.weight)}")
        if self.initial_candidate is not None and not isinstance(self.initial_candidate, str):
            raise ConfigurationError(f"initial_candidate must be a string, got {describe(self.initial_candidate)}")
        if not isinstance(self.metadata, Mapping):
            raise ConfigurationError(f"metadata must be a mapping, got {describe(self.metadata)}")
        object.__setattr__(self, "metadata", dict(self.metadata))
        if self.id is None:
            object.__setattr__(self, "id", _id_of(self))
        _text("id", self.id)

    @property
    def key(self) -> str:
        """The id."""
        return cast("str", self.id)


def checked_tasks(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """Return the tasks of a set.

    Raises:
        ConfigurationError: there is none, one is not a `Task`, or two have the same id.
    """
    given: object = tasks
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ConfigurationError(f"tasks must be a sequence of Task, got {describe(cast('object', given))}")
    checked = tuple(tasks)
    if not checked:
        raise ConfigurationError("need at least one task")
    places: dict[str, int] = {}
    for place, task in enumerate(checked, 1):
        if not isinstance(cast("object", task), Task):
            raise ConfigurationError(f"task {place} must be a Task, got {describe(task)}")
        first = places.setdefault(task.key, place)
        if first != place:
            raise ConfigurationError(
                f"tasks {first} and {place} have the same id {task.key!r}; give each an id of its own, or leave one out"
            )
    return checked


def _id_of(task: Task) -> str:
    told = [
        task.prompt,
        task.initial_candidate,
        [[one.kind, _told(one.value), _told(one.model)] for one in task.checks],
    ]
    text = json.dumps(told, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]


def _told(value: object) -> object:
    """Return a value for an id, the same in every process: of a function or model its name."""
    if isinstance(value, str | tuple | Mapping | None):
        return cast("object", value)
    kind = type(value)
    home = getattr(value, "__module__", kind.__module__)
    name = getattr(value, "__qualname__", None) or getattr(value, "model", None) or kind.__qualname__
    return f"{home}.{name}"


# -- values ----------------------------------------------------------------------------------------


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationError(f"{name} must be a string that is not blank, got {describe(value)}")
    return value


def _not_empty(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigurationError(f"{name} must be a string that is not empty, got {describe(value)}")
    return value


def _regex(value: object) -> str:
    pattern = _not_empty("regex", value)
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise ConfigurationError(f"not a regular expression: {describe(pattern)}: {error}") from error
    return pattern


def _schema(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigurationError(f"json_schema must be a JSON Schema as a mapping, got {describe(value)}")
    try:
        schema: dict[str, Any] = json.loads(json.dumps(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"json_schema must be JSON: {error}") from error
    check_schema(schema)
    return schema


def _path(value: object) -> str:
    return _text("rules: the path of a file", str(value) if isinstance(value, PurePath) else value)


def _tests(value: object) -> str:
    tests = _text("python_tests", value)
    try:
        tree = tree_of(tests)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ConfigurationError(f"python_tests: not Python: {error}") from error
    if not tree.body:
        raise ConfigurationError(f"python_tests: there is no test in {describe(tests)}")
    if any(isinstance(one, ast.ImportFrom) and one.module == "__future__" for one in tree.body):
        raise ConfigurationError("python_tests: leave out the import of __future__; names of the answer come before it")
    return tests


def _command(value: object) -> tuple[str, ...]:
    shown = describe(value)
    parts = tuple(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else ()
    if not parts or not all(isinstance(part, str) and "\0" not in part for part in parts) or not str(parts[0]).strip():
        raise ConfigurationError(
            f"command must be a list of strings, the program first, as in ['pytest', '{_FILE}'], got {shown}"
        )
    if _FILE in str(parts[0]):
        raise ConfigurationError(f"command must begin with the name of a program, got {describe(parts[0])}")
    return cast("tuple[str, ...]", parts)


def _criterion(value: object) -> str:
    return _text("the criterion of a judge", value)


def _function(value: object) -> Callable[[str], object]:
    if not callable(value):
        raise ConfigurationError(f"function must be a function of the answer's text, got {describe(value)}")
    return value


_CHECKED: Final[Mapping[str, Callable[[object], Any]]] = {
    "exact": partial(_text, "exact"),
    "contains": partial(_not_empty, "contains"),
    "regex": _regex,
    "json_schema": _schema,
    "rules": _path,
    "python_tests": _tests,
    "command": _command,
    "judge": _criterion,
    "function": _function,
}
