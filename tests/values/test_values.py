"""Values: what is checked when they are built, what follows from what, and that they read back."""

from __future__ import annotations

import asyncio
import copy
import math
import re
import threading
import unicodedata
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, PrivateAttr

from jido_ai import values
from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.values import (
    SLACK,
    Budget,
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    Episode,
    ErrorClass,
    ErrorInfo,
    Event,
    EventType,
    Finding,
    Issue,
    Iteration,
    LearningProgress,
    Link,
    Location,
    LoopConfig,
    MemoryEntry,
    MemoryKind,
    MemoryQuery,
    Message,
    ModelCall,
    Outcome,
    Reflection,
    ReflectionResult,
    Regenerate,
    Revise,
    Scope,
    Scored,
    StopReason,
    Try,
    Usage,
    Value,
    Verdict,
    extract_keywords,
)

units = st.floats(0, 1)
words = st.text(min_size=1, max_size=8)
NOT_A_UNIT: list[Any] = [-0.1, 1.1, math.nan, math.inf, -math.inf, True, "0.5", [0.5], 10**400]

CRITIQUE = CritiqueResult(
    severity=0.5,
    issues=["bad", Issue("worse", severity=0.7, location=Location("a.py", 1, 2), rule="F401")],
    suggestions=["mend it"],
    feedback="so so",
    source="model:x",
    metadata={"a": [1, {"b": None}]},
    reward=0.25,
    criterion_scores={"style": 0.5},
    strengths=["short"],
    confidence=0.9,
    outcome=Outcome.PARTIAL,
    parts=[CritiqueResult.no_issues()],
)
CANDIDATE = Candidate("text", score=0.5, reasoning="r", model="m", tokens_used=3, parent_id="p", metadata={"k": [1]})
ITERATION = Iteration(0, CANDIDATE, CRITIQUE, True, 0.5, -0.25, 1.5, Usage(1, 2, 3, 0.5))
EPISODE = Episode("p", CANDIDATE, critique=CRITIQUE, outcome="failure", events=[Event("tool_call", "x", tool_name="t")])
SAMPLES: list[Value] = [
    CANDIDATE,
    CRITIQUE,
    ITERATION,
    Scope("t", "p"),
    Usage(1, 2, 3, 0.5),
    Finding(Issue("bad"), "disputed", 0, 2),
    Budget(max_calls=3, max_cost_usd=0.5),
    Verdict(StopReason.CYCLE, {"equals": 0}, pick=1),
    Revise(2),
    Regenerate(),
    LoopConfig(budget=Budget(max_tokens=9), patience=2),
    ErrorInfo("ValueError", "oops", "critiquer"),
    MemoryEntry("p", "m", "c", kind="semantic", tags=["t"], links=[Link("i", "similar", 0.5)], use_count=2),
    MemoryQuery("p", kinds=["meta"], since=datetime(2026, 1, 1, tzinfo=UTC)),
    Scored(MemoryEntry("p"), 0.5),
    EPISODE,
    Reflection("lesson", root_cause="r", error_class="nil"),
    LearningProgress("code", total_attempts=3, last_improvement=-0.5),
    CompletionRequest((Message("user", "hi"),), schema={"type": "object"}),
    Completion("hi", usage=Usage(calls=1)),
    Try("RateLimitError: too many requests", 2.0),
    ModelCall(
        run_id="r",
        seq=1,
        started=datetime(2026, 1, 1, tzinfo=UTC),
        messages=(Message("user", "hi"),),
        tries=(Try("x", 1.0),),
    ),
    ReflectionResult(
        "r",
        "p",
        CANDIDATE,
        (ITERATION,),
        (Finding(Issue("bad"), "open", 0, 0),),
        "accepted",
        evidence={"severity": 0.1},
    ),
]


def named(sample: Value) -> str:
    return type(sample).__name__


# -- all values ------------------------------------------------------------------------------------


@pytest.mark.rows("M13", "R54")
@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_values_round_trip_through_their_dump(sample: Value) -> None:
    assert type(sample).model_validate(sample.model_dump(mode="json")) == sample
    assert type(sample).model_validate_json(sample.model_dump_json()) == sample
    assert sample.replace() == copy.deepcopy(sample) == sample


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_values_are_frozen_and_know_no_other_fields(sample: Value) -> None:
    for field in type(sample).model_fields:
        with pytest.raises(ValueError, match="frozen"):
            setattr(sample, field, None)
    with pytest.raises(ConfigurationError, match="color"):
        type(sample).model_validate({**sample.model_dump(), "color": 3})


