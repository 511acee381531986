"""Generator, critiquer and reviser that are language models, and SelfRefine."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from jido_ai.components.component import Reopening
from jido_ai.critics.criteria import FallbackCritiquer
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.panel import PanelCritiquer
from jido_ai.errors import (
    BudgetExceededError,
    ComponentError,
    ConfigurationError,
    Declined,
    ParseError,
    RateLimitError,
    RefusalError,
    TruncatedError,
)
from jido_ai.loop.books import ThriftyReflector
from jido_ai.loop.self_refine import SelfRefine
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.spending import Spending
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.protocols import Critiquer, Generator, Reviser, RunContext
from jido_ai.revisers.chain_reviser import ChainReviser
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import (
    Budget,
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    ErrorInfo,
    Iteration,
    MemoryEntry,
    Usage,
)

LESSON = MemoryEntry("an older prompt", "forgot the unit", "name the unit")
CONTEXT = RunContext(run_id="run", prompt="how far is the moon?", lessons=(LESSON,))
CANDIDATE = Candidate("about 384,400", reasoning="I guessed and hope nobody notices")


def critique(severity: float, *issues: str, **more: Any) -> str:
    return json.dumps({"issues": issues, "suggestions": [], "severity": severity, "feedback": "f", **more})


def revision(text: str, *changes: str) -> str:
    return json.dumps({"improved_response": text, "changes_made": changes, "parts_preserved": ["the number"]})


def sent(model: ScriptedModel, call: int = 0) -> str:
    return "\n".join(message.content for message in model.requests[call].messages)


# -- every component -------------------------------------------------------------------------------


async def test_no_component_treats_thoughts_as_a_part_of_the_reply() -> None:
    thoughts = f"<think>\nmaybe {critique(0.9, 'bad')} or {revision('mars')}, no\n</think>\n\n"
    (candidate,) = await LLMGenerator(ScriptedModel([f"{thoughts}The answer is 4."])).generate("p", CONTEXT)
    assert candidate.content == "The answer is 4."
    model = ScriptedModel([thoughts + critique(0.25, "no unit")])
    judged = await LLMCritiquer(model).critique(CANDIDATE, CONTEXT)
    assert (judged.severity, [issue.message for issue in judged.issues]) == (0.25, ["no unit"])
    revised = await LLMReviser(ScriptedModel([thoughts + revision("384,400 km")])).revise(CANDIDATE, judged, CONTEXT)
    assert revised.content == "384,400 km"
    assert len(model.requests) == 1


async def test_a_text_about_thoughts_reaches_the_user_unchanged() -> None:
    about = "Put the reasoning between `<think>` and `</think>`:\n\n```\n<think>\n2 + 2\n</think>\n4\n```\n"
    (candidate,) = await LLMGenerator(ScriptedModel([about])).generate("p", CONTEXT)
    assert candidate.content == about
    judged = CritiqueResult(severity=0.5)
    revised = await LLMReviser(ScriptedModel([revision(about)])).revise(CANDIDATE, judged, CONTEXT)
    assert revised.content == about


# -- generator -------------------------------------------------------------------------------------


@pytest.mark.rows("C27")
async def test_a_generation_is_plain_text_with_its_usage() -> None:
    model = ScriptedModel([Completion("384,400 km", "scripted", Usage(1, 30, 2))])
    generator = LLMGenerator(model)
    assert isinstance(generator, Generator)
    (candidate,) = await generator.generate(CONTEXT.prompt, CONTEXT)
    assert (candidate.content, candidate.model, candidate.tokens_used) == ("384,400 km", "scripted", 32)
    assert candidate.metadata["temperature"] == 0.7
    assert model.requests[0].messages[-1].content.endswith("</lessons>\n\nhow far is the moon?")
    assert "name the unit" in sent(model)


@pytest.mark.rows("J10")
async def test_several_candidates_spread_over_the_temperatures_and_seeds() -> None:
    model = ScriptedModel(lambda request: f"{request.temperature:.2f} {request.seed}")
    found = await LLMGenerator(model, 3, temperature=(0.2, 1.0), seed=5).generate("p", CONTEXT)
    assert [candidate.content for candidate in found] == ["0.20 5", "0.60 6", "1.00 7"]


@pytest.mark.rows("J10")
async def test_a_failing_candidate_does_not_lose_the_others() -> None:
    half = Completion("half", finish_reason="length")
    replies = iter(["a", RateLimitError("later", provider="p"), half, "d"])
    model = ScriptedModel(lambda request: half if "Give a shorter" in str(request.messages) else next(replies))
    found = await LLMGenerator(model, 4).generate("p", CONTEXT)
    assert [candidate.content for candidate in found] == ["a", "d"]
    assert [text.split(":")[0] for text in found[0].metadata["failed"]] == ["RateLimitError", "TruncatedError"]


@pytest.mark.rows("J10")
async def test_the_error_has_every_cause_if_all_candidates_fail() -> None:
    model = ScriptedModel([RateLimitError("later", provider="p"), ValueError("odd")])
    with pytest.raises(ComponentError, match=r"none of 2 .*RateLimitError: p: later; ValueError: odd") as caught:
        await LLMGenerator(model, 2).generate("p", CONTEXT)
    assert isinstance(caught.value.__cause__, ExceptionGroup)
    assert [type(error) for error in caught.value.__cause__.exceptions] == [RateLimitError, ValueError]
    assert caught.value.retryable


async def test_the_failure_of_a_single_candidate_is_its_own_error() -> None:
    with pytest.raises(TruncatedError):
        await LLMGenerator(ScriptedModel([Completion("half", finish_reason="length")] * 2)).generate("p", CONTEXT)
    with pytest.raises(RefusalError) as caught:
        await LLMGenerator(ScriptedModel([Completion("", finish_reason="refusal")])).generate("p", CONTEXT)
    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("prompt", "attempt", "limit"), [("p", "", 2_000), ("p" * 6_000, "", 3_000), ("p", "a" * 4_001, 2_001)]
)
async def test_the_default_limit_of_a_draft_follows_its_source(prompt: str, attempt: str, limit: int) -> None:
    one = Iteration(index=0, candidate=Candidate(attempt or "x"), critique=CritiqueResult(severity=0.5))
    model = ScriptedModel(["a", "b"])
    await LLMGenerator(model).generate(prompt, dataclasses.replace(CONTEXT, attempts=(one,) if attempt else ()))
    await LLMGenerator(model, max_tokens=30).generate(prompt, CONTEXT)
    assert [request.max_tokens for request in model.requests] == [limit, 30]


async def test_a_cut_draft_is_requested_in_fewer_words_and_says_so() -> None:
    model = ScriptedModel([Completion("half a te", finish_reason="length"), "text"])
    (candidate,) = await LLMGenerator(model).generate("how far?", CONTEXT)
    assert (candidate.content, candidate.metadata["warnings"]) == ("text", ["the first reply was cut at 2000 tokens"])
    assert "</lessons>\n\nhow far?\n\nYour last reply was cut off" in sent(model, 1)


async def test_a_blank_generation_is_asked_for_once_more() -> None:
    model = ScriptedModel([" \n", "text"])
    assert (await LLMGenerator(model).generate("p", CONTEXT))[0].content == "text"
    with pytest.raises(ParseError, match="blank"):
        await LLMGenerator(ScriptedModel(["", ""])).generate("p", CONTEXT)


@pytest.mark.rows("J10")
async def test_no_more_candidates_are_requested_at_once_than_allowed() -> None:
    running = most = 0

    async def answer(request: CompletionRequest) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        running -= 1
        return "x"

    assert len(await LLMGenerator(ScriptedModel(answer), 7, concurrency=3).generate("p", CONTEXT)) == 7
    assert most == 3


async def test_a_budget_for_some_candidates_gives_those_and_one_for_none_says_so() -> None:
    context = RunContext(run_id="r", prompt="p", meter=Spending(Budget(max_calls=2)))
    model = ScriptedModel(lambda request: "x")
    assert len(await LLMGenerator(model, 5).generate("p", context)) == 2
    with pytest.raises(BudgetExceededError):
        await LLMGenerator(model, 5).generate("p", context)
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"n": 0},
        {"n": True},
        {"n": 1.5},
        {"concurrency": 0},
        {"temperature": (1.0, 0.5)},
        {"temperature": (0.1,)},
        {"temperature": float("nan")},
        {"temperature": "hot"},
        {"template": "$answer"},
        {"max_concurrency": 0},
    ],
)
def test_an_invalid_setting_of_a_generator_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        LLMGenerator(ScriptedModel([]), **settings)


async def test_a_prompt_that_no_model_takes_is_refused_before_it_is_sent() -> None:
    model = ScriptedModel(["x"])
    with pytest.raises(ConfigurationError, match="1000001 characters"):
        await LLMGenerator(model).generate("x" * 1_000_001, CONTEXT)
    assert model.requests == []


# -- critiquer -------------------------------------------------------------------------------------


@pytest.mark.rows("J4")
async def test_a_critique_is_named_after_its_model_and_asks_with_a_schema() -> None:
    model = ScriptedModel([critique(0.5, "no unit")])
    critiquer = LLMCritiquer(model)
    assert isinstance(critiquer, Critiquer)
    told = await critiquer.critique(CANDIDATE, CONTEXT)
    assert (told.source, told.severity, told.issues[0].message) == ("model:scripted", 0.5, "no unit")
    assert told.issues[0].source == "model:scripted"
    (request,) = model.requests
    assert (request.temperature, request.timeout_s) == (0.3, 120.0)
    assert request.schema is not None and set(request.schema["required"]) >= {"issues", "severity"}
    assert told.metadata["usage"]["calls"] == 1


@pytest.mark.rows("J4")
async def test_a_critic_sees_prompt_candidate_and_lessons_but_never_the_writers_reasoning() -> None:
    model = ScriptedModel([critique(0.0)])
    await LLMCritiquer(model, "writing").critique(CANDIDATE, CONTEXT)
    assert all(text in sent(model) for text in ("how far is the moon?", "about 384,400", "name the unit", "readers"))
    assert "nobody notices" not in sent(model)


@pytest.mark.rows("J4", "C41")
async def test_a_missing_severity_is_requested_and_never_made_up() -> None:
    without = json.dumps({"issues": ["no unit"], "suggestions": [], "feedback": ""})
    model = ScriptedModel([without, critique(0.5)])
    assert (await LLMCritiquer(model).critique(CANDIDATE, CONTEXT)).severity == 0.5
    assert "severity: Field required" in sent(model, 1)
    with pytest.raises(ParseError, match="severity") as caught:
        await LLMCritiquer(ScriptedModel([without, without])).critique(CANDIDATE, CONTEXT)
    assert caught.value.raw == without


@pytest.mark.rows("M4", "R53")
async def test_a_checklist_gives_a_verdict_per_criterion() -> None:
    verdicts = [
        {"criterion": 1, "met": True, "severity": 0.0},
        {"criterion": 2, "met": False, "severity": 0.6, "problem": "no unit"},
    ]
    model = ScriptedModel([json.dumps({"verdicts": verdicts, "suggestions": [], "feedback": ""})])
    told = await LLMCritiquer(model, criteria=["is right", "names the unit"]).critique(CANDIDATE, CONTEXT)
    assert told.criterion_scores == {"is right": 1.0, "names the unit": 0.4}
    assert [issue.message for issue in told.issues] == ["no unit"]
    assert "1. is right\n2. names the unit" in sent(model)


@pytest.mark.parametrize("criteria", ["is right", [""], [5], {"a": 0.0}, {"a": True}, 7])
def test_invalid_criteria_are_refused(criteria: Any) -> None:
    with pytest.raises(ConfigurationError, match="criteri"):
        LLMCritiquer(ScriptedModel([]), criteria=criteria)


async def test_text_not_shown_to_a_critic_is_reported() -> None:
    model = ScriptedModel([critique(0.0)])
    told = await LLMCritiquer(model, max_chars=500).critique(Candidate("x" * 600), CONTEXT)
    assert told.metadata["warnings"] == ["candidate: only 500 of 600 characters were judged"]


async def test_a_long_reply_is_read_too() -> None:
    model = ScriptedModel([critique(0.5, *(f"issue {number} of many" for number in range(90)))])
    assert len((await LLMCritiquer(model).critique(CANDIDATE, CONTEXT)).issues) == 90


# -- reviser ---------------------------------------------------------------------------------------


@pytest.mark.rows("J8")
async def test_a_revision_keeps_the_claims_and_the_real_difference() -> None:
    model = ScriptedModel([revision("about 384,400 km", "added the unit")])
    reviser = LLMReviser(model)
    assert isinstance(reviser, Reviser)
    told = CritiqueResult(severity=0.5, issues=["no unit"])
    revised = await reviser.revise(CANDIDATE, told, CONTEXT)
    assert (revised.content, revised.parent_id, revised.reasoning) == (
        "about 384,400 km",
        CANDIDATE.id,
        "added the unit",
    )
    assert revised.id != CANDIDATE.id and revised.score is None
    assert revised.metadata["changes_made"] == ["added the unit"]
    assert revised.metadata["parts_preserved"] == ["the number"]
    assert revised.metadata["diff"].splitlines()[-2:] == ["-about 384,400", "+about 384,400 km"]
    assert all(text in sent(model) for text in ("how far is the moon?", "about 384,400", "no unit", "name the unit"))
    assert model.requests[0].temperature == 0.5


async def test_a_claimed_change_that_was_not_made_shows_no_difference() -> None:
    model = ScriptedModel([revision("about 384,400", "rewrote everything")])
    revised = await LLMReviser(model).revise(CANDIDATE, CritiqueResult(severity=0.5), CONTEXT)
    assert revised.metadata["diff"] == ""


async def test_a_candidate_shown_only_in_part_is_not_revised() -> None:
    model = ScriptedModel([])
    with pytest.raises(Declined, match="10001 characters"):
        await LLMReviser(model).revise(Candidate("x" * 10_001), CritiqueResult(severity=0.5), CONTEXT)
    assert model.requests == []


async def test_half_a_revision_is_never_accepted() -> None:
    cut = revision("a long text that goes on")[:40]
    with pytest.raises(ParseError):
        await LLMReviser(ScriptedModel([cut, cut])).revise(CANDIDATE, CritiqueResult(severity=0.5), CONTEXT)
    with pytest.raises(TruncatedError):
        half = Completion(cut, finish_reason="length")
        await LLMReviser(ScriptedModel([half, half])).revise(CANDIDATE, CritiqueResult(severity=0.5), CONTEXT)


@pytest.mark.parametrize(("length", "limit"), [(10, 2_000), (4_000, 2_000), (9_001, 4_501)])
async def test_the_default_limit_of_a_revision_follows_the_candidate(length: int, limit: int) -> None:
    model = ScriptedModel([Completion("{", finish_reason="length"), revision("km"), revision("km")])
    told = CritiqueResult(severity=0.5)
    revised = await LLMReviser(model).revise(Candidate("x" * length), told, CONTEXT)
    await LLMReviser(model, max_tokens=30).revise(Candidate("x" * length), told, CONTEXT)
    assert [request.max_tokens for request in model.requests] == [limit, 2 * limit, 30]
    assert revised.metadata["warnings"] == [f"the first reply was cut at {limit} tokens"]


@pytest.mark.parametrize(("criteria", "limit"), [(0, 800), (5, 800), (8, 1_040)])
async def test_the_default_limit_of_a_critique_follows_the_criteria(criteria: int, limit: int) -> None:
    def answer(request: CompletionRequest) -> str | Completion:
        if len(model.requests) == 1:
            return Completion('{"issues": [', finish_reason="length")
        if not criteria:
            return critique(0.2)
        return json.dumps({"verdicts": [{"criterion": n + 1, "met": True} for n in range(criteria)]})

    model = ScriptedModel(answer)
    critiquer = LLMCritiquer(model, criteria=[f"criterion {n}" for n in range(criteria)])
    told = await critiquer.critique(CANDIDATE, CONTEXT)
    assert [request.max_tokens for request in model.requests] == [limit, 2 * limit]
    assert told.metadata["warnings"] == [f"the first reply was cut at {limit} tokens"]


# -- placeholders ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "echo"),
    [
        ("json", revision("<the improved answer>")),
        ("edits", '{"edits": [{"search": "384,400", "replace": "<new lines>"}]}'),
    ],
)
async def test_a_reviser_whose_model_only_repeats_placeholders_declines(format: Any, echo: str) -> None:
    told = CritiqueResult(severity=0.5, issues=["no unit"])
    model = ScriptedModel([echo, echo])
    with pytest.raises(Declined, match="repeats the placeholder '<"):
        await LLMReviser(model, format=format).revise(CANDIDATE, told, CONTEXT)
    assert len(model.requests) == 2
    model = ScriptedModel([echo, revision("384,400 km") if format == "json" else edit("384,400", "384,400 km")])
    revised = await LLMReviser(model, format=format).revise(CANDIDATE, told, CONTEXT)
    assert revised.content.endswith("384,400 km")


@pytest.mark.parametrize("criteria", [(), ("it has a unit",)])
async def test_a_critic_whose_model_only_repeats_placeholders_raises_a_parse_error(criteria: tuple[str, ...]) -> None:
    verdict = {"criterion": 1, "met": False, "problem": "<why not>", "severity": 0.5}
    echo = json.dumps({"verdicts": [verdict]}) if criteria else critique(0.5, "<the fault>")
    model = ScriptedModel([echo, echo])
    with pytest.raises(ParseError, match="repeats the placeholder '<"):
        await LLMCritiquer(model, criteria=criteria).critique(CANDIDATE, CONTEXT)
    assert len(model.requests) == 2


async def test_a_text_that_is_revised_as_a_text_may_have_anything_between_angles() -> None:
    model = ScriptedModel(["<the improved answer> is 384,400 km"])
    revised = await LLMReviser(model).revise(CANDIDATE, CritiqueResult(severity=0.5), CONTEXT)
    assert revised.content == "<the improved answer> is 384,400 km"


FILE = "".join(f"def f{number}(x):\n    return x + {number}\n\n\n" for number in range(150))


def edit(search: str, replace: str) -> str:
    return json.dumps({"edits": [{"search": search, "replace": replace}], "changes_made": ["a"], "parts_preserved": []})


async def test_a_long_file_is_revised_by_edits_and_a_short_one_as_a_whole() -> None:
    told = CritiqueResult(severity=0.9, issues=["wrong"])
    model = ScriptedModel([edit("return x + 7\n", "return x + 8\n"), revision("x = 2\n")])
    reviser = LLMReviser(model, path="shop/f.py")
    revised = await reviser.revise(Candidate(FILE), told, CONTEXT)
    assert revised.content == FILE.replace("return x + 7\n", "return x + 8\n")
    assert revised.metadata["diff"].count("\n+") == 2  # the header and one line
    await reviser.revise(Candidate("x = 1\n"), told, CONTEXT)
    edits, whole = (request.schema for request in model.requests)
    assert (edits is not None and "edits" in edits["properties"], whole) == (True, None)


async def test_an_ambiguous_edit_is_requested_once_more_and_never_guessed() -> None:
    told = CritiqueResult(severity=0.9, issues=["wrong"])
    model = ScriptedModel([edit("    return x", "    yield x"), edit("return x + 149", "return x")])
    revised = await LLMReviser(model, path="f.py").revise(Candidate(FILE), told, CONTEXT)
    assert revised.content == FILE.replace("return x + 149", "return x")
    assert 'edit 1: "search" occurs more than once, at lines 2, 6, 10, and more' in sent(model, 1)
    assert "more than once" not in sent(model, 0)
    twice = edit("    return x", "    yield x")
    with pytest.raises(ParseError, match="more than once"):
        await LLMReviser(ScriptedModel([twice, twice]), path="f.py").revise(Candidate(FILE), told, CONTEXT)


async def test_the_file_may_come_from_the_run_and_the_limit_for_edits_from_the_caller() -> None:
    told = CritiqueResult(severity=0.9, issues=["wrong"])
    context = RunContext(run_id="r", prompt="p", metadata={"path": "a.py"})
    model = ScriptedModel([edit("1", "2"), critique(0.0)])
    assert (await LLMReviser(model, edits_above=0).revise(Candidate("x = 1"), told, context)).content == "x = 2"
    await LLMCritiquer(model).critique(Candidate("x = 1"), context)
    for call in (0, 1):
        assert "File: a.py\nLanguage: python" in sent(model, call)
    assert ["\n1 | x = 1\n" in sent(model, call) for call in (0, 1)] == [False, True]  # edits copy lines
    with pytest.raises(ConfigurationError, match="edits_above"):
        LLMReviser(model, edits_above=-1)
    with pytest.raises(ConfigurationError, match="path"):
        LLMCritiquer(model, path="")


@pytest.mark.parametrize("domain", ["code", "writing"])
async def test_the_lines_of_code_are_judged_with_their_numbers(domain: str) -> None:
    model = ScriptedModel([critique(0.0)])
    await LLMCritiquer(model, domain).critique(Candidate("a\nb"), CONTEXT)
    assert ("\n1 | a\n2 | b\n" in sent(model)) == (domain == "code")


async def test_a_long_file_is_judged_in_part_with_the_numbers_of_its_lines() -> None:
    model = ScriptedModel([critique(0.0)])
    judged = await LLMCritiquer(model, "code", max_chars=500).critique(Candidate(FILE), CONTEXT)
    assert "597 | def f149(x):" in sent(model)
    assert "characters were judged" in judged.metadata["warnings"][0]


# -- a step that is tried again --------------------------------------------------------------------


@pytest.mark.parametrize("part", ["generator", "critiquer", "reviser"])
async def test_a_repeated_step_tells_the_model_the_reason(part: str) -> None:
    failed = RunContext(run_id="r", prompt="p", last_error=ErrorInfo("ParseError", "severity: Field required"))
    model = ScriptedModel([{"generator": "x", "critiquer": critique(0.0), "reviser": revision("x")}[part]])
    if part == "generator":
        await LLMGenerator(model).generate("p", failed)
    elif part == "critiquer":
        await LLMCritiquer(model).critique(CANDIDATE, failed)
    else:
        await LLMReviser(model).revise(CANDIDATE, CritiqueResult(severity=0.5), failed)
    assert "\nseverity: Field required\n</fault>" in sent(model)


# -- self refine -----------------------------------------------------------------------------------


@pytest.mark.rows("J16")
async def test_self_refine_writes_judges_revises_and_judges_again() -> None:
    model = ScriptedModel(["384,400", critique(0.6, "no unit"), revision("384,400 km"), critique(0.1)])
    result = await SelfRefine(model).run("how far?")
    assert (result.original.content, result.refined.content) == ("384,400", "384,400 km")
    assert (result.critique.severity, result.refined_critique.severity) == (0.6, 0.1)
    assert result.improved and result.best is result.refined
    assert result.refined.parent_id == result.original.id
    assert (result.usage.calls, len(model.requests)) == (4, 4)


async def test_self_refine_keeps_the_original_when_the_revision_is_not_better() -> None:
    initial = Candidate("384,400 km")
    model = ScriptedModel([critique(0.2), revision("far"), critique(0.2)])
    result = await SelfRefine(model).run("how far?", initial)
    assert not result.improved
    assert result.best.content == "384,400 km"
    assert result.usage == Usage(3, *_tokens(result.usage))


def _tokens(usage: Usage) -> tuple[int, int]:
    assert usage.input_tokens > 0 and usage.output_tokens > 0
    return usage.input_tokens, usage.output_tokens


async def test_self_refine_refuses_a_blank_prompt_and_accepts_other_components() -> None:
    with pytest.raises(ConfigurationError, match="blank"):
        await SelfRefine(ScriptedModel([])).run(" ")
    with pytest.raises(ConfigurationError, match="initial"):
        await SelfRefine(ScriptedModel([])).run("how far?", 3)  # type: ignore[arg-type]

    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if "km" in candidate.content else 1.0)

    model = ScriptedModel(["384", revision("384 km")])
    assert (await SelfRefine(model, critiquer=judge).run("how far?")).improved


class Closing(ScriptedModel):
    """A model that counts how often it was closed."""

    closed = 0

    async def aclose(self) -> None:
        self.closed += 1


async def test_self_refine_closes_the_model_it_made_from_a_name_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Closing(["384", critique(0.5), revision("384 km"), critique(0.1)])
    monkeypatch.setattr("jido_ai.loop.self_refine.model_of", lambda model: made if model == "made:here" else model)
    refine = SelfRefine("made:here")
    assert (await refine.run("how far?")).improved
    await refine.aclose()
    assert made.closed == 1
    brought = Closing([])
    await SelfRefine(brought).aclose()
    assert brought.closed == 0


async def test_self_refine_does_not_close_its_model_under_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, never = asyncio.Event(), asyncio.Event()

    async def hang(request: CompletionRequest) -> str:
        asked.set()
        await never.wait()
        return "?"

    made = Closing(hang)
    monkeypatch.setattr("jido_ai.loop.self_refine.model_of", lambda _: made)
    refine = SelfRefine("made:here", critiquer=lambda candidate, context: CritiqueResult(severity=0.0))
    run = asyncio.ensure_future(refine.run("how far?"))
    await asked.wait()
    await refine.aclose()
    assert made.closed == 0
    run.cancel()
    await asyncio.wait({run})
    await refine.aclose()
    assert made.closed == 1


class Opens(Reopening):
    """Any component that opens again."""

    closed = 0

    async def generate(self, prompt: str, context: RunContext) -> str:
        return prompt

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return "better"

    async def reflect(self, episode: Any, priors: Any = (), context: RunContext | None = None) -> Any:
        return None

    async def aclose(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(
    "around",
    [
        lambda part: PanelCritiquer([part, part]),
        lambda part: ChainReviser([part, part]),
        lambda part: FallbackCritiquer(part, part),
        lambda part: ThriftyReflector(part, CostLedger()),
        lambda part: SelfRefine(ScriptedModel([]), generator=part, critiquer=part, reviser=part),
    ],
    ids=["panel", "chain", "fallback", "thrifty", "self-refine"],
)
async def test_a_composite_closes_and_reopens_its_components(around: Callable[[Opens], Reopening]) -> None:
    part = Opens()
    await around(part).aclose()
    assert part.closed >= 1


@pytest.mark.parametrize(("severity", "counts"), [(1.7, 1.0), (8, 1.0), (-0.3, 0.0), ("87", 1.0)])
async def test_a_severity_out_of_range_is_asked_for_again_and_then_clamped(severity: object, counts: float) -> None:
    reply = json.dumps({"issues": [], "suggestions": [], "feedback": "so", "severity": severity})
    model = ScriptedModel([reply, reply])
    found = await LLMCritiquer(model).critique(Candidate("text"), CONTEXT)
    assert (found.severity, len(model.requests)) == (counts, 2)
    assert any("nearest" in one for one in found.metadata["warnings"])
    assert "0 (flawless) to 1 (unusable)" in model.requests[1].messages[-1].content


@pytest.mark.parametrize(
    ("severity", "counts"),
    [("30%", 0.3), ("0.3/1", 0.3), ("3 out of 10", 0.3), ("7 of 10", 0.7), ("140 %", 1.0), ("low", 0.15),
     (" Medium ", 0.5), ("HIGH", 0.85)],
)  # fmt: skip
@pytest.mark.parametrize("criteria", [(), ("It is short.",)])
async def test_a_share_or_a_level_is_asked_for_again_and_then_read(
    severity: str, counts: float, criteria: tuple[str, ...]
) -> None:
    verdict = {"criterion": 1, "met": False, "problem": "it is long", "severity": severity}
    reply = json.dumps({"verdicts": [verdict]} if criteria else {"issues": [], "severity": severity})
    model = ScriptedModel([reply, reply])
    found = await LLMCritiquer(model, criteria=criteria).critique(Candidate("text"), CONTEXT)
    assert (found.severity, len(model.requests)) == (pytest.approx(counts), 2)
    assert any(f"{counts:g} counts" in one or "1.4 counts" in one for one in found.metadata["warnings"])


@pytest.mark.parametrize("severity", ["3/0", "very", "", "%", "1/2/3", "-1/2", "so high"])
async def test_words_that_are_no_severity_are_a_fault_the_second_time_too(severity: str) -> None:
    reply = json.dumps({"issues": [], "severity": severity})
    with pytest.raises(ParseError, match="must be a number from 0"):
        await LLMCritiquer(ScriptedModel([reply, reply])).critique(Candidate("text"), CONTEXT)
