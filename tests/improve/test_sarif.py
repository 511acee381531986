"""What is left, for code review tools."""

from __future__ import annotations

import json
import random

from hypothesis import given, settings
from hypothesis.strategies import floats, integers, none, text
from jsonschema import validate

from jido_ai.improve.sarif import sarif_log
from jido_ai.values import Issue, Location

# what SARIF 2.1.0 demands of the parts that are written
REGION = {
    "type": "object",
    "properties": {
        name: {"type": "integer", "minimum": 1} for name in ("startLine", "startColumn", "endLine", "endColumn")
    },
    "additionalProperties": False,
}
RESULT = {
    "type": "object",
    "required": ["message", "ruleId", "ruleIndex", "level"],
    "properties": {
        "message": {"type": "object", "required": ["text"]},
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "locations": {
            "items": {
                "properties": {
                    "physicalLocation": {
                        "required": ["artifactLocation"],
                        "properties": {
                            "artifactLocation": {"properties": {"uri": {"type": "string", "pattern": "^[!-~]*$"}}},
                            "region": REGION,
                        },
                    }
                }
            }
        },
    },
}
SCHEMA = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "required": ["tool"],
                "properties": {
                    "tool": {"required": ["driver"], "properties": {"driver": {"required": ["name"]}}},
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"items": RESULT},
                },
            },
        },
    },
}
FOUND = [
    ("b.py", Issue("two", rule="F401", severity=0.4, source="tool:ruff", location=Location("b.py", 3, 1, 3, 9))),
    ("b.py", Issue("two", rule="F401", severity=0.4, source="tool:ruff", location=Location("b.py", 9, 1))),
    ("a ü#;.py", Issue("one", kind="syntax", severity=1.0, location=Location(None, 1))),
    ("a ü#;.py", Issue("three", severity=0.2)),
]


def test_the_log_has_levels_rules_places_and_encoded_paths() -> None:
    log = sarif_log(FOUND, version="1.2")
    validate(log, SCHEMA)
    (run,) = log["runs"]
    assert [one["id"] for one in run["tool"]["driver"]["rules"]] == ["F401", "finding", "syntax"]
    told = [(one["ruleId"], one["level"], one["message"]["text"]) for one in run["results"]]
    assert told == [
        ("finding", "note", "three"),
        ("syntax", "error", "one"),
        ("F401", "warning", "two"),
        ("F401", "warning", "two"),
    ]
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a%20%C3%BC%23%3B.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 1}
    region = run["results"][2]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 9}
    assert "region" not in run["results"][0]["locations"][0]["physicalLocation"]


def test_equal_findings_have_fingerprints_of_their_own() -> None:
    prints = [
        one["partialFingerprints"]["jidoFinding/v1"] for one in sarif_log(FOUND, version="1")["runs"][0]["results"]
    ]
    assert len(set(prints)) == len(prints)


def test_the_same_findings_in_any_order_make_the_same_log() -> None:
    shuffled = list(FOUND)
    random.Random(1).shuffle(shuffled)
    assert json.dumps(sarif_log(shuffled, version="1")) == json.dumps(sarif_log(FOUND, version="1"))


def test_the_log_of_no_findings_has_no_results() -> None:
    log = sarif_log([], version="1")
    validate(log, SCHEMA)
    assert log["runs"][0]["results"] == []


@settings(max_examples=50)
@given(text(min_size=1), text(), none() | floats(0, 1), none() | integers(1, 10**6))
def test_any_finding_makes_a_valid_log(path: str, message: str, severity: float | None, line: int | None) -> None:
    issue = Issue(message or "x", severity=severity, location=Location(None, line))
    log = sarif_log([(path, issue)], version="1")
    validate(log, SCHEMA)
    assert len(log["runs"][0]["results"]) == 1