def test_every_value_has_a_sample_here() -> None:
    public = {getattr(values, name) for name in values.__all__}
    models = {one for one in public if isinstance(one, type) and issubclass(one, Value) and one is not Value}
    assert models - {type(sample) for sample in SAMPLES} <= {Issue, Location, Event, Link, Message}


@pytest.mark.parametrize("junk", [None, 3, "text", [1], b"x", object()])
@pytest.mark.parametrize("model", sorted({type(sample) for sample in SAMPLES}, key=lambda one: one.__name__))
def test_junk_is_refused(model: type[Value], junk: object) -> None:
    with pytest.raises(ConfigurationError, match=model.__name__):
        model.model_validate(junk)
    with pytest.raises(ConfigurationError):
        model.model_validate_json("{not json")


def test_a_configuration_error_is_a_jido_error_and_a_value_error() -> None:
    with pytest.raises(ConfigurationError) as caught:
        Candidate("text", score=2.0)
    assert isinstance(caught.value, JidoError)
    assert isinstance(caught.value, ValueError)


LIMITED = [
    (Candidate, {"content": "x"}, "score"),
    (Issue, {"message": "x"}, "severity"),
    (CritiqueResult, {}, "severity"),
    (CritiqueResult, {}, "score"),
    (CritiqueResult, {"severity": 0.5}, "confidence"),
    (LoopConfig, {}, "severity_threshold"),
    (LoopConfig, {}, "change_threshold"),
    (MemoryEntry, {"prompt": "x"}, "importance"),
    (Link, {"id": "x", "type": "similar"}, "strength"),
    (Reflection, {"lesson": "x"}, "confidence"),
]


@pytest.mark.parametrize("number", NOT_A_UNIT, ids=lambda number: str(number)[:8])
@pytest.mark.parametrize(("model", "rest", "field"), LIMITED, ids=lambda part: str(getattr(part, "__name__", part)))
def test_a_number_out_of_range_is_refused_naming_the_field_and_the_value(
    model: type[Value], rest: dict[str, Any], field: str, number: Any
) -> None:
    came = str(number)[:8] if not isinstance(number, int) or isinstance(number, bool) else "1"
    for build in (lambda data: model(**data), model.model_validate):
        with pytest.raises(ConfigurationError) as caught:
            build({**rest, field: number})
        assert f"{model.__name__}: {field}: " in str(caught.value)
        assert came in str(caught.value)
        assert len(str(caught.value)) < 2_000


@pytest.mark.parametrize(("number", "limit"), [(1.5, "less than or equal to 1"), (-1, "greater than or equal to 0")])
def test_the_error_names_the_limit(number: float, limit: str) -> None:
    with pytest.raises(ConfigurationError, match=f"Candidate: score: .*{limit}.*got {number}"):
        Candidate("x", score=number)
    with pytest.raises(ConfigurationError, match=f"Candidate: score: .*{limit}.*got {number}"):
        Candidate.model_validate_json(f'{{"content": "x", "score": {number}}}')


def test_an_error_deep_inside_names_the_way_to_it() -> None:
    plain = ITERATION.model_dump(mode="json")
    plain["critique"]["issues"][1]["location"]["line"] = 0
    for read in (Iteration.model_validate, lambda data: Iteration(**data)):
        with pytest.raises(ConfigurationError) as caught:
            read(plain)
        for name in ("critique", "issues", "location", "line", "0"):
            assert name in str(caught.value)


@pytest.mark.rows("H39")
@pytest.mark.parametrize(
    ("field", "junk"),
    [
        ("max_iterations", 0),
        ("max_iterations", 101),
        ("max_iterations", True),
        ("max_iterations", 2.5),
        ("score_threshold", 0.0),
        ("score_threshold", 1.1),
        ("patience", 0),
        ("timeout_s", 0.0),
        ("timeout_s", math.inf),
        ("step_timeout_s", -1.0),
        ("step_retries", -1),
        ("accept", "maybe"),
        ("policy", "clever"),
        ("call_price", -0.1),
        ("budget", 3),
        ("stop_rules", "accepted"),
        ("stop_rules", [3]),
        ("stop_rules", print),
        ("stop_rules", [asyncio.sleep]),
    ],
)
def test_a_loop_config_out_of_range_is_refused(field: str, junk: Any) -> None:
    with pytest.raises(ConfigurationError, match=f"LoopConfig: {field}"):
        LoopConfig(**{field: junk})


