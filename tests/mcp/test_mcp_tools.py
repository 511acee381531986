"""The tools of the MCP server, called by the package's own client in memory."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp_helpers import CONFIG, Parts, eventually, piped, structured, text_of

pytest.importorskip("mcp.server.mcpserver", reason="mcp 2 is not installed")

from mcp import Client

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import CheckNode, LoopNode, StepNode
from jido_ai.learning.cost_report import cost_report
from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp import create_server
from jido_ai.mcp.limits import Caller
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.values import Completion, Scope, Usage

TOOLS = ["improve", "critique", "run", "recall", "remember", "reflect"]


def shout(text: str) -> str:
    return text.upper()


def shouting() -> Graph:
    parts = Parts()
    draft = LoopNode("Write about {topic}", generator=parts, critiquer=parts, reviser=parts, config=CONFIG)
    return Graph({"draft": draft, "loud": StepNode(shout, inputs={"text": "{draft}"})}, inputs=["topic"], output="loud")


async def test_every_tool_has_schemas_for_input_and_output_and_annotations() -> None:
    async with Client(create_server({"a": piped()})) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS
    for tool in tools:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema or {"type": "nothing"})
        assert tool.input_schema["additionalProperties"] is False
        assert tool.description
        assert tool.title
        assert tool.annotations is not None
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.read_only_hint is (tool.name in ("critique", "recall"))


async def test_the_description_names_the_pipelines_and_graphs_that_can_be_run() -> None:
    async with Client(create_server({"answer": piped(), "loud": shouting()})) as client:
        by_name = {tool.name: tool.description or "" for tool in (await client.list_tools()).tools}
    assert by_name["improve"].endswith("Pipelines: answer.")
    assert by_name["run"].endswith("Pipelines: answer. Graphs, with their inputs: loud (topic).")


async def test_improve_returns_the_best_text_with_its_score_and_open_issues() -> None:
    async with Client(create_server({"a": piped(Parts("v2"))})) as client:
        told = structured(await client.call_tool("improve", {"text": "v0", "task": "count up"}))
    assert told["best_candidate"] == "v2"
    assert (told["status"], told["stop_reason"], told["iterations"]) == ("completed", "accepted", 3)
    assert (told["score"], told["severity"], told["issues"]) == (1.0, 0.0, [])


async def test_the_cost_of_a_tools_models_is_in_the_ledger_of_the_memory() -> None:
    model = with_limits(lambda _: Completion("v3", "m", Usage(1, 1_000, 1_000)), prices={"m": (100.0, 200.0)})
    parts = Parts()
    one = Pipeline(LLMGenerator(model), parts, parts, config=CONFIG)
    async with ReflexionMemory() as memory:
        async with Client(create_server({"one": one}, memory=memory)) as client:
            await client.call_tool("run", {"name": "one", "prompt": "count up"})
        (row,) = (await cost_report(memory, days=1, by="label"))["rows"]
    assert (row["label"], row["calls"], row["cost_usd"]) == ("one", 1, pytest.approx(0.3))


async def test_improve_returns_the_issues_that_are_still_open() -> None:
    parts = Parts("never")
    async with Client(create_server({"a": piped(parts)})) as client:
        told = structured(await client.call_tool("improve", {"text": "v0"}))
    assert told["stop_reason"] == "max_iterations"
    assert [issue["message"] for issue in told["issues"]] == ["v5 is not good enough"]
    assert told["severity"] == pytest.approx(0.4)


async def test_results_are_valid_under_the_schema_of_their_tool() -> None:
    calls: dict[str, dict[str, Any]] = {
        "improve": {"text": "v0"},
        "critique": {"text": "v0"},
        "run": {"name": "a", "prompt": "count"},
        "recall": {"query": "count"},
        "remember": {"prompt": "count", "mistake": "skipped 2", "correction": "do not skip"},
        "reflect": {"description": "count", "events": ["said 1, 3"], "outcome": "failure"},
    }
    async with Client(create_server({"a": piped()})) as client:
        schemas = {tool.name: tool.output_schema or {} for tool in (await client.list_tools()).tools}
        for name, arguments in calls.items():
            told = structured(await client.call_tool(name, arguments))
            assert not list(Draft202012Validator(schemas[name]).iter_errors(told))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


async def test_critique_judges_and_changes_nothing() -> None:
    parts = Parts()
    async with Client(create_server({"a": piped(parts)})) as client:
        told = structured(await client.call_tool("critique", {"text": "v1", "task": "count"}))
    assert parts.calls == ["critique v1"]
    assert told["severity"] == pytest.approx(0.8)
    assert told["score"] == pytest.approx(0.2)
    assert [issue["message"] for issue in told["issues"]] == ["v1 is not good enough"]
    assert told["run_id"] is None


async def test_run_runs_a_pipeline_with_a_prompt_and_a_graph_with_inputs() -> None:
    async with Client(create_server({"a": piped(), "loud": shouting()})) as client:
        one = structured(await client.call_tool("run", {"name": "a", "prompt": "count"}))
        other = structured(await client.call_tool("run", {"name": "loud", "inputs": {"topic": "trees"}}))
        again = structured(await client.call_tool("run", {"name": "loud", "prompt": "trees"}))  # its only input
    assert (one["output"], one["status"], one["stop_reason"]) == ("v3", "completed", "accepted")
    assert (other["output"], other["status"], other["stop_reason"]) == ("V3", "completed", "completed")
    assert (other["score"], other["severity"], other["iterations"]) == (1.0, 0.0, 4)
    assert again["output"] == "V3"


async def test_the_score_of_a_graph_is_the_score_of_the_node_judged_last() -> None:
    graph = Graph({"check": CheckNode("{text}", critiquer=Parts())}, inputs=["text"], output="check")
    async with Client(create_server({"check": graph})) as client:
        told = structured(await client.call_tool("run", {"name": "check", "prompt": "v1"}))
    assert told["severity"] == pytest.approx(0.8)


async def test_a_repeated_run_id_returns_the_same_run() -> None:
    parts = Parts()
    arguments = {"name": "a", "prompt": "count", "run_id": "my-run"}
    async with Client(create_server({"a": piped(parts)})) as client:
        results = await asyncio.gather(*(client.call_tool("run", arguments) for _ in range(5)))
        later = await client.call_tool("run", arguments)
        alone = await client.call_tool("run", {"run_id": "my-run"})
        other = await client.call_tool("run", {**arguments, "prompt": "something else"})
    assert parts.calls.count("generate") == 1
    assert {json.dumps(structured(one)) for one in [*results, later, alone]} == {json.dumps(structured(later))}
    assert other.is_error
    assert "exists and asks for something else" in text_of(other)


async def test_a_stored_lesson_is_recalled_with_its_origin() -> None:
    lesson = {"prompt": "parse a date", "mistake": "used a regex", "correction": "use datetime.fromisoformat"}
    async with Client(create_server({})) as client:
        stored = structured(await client.call_tool("remember", lesson))
        again = structured(await client.call_tool("remember", lesson))
        told = structured(await client.call_tool("recall", {"query": "how do I parse a date?"}))
        nothing = structured(await client.call_tool("recall", {"query": "bake bread"}))
    assert (stored["frequency"], again["frequency"]) == (1, 2)
    (found,) = told["lessons"]
    assert found["id"] == stored["id"]
    assert found["correction"] == "use datetime.fromisoformat"
    assert (found["source"], found["agent_id"]) == ("mcp", "mcp")
    assert found["similarity"] > 0.5
    assert nothing["lessons"] == []


async def test_reflect_returns_the_lesson_of_an_attempt_and_stores_it() -> None:
    attempt = {
        "description": "parse a date",
        "events": [
            "read the file",
            {"type": "tool_call", "tool_name": "python", "content": "int('x')", "error": "ValueError: invalid literal"},
        ],
        "outcome": "failure",
    }
    async with Client(create_server({})) as client:
        told = structured(await client.call_tool("reflect", attempt))
        found = structured(await client.call_tool("recall", {"query": "parse a date"}))["lessons"]
    assert told["reflection"]
    assert told["reflection_id"].startswith("episode_")
    assert 0.0 <= told["importance"] <= 1.0
    assert 0.0 <= told["confidence"] <= 1.0
    assert found[0]["correction"] == told["reflection"]


async def test_runs_find_the_lessons_that_a_client_stored() -> None:
    seen: list[str] = []

    async def generate(prompt: str, context: Any) -> str:
        seen.extend(lesson.correction for lesson in context.lessons)
        return "v3"

    parts = Parts()
    parts.generate = generate  # type: ignore[method-assign]  # pyright: ignore[reportAttributeAccessIssue]
    async with Client(create_server({"a": piped(parts)})) as client:
        await client.call_tool("remember", {"prompt": "parse a date", "correction": "use datetime"})
        await client.call_tool("run", {"name": "a", "prompt": "parse a date"})
    assert seen == ["use datetime"]


async def test_each_iteration_is_a_progress_notification() -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with Client(create_server({"a": piped(Parts("v1"))})) as client:
        await client.call_tool("improve", {"text": "v0"}, progress_callback=note)
    assert told == [
        (1, 6.0, "iteration 1: score 0.10, severity 0.90, 1 issue"),
        (2, 6.0, "iteration 2: score 1.00, severity 0.00, 0 issues"),
    ]


async def test_a_graph_reports_its_nodes_too() -> None:
    told: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with Client(create_server({"loud": shouting()})) as client:
        await client.call_tool("run", {"name": "loud", "prompt": "x"}, progress_callback=note)
    assert told[0] == "draft: iteration 1: score 0.10, severity 0.90, 1 issue"
    assert told[-2:] == ["draft: done", "loud: done"]


async def test_a_cancelled_call_ends_its_run() -> None:
    parts = Parts(hold=asyncio.Event())
    server = create_server({"a": piped(parts)})
    async with Client(server) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "run", {"name": "a", "prompt": "count", "run_id": "stopped"})
            await parts.begun.wait()
            group.cancel_scope.cancel()
        await eventually(lambda: parts.in_flight == 0)
        told = structured(await client.call_tool("run", {"run_id": "stopped"}))
        while told["status"] == "running":  # its end is being written
            told = structured(await client.call_tool("run", {"run_id": "stopped"}))
    assert told["status"] == "cancelled"
    assert "revise v0" in parts.calls
    assert "revise v1" not in parts.calls


async def test_a_failed_run_is_an_error_with_its_reason_and_without_secrets() -> None:
    parts = Parts(fail=ValueError("no disk; key sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"))
    async with Client(create_server({"a": piped(parts)})) as client:
        result = await client.call_tool("run", {"name": "a", "prompt": "count"})
        told = structured(result)
    assert result.is_error
    assert told["status"] == "failed"
    assert "no disk" in told["error"]
    assert "sk-abcdef" not in text_of(result)


async def test_wrong_arguments_are_errors_that_name_the_fault() -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("improve", {}, "text"),
        ("improve", {"text": "v0", "path": "/etc/passwd"}, "path"),
        ("improve", {"text": "v0", "pipeline": "nobody"}, "there is no pipeline 'nobody'; known: a"),
        ("improve", {"text": "v0", "pipeline": "loud"}, "there is no pipeline 'loud'; known: a"),
        ("critique", {"text": 7}, "text"),
        ("run", {"name": "nobody"}, "there is no pipeline or graph 'nobody'; known: a, loud"),
        ("run", {"name": "a"}, "not blank"),
        ("run", {}, "name a pipeline or graph; known: a, loud"),
        ("run", {"name": "a", "inputs": {"topic": "x"}}, "takes a prompt"),
        ("run", {"name": "loud", "inputs": {"tpic": "x"}}, "topic"),
        ("run", {"name": "loud", "inputs": {"topic": "x"}, "prompt": "y"}, "not both"),
        ("run", {"name": "a", "prompt": "x", "run_id": "../../etc/passwd"}, "run_id"),
        ("run", {"name": "a", "prompt": "x", "run_id": "a\0b"}, "run_id"),
        ("run", {"run_id": "unknown"}, "there is no run 'unknown'"),
        ("recall", {"query": "  "}, "query"),
        ("recall", {"query": "x", "max_results": 21}, "max_results"),
        ("recall", {"query": "x", "max_results": 0}, "max_results"),
        ("recall", {"query": "x", "max_results": True}, "max_results"),
        ("remember", {"prompt": ""}, "prompt"),
        ("reflect", {"description": "x", "events": [], "outcome": "failure"}, "events"),
        ("reflect", {"description": "x", "events": ["y"], "outcome": "bad"}, "outcome"),
    ]
    async with Client(create_server({"a": piped(), "loud": shouting()})) as client:
        for tool, arguments, said in wrong:
            result = await client.call_tool(tool, arguments)
            assert result.is_error, (tool, arguments)
            assert said in text_of(result), (tool, arguments, text_of(result))
            assert "Traceback" not in text_of(result)


@pytest.mark.parametrize("blank", [" ", "\n\t ", "\u2003"], ids=["blank", "lines", "em space"])
@pytest.mark.parametrize(
    ("tool", "name", "others"),
    [
        ("improve", "text", {}),
        ("improve", "task", {"text": "v0"}),
        ("improve", "pipeline", {"text": "v0"}),
        ("critique", "text", {}),
        ("critique", "task", {"text": "v0"}),
        ("run", "name", {"prompt": "x"}),
        ("run", "prompt", {"name": "a"}),
        ("run", "run_id", {"name": "a", "prompt": "x"}),
        ("recall", "query", {}),
        ("remember", "prompt", {}),
        ("remember", "mistake", {"prompt": "x"}),
        ("remember", "correction", {"prompt": "x"}),
        ("reflect", "description", {"events": ["x"], "outcome": "failure"}),
    ],
)
async def test_a_blank_text_is_an_error_of_the_tool_that_names_the_argument(
    tool: str, name: str, others: dict[str, Any], blank: str
) -> None:
    parts = Parts()
    async with Client(create_server({"a": piped(parts)})) as client:
        result = await client.call_tool(tool, {**others, name: blank})
    assert result.is_error
    assert re.search(rf"\b{name}\n", text_of(result)), text_of(result)
    assert "blank" in text_of(result)
    assert parts.calls == []


async def test_the_tools_take_the_arguments_of_the_contract_and_no_others() -> None:
    async with Client(create_server({"a": piped()})) as client:
        schemas = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
    assert {name: (list(one["properties"]), one.get("required", [])) for name, one in schemas.items()} == {
        "improve": (["text", "task", "pipeline"], ["text"]),
        "critique": (["text", "task", "pipeline"], ["text"]),
        "run": (["name", "prompt", "inputs", "run_id"], []),
        "recall": (["query", "max_results"], ["query"]),
        "remember": (["prompt", "mistake", "correction", "reward"], ["prompt"]),
        "reflect": (["description", "events", "outcome"], ["description", "events", "outcome"]),
    }


async def test_a_text_that_looks_like_json_stays_a_text() -> None:
    parts = Parts('{"a": 1}')
    async with Client(create_server({"a": piped(parts)})) as client:
        told = structured(await client.call_tool("improve", {"text": '{"a": 1}', "task": "[1, 2]"}))
    assert told["best_candidate"] == '{"a": 1}'


async def test_without_a_name_the_pipeline_named_default_is_used() -> None:
    async with Client(create_server({"a": piped(Parts("v1")), "default": piped(Parts("v2"))})) as client:
        assert structured(await client.call_tool("improve", {"text": "v0"}))["best_candidate"] == "v2"
    async with Client(create_server({"a": piped(), "b": piped()})) as client:
        result = await client.call_tool("improve", {"text": "v0"})
    assert "name a pipeline; known: a, b" in text_of(result)


async def test_the_server_enters_a_pipeline_that_is_not_running_and_leaves_it_again(tmp_path: Path) -> None:
    pipeline, graph = piped(), shouting()
    server = create_server({"a": pipeline, "loud": graph}, memory=tmp_path / "memory.db")
    async with Client(server) as first:
        async with Client(server) as second:
            assert pipeline.running_in is not None
            await second.call_tool("remember", {"prompt": "x"})
        assert graph.running_in is not None
        assert structured(await first.call_tool("recall", {"query": "x"}))["lessons"]
    assert pipeline.running_in is None
    assert graph.running_in is None
    async with Client(server) as third:  # and again
        assert structured(await third.call_tool("recall", {"query": "x"}))["lessons"]


async def test_a_pipeline_that_the_caller_entered_stays_entered() -> None:
    async with ReflexionMemory(similarity="weighted") as memory, piped(memory=memory) as pipeline:
        async with Client(create_server({"a": pipeline})) as client:
            await client.call_tool("run", {"name": "a", "prompt": "count"})
            await client.call_tool("remember", {"prompt": "shared"})
        assert pipeline.running_in is not None
        assert memory.is_open
        assert await memory.retrieve_similar("shared")  # the memory of all things is the server's


@pytest.mark.parametrize(
    "things",
    [[piped()], {"a": object()}, {"": piped()}, {7: piped()}, None],
    ids=["list", "object", "blank", "7", "None"],
)
def test_a_mapping_that_names_no_pipelines_or_graphs_is_refused(things: Any) -> None:
    with pytest.raises(ConfigurationError):
        create_server(things)


def test_making_a_server_does_not_change_the_logging_of_the_process() -> None:
    code = (
        "import logging; from jido_ai.mcp import create_server; create_server({}); "
        "print(logging.root.handlers, logging.root.level)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[] 30\n"


async def test_callers_see_only_their_own_scope_and_need_permissions() -> None:
    now: list[Caller] = [Caller(scope=Scope("one"))]
    parts = Parts()
    async with Client(create_server({"a": piped(parts)}, caller_of=lambda _: now[0])) as client:
        await client.call_tool("remember", {"prompt": "parse a date", "correction": "secret of one"})
        mine = structured(await client.call_tool("run", {"name": "a", "prompt": "x", "run_id": "r"}))
        now[0] = Caller(scope=Scope("two"))
        assert structured(await client.call_tool("recall", {"query": "parse a date"}))["lessons"] == []
        assert "there is no run" in text_of(await client.call_tool("run", {"run_id": "r"}))
        theirs = structured(await client.call_tool("run", {"name": "a", "prompt": "y", "run_id": "r"}))
        now[0] = Caller(may=frozenset({"read"}))
        for name, arguments in {"run": {"name": "a"}, "improve": {"text": "x"}, "recall": {"query": "x"}}.items():
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert "the token lacks the scope" in text_of(result)
    assert mine["status"] == theirs["status"] == "completed"
    assert parts.scopes == {"one", "two"}


async def test_a_run_whose_critic_fails_returns_the_unjudged_text_beside_the_error() -> None:
    parts = Parts(fail=ValueError("odd"))
    loop = LoopNode("Write about {topic}", generator=parts, critiquer=parts, reviser=parts, config=CONFIG)
    graph = Graph({"draft": loop}, inputs=["topic"], output="draft")
    async with Client(create_server({"a": piped(parts), "g": graph})) as client:
        improved = await client.call_tool("improve", {"text": "v5", "pipeline": "a"})
        answered = await client.call_tool("run", {"name": "a", "prompt": "count"})
        drawn = await client.call_tool("run", {"name": "g", "inputs": {"topic": "x"}})
    for result, text in ((improved, "v5"), (answered, "v0"), (drawn, "v0")):
        told = structured(result)
        assert (result.is_error, told["status"], told["unjudged"], told["score"]) == (True, "failed", text, None)
        assert told.get("best_candidate", told.get("output")) is None
        assert "odd" in told["error"]


async def test_a_judged_run_has_no_unjudged_text() -> None:
    async with Client(create_server({"a": piped(Parts("v2"))})) as client:
        assert structured(await client.call_tool("improve", {"text": "v0"}))["unjudged"] is None


async def test_reflect_takes_the_events_of_its_source_and_returns_the_id_of_the_lesson() -> None:
    event = {
        "event_type": "error_event",
        "content": "IndexError: list index out of range",
        "event_id": "e-1",
        "timestamp": "2026-01-02T03:04:05Z",
        "metadata": {"n": 1},
    }
    async with ReflexionMemory() as memory, Client(create_server({}, memory=memory)) as client:
        asked = {"description": "count words", "events": [event], "outcome": "failure"}
        told = structured(await client.call_tool("reflect", asked))
        assert (await memory.get(told["lesson_id"])).correction == told["reflection"]
        (record,) = await memory.records("episodes")
        (kept,) = record.data["events"]
    assert (kept["id"], kept["type"], kept["metadata"]) == ("e-1", "error_event", {"n": 1})


@pytest.mark.rows("C21")
async def test_a_lesson_may_have_a_reward() -> None:
    async with ReflexionMemory() as memory, Client(create_server({}, memory=memory)) as client:
        lesson = {"prompt": "parse a date", "correction": "name the zone", "reward": -0.4}
        kept = structured(await client.call_tool("remember", lesson))
        (content,) = (await client.read_resource("memory://episode-memory?query=parse%20a%20date")).contents
    (row,) = json.loads(content.text)["data"]  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
    entry = row.pop("entry")
    assert row == {
        "id": kept["id"],
        "query": "parse a date",
        "reward": -0.4,
        "reflection": "name the zone",
        "similarity": 1.0,
    }
    assert entry["id"] == kept["id"]
