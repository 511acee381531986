"""`jido mcp`: a real process, spoken to over its standard input and output."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from typing import Any

import pytest
from mcp_helpers import eventually, structured

pytest.importorskip("mcp.server.mcpserver", reason="mcp 2 is not installed")

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

SETTINGS = """
[pipelines.tidy]
model = "scripted:answers.toml"
critics = ["rules:rules.toml"]

[graphs.greet]
file = "greet.toml"
"""
ANSWERS = """
[[answers]]
text = "hello world"
"""
RULES = """
[[rules]]
must_match = "hello"
message = "say hello"
severity = 0.9
"""
GREET = """
[graph]
inputs = ["whom"]
output = "ok"

[nodes.ok]
approval = "hello {whom}"
"""

HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with settings, without a model."""
    for name, text in {
        "jido.toml": SETTINGS,
        "answers.toml": ANSWERS,
        "rules.toml": RULES,
        "greet.toml": GREET,
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def started(place: Path) -> Any:
    arguments = ["-m", "jido_ai", "mcp", "--memory", str(place / "memory.db"), "--directory", str(place)]
    return stdio_client(StdioServerParameters(command=sys.executable, args=arguments, cwd="/"))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.quick_cases(1)
async def test_a_client_starts_it_and_uses_the_pipelines_and_graphs_of_the_settings(place: Path, mode: Any) -> None:
    async with Client(started(place), mode=mode) as client:
        tools = {tool.name: tool.description or "" for tool in (await client.list_tools()).tools}
        judged = structured(await client.call_tool("critique", {"text": "good bye"}))
        told = structured(await client.call_tool("run", {"name": "tidy", "prompt": "greet"}))
        await client.call_tool("remember", {"prompt": "greet somebody", "correction": "say hello"})
    assert tools["run"].endswith("Pipelines: tidy. Graphs, with their inputs: greet (whom).")
    assert [issue["message"] for issue in judged["issues"]] == ["say hello"]
    assert (told["output"], told["status"]) == ("hello world", "completed")
    async with Client(started(place), mode=mode) as client:  # the memory is a file
        lessons = structured(await client.call_tool("recall", {"query": "greet somebody"}))["lessons"]
        run = await client.read_resource(f"run://{told['run_id']}")
    assert "say hello" in [lesson["correction"] for lesson in lessons]
    assert json.loads(run.contents[0].text)["status"] == "completed"  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.quick_cases(1)
async def test_a_person_approves_over_standard_input_and_output(place: Path, mode: Any) -> None:
    from mcp_types import ElicitResult

    asked: list[str] = []

    async def another(context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"decision": "yes", "text": "good day"})

    async with Client(started(place), mode=mode, elicitation_callback=another) as client:
        told = structured(await client.call_tool("run", {"name": "greet", "inputs": {"whom": "you"}}))
    assert (told["output"], told["status"]) == ("good day", "completed")
    assert len(asked) == 1
    assert "hello you" in asked[0]


@pytest.mark.slow
async def test_a_graph_waits_for_a_decision_that_a_later_process_takes(place: Path) -> None:
    from mcp_types import ElicitResult

    async def yes(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"decision": "yes"})

    call = {"name": "greet", "inputs": {"whom": "you"}, "run_id": "greeting"}
    async with Client(started(place)) as client:
        assert structured(await client.call_tool("run", call))["status"] == "suspended"
    async with Client(started(place), elicitation_callback=yes) as client:
        assert structured(await client.call_tool("run", call))["output"] == "hello you"


SLOW = """
import asyncio, pathlib, sys
from jido_ai import Candidate, CritiqueResult, Pipeline
from jido_ai.mcp import create_server

here = pathlib.Path(sys.argv[1])


def noted(step):
    with (here / "steps").open("a") as steps:
        steps.write(step + "\\n")


async def generate(prompt, context):
    noted("generate")
    return Candidate("v0")


async def critique(candidate, context):
    noted("critique " + candidate.content)
    return CritiqueResult(severity=0.0 if candidate.content == "v1" else 0.9, issues=["no"])


async def revise(candidate, critique, context):
    noted("revise")
    if sys.argv[2] == "hang":
        await asyncio.Event().wait()
    return Candidate("v1")


server = create_server({"a": Pipeline(generate, critique, revise)}, memory=here / "memory.db")
asyncio.run(server.run_stdio_async())
"""


async def test_a_run_of_a_killed_server_continues_under_its_id(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW, "utf-8")
    command = [sys.executable, str(tmp_path / "slow.py"), str(tmp_path)]
    call = {"name": "a", "prompt": "count", "run_id": "long"}
    request = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run", "arguments": call}}
    first = await asyncio.create_subprocess_exec(*command, "hang", stdin=PIPE, stdout=DEVNULL)
    try:
        assert first.stdin is not None
        for line in (HELLO, READY, request):
            first.stdin.write(f"{json.dumps(line)}\n".encode())
        await eventually(lambda: (tmp_path / "steps").exists() and "revise" in (tmp_path / "steps").read_text("utf-8"))
    finally:
        first.kill()
        await first.wait()
    parameters = StdioServerParameters(command=command[0], args=[*command[1:], "go on"])
    async with Client(stdio_client(parameters)) as client:
        told = structured(await client.call_tool("run", call))
    assert (told["output"], told["status"]) == ("v1", "completed")
    steps = (tmp_path / "steps").read_text("utf-8").split("\n")[:-1]
    assert steps == ["generate", "critique v0", "revise", "revise", "critique v1"]  # only the call in flight twice


def test_standard_output_has_only_the_protocol_and_the_server_ends_with_its_input(place: Path) -> None:
    lines: list[dict[str, Any]] = [
        HELLO,
        READY,
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "nothing", "arguments": {}}},
    ]
    given = "".join(f"{json.dumps(line)}\n" for line in lines)
    ended = subprocess.run(
        [sys.executable, "-m", "jido_ai", "mcp", "--memory", str(place / "memory.db")],
        input=f"{given}not json\n",
        cwd=place,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    assert all(line["jsonrpc"] == "2.0" for line in told)
    assert told[0]["result"]["serverInfo"]["name"] == "jido"
    assert "Traceback" not in ended.stderr


def test_wrong_settings_are_one_line_on_standard_error(place: Path) -> None:
    (place / "jido.toml").write_text('[pipelines.tidy]\ncritcs = ["tool:ruff"]\n', "utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "jido_ai", "mcp"], cwd=place, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert "pipelines.tidy.critcs" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
