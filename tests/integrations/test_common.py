"""What integrations share: the life of a pipeline, and errors of foreign clients."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from integration_helpers import CONFIG, PROMPT, Parts, graphed, lone, piped

from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    ComponentError,
    ConfigurationError,
    ModelError,
    RateLimitError,
)
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import LoopNode
from jido_ai.integrations.common import (
    Life,
    advance,
    answer_text,
    failure_of,
    is_suspended,
    schema_instruction,
    summary_of,
    translated,
    waiting_revision,
)
from jido_ai.integrations.parts import decision_in
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.values import SUSPEND, Candidate, CompletionRequest, ErrorInfo, Message, ReflectionResult, StopReason


class ForeignError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__("no")
        self.status_code = status


async def test_a_pipeline_that_its_caller_entered_stays_open() -> None:
    async with piped() as pipeline:
        life = Life(pipeline)
        assert (await life.run(lambda: pipeline.run(PROMPT))).accepted
        await life.aclose()
        assert pipeline.running_in is asyncio.get_running_loop()


async def test_any_other_pipeline_is_entered_once_and_left_with_its_part() -> None:
    pipeline = piped()
    async with Life(pipeline) as life:
        results = await asyncio.gather(*(life.run(lambda: pipeline.run(PROMPT)) for _ in range(10)))
    assert all(result.accepted for result in results)
    assert pipeline.running_in is None


def test_the_end_of_an_event_loop_ends_the_pipeline_and_the_next_loop_can_use_it() -> None:
    pipeline = piped()
    life = Life(pipeline)

    async def main() -> str:
        return (await life.run(lambda: pipeline.run(PROMPT))).stop_reason

    assert [asyncio.run(main()), asyncio.run(main())] == ["accepted", "accepted"]
    assert pipeline.running_in is None


def test_code_without_an_event_loop_can_wait_for_a_run() -> None:
    pipeline = piped()
    life = Life(pipeline)
    assert life.wait(lambda: pipeline.run(PROMPT)).accepted

    async def main() -> bool:
        result = await life.run(lambda: pipeline.run(PROMPT))
        await life.aclose()
        return result.accepted

    assert asyncio.run(main())
    assert pipeline.running_in is None


async def test_a_blocking_call_in_the_pipelines_own_loop_is_refused() -> None:
    async with piped() as pipeline:
        with pytest.raises(ConfigurationError, match="async call"):
            Life(pipeline).wait(lambda: pipeline.run(PROMPT))


async def test_only_a_pipeline_or_a_graph_is_accepted() -> None:
    with pytest.raises(ConfigurationError, match="need a Pipeline"):
        Life(Parts())  # type: ignore[arg-type]


async def test_a_graph_that_waits_for_a_person_needs_a_journal() -> None:
    async with graphed(asks=True) as graph:
        with pytest.raises(ConfigurationError, match="give the graph a memory"):
            await advance(graph, PROMPT)


@pytest.mark.parametrize("make", [piped, lone])
async def test_a_run_of_the_same_id_that_is_asked_for_something_else_is_a_run_of_its_own(make: Any) -> None:
    parts = Parts()
    async with make(parts, memory=True) as pipeline:
        asked = [await advance(pipeline, text, draft, run_id="task") for text, draft in (("a", "v1"), ("b", "v2")) * 2]
        assert [answer_text(result) for result in asked] == ["v3"] * 4
        assert len({result.run_id for result in asked}) == 2
    assert [parts.calls.count(f"critique {text}") for text in ("v1", "v2", "v3")] == [1, 2, 2], "each is done once"


async def test_the_only_input_of_a_graph_is_the_draft_else_the_prompt() -> None:
    parts = Parts()
    async with lone(parts) as graph:
        assert [(await advance(graph, text, draft)).output for text, draft in ((PROMPT, "v1"), ("v2", None))] == [
            "v3"
        ] * 2
    assert [call for call in parts.calls if call[-1] in "12" and call[0] == "c"][::2] == ["critique v1", "critique v2"]


def test_a_draft_for_a_graph_with_several_inputs_but_none_for_it_is_refused() -> None:
    loop = LoopNode("{a}{b}", critiquer=Parts(), initial="{a}")
    with pytest.raises(ConfigurationError, match="its inputs are a, b"):
        Life(Graph({"loop": loop}, inputs=["a", "b"], output="loop"), judges=True)


async def test_a_blocking_pipeline_runs_in_its_own_thread_and_is_closed_by_its_caller() -> None:
    with BlockingPipeline(piped()) as blocking:
        async with Life(blocking) as life:
            result = await life.run(lambda: advance(life.pipeline, PROMPT))
        again = await asyncio.to_thread(life.wait, lambda: advance(life.pipeline, PROMPT))
        assert blocking.pipeline.running_in is not None, "still open"
    assert (result.best_candidate.content, again.best_candidate.content) == ("v3", "v3")
    with pytest.raises(ConfigurationError, match="closed"):
        await life.run(lambda: advance(life.pipeline, PROMPT))


@pytest.mark.parametrize(
    ("answer", "decision"), [(True, True), ("No ", False), ({"approved": False}, False), (["v1"], None), (" ", None)]
)
def test_a_person_answers_with_a_bool_or_a_text(answer: object, decision: bool | None) -> None:
    if decision is not None:
        assert decision_in(answer) is decision
        return
    with pytest.raises(ConfigurationError, match='answer with True or "yes"'):
        decision_in(answer)


async def test_a_waiting_loop_of_a_graph_asks_about_its_revision() -> None:
    parts, asked = Parts(), []
    loop = LoopNode(
        "{task}", generator=parts, critiquer=parts, reviser=parts, config=CONFIG, approve=lambda *_: SUSPEND
    )
    async with Graph({"loop": loop}, inputs=["task"], output="loop", memory=True) as graph:
        result = await advance(graph, PROMPT, run_id="r")
        while is_suspended(result):
            question = await waiting_revision(graph, result)
            asked.append((question["prompt"], question["node"], question["revision"]))
            result = await advance(graph, "", run_id="r", decision=True)
    assert asked == [(PROMPT, "loop", f"v{i}") for i in (1, 2, 3)]
    assert (result.output, summary_of(result)["iterations"], summary_of(result)["score"]) == ("v3", 4, 1.0)
    assert len(parts.calls) == len(set(parts.calls)), "no step was repeated"


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (429, RateLimitError, True),
        (503, ModelError, True),
        (401, AuthenticationError, False),
        (400, BadRequestError, False),
    ],
)
def test_foreign_errors_are_translated_by_their_status(status: int, kind: type[ModelError], retryable: bool) -> None:
    with pytest.raises(kind) as caught, translated("theirs", "m"):
        raise ForeignError(status)
    assert caught.value.retryable is retryable
    assert caught.value.status == status


def test_a_wrapped_error_is_recognised_by_its_cause() -> None:
    with pytest.raises(RateLimitError), translated("theirs"):
        raise RuntimeError("the framework's") from ForeignError(429)
    with pytest.raises(RateLimitError), translated("theirs"):
        try:
            raise ForeignError(429)
        except ForeignError:
            raise RuntimeError("the framework's")  # noqa: B904 - as some frameworks do


def test_an_unknown_error_of_an_agent_is_raised_unchanged_and_one_of_a_model_is_a_model_error() -> None:
    with pytest.raises(KeyError), translated("theirs"):
        raise KeyError("x")
    with pytest.raises(ModelError, match="theirs:m: KeyError: 'x'"), translated("theirs", "m"):
        raise KeyError("x")


def test_models_without_structured_output_get_the_schema_in_the_prompt() -> None:
    request = CompletionRequest((Message("user", "hi"),), schema={"type": "object"})
    assert '"type": "object"' in schema_instruction(request)[-1].content
    assert schema_instruction(CompletionRequest((Message("user", "hi"),))) == (Message("user", "hi"),)


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("langgraph", "langgraph", "langgraph"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
        ("autogen", "autogen_agentchat", "autogen"),
        ("openai_agents", "agents", "openai-agents"),
    ],
)
def test_a_missing_framework_is_reported_with_its_extra(module: str, package: str, extra: str) -> None:
    assert f"pip install 'jido-ai[{extra}]'" in error_of_import(module, package)


def error_of_import(module: str, hidden: str, path: str = "") -> str:
    """Return the error of importing an integration without a module, with installed packages of a folder."""
    code = (
        "import sys\n"
        f"sys.path.insert(0, {path!r})\n"
        f"sys.modules.update(dict.fromkeys({hidden.split()}))\n"
        "from jido_ai.errors import ConfigurationError\n"
        "try:\n"
        f"    import jido_ai.integrations.{module}\n"
        "except ConfigurationError as error:\n"
        "    print(error)\n"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("module", "installed", "hidden", "said"),
    [
        ("langgraph", "langgraph-0.6.7", "", "langgraph 0.6.7 is installed, and jido_ai needs >=1.0,<2"),
        ("langgraph", "langgraph-2.1", "langgraph", "langgraph 2.1 is installed, and jido_ai needs >=1.0,<2"),
        ("google_adk", "google_adk-2.1.9", "", "google-adk 2.1.9 is installed, and jido_ai needs >=2.2,<3"),
        ("ag_ui", "ag_ui_protocol-0.1.18", "", "ag-ui-protocol 0.1.18 is installed, and jido_ai needs >=1.0,<2"),
        ("langgraph", "langgraph-1.0", "langgraph", "langgraph 1.0 is installed but cannot be imported ("),
    ],
)
def test_a_framework_in_another_version_is_reported_with_the_one_to_install(
    module: str, installed: str, hidden: str, said: str, tmp_path: Path
) -> None:
    about, (package, version) = tmp_path / f"{installed}.dist-info", installed.split("-")
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package.replace('_', '-')}\nVersion: {version}\n")
    told = error_of_import(module, hidden, str(tmp_path))
    assert told.startswith(said)
    assert f": pip install 'jido-ai[{module.replace('_', '-')}]'" in told


def unjudged(reason: StopReason) -> ReflectionResult:
    return ReflectionResult(
        "r",
        PROMPT,
        best_candidate=None,
        iterations=(),
        findings=(),
        stop_reason=reason,
        error=ErrorInfo("X", "odd"),
        unjudged=Candidate("a text"),
    )


def test_an_unjudged_text_is_the_answer_of_a_run_without_an_error_and_is_marked() -> None:
    result = unjudged(StopReason.DEADLINE)
    assert (answer_text(result), summary_of(result)["judged"]) == ("a text", False)
    assert failure_of(result) is None
    assert failure_of(result, needs_critique=True) is not None


def test_an_error_that_ended_a_run_is_raised_in_the_framework() -> None:
    with pytest.raises(ComponentError, match="odd"):
        answer_text(unjudged(StopReason.ERROR))
