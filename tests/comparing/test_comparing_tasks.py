"""Tasks and checks, and files of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jido_ai.comparing.task_file import EXAMPLE, read_tasks, tasks_in, text_of_tasks
from jido_ai.comparing.tasks import Check, Task, checked_tasks
from jido_ai.errors import ConfigurationError

ONE = Check.exact("4")
TASK = '{"prompt": "What is 2 + 2?", "checks": [{"exact": "4"}]}'


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Check.exact(" "), "exact must be a string"),
        (lambda: Check.contains(""), "contains must be a string"),
        (lambda: Check.regex("("), "not a regular expression"),
        (lambda: Check.regex("[z-a]"), "not a regular expression"),
        (lambda: Check.json_schema({"type": "objekt"}), "not a JSON Schema"),
        (lambda: Check.json_schema({"const": object()}), "must be JSON"),
        (lambda: Check.rules(""), "path of a file"),
        (lambda: Check.python_tests("assert ("), "not Python"),
        (lambda: Check.python_tests("# nothing"), "there is no test"),
        (lambda: Check.python_tests("from __future__ import annotations"), "__future__"),
        (lambda: Check.command("pytest {file}"), "list of strings"),
        (lambda: Check.command([]), "list of strings"),
        (lambda: Check.command(["pytest", 3]), "list of strings"),  # type: ignore[list-item]
        (lambda: Check.command(["{file}"]), "name of a program"),
        (lambda: Check.judge("", "is polite"), "model of a judge"),
        (lambda: Check.judge("openai:gpt-4o-mini", " "), "criterion of a judge"),
        (lambda: Check.function(3), "must be a function"),  # type: ignore[arg-type]
        (lambda: Check("exakt", "4"), "kind must be one of exact, contains"),
        (lambda: Check("judge", "is polite"), "a judge needs a model"),
        (lambda: Check("exact", "4", "openai:gpt-4o-mini"), "takes no model"),
        (lambda: Task(" ", [ONE]), "prompt must be a string"),
        (lambda: Task("p", []), "at least one Check"),
        (lambda: Task("p", ["4"]), "at least one Check"),  # type: ignore[list-item]
        (lambda: Task("p", [ONE], weight=0), "weight must be above 0"),
        (lambda: Task("p", [ONE], weight=-1.0), "weight must be above 0"),
        (lambda: Task("p", [ONE], weight=float("nan")), "weight must be above 0"),
        (lambda: Task("p", [ONE], weight=True), "weight must be above 0"),
        (lambda: Task("p", [ONE], id=""), "id must be a string"),
        (lambda: Task("p", [ONE], metadata=[]), "metadata must be a mapping"),  # type: ignore[arg-type]
    ],
)
def test_a_check_or_task_that_can_never_work_is_refused_when_it_is_made(make: Callable[[], object], said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        make()


def test_an_id_is_made_of_the_prompt_and_the_checks() -> None:
    first = Task("p", [ONE])
    assert first.id == Task("p", [Check.exact("4")], weight=3.0, metadata={"family": "a"}).id
    others = [Task("q", [ONE]), Task("p", [Check.contains("4")]), Task("p", [ONE, ONE]), Task("p", [ONE], None, "text")]
    assert len({first.id, *(task.id for task in others)}) == 5
    assert Task("p", [ONE], id="mine").id == "mine"


def test_the_id_of_a_task_with_a_function_is_the_same_in_every_process() -> None:
    assert Task("p", [Check.function(str.isdigit)]).id == Task("p", [Check.function(str.isdigit)]).id
    assert Task("p", [Check.function(str.isdigit)]).id != Task("p", [Check.function(str.isalpha)]).id


def test_a_set_with_an_id_twice_is_refused_with_both_places() -> None:
    with pytest.raises(ConfigurationError, match="tasks 1 and 3 have the same id 'a'"):
        checked_tasks([Task("p", [ONE], id="a"), Task("p", [ONE]), Task("q", [ONE], id="a")])


@pytest.mark.parametrize("tasks", [[], "tasks", [TASK]])
def test_a_set_that_holds_no_tasks_is_refused(tasks: Any) -> None:
    with pytest.raises(ConfigurationError):
        checked_tasks(tasks)


# -- files -----------------------------------------------------------------------------------------


def test_the_example_has_six_tasks_with_several_kinds_of_checks_and_can_be_written_again() -> None:
    tasks = tasks_in(EXAMPLE)
    assert len(tasks) == 6
    assert len({check.kind for task in tasks for check in task.checks}) >= 5
    assert tasks_in(text_of_tasks(tasks)) == tasks


def test_every_kind_of_check_and_every_key_is_read_and_written() -> None:
    line = {
        "id": "a",
        "prompt": "p",
        "initial_candidate": "c",
        "output": {"type": "object"},
        "weight": 2.5,
        "metadata": {"family": "f"},
        "checks": [
            {"exact": "4"},
            {"contains": " "},
            {"regex": "^a"},
            {"json_schema": {"type": "object"}},
            {"rules": "f.toml"},
            {"python_tests": "assert 1"},
            {"command": ["pytest", "{file}"]},
            {"judge": {"model": "openai:gpt-4o-mini", "criterion": "is polite"}},
        ],
    }
    [task] = tasks_in(json.dumps(line))
    assert json.loads(text_of_tasks([task])) == line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: not JSON"),
        ("[1]", "line 2: must be an object"),
        ('{"prompt": NaN}', "line 2: not JSON: NaN"),
        ('{"prompt": "p"}', "line 2: checks: missing"),
        ('{"checks": [{"exact": "4"}]}', "line 2: prompt: missing"),
        ('{"promt": "p", "checks": []}', "line 2: promt: unknown key; did you mean 'prompt'"),
        ('{"prompt": "p", "prompt": "q"}', "line 2: prompt: given twice"),
        ('{"prompt": 3, "checks": [{"exact": "4"}]}', "line 2: prompt must be a string"),
        ('{"prompt": "p", "checks": {"exact": "4"}}', "line 2: checks: must be a list"),
        (
            '{"prompt": "p", "checks": [{"exact": "4"}, {"regx": "a"}]}',
            r"checks\[1\].regx: unknown key; did you mean 'regex'",
        ),
        ('{"prompt": "p", "checks": [{"function": "f"}]}', "only Python has it"),
        ('{"prompt": "p", "checks": [{}]}', r"checks\[0\]: needs exactly one of"),
        ('{"prompt": "p", "checks": [{"exact": "4", "contains": "4"}]}', r"checks\[0\]: needs exactly one of"),
        ('{"prompt": "p", "checks": [{"exact": 4}]}', r"checks\[0\].exact: exact must be a string"),
        ('{"prompt": "p", "checks": [{"regex": "("}]}', r"checks\[0\].regex: not a regular expression"),
        ('{"prompt": "p", "checks": [{"judge": "m"}]}', r"checks\[0\].judge: must be an object"),
        ('{"prompt": "p", "checks": [{"judge": {"model": "m"}}]}', r"checks\[0\].judge.criterion: must be a string"),
        ('{"prompt": "p", "checks": [{"judge": {"modle": "m"}}]}', r"checks\[0\].judge.modle: .* did you mean 'model'"),
        ('{"prompt": "p", "checks": [{"exact": "4"}], "weight": 0}', "line 2: weight must be above 0"),
        ('{"prompt": "p", "checks": [{"exact": "4"}], "output": "int"}', "line 2: output: must be a JSON Schema"),
        (TASK, "line 2: id: .* is that of line 1, too"),
        ('{"a":' * 5_000, "line 2: not JSON"),
    ],
)
def test_the_error_names_the_line_and_key_of_a_mistake(line: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        tasks_in(f"{TASK}\n{line}\n", "tasks.jsonl")


def test_the_error_names_up_to_twenty_mistakes_of_a_file() -> None:
    with pytest.raises(ConfigurationError) as caught:
        tasks_in("{}\n" * 30, "tasks.jsonl")
    lines = str(caught.value).splitlines()
    assert lines[:2] == ["tasks.jsonl: line 1: prompt: missing", "tasks.jsonl: line 2: prompt: missing"]
    assert lines[20:] == ["tasks.jsonl: and 10 more"]


def test_blank_lines_a_byte_order_mark_and_the_line_ends_of_windows_are_no_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_bytes(f"\ufeff{TASK}\r\n\r\n".encode())
    assert len(read_tasks(file)) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "there is no task"), (b"\n\n", "there is no task"), (TASK.encode() + b"\n\xff", "line 2: not UTF-8")],
)
def test_a_file_without_tasks_or_in_another_encoding_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "tasks.jsonl").write_bytes(data)
    with pytest.raises(ConfigurationError, match=said):
        read_tasks(tmp_path / "tasks.jsonl")


def test_a_missing_file_a_directory_and_a_huge_file_are_refused(tmp_path: Path) -> None:
    for place in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(ConfigurationError, match="cannot read the tasks"):
            read_tasks(place)
    with (tmp_path / "huge.jsonl").open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    with pytest.raises(ConfigurationError, match="larger than 64 MiB"):
        read_tasks(tmp_path / "huge.jsonl")


def test_paths_are_relative_to_the_file_and_the_id_is_the_same_everywhere(tmp_path: Path) -> None:
    line = '{"prompt": "p", "checks": [{"rules": "f.toml"}, {"command": ["python", "check.py", "-x", "{file}"]}]}'
    ids: set[str | None] = set()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "check.py").write_text("")
        (tmp_path / name / "tasks.jsonl").write_text(line)
        [task] = read_tasks(tmp_path / name / "tasks.jsonl")
        assert task.checks[0].value == str(tmp_path / name / "f.toml")
        assert task.checks[1].value == ("python", str(tmp_path / name / "check.py"), "-x", "{file}")
        ids.add(task.id)
    assert len(ids) == 1


def test_a_task_that_a_file_cannot_hold_is_refused() -> None:
    for task in (
        Task("p", [Check.function(str.isdigit)]),
        Task("p", [Check.judge(lambda request: request, "is polite")]),  # type: ignore[arg-type,return-value]
        Task("p", [ONE], output=int),
        Task("p", [ONE], metadata={"at": object()}),
    ):
        with pytest.raises(ConfigurationError, match=f"task {task.id}"):
            text_of_tasks([task])
