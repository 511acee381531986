"""`jido runs show RUN --calls`, and calls as the commands print them."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jido_ai.cli.app import app
from jido_ai.cli.ask import AskOptions, ask
from jido_ai.cli.calls import call_line
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import ConfigurationError, ModelUnavailableError
from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.values import (
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    Issue,
    Location,
    LoopConfig,
    ModelCall,
    Try,
    utc_now,
)

GOOD = '{"issues": [], "suggestions": [], "severity": 0.0, "feedback": ""}'


class Model:
    """Answers, and finds nothing wrong."""

    provider, model = "scripted", "tiny"

    async def complete(self, request: CompletionRequest) -> Completion:
        return Completion(GOOD if "judge" in request.messages[0].content else "an \x1b[31manswer", "tiny")


@pytest.fixture
def memory(tmp_path: Path) -> str:
    """Return a memory with a run of two calls."""

    async def run() -> None:
        async with Pipeline(LLMGenerator(Model()), LLMCritiquer(Model()), memory=tmp_path / "m.db") as pipeline:
            await pipeline.run("Say it.", run_id="run_one")

    asyncio.run(run())
    return str(tmp_path / "m.db")


def show(memory: str, *args: str) -> Result:
    return CliRunner().invoke(app, ["runs", "show", "run_o", *args, "--memory", memory])


def test_calls_are_listed_one_line_each(memory: str) -> None:
    lines = show(memory, "--calls").output.splitlines()
    assert len(lines) == 3
    assert lines[0].split()[:3] == ["#", "who", "model"]
    assert "generator iteration 1" in lines[1] and "cost unknown" in lines[1]
    assert lines[2].startswith("2  critiquer iteration 1")


def test_a_run_names_the_commands_that_show_its_critics_and_its_calls(memory: str) -> None:
    shown = " ".join(show(memory).output.split())
    assert f"jido runs show run_one --memory {memory} --transcript" in shown
    assert f"jido runs show run_one --memory {memory} --calls" in shown


def test_a_run_that_failed_before_any_answer_shows_its_failed_call_and_the_way_to_it(tmp_path: Path) -> None:
    class Down(Model):
        async def complete(self, request: CompletionRequest) -> Completion:
            raise ModelUnavailableError("status 500", provider="scripted")

    async def run() -> None:
        async with Pipeline(LLMGenerator(Down()), LLMCritiquer(Model()), memory=tmp_path / "m.db") as pipeline:
            await pipeline.run("Say it.", run_id="run_one")

    asyncio.run(run())
    shown = show(str(tmp_path / "m.db")).output
    assert "stopped: error  3 failed calls  " in shown  # one for each try of the step
    assert "--calls" in shown
    assert "severity" not in shown  # there is nothing to draw


def test_a_drawn_run_says_how_its_score_and_its_severity_are_read(memory: str) -> None:
    shown = " ".join(show(memory).output.split())
    assert "score: 1 is best, * is the best candidate; severity: 0 is flawless, below 0.3 is good enough" in shown


def test_the_evidence_of_a_stop_is_shown_in_words(memory: str) -> None:
    shown = " ".join(show(memory).output.split())
    assert "evidence: severity 0, severity threshold 0.3, accept severity, open issues 0" in shown


def test_a_transcript_has_the_verdict_of_each_member_and_the_place_of_each_finding(tmp_path: Path) -> None:
    def strict(candidate: Candidate, context: RunContext) -> CritiqueResult:
        found = [
            Issue("too low", severity=0.9, location=Location("items[2].price")),
            Issue("late", location=Location("f", 3)),
        ]
        return CritiqueResult(severity=0.9, issues=found, feedback="never", source="strict")

    def kind(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.1, feedback="fine", source="kind")

    async def run() -> None:
        config = LoopConfig(max_iterations=1)
        async with Pipeline(LLMGenerator(Model()), [strict, kind], memory=tmp_path / "m.db", config=config) as pipeline:
            await pipeline.run("Say it.", run_id="run_one")

    asyncio.run(run())
    shown = show(str(tmp_path / "m.db"), "--transcript").output
    assert (
        "   strict: severity 0.90\n   feedback: never\n   issue: items[2].price: too low\n   issue: line 3: late\n"
        in shown
    )
    assert "   kind: severity 0.10\n   feedback: fine\n" in shown


def test_a_number_prints_all_of_one_call_without_control_characters(memory: str) -> None:
    output = show(memory, "--calls", "1").output
    assert "--- user" in output and "Say it." in output and "--- reply" in output
    assert "\x1b" not in output


@pytest.mark.parametrize(("number", "seqs"), [((), [1, 2]), (("2",), [2])])
def test_json_has_one_call_per_line(memory: str, number: tuple[str, ...], seqs: list[int]) -> None:
    lines = show(memory, "--calls", *number, "--json").output.splitlines()
    assert [ModelCall.model_validate(json.loads(line)).seq for line in lines] == seqs


def test_a_number_that_no_call_has_is_refused(memory: str) -> None:
    with pytest.raises(ConfigurationError, match="has no call 3; its calls: 1 to 2"):
        raise show(memory, "--calls", "3").exception or AssertionError


@pytest.mark.parametrize("args", [("1",), ("--calls", "--transcript"), ("--calls", "--replay")])
def test_options_that_do_not_fit_are_refused(memory: str, args: tuple[str, ...]) -> None:
    assert isinstance(show(memory, *args).exception, ConfigurationError)


def test_a_run_without_calls_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        model = Model()
        path = tmp_path / "m.db"
        async with Pipeline(LLMGenerator(model), LLMCritiquer(model), memory=path, record_calls="off") as pipeline:
            await pipeline.run("Say it.", run_id="run_one")

    asyncio.run(run())
    assert "no model calls were kept for this run" in show(str(tmp_path / "m.db"), "--calls").output


def test_a_line_tells_what_went_wrong() -> None:
    call = ModelCall(
        run_id="r",
        seq=7,
        path="loop",
        role="reviser",
        iteration=1,
        model="tiny",
        host="h:1",
        started=utc_now(),
        duration_s=2.5,
        first_token_s=0.25,
        tries=(Try("RateLimitError: slow", 1.0), Try("ModelTimeoutError: late")),
        dropped=("seed",),
        truncated=True,
    )
    assert call_line(call) == (
        "call 7: loop reviser iteration 2, tiny at h:1: 2.5 s (first token 250 ms), 0 in, 0 out tokens, cost unknown; "
        "1 failed try; failed: ModelTimeoutError: late; without seed; texts are cut"
    )


@pytest.mark.parametrize("verbose", [True, False])
def test_ask_shows_each_call_only_if_it_is_verbose(verbose: bool) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert ask(AskOptions("Say it.", Model(), verbose=verbose), out, err) == 0
    assert ("call 1: generator iteration 1" in err.getvalue()) is verbose
    assert ("--- reply" in err.getvalue()) is verbose
