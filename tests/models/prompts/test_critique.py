"""What a model is asked when it judges, and how its answer is read."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from jido_ai.errors import ConfigurationError, ParseError
from jido_ai.models.prompts.critique import (
    CHECKLIST_SCHEMA,
    CRITIQUE_SCHEMA,
    DOMAINS,
    CritiquePrompt,
    read_checklist,
    read_critique,
)
from jido_ai.values import Candidate, CritiqueResult, Location

CANDIDATE = Candidate("def mean(values):\n    total = sum(values)\n    return total / len(values)\n")


def critique(reply: dict[str, Any]) -> CritiqueResult:
    return read_critique(json.dumps(reply), CANDIDATE, "model:m")


def checklist(*verdicts: dict[str, Any], **weights: float) -> CritiqueResult:
    reply = {"verdicts": verdicts, "suggestions": ["s"], "feedback": "f"}
    return read_checklist(json.dumps(reply), CANDIDATE, "model:m", weights or {"short": 1.0, "true": 1.0})


@pytest.mark.rows("J4")
def test_a_critique_has_issues_suggestions_severity_and_feedback() -> None:
    issue = {"message": "fails for []", "severity": 0.8, "kind": "Logic", "line": 3, "quote": "len(values)"}
    told = critique({"issues": [issue, "no docstring"], "suggestions": ["guard"], "feedback": "no", "severity": 0.7})
    assert (told.severity, told.score, told.suggestions, told.feedback) == (
        0.7,
        pytest.approx(0.3),
        ("guard",),
        "no",
    )
    first, second = told.issues
    assert (first.message, first.severity, first.kind, first.source) == ("fails for []", 0.8, "logic", "model:m")
    assert first.location == Location(line=3)
    assert (second.message, second.severity, second.location) == ("no docstring", None, None)
    assert "warnings" not in told.metadata


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ({"line": 2}, 2),
        ({"line": "2"}, 2),
        ({"location": {"line": 2}}, 2),
        ({"location": 2}, 2),
        ({"location": "line 2, at the end"}, 2),
        ({"location": "the end"}, None),
        ({"line": 9}, None),
        ({"line": 0}, None),
        ({"line": 1, "quote": "return total"}, 3),
        ({"line": 9, "quote": "return total"}, 3),
        ({"quote": "sum(values)"}, 2),
        ({"quote": "values"}, None),
        ({"line": 2, "quote": "..."}, 2),
        ({"line": None, "quote": ""}, None),
    ],
)
def test_a_place_is_used_only_if_the_candidate_has_it(place: dict[str, Any], line: int | None) -> None:
    told = critique({"issues": [{"message": "x", **place}], "severity": 0.5, "feedback": ""})
    assert told.issues[0].location == (None if line is None else Location(line=line))
    if line is None and place.get("line") is not None:
        assert any("line" in warning for warning in told.metadata["warnings"])


def test_lines_are_counted_as_tools_and_editors_count_them() -> None:
    reply = json.dumps({"issues": [{"message": "x", "quote": "y = 2"}], "severity": 0.5, "feedback": ""})
    told = read_critique(reply, Candidate("x = 1\n\x0c\ny = 2\n"), "m")
    assert told.issues[0].location == Location(line=3)


def test_an_issue_may_be_called_a_problem_or_a_description() -> None:
    told = critique({"issues": [{"description": "a"}, {"problem": "b"}, {"issue": "c"}], "severity": 0.5})
    assert [issue.message for issue in told.issues] == ["a", "b", "c"]


def test_a_severity_is_never_made_up() -> None:
    for reply in ({"issues": ["bad"]}, {"issues": [], "severity": None}, {"issues": [], "severity": "NaN"}):
        with pytest.raises(ParseError, match="severity"):
            critique(reply)


@pytest.mark.rows("C2")
@pytest.mark.parametrize(
    ("said", "severity", "reward"),
    [
        ({"reward": -0.5}, 0.75, -0.5),
        ({"reward": 1}, 0.0, 1.0),
        ({"score": 0.25}, 0.75, None),
        ({"reward": 0.0, "score": 1.0}, 0.5, 0.0),
        ({"severity": 0.1, "reward": -1.0}, 0.1, None),
    ],
)
def test_a_reward_or_a_score_sets_the_severity(said: dict[str, Any], severity: float, reward: float | None) -> None:
    told = critique({"reasoning": "because", **said})
    assert (told.severity, told.score, told.reward) == (severity, 1.0 - severity, reward)
    assert told.feedback == "because"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"severity": 2}, r"severity: must be a number from 0 \(flawless\) to 1 \(unusable\), got 2"),
        ({"severity": "2/10"}, r"severity: .* got '2/10'"),
        ({"severity": "low"}, r"severity: .* got 'low'"),
        ({"severity": "90%"}, r"severity: .* got '90%'"),
        ({"severity": -0.1, "score": 0.9}, r"severity: .* got -0.1"),
        ({"score": 90}, r"score: must be a number from 0 \(unusable\) to 1 \(flawless\), got 90; or give severity"),
        ({"score": "8/10"}, r"score: .* got '8/10'"),
        ({"score": "good"}, r"score: .* got 'good'"),
        ({"score": True}, r"score: .* got True"),
        ({"reward": -3}, r"reward: must be a number from -1 \(unusable\) to 1 \(flawless\), got -3"),
        ({"reward": None}, "severity: Field required"),
        ({"severity": 0.5, "issues": [{"message": "x", "severity": 3}]}, r"issues.0.severity: .* got 3"),
    ],
)
def test_a_verdict_on_another_scale_is_unreadable_and_the_error_explains_the_range(
    said: dict[str, Any], why: str
) -> None:
    with pytest.raises(ParseError, match=why):
        critique({"reasoning": "because", **said})


def test_a_number_in_a_text_and_a_rounding_error_are_read() -> None:
    assert critique({"severity": "0.25"}).severity == 0.25
    assert critique({"score": "0.25", "feedback": ""}).severity == 0.75
    assert critique({"severity": 1.0000001}).severity == 1.0
    assert critique({"severity": -1e-9}).severity == 0.0


def test_the_severity_of_one_issue_is_not_taken_for_the_whole() -> None:
    with pytest.raises(ParseError, match="issues: missing"):
        read_critique('[{"message": "typo", "severity": 0.1}]', CANDIDATE, "m")


def test_a_severity_by_itself_is_a_critique_that_names_no_issue() -> None:
    told = critique({"severity": 0.2})
    assert (told.severity, told.issues) == (0.2, ())


# -- quotes ----------------------------------------------------------------------------------------


@pytest.mark.rows("J4")
def test_a_finding_whose_quote_is_not_in_the_candidate_is_dropped_and_recorded() -> None:
    reply = '{"issues":[{"message":"x","severity":0.5,"quote":"is 384,400 km"}],"suggestions":["y"],"severity":0.5}'
    told = read_critique(reply, Candidate("Paris."), "m")
    assert told.issues == told.suggestions == ()
    assert told.metadata["dropped"] == [{"message": "x", "severity": 0.5, "kind": None, "quote": "is 384,400 km"}]
    assert told.metadata["dropped_suggestions"] == ["y"]
    json.dumps(told.metadata)


@pytest.mark.parametrize(
    ("quote", "candidate"),
    [
        ("return  total /\n  len(values)", CANDIDATE.content),
        ("RETURN TOTAL", CANDIDATE.content),
        ("'return total'", CANDIDATE.content),
        ("\u201creturn total \u2026\u201d", CANDIDATE.content),
        ("...total / len...", CANDIDATE.content),
        ("def mean ... len(values)", CANDIDATE.content),
        ("2 |     total = sum(values)\n3 |     return total", CANDIDATE.content),
        ("sum( values )", CANDIDATE.content),
        ("it's", "He says it\u2019s late."),
        ("print('a\\n')\nx", "print('a\\n')\nx = 1\n"),
        ("N/A", CANDIDATE.content),
        ("missing", CANDIDATE.content),
        ("(Missing)", CANDIDATE.content),
        ("(none)", CANDIDATE.content),
        ("3: return total", CANDIDATE.content),
        ("3| return total", CANDIDATE.content),
        ("line 3: return total", CANDIDATE.content),
        ("Line 2: total = sum(values)\nLine 3: return total", CANDIDATE.content),
        (["return total"], CANDIDATE.content),
        (["return total", "no such words"], CANDIDATE.content),
        ([], CANDIDATE.content),
        ([None], CANDIDATE.content),
        ("...", CANDIDATE.content),
        ("", CANDIDATE.content),
        (None, CANDIDATE.content),
    ],
)
def test_a_quote_is_found_regardless_of_blanks_marks_and_case(
    quote: str | list[str | None] | None, candidate: str
) -> None:
    reply = {"issues": [{"message": "x", "quote": quote}], "severity": 0.5, "feedback": ""}
    told = read_critique(json.dumps(reply), Candidate(candidate), "m")
    assert len(told.issues) == 1
    assert "dropped" not in told.metadata


@pytest.mark.parametrize("quote", ["2 | x = 1", "2: x = 1", "2| x = 1", "line 2: x = 1", ["2: x = 1"]])
@pytest.mark.parametrize("content", ["x = 1\nx = 1\n", "y = 1\nx = 1\n"])
def test_the_number_before_a_quoted_line_is_its_place(quote: str | list[str], content: str) -> None:
    reply = {"issues": [{"message": "m", "quote": quote}], "severity": 0.5}
    (issue,) = read_critique(json.dumps(reply), Candidate(content), "m").issues
    assert issue.location is not None and issue.location.line == 2


def test_a_number_that_the_line_itself_has_is_no_place() -> None:
    reply = {"issues": [{"message": "m", "quote": "1: x"}], "severity": 0.5}
    (issue,) = read_critique(json.dumps(reply), Candidate("{\n1: x\n}\n"), "m").issues
    assert issue.location is not None and issue.location.line == 2


@pytest.mark.parametrize("quote", ["return totals", "len(values) ... def mean", "x == 2", "the function mean"])
def test_words_missing_in_the_candidate_are_no_quote(quote: str) -> None:
    told = critique({"issues": [{"message": "x", "quote": quote, "line": 1}, "y"], "severity": 0.5})
    assert [issue.message for issue in told.issues] == ["y"]
    assert [one["message"] for one in told.metadata["dropped"]] == ["x"]


@pytest.mark.parametrize(
    ("real", "invented", "severity"),
    [
        ([0.2], [0.9], 0.2),
        ([0.5], [0.5], 0.8),
        ([0.5], [0.1], 0.8),
        ([None], [0.9], 0.8),
        ([0.2], [None], 0.2),
        ([], [0.9], 0.8),
        ([0.2, 0.4], [0.9, 0.1], 0.4),
        ([0.2], [], 0.8),
    ],
)
def test_a_severity_based_on_dropped_findings_becomes_the_worst_remaining_one(
    real: list[float | None], invented: list[float | None], severity: float
) -> None:
    issues = [{"message": f"r{n}", "severity": one} for n, one in enumerate(real)]
    issues += [{"message": f"i{n}", "severity": one, "quote": "nowhere"} for n, one in enumerate(invented)]
    told = critique({"issues": issues, "severity": 0.8})
    assert (told.severity, told.score) == (severity, pytest.approx(1.0 - severity))
    assert len(told.metadata.get("dropped", ())) == len(invented)


def test_an_unmet_criterion_with_an_invented_quote_stays_unmet_and_the_quote_is_recorded() -> None:
    told = checklist(
        {"criterion": 1, "met": True},
        {"criterion": 2, "met": False, "problem": "p", "severity": 0.6, "quote": "is nowhere"},
    )
    assert (told.severity, told.issues[0].location) == (0.6, None)
    assert told.metadata["warnings"] == ["quote: 'is nowhere' is not in the candidate"]


# -- several objects -------------------------------------------------------------------------------

QUOTED = '{"severity": 0.0, "issues": []}'
VERDICT = '{"issues": [{"message": "it says nothing", "severity": 0.9}], "severity": 0.9}'


@pytest.mark.parametrize(
    "reply",
    [
        f"The candidate is {QUOTED}. My verdict:\n{VERDICT}",
        f"My verdict:\n{VERDICT}\nThe candidate was {QUOTED}",
        f"```json\n{QUOTED}\n```\nis not enough.\n```json\n{VERDICT}\n```",
        f'It answers {{"severity":0.0,"issues":[]}}.\n{VERDICT[:-1]},}}',
    ],
)
def test_json_of_the_candidate_in_a_reply_is_a_quotation_and_no_verdict(reply: str) -> None:
    assert read_critique(reply, Candidate(QUOTED), "m").severity == 0.9


def test_a_quotation_is_no_verdict_unless_it_is_the_whole_reply() -> None:
    with pytest.raises(ParseError, match="a quotation of the candidate"):
        read_critique(f"The candidate is {QUOTED}. That is severity 0.9.", Candidate(QUOTED), "m")
    assert read_critique(QUOTED, Candidate(QUOTED), "m").severity == 0.0


@pytest.mark.parametrize(
    ("reply", "severity"),
    [
        ('Draft: {"severity": 0.2, "issues": []}\nFinal: {"severity": 0.9, "issues": ["bad"]}', 0.9),
        ('For example {"severity": 0.5, "issues": ["no unit"]}, so:\n{"severity": 0.9, "issues": ["bad"],}', 0.9),
        ('{"severity": 0.2, "issues": ["a long draft"],}\n{"severity": 0.9, "issues": ["bad"]}', 0.9),
        ('{"severity": 0.9, "issues": ["bad"]}\nHere {x} is a name, and {"name": "x"} an object.', 0.9),
    ],
)
def test_the_last_of_several_verdicts_counts(reply: str, severity: float) -> None:
    assert read_critique(reply, CANDIDATE, "m").severity == severity


def test_a_draft_is_not_taken_for_a_last_verdict_that_cannot_be_read() -> None:
    with pytest.raises(ParseError, match="severity: must be a number from 0"):
        read_critique('{"severity": 0.2, "issues": []} no: {"severity": 9, "issues": ["bad"]}', CANDIDATE, "m")
    with pytest.raises(ParseError, match="occurs twice"):
        read_critique(
            '{"severity": 0.2, "issues": []} {"severity": 0.1, "severity": 0.9, "issues": []}', CANDIDATE, "m"
        )


def test_the_last_of_several_checklists_counts_too() -> None:
    draft = {"verdicts": [{"criterion": 1, "met": True}]}
    last = {"verdicts": [{"criterion": 1, "met": False, "severity": 0.7}]}
    told = read_checklist(f"{json.dumps(draft)}\n{json.dumps(last)}", CANDIDATE, "m", {"short": 1.0})
    assert told.severity == 0.7


def test_issues_above_the_limit_are_omitted_and_counted() -> None:
    told = critique({"issues": [f"issue {number}" for number in range(130)], "severity": 0.5})
    assert len(told.issues) == 100
    assert told.metadata["warnings"] == ["issues: 30 of 130 were left out"]


# -- checklists ------------------------------------------------------------------------------------


@pytest.mark.rows("M4", "R54")
def test_every_criterion_that_is_not_met_is_an_issue_and_all_have_a_score() -> None:
    told = checklist(
        {"criterion": 2, "met": False, "problem": "sum is wrong", "severity": 0.6, "line": 2, "kind": "fact"},
        {"criterion": 1, "met": True, "severity": 0.0},
    )
    assert told.criterion_scores == {"short": 1.0, "true": 0.4}
    (issue,) = told.issues
    assert (issue.message, issue.severity, issue.rule, issue.location) == (
        "sum is wrong",
        0.6,
        "criterion 2",
        Location(line=2),
    )
    assert (told.severity, told.score, told.feedback) == (0.6, 0.7, "f")


@pytest.mark.rows("M24")
def test_weights_count_in_the_score() -> None:
    failed = {"criterion": 1, "met": False, "severity": 1.0}
    told = checklist(failed, {"criterion": 2, "met": True}, short=3.0, true=1.0)
    assert (told.score, told.severity) == (0.25, 1.0)
    assert told.issues[0].message == "not met: short"


@pytest.mark.parametrize(
    ("verdicts", "why"),
    [
        ([{"criterion": 1, "met": True}], "criterion 2 has no verdict"),
        ([{"criterion": 1, "met": True}, {"criterion": 3, "met": True}], "no criterion 3"),
        (
            [
                {"criterion": 1, "met": True},
                {"criterion": 1, "met": False, "severity": 1},
                {"criterion": 2, "met": True},
            ],
            "two different verdicts",
        ),
        (
            [{"criterion": 1, "met": True}, {"criterion": 2, "met": False}],
            "a criterion that is not met needs a severity",
        ),
        ([{"criterion": 1}, {"criterion": 2, "met": True}], "met: Field required"),
    ],
)
def test_each_criterion_has_one_verdict_and_none_is_made_up(verdicts: list[dict[str, Any]], why: str) -> None:
    with pytest.raises(ParseError, match=why):
        checklist(*verdicts)


# -- the request -----------------------------------------------------------------------------------


@pytest.mark.rows("J4")
def test_a_known_domain_adds_guidance_and_an_unknown_one_nothing() -> None:
    def asked(domain: str | None) -> str:
        return CritiquePrompt.of(domain=domain).messages("p", "c", ())[1].content

    for domain in ("math", "code", "writing", "reasoning"):
        assert DOMAINS[domain] in asked(domain)
    assert asked("gardening") == asked(None)


def test_a_custom_system_text_keeps_the_format_of_the_reply() -> None:
    system, user = CritiquePrompt.of(system="Be terse.", domain="code").messages("p", "c", ())
    assert system.content.startswith("Be terse. ") and "You judge" not in system.content
    assert "Reply with JSON: issues" in user.content and DOMAINS["code"] not in user.content


def test_the_task_comes_first_and_no_example_is_shown() -> None:
    _, user = CritiquePrompt.of().messages("How far is the moon?", "far", ())
    assert user.content.startswith("How far is the moon?\n\n")
    assert "384" not in user.content and "{" not in user.content


def test_a_template_must_show_the_candidate_and_the_criteria() -> None:
    with pytest.raises(ConfigurationError, match=r"must show .candidate"):
        CritiquePrompt.of(template="$prompt")
    with pytest.raises(ConfigurationError, match=r"must show .criteria"):
        CritiquePrompt.of(criteria=("a",), template="$candidate")
    with pytest.raises(ConfigurationError, match="unknown"):
        CritiquePrompt.of(template="$candidate $criteria")
    with pytest.raises(ConfigurationError, match="max_chars"):
        CritiquePrompt.of(max_chars=0)


def test_every_reply_allowed_by_a_schema_can_be_read() -> None:
    issue = {"message": "m", "severity": 0.5, "kind": "logic", "line": None, "quote": ""}
    free = {"issues": [issue], "suggestions": [], "feedback": "", "severity": 0.5}
    jsonschema.validate(free, CRITIQUE_SCHEMA)
    assert critique(free).severity == 0.5
    verdict = {"criterion": 1, "met": False, "problem": "p", "severity": 0.5, "kind": "", "line": 1, "quote": ""}
    listed = {"verdicts": [verdict], "suggestions": [], "feedback": ""}
    jsonschema.validate(listed, CHECKLIST_SCHEMA)
    assert read_checklist(json.dumps(listed), CANDIDATE, "m", {"a": 1.0}).severity == 0.5


# -- forms of judges ---------------------------------------------------------------------------------

_FINE = {"severity": 0.0, "issues": [], "suggestions": []}
_BAD = {"severity": 0.9, "issues": [{"message": "the sum is wrong"}], "suggestions": []}


@pytest.mark.parametrize("reply", [json.dumps([_BAD, _FINE]), f"```json\n{json.dumps([_FINE, _BAD, _FINE])}\n```"])
def test_the_worst_of_several_verdicts_in_an_array_counts(reply: str) -> None:
    critique = read_critique(reply, Candidate("5"), "m")
    assert (critique.severity, [issue.message for issue in critique.issues]) == (0.9, ["the sum is wrong"])
    with pytest.raises(ParseError):  # a quotation is no verdict
        read_critique(reply, Candidate(f"It said {reply} here."), "m")


@pytest.mark.parametrize(
    "reply",
    [
        {"reasoning": "all but the sum", "verdict": _BAD},
        {"reasoning": {"steps": 2}, "verdict": _BAD},
        {name.capitalize(): value for name, value in _BAD.items()},
        {"thinking": "hm", "Verdict": {name.upper(): value for name, value in _BAD.items()}},
        {**_BAD, "issues": "the sum is wrong"},
        {**_BAD, "issues": {"message": "the sum is wrong"}},
    ],
)
def test_a_verdict_beside_reasoning_or_with_capital_keys_or_one_issue_is_read(reply: dict[str, object]) -> None:
    critique = read_critique(json.dumps(reply), Candidate("5"), "m")
    assert (critique.severity, [issue.message for issue in critique.issues]) == (0.9, ["the sum is wrong"])