@pytest.mark.rows("H39", "M29")
def test_the_defaults_of_a_loop_are_the_documented_ones() -> None:
    assert LoopConfig().model_dump() == {
        "floor": "first",
        "max_iterations": 3,
        "candidates": 1,
        "beam": 1,
        "severity_threshold": 0.3,
        "change_threshold": 0.1,
        "score_threshold": 0.1,
        "patience": 1,
        "budget": None,
        "timeout_s": 300.0,
        "step_timeout_s": 60.0,
        "step_retries": 2,
        "accept": "severity",
        "policy": "documented",
        "call_price": 0.01,
        "stop_rules": None,
    }


def test_dicts_are_copied_in_and_not_shared() -> None:
    inner: dict[str, Any] = {"list": [1]}
    candidate = Candidate("x", metadata=inner)
    inner["list"].append(2)
    inner["new"] = 1
    assert candidate.metadata == {"list": [1]}
    scored = candidate.update_score(0.5)
    scored.metadata["list"].append(3)
    assert candidate.metadata == {"list": [1]}
    assert Candidate("x").metadata is not Candidate("x").metadata


def test_a_dict_that_cannot_be_copied_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="metadata: cannot be copied"):
        Candidate("x", metadata={"lock": threading.Lock()})
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"deeper": deep}
    with pytest.raises(ConfigurationError, match="metadata"):
        Candidate("x", metadata=deep)
    while deep:
        deep = deep.pop("deeper")  # taken apart by hand: letting go of it all at once overflows the stack


def test_positional_arguments_come_in_the_documented_order() -> None:
    assert Candidate("text").content == "text"
    assert Location("a.py", 1, 2, 3, 4) == Location(path="a.py", line=1, column=2, end_line=3, end_column=4)
    assert Issue("bad").message == "bad"
    assert (EPISODE.prompt, EPISODE.candidate) == ("p", CANDIDATE)
    assert Iteration(0, CANDIDATE, CRITIQUE).revised is False
    assert Verdict(StopReason.CYCLE, {"a": 1}, 2).pick == 2
    assert Scope("t", "p") == Scope(tenant="t", project="p")
    assert MemoryEntry("p", "m", "c").correction == "c"
    assert Budget(1, 2, 0.5) == Budget(max_calls=1, max_tokens=2, max_cost_usd=0.5)
    in_order = (5, 0.2, 0.2, 0.2, 2, Budget(1), 9.0, 8.0, 1, "clean", "adaptive", 0.02, ())
    config = LoopConfig(*in_order)
    assert tuple(value for name, value in config if name not in ("candidates", "beam", "floor")) == in_order
    assert Completion("t", "m", Usage(1), "length").finish_reason == "length"
    message = Message("user", "hello")
    assert CompletionRequest((message,), "m", 0.5, 9).max_tokens == 9


def test_too_many_or_doubled_positional_arguments_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="1 positional"):
        Candidate("text", "id")  # type: ignore[misc]
    with pytest.raises(TypeError, match="'content' twice"):
        Candidate("text", content="text")  # type: ignore[misc]
    with pytest.raises(TypeError, match="0 positional"):
        CritiqueResult(0.5)  # type: ignore[misc]


@given(words, words)
def test_replace_checks_like_a_new_one(one: str, other: str) -> None:
    candidate = Candidate(one)
    assert candidate.replace(content=other) == Candidate(other, id=candidate.id, timestamp=candidate.timestamp)
    with pytest.raises(ConfigurationError):
        candidate.replace(score=3.0)


# -- candidates ------------------------------------------------------------------------------------


