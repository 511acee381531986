"""`jido memory`: every command, through typer's own runner; what goes wrong is one line and status 2."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from command_line import run_jido
from typer.testing import CliRunner, Result

from jido_ai.__main__ import main
from jido_ai.cli import memory as cli_memory
from jido_ai.cli.commands.memory import app as memory_app
from jido_ai.errors import ConfigurationError, JidoError, NotFoundError
from jido_ai.loop.memory import remember
from jido_ai.memory import files as memory_files
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import Episode, MemoryEntry, Outcome, Scope, utc_now
from jido_ai.values.record import Record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"

    async def fill() -> None:
        async with ReflexionMemory(path) as memory:
            await memory.store(MemoryEntry("parse a date", "naive", "use UTC", id="date", kind="semantic", tags=("t",)))
            await memory.store(MemoryEntry("sort a list of dates", "wrong [red]order\x1b[2J", "use key", id="sort"))
            await memory.store(MemoryEntry("theirs", scope=Scope("other", "p"), id="theirs"))

    asyncio.run(fill())
    return path


def jido(path: Path, *arguments: str | Path) -> Result:
    return CliRunner().invoke(memory_app, [*map(str, arguments), "--memory", str(path)])


def output(path: Path, *arguments: str | Path) -> str:
    result = jido(path, *arguments)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def error(path: Path, *arguments: str | Path) -> str:
    result = jido(path, *arguments)
    assert isinstance(result.exception, JidoError), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


def ids(text: str) -> list[str]:
    return [json.loads(line)["id"] for line in text.splitlines()]


@pytest.mark.rows("C42")
def test_list_shows_a_scope_newest_first_and_filters_it(path: Path) -> None:
    assert ids(output(path, "list", "--json")) == ["sort", "date"]
    assert ids(output(path, "list", "--json", "--kind", "semantic")) == ["date"]
    assert ids(output(path, "list", "--json", "--tag", "t", "--tag", "u")) == ["date"]
    assert ids(output(path, "list", "--json", "--scope", "other/p")) == ["theirs"]
    assert ids(output(path, "list", "--json", "--limit", "1", "--offset", "1")) == ["date"]
    assert "nothing found" in output(path, "list", "--min-importance", "0.9")
    assert "TENANT/PROJECT" in error(path, "list", "--scope", "nobody")


def test_output_cannot_control_the_terminal(path: Path) -> None:
    for command in (("list",), ("show", "sort")):
        shown = output(path, *command)
        assert "\x1b" not in shown
        assert "wrong [red]order" in shown


@pytest.mark.parametrize("similarity", ["weighted", "jaccard", "overlap"])
def test_search_shows_similarity_and_filters(path: Path, similarity: str) -> None:
    found = [
        json.loads(line) for line in output(path, "search", "a date", "--json", "--similarity", similarity).splitlines()
    ]
    assert found[0]["id"] == "date"
    assert found[0]["similarity"] > 0
    assert "similarity" in output(path, "search", "parsing dates")
    assert ids(output(path, "search", "parsing dates", "--json", "--kind", "episodic")) == ["sort"]


def test_show_prints_all_fields_of_an_entry(path: Path) -> None:
    assert "use UTC" in output(path, "show", "date")
    shown = output(path, "show", "date", "--json")
    assert json.loads(shown)["kind"] == "semantic"
    assert shown.count("\n") == 1
    assert "Print one JSON document." in CliRunner().invoke(memory_app, ["show", "--help"]).stdout
    assert "nobody" in error(path, "show", "nobody")


def test_stats_count_by_scope_and_kind(path: Path) -> None:
    rows = [json.loads(line) for line in output(path, "stats", "--json").splitlines()]
    assert [(row["scope"], row["kind"], row["entries"]) for row in rows] == [
        ("default/default", "episodic", 1),
        ("default/default", "semantic", 1),
        ("other/p", "episodic", 1),
    ]
    assert "default/default" in output(path, "stats", "--scope", "default/default")

    async def use() -> None:
        async with ReflexionMemory(path) as memory:
            await memory.record_usage("date", success=True)
            outcomes = (Outcome.SUCCESS, Outcome.FAILURE, Outcome.SUCCESS)
            runs = [Episode("p", outcome=one, memories_used=("date",)) for one in outcomes]
            unseen = Episode("p", outcome=Outcome.SUCCESS, memories_used=("date",), metadata={"seen": False})
            await remember(memory, [*runs, unseen])
            await memory.store(MemoryEntry("old", expires_at=utc_now() - timedelta(days=1)))

    asyncio.run(use())
    rows = [json.loads(line) for line in output(path, "stats", "--json", "--scope", "default/default").splitlines()]
    names = ("offered", "shown", "succeeded", "used", "expired")
    assert [[row[name] for name in names] for row in rows] == [[0, 0, 0, 0, 1], [4, 3, 2, 0, 0]]
    (listed,) = [json.loads(line) for line in output(path, "list", "--json", "--kind", "semantic").splitlines()]
    assert [listed["counts"][name] for name in ("offered", "shown", "shown_succeeded")] == [4, 3, 2]
    assert output(path, "stats").splitlines()[0].split() == ["scope", "kind", "entries", *names]


@pytest.mark.rows("C42")
def test_every_filter_filters(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    names = ("domain", "agent", "session", "task-type")

    async def fill() -> None:
        async with ReflexionMemory(path) as memory:
            old = utc_now() - timedelta(days=9)
            await memory.store(MemoryEntry("parse dates", id="none", timestamp=old))
            for name in names:
                field = {"agent": "agent_id", "session": "session_id", "task-type": "task_type"}.get(name, name)
                await memory.store(MemoryEntry(f"parse dates {name}", id=name, timestamp=old, **{field: "mine"}))
            await memory.store(MemoryEntry("parse dates now", id="days"))
            await memory.store(MemoryEntry("parse dates well", id="min-importance", timestamp=old, importance=0.9))

    asyncio.run(fill())
    for command in (("list",), ("search", "parse dates")):
        for name in names:
            assert ids(output(path, *command, "--json", f"--{name}", "mine")) == [name]
            assert ids(output(path, *command, "--json", f"--{name}", "nobody's")) == []
        assert ids(output(path, *command, "--json", "--days", "1")) == ["days"]
        assert ids(output(path, *command, "--json", "--min-importance", "0.9")) == ["min-importance"]


@pytest.mark.rows("H63", "M42")
@pytest.mark.parametrize("target", ["all.json", "all.jsonl", "tree"])
def test_an_import_restores_an_export(path: Path, tmp_path: Path, target: str) -> None:
    assert "3 entries" in output(path, "export", tmp_path / target)
    copy = tmp_path / "copy.db"
    assert "3 entries" in output(copy, "import", tmp_path / target)
    for scope in ("default/default", "other/p"):
        listed = [output(one, "list", "--json", "--scope", scope).splitlines() for one in (path, copy)]
        assert sorted(listed[0]) == sorted(listed[1])
    assert output(path, "export", "-").count("\n") == 3
    assert ids(output(path, "export", "-", "--scope", "other/p")) == ["theirs"]
    output(tmp_path / "ours.db", "import", tmp_path / target, "--scope", "me/p")
    rows = [json.loads(line) for line in output(tmp_path / "ours.db", "stats", "--json").splitlines()]
    assert {row["scope"] for row in rows} == {"me/p"}
    assert sum(row["entries"] for row in rows) == 3


@pytest.mark.rows("M16", "M41", "M42", "M43")
def test_an_exported_directory_has_a_folder_per_kind_a_summary_and_an_index(path: Path, tmp_path: Path) -> None:
    output(path, "export", tmp_path / "tree")
    kinds = sorted(one.name for one in (tmp_path / "tree").iterdir() if one.is_dir())
    assert kinds == ["episodic", "feedback", "meta", "procedural", "semantic"]
    rows = json.loads((tmp_path / "tree" / "index.json").read_text())
    assert all((tmp_path / "tree" / row["path"]).is_file() for row in rows)
    assert "use UTC" in (tmp_path / "tree" / "summary.md").read_text()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    assert "not empty" in error(path, "export", tmp_path / "full")


def test_an_id_of_two_scopes_is_exported_twice(tmp_path: Path) -> None:
    async def fill() -> None:
        async with ReflexionMemory(tmp_path / "memory.db") as memory:
            for tenant in "ab":
                await memory.store(MemoryEntry(f"of {tenant}", id="x", scope=Scope(tenant)))

    asyncio.run(fill())
    output(tmp_path / "memory.db", "export", tmp_path / "tree")
    assert "2 entries" in output(tmp_path / "copy.db", "import", tmp_path / "tree")


def test_an_export_replaces_an_earlier_one_and_nothing_else(path: Path, tmp_path: Path) -> None:
    for name in ("all.json", "all.jsonl", "tree"):
        output(path, "export", tmp_path / name)
    output(path, "forget", "date")
    for name in ("all.json", "all.jsonl", "tree"):
        output(path, "export", tmp_path / name)
        copy = tmp_path / f"{name}.db"
        assert "2 entries" in output(copy, "import", tmp_path / name)  # what was forgotten does not come back
    for name, text in {"a.json": '{"name": "my package"}', "a.jsonl": "notes", "b.json": "[1, 2]"}.items():
        (tmp_path / name).write_text(text)
        assert "not an earlier export" in error(path, "export", tmp_path / name)
        assert (tmp_path / name).read_text() == text
    (tmp_path / "file").write_text("mine")
    assert "choose another directory" in error(path, "export", tmp_path / "file")
    (tmp_path / "empty.json").touch()
    assert "2 entries" in output(path, "export", tmp_path / "empty.json")
    assert "No such file" in error(path, "export", tmp_path / "nowhere" / "all.json")


@pytest.mark.timeout(180)
def test_an_import_evicts_nothing_by_default(tmp_path: Path) -> None:
    lines = [json.dumps(MemoryEntry(f"entry {n}", id=str(n)).model_dump(mode="json")) for n in range(1_100)]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))
    copy = tmp_path / "copy.db"
    assert "1100 entries" in output(copy, "import", tmp_path / "all.jsonl")
    assert json.loads(output(copy, "stats", "--json"))["entries"] == 1_100
    few = output(tmp_path / "few.db", "import", tmp_path / "all.jsonl", "--max-entries", "5")
    assert "at most 5" in few
    assert "5 are there now" in few


def test_existing_entries_are_not_imported_again(path: Path, tmp_path: Path) -> None:
    output(path, "export", tmp_path / "all.json")
    before = output(path, "export", "-")
    assert "3 were there already" in output(path, "import", tmp_path / "all.json")
    assert output(path, "export", "-") == before  # above all, no lesson was counted twice
    output(path, "forget", "date")
    said = output(path, "import", tmp_path / "all.json")
    assert "imported 1 entry" in said
    assert "2 were there already" in said


def test_an_import_whose_last_entry_cannot_be_stored_stores_none(tmp_path: Path) -> None:
    for bad in (MemoryEntry("p", correction="x" * 2_000_000), MemoryEntry("  ")):
        lines = [json.dumps(entry.model_dump(mode="json")) for entry in (MemoryEntry("good"), bad)]
        (tmp_path / "all.jsonl").write_text("\n".join(lines))
        assert "entry 2" in error(tmp_path / "copy.db", "import", tmp_path / "all.jsonl")
        assert not (tmp_path / "copy.db").exists()


def test_a_memory_whose_directory_cannot_be_made_is_refused(path: Path, tmp_path: Path) -> None:
    output(path, "export", tmp_path / "all.json")
    assert "cannot create it" in error(path / "below a file" / "memory.db", "import", tmp_path / "all.json")


def test_a_file_that_is_not_an_export_is_not_imported(path: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "bytes.json").write_bytes(b"\x80\x81")
    for name, says in (
        *(("folder", "was not written by"), ("bytes.json", "is not UTF-8 text"), ("nowhere.json", "No such file")),
        ("memory.db", "not UTF-8 text|not valid JSON"),
    ):
        assert re.search(says, error(tmp_path / "copy.db", "import", tmp_path / name))
    (tmp_path / "null.json").write_text('{"episodes": null, "max_size": 3}')
    assert "imported 0 entries" in output(tmp_path / "copy.db", "import", tmp_path / "null.json")
    entries = [MemoryEntry(str(n), id=str(n)).model_dump(mode="json") for n in range(5)]
    (tmp_path / "full.json").write_text(json.dumps({"max_size": 2, "episodes": entries}))
    said = output(tmp_path / "copy.db", "import", tmp_path / "full.json")
    assert "imported 2 entries" in said
    assert "3 older ones were left out" in said
    assert ids(output(tmp_path / "copy.db", "list", "--json")) == ["4", "3"]


def test_a_file_that_is_too_large_to_be_read_at_once_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "all.json").write_text('{"episodes": []}')
    monkeypatch.setattr(memory_files, "_MOST_BYTES", 10)
    assert "larger than 10 bytes" in error(tmp_path / "copy.db", "import", tmp_path / "all.json")


def test_help_explains_the_effect_on_an_older_file() -> None:
    shown = " ".join(CliRunner().invoke(memory_app, ["--help"]).stdout.split())
    assert "older version is upgraded" in shown


def test_an_interrupted_import_reports_its_progress_and_continues_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [json.dumps(MemoryEntry(f"entry {n}", id=str(n)).model_dump(mode="json")) for n in range(200)]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))
    store = ReflexionMemory.store

    async def interrupted(memory: ReflexionMemory, entry: MemoryEntry) -> MemoryEntry:
        if entry.id == "150":
            signal.raise_signal(signal.SIGINT)
        return await store(memory, entry)

    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background a shell has it ignored
    try:
        with monkeypatch.context() as patch:
            patch.setattr(ReflexionMemory, "store", interrupted)
            result = jido(tmp_path / "copy.db", "import", tmp_path / "all.jsonl")
    finally:
        signal.signal(signal.SIGINT, usual)
    assert result.exit_code == 130
    assert "128 of 200 entries are imported; run the command again to continue" in result.stderr
    assert "imported" not in result.stdout
    assert "were there already" in output(tmp_path / "copy.db", "import", tmp_path / "all.jsonl")
    assert json.loads(output(tmp_path / "copy.db", "stats", "--json"))["entries"] == 200


def test_ctrl_c_is_one_line(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(work: Coroutine[object, object, object]) -> None:
        work.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(cli_memory, "_run", interrupted)
    monkeypatch.setattr("sys.argv", ["jido", "memory", "list", "--memory", str(path)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 130
    assert capsys.readouterr() == ("", "jido: interrupted\n")


def test_ctrl_c_is_one_line_even_while_modules_are_imported() -> None:
    program = """if True:
        import sys
        from jido_ai.__main__ import main
        class Interrupted:
            def find_spec(self, name, path, target=None):
                if name == "typer":
                    raise KeyboardInterrupt
        sys.meta_path.insert(0, Interrupted())
        main()
    """
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=150, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "jido: interrupted\n")


def test_an_empty_name_or_text_is_refused(path: Path) -> None:
    for command in (("list",), ("vacuum",), ("stats",)):
        result = CliRunner().invoke(memory_app, [*command, "--memory", ""])
        assert isinstance(result.exception, ConfigurationError), command
    assert "blank" in error(path, "search", " ")


@pytest.mark.parametrize(
    "text", ['{"episodes": [{"pro', '{"episodes": [1]}', '[{"prompt": 5}]', '{"episodes": 7}', '"x"']
)
def test_a_damaged_snapshot_is_refused_whole(path: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    assert "nothing was imported" in error(path, "import", tmp_path / "bad.json")
    assert len(ids(output(path, "list", "--json"))) == 2


def test_an_id_refused_because_of_a_secret_is_not_shown(path: Path, tmp_path: Path) -> None:
    secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    (tmp_path / "bad.jsonl").write_text(json.dumps({"prompt": "p", "id": f"of {secret} " + "x" * 10_000}))
    said = error(path, "import", tmp_path / "bad.jsonl")
    assert "entry 1 (of [redacted]" in said
    assert secret not in said
    assert len(said) < 1_000


def test_forget_removes_all_or_nothing(path: Path) -> None:
    assert isinstance(jido(path, "forget", "date", "nobody").exception, NotFoundError)
    assert "forgot date" in output(path, "forget", "date")
    assert ids(output(path, "list", "--json")) == ["sort"]


def test_a_backup_is_a_memory_of_its_own_and_never_overwrites(path: Path, tmp_path: Path) -> None:
    async def note() -> list[Record]:
        async with ReflexionMemory(path) as memory:
            return await memory.append([Record(log="episodes", key="k", data={"n": 1})])

    async def notes() -> list[Record]:
        async with ReflexionMemory(tmp_path / "copy.db") as memory:
            return await memory.records("episodes")

    noted = asyncio.run(note())
    output(path, "backup", tmp_path / "copy.db")
    output(path, "forget", "date")
    assert ids(output(tmp_path / "copy.db", "list", "--json")) == ["sort", "date"]
    assert asyncio.run(notes()) == noted  # the logs, too
    assert "already" in error(path, "backup", tmp_path / "copy.db")


def test_vacuum_frees_space(path: Path) -> None:
    async def churn() -> None:
        async with ReflexionMemory(path) as memory:
            kept = [await memory.store(MemoryEntry("x" * 50_000)) for _ in range(10)]
            await memory.forget(*(entry.id for entry in kept))

    asyncio.run(churn())
    assert int(output(path, "vacuum").split()[-3]) > 100_000
    assert ids(output(path, "list", "--json")) == ["sort", "date"]


def test_commands_for_files_are_refused_for_servers() -> None:
    for command in (("vacuum",), ("backup", "copy.db")):
        result = CliRunner().invoke(memory_app, [*command, "--memory", "postgresql://host/db"])
        assert isinstance(result.exception, ConfigurationError)


def test_an_error_is_one_line_and_status_two(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "jido_ai", "memory", "stats", "--memory", str(tmp_path / "none.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no memory yet" in done.stderr


def test_lessons_are_listed_first_and_episodes_that_say_the_same_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"

    def entry(id: str, correction: str, kind: str = "episodic", **more: Any) -> MemoryEntry:
        return MemoryEntry(f"task {id}", "m", correction, id=id, kind=kind, **more)  # type: ignore[arg-type]

    async def fill() -> None:
        async with ReflexionMemory(path) as memory:
            await memory.store(entry("lesson", "Take min.", "semantic", evidence=["r1"]))
            for number in range(2, 6):
                await memory.store(entry(f"same{number}", "take  MIN.", evidence=[f"r{number}"]))
            await memory.store(entry("alone1", "Count from zero."))
            await memory.store(entry("alone2", "Count from zero."))
            await memory.store(entry("other", "Count from zero.", scope=Scope("default", "p")))

    asyncio.run(fill())
    listed = output(path, "list")
    notes = [line for line in listed.splitlines() if not line.startswith(" ")]
    assert notes == ["Take min.", "Count from zero.", "Count from zero."]
    assert "from     5 runs: r4, r5, r1 and 2 earlier ones" in listed
    assert "2 runs: alone1, alone2" in listed
    assert output(path, "list", "--limit", "1", "--offset", "1").count("Count from zero.") == 1
    assert output(path, "list", "--kind", "episodic").count("\n  id ") == 7
    assert len(ids(output(path, "list", "--json"))) == 8


def test_a_lesson_is_added_edited_and_listed_as_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.db"
    added = output(path, "add", "Take min to keep a value below a limit", "--when", "a limit is exceeded")
    id = added.split()[1]
    listed = output(path, "list")
    assert listed.splitlines()[0] == "Take min to keep a value below a limit"
    assert "when     a limit is exceeded" in listed
    assert "a person" in listed
    assert "not offered to a run yet" in listed
    assert "helped" not in listed
    again = ("add", "Take min to keep a value below a limit", "--when", "a limit is exceeded")
    assert output(path, *again) == f"it is there already: {id}\n"
    assert f"edited {id}" in output(path, "edit", id, "Take min, not max")
    (row,) = [json.loads(line) for line in output(path, "list", "--json").splitlines()]
    assert (row["correction"], row["id"], row["source"]) == ("Take min, not max", id, "person")
    assert row["counts"]["offered"] == 0
    assert output(path, "show", id).startswith("Take min, not max\n")
    output(path, "add", "Say it in one word", "--task-type", "sorting")
    output(path, "add", "Take the plural", "--task-type", "ask", "--when", "Take the plural")
    assert "  when     a task of the type sorting\n" in output(path, "list")
    assert "  when     a question to jido ask\n" in output(path, "list")
    monkeypatch.setenv("EDITOR", f'{sys.executable} -c \'import sys; open(sys.argv[1], "a").write("ever")\'')
    output(path, "edit", id)
    assert "Take min, not max" in output(path, "show", id)
    assert "ever" in output(path, "show", id)
    monkeypatch.delenv("EDITOR")
    monkeypatch.delenv("VISUAL", raising=False)
    assert "set EDITOR" in error(path, "edit", id)
    assert "blank" in error(path, "add", " ")
    assert "blank" in error(path, "edit", id, " ")


def test_an_answer_to_a_prompt_is_added_as_an_example_and_survives_an_export(tmp_path: Path) -> None:
    path, other, file = tmp_path / "memory.db", tmp_path / "other.db", tmp_path / "answer.txt"
    file.write_text("an apple\n")
    id = output(path, "add", "--prompt", "Name a fruit", "--answer", str(file)).split()[1]
    assert "an apple" in output(path, "show", id)
    listed = output(path, "list")
    assert listed.startswith("Example: Name a fruit\n") and listed.count("Name a fruit") == 1
    output(path, "export", str(tmp_path / "out.json"))
    output(other, "import", str(tmp_path / "out.json"))
    (row,) = [json.loads(line) for line in output(other, "list", "--json").splitlines()]
    assert (row["prompt"], row["answer"].strip(), row["kind"]) == ("Name a fruit", "an apple", "procedural")
    assert "--prompt" in error(path, "add", "--answer", str(file))
    file.write_text(" \n")
    assert "blank" in error(path, "add", "--prompt", "Name a tree", "--answer", str(file))


def test_the_answer_of_an_example_is_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "memory.db"

    async def fill() -> str:
        async with ReflexionMemory(path) as memory:
            kept = await memory.store(MemoryEntry("Name a fruit", answer="aple", source="run"))
            return (await memory.record_usage(kept.id, success=False)).id

    id = asyncio.run(fill())
    assert f"edited {id}" in output(path, "edit", id, "apple")
    monkeypatch.setenv("EDITOR", f'{sys.executable} -c \'import sys; open(sys.argv[1], "a").write("pear")\'')
    output(path, "edit", id)
    (row,) = [json.loads(line) for line in output(path, "list", "--json").splitlines()]
    assert (row["answer"], row["correction"], row["source"], row["use_count"]) == ("apple\npear", "", "person", 0)
    assert "--when" in error(path, "edit", id, "--when", "a fruit is asked for")


@pytest.mark.parametrize("below", ["", "package"])
def test_a_lesson_added_for_a_project_is_in_the_scope_of_improve_there(below: str, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "package" / "a.py").write_text("import os\n\nprint(1)\n")
    memory = ("--memory", str(tmp_path / "m.db"))
    run_jido(tmp_path, tmp_path, "improve", "package/a.py", *memory)
    (run,) = map(json.loads, run_jido(tmp_path, tmp_path, "runs", "list", "--json", *memory).stdout.splitlines())
    for option in ((), ("--project",)):
        assert run_jido(tmp_path, tmp_path / below, "memory", "add", "a lesson", *option, *memory).returncode == 0
    listed = run_jido(tmp_path, tmp_path, "memory", "list", "--json", *memory).stdout.splitlines()
    scopes = [json.loads(line)["scope"] for line in listed]
    assert scopes == [run["scope"], {"tenant": "default", "project": "default"}]
    assert run["scope"] != scopes[1]
    notes = run_jido(tmp_path, tmp_path, "memory", "list", *memory).stdout
    assert notes.count("  only in  ") == 1
    assert f"  only in  {run['scope']['project']}\n" in notes
    both = run_jido(tmp_path, tmp_path, "memory", "add", "a lesson", "--project", "--scope", "a/b", *memory)
    assert (both.returncode, both.stderr) == (2, "jido: --project and --scope cannot be combined; give one of them\n")


@pytest.mark.parametrize("command", [("memory", "add", "x"), ("ask", "x", "--model", "openai:x"), ("runs", "list")])
def test_a_memory_that_would_be_lost_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    done = run_jido(tmp_path, tmp_path, *command, "--memory", ":memory:")
    assert (done.returncode, done.stderr) == (
        2,
        "jido: --memory takes a file name or postgresql://...: a memory in :memory: would be lost\n",
    )
