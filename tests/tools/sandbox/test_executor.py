"""Properties of plain processes."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError, ToolError, ToolNotFoundError
from jido_ai.telemetry import TelemetryEvent
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.tools.sandbox.workspace import Limits, fresh_workspace
from jido_ai.values.tool import ToolJob


def test_python_is_the_running_interpreter() -> None:
    assert ProcessExecutor().locate("python") == sys.executable


def test_programs_beside_the_interpreter_are_found_without_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert Path(ProcessExecutor().locate("ruff")).is_absolute()


def test_only_allowed_programs_run() -> None:
    executor = ProcessExecutor(allow=("ruff",))
    assert executor.locate("ruff")
    with pytest.raises(ToolNotFoundError, match="'sh' is not allowed; allowed programs: ruff"):
        executor.locate("sh")


@pytest.mark.parametrize("program", ["./candidate.py", "bin/tool", "../tool", "", "a\0b"])
def test_a_program_is_a_name_or_an_absolute_path(program: str) -> None:
    with pytest.raises(ToolNotFoundError):
        ProcessExecutor().locate(program)


def test_a_file_that_is_not_executable_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "tool").chmod(0o644)
    with pytest.raises(ToolNotFoundError):
        ProcessExecutor().locate(str(tmp_path / "tool"))


def test_a_number_out_of_range_is_refused_at_once() -> None:
    with pytest.raises(ConfigurationError, match="max_parallel"):
        ProcessExecutor(max_parallel=0)


async def test_a_program_that_cannot_be_executed_is_not_a_success(tmp_path: Path) -> None:
    program = tmp_path / "tool"
    program.write_bytes(b"\x7fELF nonsense")
    program.chmod(0o755)
    run = await ProcessExecutor().run(ToolJob(argv=(str(program),)))
    assert run.exit_status == 126
    assert "cannot execute" in run.stderr


async def test_the_layer_is_reported_and_an_event_is_emitted() -> None:
    events: list[TelemetryEvent] = []
    run = await ProcessExecutor(sink=events.append).run(ToolJob(argv=("true",)))
    assert run.sandbox == "none"
    assert [(event.name, event.data["exit_status"]) for event in events] == [("tool.ran", 0)]


@pytest.mark.parametrize("limits", [Limits(max_files=2), Limits(max_bytes=29)])
async def test_a_tree_above_the_limits_is_not_copied(tmp_path: Path, limits: Limits) -> None:
    for number in range(3):
        (tmp_path / str(number)).write_text("x" * 10)
    with pytest.raises(ToolError, match="too large"):
        await ProcessExecutor(limits=limits).run(ToolJob(argv=("true",), tree=tmp_path))


async def test_a_tree_at_the_limits_is_copied(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / str(number)).write_text("x" * 10)
    limits = Limits(max_files=3, max_bytes=30)
    run = await ProcessExecutor(limits=limits).run(ToolJob(argv=("ls",), tree=tmp_path))
    assert run.stdout.split() == ["0", "1", "2"]


async def test_a_program_that_kills_its_group_ends_as_killed() -> None:
    run = await ProcessExecutor().run(ToolJob(argv=("sh", "-c", "kill -9 0")))
    assert run.exit_status == -9


async def test_a_program_that_stops_its_launcher_is_killed_all_the_same() -> None:
    job = ToolJob(argv=("sh", "-c", "kill -STOP $PPID; sleep 61"), timeout_s=0.3)
    run = await ProcessExecutor().run(job)
    assert run.timed_out


async def test_the_limit_holds_when_the_pipes_are_closed_early() -> None:
    run = await ProcessExecutor().run(ToolJob(argv=("sh", "-c", "exec >&- 2>&-; sleep 61"), timeout_s=0.3))
    assert run.timed_out


async def test_the_event_loop_continues_while_tools_run() -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"the loop is there")
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    code = f"import socket; print(socket.create_connection(('127.0.0.1', {port})).recv(99).decode(), 'x' * 1_000_000)"
    job = ToolJob(argv=("python", "-c", code), files={"a.py": b"x" * 1_000_000})
    async with server:  # the event loop that awaits the programs also answers them
        runs = await asyncio.gather(*(ProcessExecutor().run(job) for _ in range(4)))
    assert [run.stdout[:17] for run in runs] == ["the loop is there"] * 4


def test_a_directory_is_private_and_removed_even_with_unreadable_files_in_it() -> None:
    with fresh_workspace() as workspace:
        base = workspace.work.parent
        assert stat.S_IMODE(base.stat().st_mode) == 0o700
        (workspace.work / "locked").mkdir()
        (workspace.work / "locked" / "file").write_text("x")
        (workspace.work / "locked").chmod(0)
    assert not base.exists()


def test_a_directory_is_removed_after_an_error() -> None:
    with pytest.raises(RuntimeError), fresh_workspace() as workspace:
        raise RuntimeError
    assert not workspace.work.parent.exists()


async def test_a_missing_place_for_directories_is_a_tool_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    with pytest.raises(ToolError, match="directory"):
        await ProcessExecutor().run(ToolJob(argv=("true",)))


async def test_a_second_cancellation_still_cleans_up(tmp_path: Path) -> None:
    started, ended = tmp_path / "started", tmp_path / "ended"
    os.mkfifo(started)
    os.mkfifo(ended)
    # the pipe `ended` closes when the last process that holds it is gone
    program = ("sh", "-c", f"exec 9> {ended}; echo $$ > {started}; sleep 61")
    task = asyncio.create_task(ProcessExecutor().run(ToolJob(argv=program)))
    waiting = asyncio.create_task(asyncio.to_thread(ended.read_text))
    await asyncio.to_thread(started.read_text)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.wait_for(waiting, 10) == ""