@pytest.mark.rows("J1")
@given(st.text(), st.none() | units, st.dictionaries(words, st.none() | st.integers() | st.text()))
def test_a_candidate_reads_back_from_its_map(content: str, score: float | None, metadata: dict[str, Any]) -> None:
    candidate = Candidate(content, score=score, metadata=metadata)
    try:
        plain = candidate.to_map()
    except ConfigurationError:
        assert any("\ud800" <= char <= "\udfff" for char in content + repr(metadata))
    else:
        assert Candidate.from_map(plain) == candidate


@pytest.mark.rows("J1")
@pytest.mark.parametrize("junk", [None, 3, "text", [("content", "x")], {}, {"content": 3}, {"content": "x", "y": 1}])
def test_from_map_refuses_junk(junk: Any) -> None:
    with pytest.raises(ConfigurationError):
        Candidate.from_map(junk)


@pytest.mark.rows("J1")
@pytest.mark.parametrize("junk", ["yesterday", "", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00", {}])
def test_an_unreadable_or_naive_timestamp_is_refused(junk: Any) -> None:
    with pytest.raises(ConfigurationError, match="timestamp"):
        Candidate.from_map({**CANDIDATE.to_map(), "timestamp": junk})


def test_metadata_that_is_no_json_is_refused_by_to_map() -> None:
    with pytest.raises(ConfigurationError, match="metadata"):
        Candidate("x", metadata={"thing": object()}).to_map()


@pytest.mark.rows("H4")
def test_ids_are_unique_and_timestamps_aware() -> None:
    ids = {Candidate("x").id for _ in range(1000)}
    assert len(ids) == 1000
    assert all(one.startswith("candidate_") for one in ids)
    assert Candidate("x").timestamp.utcoffset() == UTC.utcoffset(None)


# -- issues ----------------------------------------------------------------------------------------


def test_a_fingerprint_is_of_source_rule_or_kind_path_and_normalised_message() -> None:
    issue = Issue("Name 'x' is 3 times undefined", source="tool:a", rule="F821", location=Location("a.py", 3))
    same = [
        issue.replace(message="name `x` is 17 times  UNDEFINED"),
        issue.replace(message="Name 'x' is 3 times undefined."),
        issue.replace(location=Location("a.py", 99, 4)),
        issue.replace(kind="name", severity=0.9),
    ]
    different = [
        issue.replace(message="Name 'y' is 3 times undefined"),
        issue.replace(source="tool:b"),
        issue.replace(rule="F822"),
        issue.replace(rule=None),
        issue.replace(location=Location("b.py", 3)),
    ]
    assert {one.fingerprint for one in same} == {issue.fingerprint}
    assert issue.fingerprint not in {one.fingerprint for one in different}
    assert Issue("x", rule="style").fingerprint == Issue("x", kind="style").fingerprint


@given(st.text())
def test_every_text_has_a_fingerprint_of_16_digits(message: str) -> None:
    assert len(Issue(message).fingerprint) == 16


def test_a_location_reads_as_editors_link_it() -> None:
    assert str(Location("a.py", 3, 7)) == "a.py:3:7"
    assert str(Location("a.py", column=7)) == "a.py"
    assert str(Location(line=3)) == "<candidate>:3"


# -- critiques -------------------------------------------------------------------------------------


@pytest.mark.rows("J2")
def test_one_of_severity_score_and_reward_is_required() -> None:
    for data in ({}, {"issues": ["x"]}, {"severity": None}):
        with pytest.raises(ConfigurationError, match="one of severity, score and reward"):
            CritiqueResult(**data)


@pytest.mark.rows("C2")
@given(units)
def test_severity_is_1_minus_score_and_half_of_1_minus_reward(number: float) -> None:
    assert CritiqueResult(severity=number).score == pytest.approx(1 - number)
    assert CritiqueResult(score=number).severity == pytest.approx(1 - number)
    rewarded = CritiqueResult(reward=2 * number - 1)
    assert rewarded.severity == pytest.approx(1 - number)
    assert rewarded.score == pytest.approx(number)
    assert CritiqueResult(severity=number).reward is None


@given(units, units, st.floats(-1, 1))
def test_explicit_values_are_kept(severity: float, score: float, reward: float) -> None:
    critique = CritiqueResult(severity=severity, score=score, reward=reward)
    assert (critique.severity, critique.score, critique.reward) == (severity, score, reward)
    assert CritiqueResult(score=score, reward=reward).severity == pytest.approx(1 - score)


@pytest.mark.rows("C15")
@pytest.mark.parametrize("reward", [-1.1, 1.1, math.nan, True, "1", 10**400])
def test_a_reward_out_of_range_is_refused_and_only_the_reward_is_named(reward: Any) -> None:
    with pytest.raises(ConfigurationError, match="reward") as caught:
        CritiqueResult(reward=reward)
    assert isinstance(reward, bool | str) or "severity" not in str(caught.value)


def test_a_plain_text_among_the_issues_becomes_an_issue() -> None:
    assert CritiqueResult(severity=0.5, issues=["bad"]).issues == (Issue("bad"),)
    for field in ("issues", "suggestions"):
        with pytest.raises(ConfigurationError, match="one str"):
            CritiqueResult(severity=0.5, **{field: "bad"})


@pytest.mark.rows("J2")
@pytest.mark.parametrize(
    ("severity", "issues", "actionable"),
    [(0.0, [], False), (0.3, [], False), (0.3 + SLACK / 2, [], False), (0.31, [], True), (0.0, ["x"], True)],
)
def test_actionable_is_derived_from_issues_or_a_severity_above_03(
    severity: float, issues: list[str], actionable: bool
) -> None:
    critique = CritiqueResult(severity=severity, issues=issues)
    assert critique.actionable == actionable
    assert critique.has_issues == bool(issues)
    with pytest.raises(ConfigurationError, match="actionable"):
        CritiqueResult.model_validate({"severity": 0.0, "actionable": True})


@pytest.mark.rows("J3")
@pytest.mark.parametrize(
    ("severity", "level"),
    [
        (0.0, "low"),
        (0.3 - SLACK / 2, "medium"),
        (0.299, "low"),
        (0.3, "medium"),
        (0.699, "medium"),
        (0.7, "high"),
        (1, "high"),
    ],
)
def test_levels_are_low_below_03_medium_below_07_else_high(severity: float, level: str) -> None:
    assert CritiqueResult(severity=severity).severity_level() == level


@pytest.mark.rows("J3")
def test_should_refine_is_strictly_above_the_threshold() -> None:
    critique = CritiqueResult(severity=0.5)
    assert critique.should_refine()
    assert critique.should_refine(0.5 - SLACK * 10)
    assert not critique.should_refine(0.5)
    assert not critique.should_refine(0.5 - SLACK / 2)


@pytest.mark.parametrize("sample", [CANDIDATE, CRITIQUE, Iteration(0, CANDIDATE, CRITIQUE), MemoryEntry("p", "m", "c")])
def test_candidates_critiques_and_entries_may_be_members_of_a_set(sample: Value) -> None:
    same = type(sample).model_validate(sample.model_dump(mode="json"))
    assert len({sample, same, sample.model_copy()}) == 1


@pytest.mark.parametrize("junk", [math.nan, -0.1, 1.1, True, "0.3", None])
def test_should_refine_refuses_a_threshold_that_is_no_number_from_0_to_1(junk: Any) -> None:
    with pytest.raises(ConfigurationError, match="threshold"):
        CritiqueResult(severity=0.5).should_refine(junk)


def test_a_critique_is_merged_with_critiques_only() -> None:
    with pytest.raises(ConfigurationError, match="got None"):
        CritiqueResult(severity=0.5).merge(None)  # pyright: ignore[reportArgumentType]


def test_bytes_are_no_text() -> None:
    junk: Any = b"x"
    with pytest.raises(ConfigurationError, match="content"):
        Candidate(junk)
    with pytest.raises(ConfigurationError, match="message"):
        Issue(junk)


def test_usages_add_up_with_sum() -> None:
    assert sum([Usage(1, 2), Usage(3)]) == Usage(4, 2)
    with pytest.raises(TypeError):
        sum([Usage(1)], 1)  # type: ignore[call-overload]


def test_no_issues_is_the_flawless_critique() -> None:
    flawless = CritiqueResult.no_issues()
    assert (flawless.severity, flawless.score, flawless.issues, flawless.actionable) == (0.0, 1.0, (), False)


def test_add_issue_appends_one_that_is_not_there_yet() -> None:
    critique = CritiqueResult.no_issues().add_issue("one").add_issue(Issue("two")).add_issue("one")
    assert critique.issues == (Issue("one"), Issue("two"))


short = st.lists(st.sampled_from("abc"), max_size=3)
critiques = st.builds(
    lambda **given: CritiqueResult(**given),
    severity=units,
    issues=short,
    suggestions=short,
    feedback=st.none() | st.sampled_from("xyz"),
    metadata=st.dictionaries(st.sampled_from("kl"), st.integers()),
    reward=st.none() | st.floats(-1, 1),
    outcome=st.none() | st.sampled_from(list(Outcome)),
)


@pytest.mark.rows("J2")
@given(critiques, critiques)
def test_merge_joins_without_repeats_and_takes_the_worse(one: CritiqueResult, other: CritiqueResult) -> None:
    merged = one.merge(other)
    assert merged.severity == max(one.severity, other.severity)
    assert merged.score == min(one.score, other.score)
    assert merged.issues == tuple(dict.fromkeys((*one.issues, *other.issues)))
    assert merged.suggestions == tuple(dict.fromkeys((*one.suggestions, *other.suggestions)))
    assert merged.feedback == ("\n".join(text for text in (one.feedback, other.feedback) if text) or None)
    assert merged.metadata == {**one.metadata, **other.metadata}
    assert merged.outcome == other.merge(one).outcome


@given(critiques, critiques, critiques)
def test_merge_is_associative(one: CritiqueResult, two: CritiqueResult, three: CritiqueResult) -> None:
    assert one.merge(two).merge(three) == one.merge(two.merge(three))


def test_issues_are_merged_without_comparing_each_with_each() -> None:
    # With a comparison of each with each this would not end within the minute that a test may take.
    one, other = (CritiqueResult(severity=0.5, issues=[f"{name} {n}" for n in range(30_000)]) for name in "ab")
    assert len(one.merge(other).issues) == 60_000


# -- results, usage, scope -------------------------------------------------------------------------


@given(*[st.builds(Usage, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))] * 2)
def test_usage_adds(one: Usage, other: Usage) -> None:
    total = one + other
    for name in Usage.model_fields:
        assert getattr(total, name) == getattr(one, name) + getattr(other, name)
    with pytest.raises(TypeError):
        _ = one + 3  # type: ignore[operator]


def result(reason: StopReason, **more: Any) -> ReflectionResult:
    return ReflectionResult("r", "p", CANDIDATE, (ITERATION,), (), reason, **more)


def test_converged_is_the_first_seven_reasons_and_a_rule_whatever_is_said() -> None:
    reasons = list(StopReason)
    assert len(reasons) == 15
    for index, reason in enumerate(reasons):
        is_converged = index < 7 or reason is StopReason.RULE
        assert result(reason, converged=not is_converged).converged == is_converged
        assert result(reason).accepted == (reason == "accepted")


def test_the_output_of_a_result_is_the_value_of_the_best_candidate_or_its_text() -> None:
    text = result(StopReason.ACCEPTED)
    assert text.output == CANDIDATE.content
    assert text.replace(best_candidate=CANDIDATE.replace(value=[1])).output == [1]
    assert text.replace(best_candidate=None).output is None


def test_open_issues_are_all_that_is_not_fixed() -> None:
    findings = [Finding(Issue(status), status, 0, 0) for status in ("open", "fixed", "regressed", "disputed")]  # type: ignore[arg-type]
    told = result(StopReason.ACCEPTED).replace(findings=findings)
    assert [issue.message for issue in told.open_issues] == ["open", "regressed", "disputed"]
    assert told.total_iterations == 1


@pytest.mark.rows("R49")
@pytest.mark.parametrize("name", ["", "x" * 256, None, 3])
def test_a_scope_has_names_of_1_to_255_characters(name: Any) -> None:
    assert Scope("x" * 255).tenant == "x" * 255
    for field in ("tenant", "project"):
        with pytest.raises(ConfigurationError, match=field):
            Scope(**{field: name})


@pytest.mark.rows("M15")
def test_a_memory_entry_has_no_more_successes_than_uses() -> None:
    assert MemoryEntry("p", use_count=4, success_count=1).success_rate == 0.25
    assert MemoryEntry("p").success_rate == 0.0
    with pytest.raises(ConfigurationError, match="success_count 2"):
        MemoryEntry("p", use_count=1, success_count=2)


def test_enums_take_their_words_and_nothing_else() -> None:
    assert Event("tool_call").type is EventType.TOOL_CALL
    assert MemoryEntry("p", kind="procedural").kind is MemoryKind.PROCEDURAL
    for build in (lambda: Event("call"), lambda: MemoryEntry("p", kind="dream"), lambda: Verdict("so bored")):  # type: ignore[arg-type]
        with pytest.raises(ConfigurationError):
            build()


@pytest.mark.parametrize("reason", ["accepted", "enough_facts"])
def test_the_evidence_of_a_verdict_is_a_mapping_whatever_its_reason(reason: str) -> None:
    with pytest.raises(ConfigurationError, match="evidence"):
        Verdict(reason, "the facts suffice")  # type: ignore[arg-type]


@pytest.mark.rows("M16", "R3", "R4", "R26")
def test_the_words_of_events_outcomes_and_kinds_are_the_documented_ones() -> None:
    assert " ".join(EventType) == "tool_call tool_response llm_call llm_response user_input system_event error_event"
    assert " ".join(Outcome) == "success failure partial timeout error cancelled unknown"
    assert " ".join(MemoryKind) == "episodic semantic procedural meta feedback"


@pytest.mark.parametrize("kind", [StopReason, Outcome, ErrorClass, EventType, MemoryKind])
def test_a_member_is_read_by_the_word_of_the_contract_as_by_its_name(kind: Any) -> None:
    for member in kind:
        assert getattr(kind, member.value) is kind[member.name] is member
    with pytest.raises(AttributeError, match="has no member 'nonsense'"):
        _ = kind.nonsense


def test_a_member_called_index_is_a_text_with_all_methods_of_one() -> None:
    assert ErrorClass.index is ErrorClass.INDEX
    assert ErrorClass.INDEX.index("d") == 2
    assert StopReason.index("abc", "b") == 1


@pytest.mark.rows("H2")
def test_the_candidate_of_an_episode_may_be_a_text() -> None:
    assert Episode("p", "answer").candidate.content == "answer"
    assert Episode.model_validate({"prompt": "p", "candidate": "answer"}).candidate.content == "answer"


@pytest.mark.parametrize("figure", [float("nan"), float("inf"), "5", True, None])
def test_a_metric_is_a_finite_number(figure: Any) -> None:
    with pytest.raises(ConfigurationError, match="metrics"):
        Episode("p", metrics={"duration_s": figure})
    assert Episode("p", metrics={"calls": 5}).metrics == {"calls": 5.0}


def test_an_episode_takes_any_metadata_that_it_does_not_share() -> None:
    about = {"ticket": 7, "deep": {"list": [1]}}
    episode = Episode("p", metadata=about)
    about["deep"]["list"].append(2)  # type: ignore[index]
    assert episode.metadata == {"ticket": 7, "deep": {"list": [1]}}


@pytest.mark.rows("C49")
def test_a_reflection_needs_a_lesson() -> None:
    with pytest.raises(ConfigurationError, match="blank"):
        Reflection(" ")


# -- enumerations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [StopReason, Outcome, ErrorClass, EventType, MemoryKind])
def test_members_have_the_names_of_their_values_too(kind: type[StrEnum]) -> None:
    for member in kind:
        if member not in ("index", "import"):  # a method of every str; a keyword
            assert getattr(kind, member.value) is member
        assert getattr(kind, member.name) is kind(member.value) is member
    assert len(kind.__members__) == len(list(kind))
    with pytest.raises(AttributeError, match="no member 'nothing'; it has: "):
        getattr(kind, "nothing")  # noqa: B009 - type checkers know that there is none


# -- keywords --------------------------------------------------------------------------------------


@pytest.mark.rows("J14")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How do I parse a Date?", {"i", "parse", "date"}),
        ("The Straße, the STRASSE", {"strasse"}),
        ("is no not", {"no", "not"}),
        ("to be", {"to", "be"}),
        ("snake_case x2", {"snake_case", "x2"}),
        ("?!", set()),
        ("\u00b8 \u0301", set()),  # marks without a letter
        ("one \u00b4 two", {"one", "two"}),
        ("", set()),
    ],
)
def test_keywords_are_folded_words_without_stop_words_unless_there_are_no_others(text: str, found: set[str]) -> None:
    assert extract_keywords(text) == found


