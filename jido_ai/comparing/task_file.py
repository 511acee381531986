"""Files of tasks: JSON lines, one task in each.

{"prompt": "What is 2 + 2?", "checks": [{"exact": "4"}]}

Further keys are id, initial_candidate, output (a JSON Schema), weight and metadata. A check is one of exact, contains,
regex, json_schema, rules, python_tests, command and judge: {"judge": {"model": "PROVIDER:NAME", "criterion": "..."}}.
Paths are relative to the file.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from jido_ai.argument_hints import nearest
from jido_ai.comparing.tasks import KINDS, Check, Task, checked_tasks
from jido_ai.errors import ConfigurationError, describe
from jido_ai.files.bounded_read import read_at_most

_MOST_BYTES: Final = 64 * 1024 * 1024
_MOST_TASKS: Final = 100_000
_MOST_MISTAKES: Final = 20
_KEYS: Final = ("prompt", "checks", "id", "initial_candidate", "output", "weight", "metadata")
_KINDS: Final = tuple(kind for kind in KINDS if kind != "function")
_OF_A_JUDGE: Final = ("model", "criterion")

EXAMPLE: Final = """\
{"id": "arithmetic", "prompt": "What is 17 * 23? Answer with the number alone.", "checks": [{"exact": "391"}]}
{"id": "capital", "prompt": "Name the capital of Australia in one sentence.", "checks": [{"contains": "Canberra"}]}
{"id": "date", "prompt": "Write the date of the first Moon landing as YYYY-MM-DD, and nothing else.", \
"checks": [{"regex": "\\\\A\\\\s*1969-07-20\\\\s*\\\\Z"}]}
{"id": "invoice", "prompt": "Reply with JSON that has the keys \\"number\\" (text) and \\"total\\" (number): invoice \
A-17 over 12.50 euros.", "checks": [{"json_schema": {"type": "object", "required": ["number", "total"], \
"properties": {"number": {"const": "A-17"}, "total": {"const": 12.5}}}}]}
{"id": "median", "prompt": "Write a Python function median(numbers) that returns the median of a list of numbers, \
and None for an empty list. Reply with the code alone.", "checks": [{"command": ["python", "-c", "import sys\\n\
exec(sys.stdin.read())\\nassert median([3, 1, 2]) == 2\\nassert median([1, 2, 3, 4]) == 2.5\\n\
assert median([]) is None"]}], "metadata": {"family": "code"}}
{"id": "squares", "prompt": "Write a Python program that prints the squares of 1 to 5, one in each line. Reply with \
the code alone.", "checks": [{"command": ["python", "{file}"]}, {"contains": "print"}], "metadata": {"family": "code"}}
"""
"""Six tasks that run as they are: what `jido compare --init` writes."""


def read_tasks(path: str | Path) -> tuple[Task, ...]:
    """Return the tasks of a file.

    Raises:
        ConfigurationError: the file cannot be read, is larger than 64 MiB, or is not as the module says; names the line
            and the key of up to 20 mistakes.
    """
    place = Path(path)
    try:
        data = read_at_most(place, _MOST_BYTES)
    except OSError as error:
        told = f"cannot read the tasks in {path}: {error.strerror or error}"
        if isinstance(error, FileNotFoundError):
            told += "; `jido compare --init` writes an example"
        raise ConfigurationError(told) from error
    if data is None:
        raise ConfigurationError(f"{path} is larger than 64 MiB, the limit for a file of tasks")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(f"{path}: line {line}: not UTF-8: {error.reason}") from error
    return tasks_in(text, str(path), place.parent)


def tasks_in(text: str, name: str = "tasks", base: Path | None = None) -> tuple[Task, ...]:
    """Return the tasks of the text of a file. Blank lines are left out.

    Args:
        name: of the file, in errors.
        base: the directory that paths are relative to; None is the working directory.

    Raises:
        ConfigurationError: as `read_tasks`.
    """
    reader = _TaskReader(base)
    lines = text.replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            reader.read(number, line)
        if len(reader.tasks) > _MOST_TASKS:
            raise ConfigurationError(f"{name}: more than {_MOST_TASKS:,} tasks; divide the file")
    if reader.mistakes:
        shown = reader.mistakes[:_MOST_MISTAKES]
        more = len(reader.mistakes) - len(shown)
        shown += [f"and {more} more"] if more else []
        raise ConfigurationError("\n".join(f"{name}: {mistake}" for mistake in shown))
    if not reader.tasks:
        raise ConfigurationError(
            f'{name}: there is no task; a line is {{"prompt": "...", "checks": [{{"exact": "..."}}]}}'
        )
    return checked_tasks(reader.tasks)


def text_of_tasks(tasks: Iterable[Task]) -> str:
    """Return the text of a file with these tasks.

    Raises:
        ConfigurationError: a task has what a file cannot hold: a function, a model that is no name, an output that is
            no JSON Schema, or metadata that is not JSON.
    """
    return "".join(_line(task) + "\n" for task in checked_tasks(tasks))


# -- reading ---------------------------------------------------------------------------------------


class _MistakeError(Exception):
    """A mistake, with its key."""


class _TaskReader:
    """Reads lines, and notes their mistakes."""

    def __init__(self, base: Path | None) -> None:
        self.tasks: list[Task] = []
        self.mistakes: list[str] = []
        self._base = base
        self._lines: dict[str, int] = {}

    def read(self, number: int, line: str) -> None:
        try:
            task = self._task(_json(line))
            first = self._lines.setdefault(task.key, number)
            if first != number:
                raise _MistakeError(f"id: {task.key!r} is that of line {first}, too; give each task an id of its own")
            self.tasks.append(task)
        except _MistakeError as mistake:
            self.mistakes.append(f"line {number}: {mistake}")

    def _task(self, told: object) -> Task:
        fields = _object("", told, _KEYS)
        for key in ("prompt", "checks"):
            if key not in fields:
                raise _MistakeError(f"{key}: missing")
        checks = cast("list[object]", fields["checks"])
        if not isinstance(fields["checks"], list) or not checks:
            raise _MistakeError(f"checks: must be a list of at least one check, got {describe(checks)}")
        output: object = fields.get("output")
        if output is not None and not isinstance(output, dict):
            raise _MistakeError(f"output: must be a JSON Schema, got {describe(output)}")
        made = [_check(f"checks[{place}]", one) for place, one in enumerate(checks)]
        fields["checks"] = made
        try:
            task = Task(**fields)
        except ConfigurationError as error:
            raise _MistakeError(str(error)) from error
        # The id is made of what the file says, so that it is the same in every directory.
        return dataclasses.replace(task, checks=tuple(self._placed(check) for check in made))

    def _placed(self, check: Check) -> Check:
        """Return the check with paths that are found from the working directory."""
        if self._base is None:
            return check
        if check.kind == "rules":
            return Check.rules(self._base / check.value)
        if check.kind == "command":
            program, *arguments = check.value
            return Check.command([program, *(self._found(one) for one in arguments)])
        return check

    def _found(self, argument: str) -> str:
        if not argument or argument.startswith("-") or self._base is None:
            return argument
        try:
            place = self._base / argument
            return str(place) if place.is_file() else argument
        except (OSError, ValueError):  # too long for a path
            return argument


def _json(line: str) -> object:
    try:
        return json.loads(line, object_pairs_hook=_once, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise _MistakeError(f"not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise _MistakeError("not JSON that can be read: nested too deeply") from error
    except ValueError as error:  # a number of too many digits
        raise _MistakeError(f"not JSON that can be read: {error}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _MistakeError(f"{key}: given twice")
        made[key] = value
    return made


def _refused(constant: str) -> object:
    raise _MistakeError(f"not JSON: {constant} is not a JSON number")


def _object(place: str, told: object, known: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(told, dict):
        said = f"{place}: " if place else ""
        raise _MistakeError(f"{said}must be an object, got {describe(told)}")
    fields = cast("dict[str, Any]", told)
    for key in fields:
        if key not in known:
            hint = "only Python has it" if key == "function" else nearest(key, known)
            raise _MistakeError(f"{place + '.' if place else ''}{key}: unknown key; {hint}")
    return fields


def _check(place: str, told: object) -> Check:
    fields = _object(place, told, _KINDS)
    if len(fields) != 1:
        raise _MistakeError(f"{place}: needs exactly one of {', '.join(_KINDS)}, got {', '.join(fields) or 'none'}")
    [(kind, value)] = fields.items()
    try:
        if kind != "judge":
            return Check(kind, value)
        of = _object(f"{place}.judge", value, _OF_A_JUDGE)
        for key in _OF_A_JUDGE:
            if not isinstance(of.get(key), str):
                raise _MistakeError(f"{place}.judge.{key}: must be a string, got {describe(of.get(key))}")
        return Check.judge(of["model"], of["criterion"])
    except ConfigurationError as error:
        raise _MistakeError(f"{place}.{kind}: {error}") from error


# -- writing ---------------------------------------------------------------------------------------


def _line(task: Task) -> str:
    told: dict[str, Any] = {"id": task.id, "prompt": task.prompt, "checks": [_told(task, one) for one in task.checks]}
    others = {"initial_candidate": task.initial_candidate, "output": task.output, "metadata": task.metadata or None}
    told |= {key: value for key, value in others.items() if value is not None}
    if task.weight != 1.0:
        told["weight"] = task.weight
    if task.output is not None and not isinstance(task.output, Mapping):
        raise ConfigurationError(f"task {task.key}: a file holds only outputs that are JSON Schemas")
    try:
        return json.dumps(told, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"task {task.key} cannot be written as JSON: {error}") from error


def _told(task: Task, check: Check) -> dict[str, Any]:
    if check.kind == "function" or not isinstance(check.model, str | None):
        raise ConfigurationError(
            f"task {task.key}: a file cannot hold a check by {describe(check.model or check.value)}"
        )
    if check.kind == "judge":
        return {"judge": {"model": check.model, "criterion": check.value}}
    return {check.kind: list(check.value) if check.kind == "command" else check.value}
