"""`jido runs`: what runs wrote down, drawn, exported, decided once more, gone on with."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from jido_ai.cli.app import app
from jido_ai.errors import ConfigurationError, JidoError, NotFoundError
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.record import Line, line_of, started_line
from jido_ai.loop.state import Stopped
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import Candidate, CritiqueResult, ErrorInfo, LoopConfig, Scope, StopReason, Usage
from jido_ai.values.record import Record

SOURCE = "import os\n\n\ndef same(a):\n    return a == None\n"


@pytest.fixture(scope="module")
def improved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a directory with a file that was improved once, and a copy of it."""
    place = tmp_path_factory.mktemp("improved")
    (place / "a.py").write_text(SOURCE)
    with contextlib.chdir(place):
        result = call("improve", "a.py", "--unsafe-fixes")
    assert result.exit_code == 0, result.output
    return place, Path(shutil.copytree(place, tmp_path_factory.mktemp("copy") / "improved"))


@pytest.fixture
def home(improved: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory with a file that was improved once, as the working directory."""
    place, copy = improved
    shutil.rmtree(place)
    shutil.copytree(copy, place)
    monkeypatch.chdir(place)
    return place


class Lines:
    """Writes lines of a journal, without a claim."""

    def __init__(self, memory: ReflexionMemory, run_id: str, scope: Scope | None = None) -> None:
        self._memory, self._run_id, self._scope = memory, run_id, scope or Scope()

    async def write(self, *lines: Line) -> None:
        await self._memory.append(
            [Record(log="journal", key=self._run_id, kind=kind, scope=self._scope, data=data) for kind, data in lines]
        )


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--memory", "m.db"])


def runs() -> list[dict[str, str]]:
    return [json.loads(line) for line in call("runs", "list", "--json").stdout.splitlines()]


def begin(run_id: str, metadata: dict[str, object], text: str = SOURCE, scope: Scope | None = None) -> None:
    """Write a run that was interrupted right after it began."""
    config = LoopConfig(max_iterations=5, policy="adaptive", accept="clean", severity_threshold=1.0)

    async def write() -> None:
        async with ReflexionMemory("m.db") as memory:
            lines = Lines(memory, run_id, scope or Scope())
            await lines.write(started_line("improve a.py", Candidate(text), metadata, config, ()))

    asyncio.run(write())


def of_improve(**changes: object) -> dict[str, object]:
    options = {"max_iterations": 5, "format": False, "unsafe": False, "unsafe_fixes": True}
    return {"command": "improve", "file": "a.py", "directory": str(Path.cwd()), "options": options, **changes}


def test_a_run_of_improve_is_listed_with_its_status(home: Path) -> None:
    (run,) = runs()
    assert run["run_id"].startswith("improve_")
    assert (run["status"], run["prompt"]) == ("accepted", "improve a.py")
    table = call("runs", "list").stdout
    assert run["run_id"] in table
    assert "accepted" in table


def test_a_run_is_drawn_with_its_findings_and_why_it_stopped(home: Path) -> None:
    shown = call("runs", "show", runs()[0]["run_id"]).stdout
    for words in ("score", "severity", "*2", "fixed", "F401", "E711", "stopped: accepted"):
        assert words in shown


def test_any_content_of_a_run_can_be_shown_without_control_of_the_terminal(home: Path) -> None:
    odd = "\x1b[2J\ud800"

    async def write() -> None:
        async with ReflexionMemory("m.db") as memory:
            lines = Lines(memory, "odd")
            error = ErrorInfo("ValueError", odd, "critiquer")
            end = Stopped(StopReason.ERROR, {"said": odd}, error, best=None, lessons_stored=(), duration_s=0.0)
            await lines.write(started_line(odd, None, {}, LoopConfig(), ()), line_of(end, Usage()))

    asyncio.run(write())
    shown = call("runs", "show", "odd")
    assert shown.exit_code == 0, shown.exception
    assert "\x1b" not in shown.stdout
    assert "critiquer: ValueError: " in shown.stdout
    first = json.loads(call("runs", "show", "odd", "--json").stdout.splitlines()[0])
    assert first["data"]["prompt"] == odd


def test_the_same_picture_is_written_as_self_contained_svg(home: Path) -> None:
    assert call("runs", "show", runs()[0]["run_id"], "--svg", "run.svg").exit_code == 0
    svg = (home / "run.svg").read_text()
    ElementTree.fromstring(svg)
    assert "accepted" in svg
    assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert isinstance(
        call("runs", "show", runs()[0]["run_id"], "--svg", "no/such/dir.svg").exception, ConfigurationError
    )


@pytest.mark.rows("J17")
def test_the_journal_comes_out_as_json_lines_in_order(home: Path) -> None:
    lines = [json.loads(line) for line in call("runs", "show", runs()[0]["run_id"], "--json").stdout.splitlines()]
    kinds: Sequence[str] = [line["kind"] for line in lines]
    assert (kinds[0], kinds[-1]) == ("started", "stopped")
    assert kinds.count("judged") == 2


def test_a_replay_makes_the_same_decisions(home: Path) -> None:
    result = call("runs", "show", runs()[0]["run_id"], "--replay")
    assert "the same decisions" in result.stdout
    assert result.exit_code == 0


def test_an_interrupted_run_is_resumed_and_its_file_written(home: Path) -> None:
    begin("cut", of_improve())
    assert runs()[0]["status"] == "interrupted"
    assert "jido runs resume cut" in call("runs", "show", "cut").stdout
    result = call("runs", "resume", "cut", "--apply")
    assert result.exit_code == 0, result.output
    assert "import os" not in (home / "a.py").read_text()
    assert runs()[0] | {"status": "accepted"} == runs()[0]


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        ({}, "pipeline.resume"),
        ({"command": "improve"}, "how it was started"),
        ({"command": "ask"}, "with named models"),
    ],
)
def test_a_run_that_no_command_began_is_not_resumed(home: Path, metadata: dict[str, object], says: str) -> None:
    begin("cut", metadata)
    error = call("runs", "resume", "cut").exception
    assert isinstance(error, ConfigurationError)
    assert says in str(error)


def test_a_file_that_has_changed_or_another_directory_is_refused(home: Path) -> None:
    begin("cut", of_improve(), text="something else")
    assert "has changed" in str(call("runs", "resume", "cut").exception)
    begin("away", of_improve(directory="/elsewhere"))
    assert "/elsewhere" in str(call("runs", "resume", "away").exception)
    assert (home / "a.py").read_text() == SOURCE


@pytest.mark.parametrize("command", ["show", "resume"])
def test_an_unknown_run_is_named(home: Path, command: str) -> None:
    error = call("runs", command, "nope").exception
    assert isinstance(error, NotFoundError)
    assert "'nope'" in str(error)


def test_a_scope_is_required_if_two_have_the_run(home: Path) -> None:
    begin("cut", of_improve(), scope=Scope("a", "b"))
    begin("cut", of_improve(), scope=Scope("c", "d"))
    assert isinstance(call("runs", "show", "cut").exception, JidoError)
    assert call("runs", "show", "cut", "--scope", "a/b").exit_code == 0


def test_without_a_memory_nothing_is_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(call("runs", "list").exception, NotFoundError)
    assert list(tmp_path.iterdir()) == []


def test_a_prompt_cannot_control_the_terminal(home: Path) -> None:
    async def write() -> None:
        async with ReflexionMemory("m.db") as memory:
            lines = Lines(memory, "evil")
            await lines.write(started_line("\x1b[2J[red]gone[/red]", None, {}, LoopConfig(), ()))

    asyncio.run(write())
    for shown in (call("runs", "list").stdout, call("runs", "show", "evil").stdout):
        assert "\x1b[2J" not in shown
        assert "[red]gone[/red]" in shown


def test_a_run_that_judged_nothing_shows_its_unjudged_text(home: Path) -> None:
    async def write() -> None:
        def odd(*_: object) -> CritiqueResult:
            raise ValueError("odd")

        async with ReflexionMemory("m.db") as memory, Pipeline(critiquer=odd, memory=memory) as pipeline:
            await pipeline.run("how far?", "384,400\nkm", run_id="late")

    asyncio.run(write())
    assert "not judged: 384,400 km" in call("runs", "show", "late").stdout
    assert "-- ?: made, not judged\n   384,400\n   km\n" in call("runs", "show", "late", "--transcript").stdout