@pytest.mark.rows("J14")
@given(
    st.one_of(
        st.text(st.characters(max_codepoint=0xFF, exclude_characters="+#", exclude_categories=["Cf"])),
        st.text(st.characters(max_codepoint=127, exclude_characters="+#")),
        st.text(st.sampled_from("the \n\x1f\x85A_é9ß¸")),
    )
)
@settings(max_examples=300, deadline=None)
def test_words_are_read_as_a_regular_expression_reads_them(text: str) -> None:
    words = frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", text.casefold())))
    assert extract_keywords(text) == (words - values.STOP_WORDS or words)


@pytest.mark.parametrize("text", [None, 3, b"words", ["words"]])
def test_extract_keywords_refuses_anything_but_text(text: Any) -> None:
    with pytest.raises(ConfigurationError, match="text must be a str"):
        extract_keywords(text)


@pytest.mark.rows("H1", "H4", "H63")
@pytest.mark.parametrize(
    ("kind", "prefix"), [(Candidate, "candidate_"), (Episode, "episode_"), (MemoryEntry, "memory_")]
)
def test_an_empty_id_is_filled_in(kind: type[Candidate | Episode | MemoryEntry], prefix: str) -> None:
    one, other = kind("text", id=""), kind("text", id="")
    assert one.id.startswith(prefix)
    assert one.id != other.id


