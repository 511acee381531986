"""Remaining findings as SARIF 2.1.0, which code review tools read. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import quote

from jido_ai.values import Issue

__all__ = ["sarif_log"]

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(found: Iterable[tuple[str, Issue]], *, version: str) -> dict[str, Any]:
    """Return a log of one run, the same for the same findings in any order.

    A severity of 0.7 or more is the level "error", of 0.4 or more "warning", below "note". Columns count characters.
    Paths become relative references, percent-encoded, below "%SRCROOT%".

    Args:
        found: issues, each with the path of its file: relative, with "/" between its parts.
        version: of this package.

    Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 3.13 to 3.30.
    """
    issues = sorted(found, key=_order)
    rules = sorted({_rule(issue) for _, issue in issues})
    driver = {
        "name": "jido",
        "version": version,
        "rules": [{"id": rule, "name": rule} for rule in rules],
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": _results(issues, rules),
            }
        ],
    }


def _results(issues: Sequence[tuple[str, Issue]], rules: Sequence[str]) -> list[dict[str, Any]]:
    seen: dict[tuple[str, str], int] = {}
    results: list[dict[str, Any]] = []
    for path, issue in issues:
        known = (path, issue.fingerprint)
        seen[known] = seen.get(known, 0) + 1
        properties = {"source": issue.source, "kind": issue.kind, "severity": issue.severity}
        results.append(
            {
                "ruleId": _rule(issue),
                "ruleIndex": rules.index(_rule(issue)),
                "level": _level(issue.severity),
                "message": {"text": issue.message or _rule(issue)},
                "locations": [{"physicalLocation": _location(path, issue)}],
                "partialFingerprints": {"jidoFinding/v1": f"{issue.fingerprint}:{seen[known]}"},
                "properties": {name: value for name, value in properties.items() if value is not None},
            }
        )
    return results


def _order(one: tuple[str, Issue]) -> tuple[str, int, int, str, str]:
    path, issue = one
    place = issue.location
    return path, place.line or 0 if place else 0, place.column or 0 if place else 0, _rule(issue), issue.message


def _rule(issue: Issue) -> str:
    return issue.rule or issue.kind or "finding"


def _level(severity: float | None) -> str:
    return "warning" if severity is None or 0.4 <= severity < 0.7 else "error" if severity >= 0.7 else "note"


def _location(path: str, issue: Issue) -> dict[str, Any]:
    uri = quote(path.encode("utf-8", "surrogateescape"), safe="/")
    # a first part with a colon would read as a scheme; quote() has encoded it
    found: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}}
    place = issue.location
    if place is not None and place.line is not None:
        numbers = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
        found["region"] = {name: number for name, number in numbers.items() if number is not None}
    return found