@pytest.mark.rows("J14")
def test_there_are_91_stop_words() -> None:
    assert len(values.STOP_WORDS) == 91


def test_values_share_the_names_of_what_was_given_and_a_copy_with_changes_has_its_own() -> None:
    given: dict[str, Any] = {"severity": 0.5, "issues": ("a",), "suggestions": ("b",), "feedback": "c", "source": "d"}
    one, other = CritiqueResult(**given), CritiqueResult(**given)
    assert one.model_fields_set is other.model_fields_set
    changed = one.model_copy(update={"metadata": {"e": 1}})
    assert changed.model_fields_set - other.model_fields_set == {"metadata"}
    assert CritiqueResult(**given).model_fields_set == {*given, "score"}


class _Loose(Value):
    model_config = ConfigDict(extra="allow")
    a: int = 1
    _hidden: list[int] = PrivateAttr(default_factory=list)


class _Looser(Value):
    model_config = ConfigDict(extra="allow")
    a: int = 1


@pytest.mark.parametrize("sample", [*SAMPLES, _Loose(a=2, **{"b": [3]}), _Looser(a=2, **{"b": [3]})], ids=named)
@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("update", [None, {}, {"unknown": [1]}])
def test_a_copy_is_the_one_that_pydantic_would_make(sample: Value, update: dict[str, Any] | None, deep: bool) -> None:
    given = set(sample.model_fields_set)
    ours, theirs = sample.model_copy(update=update, deep=deep), BaseModel.model_copy(sample, update=update, deep=deep)
    assert ours.__dict__ == theirs.__dict__
    assert ours.model_fields_set == theirs.model_fields_set
    assert ours.model_extra == theirs.model_extra
    assert ours.__pydantic_private__ == theirs.__pydantic_private__
    assert sample.model_fields_set == given
    if not deep:
        assert all(value is sample.__dict__[name] for name, value in ours.__dict__.items() if name != "unknown")


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (Usage(), "0 calls, 0 tokens in, 0 out, $0.0000"),
        (Usage(1, 1200, 5, 0.01), "1 call, 1,200 tokens in, 5 out, $0.0100"),
        (Usage(2, 1, 1, unpriced_calls=1), "2 calls, 1 tokens in, 1 out, price unknown"),
        (Usage(2, 1, 1, unpriced_calls=2), "2 calls, 1 tokens in, 1 out, price unknown"),
        (Usage(2, 1, 1, 0.5, unpriced_calls=1), "2 calls, 1 tokens in, 1 out, $0.5000 and 1 call of unknown price"),
        (Usage(1, 1, 1, 0.00002), "1 call, 1 tokens in, 1 out, less than $0.0001"),
    ],
)
def test_a_usage_says_in_words_what_a_run_took_and_that_a_price_is_unknown(usage: Usage, words: str) -> None:
    assert str(usage) == words
