"""Remaining findings as SARIF 2.1.0, which code review tools read. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from jido_ai.revisers.edit_policy import RULES
from jido_ai.tools.reports.linters import RuffFix
from jido_ai.values import Issue

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(
    found: Iterable[tuple[str, Issue]],
    *,
    version: str,
    reasons: Mapping[tuple[str, Issue], str] | None = None,
    fixes: Mapping[tuple[str, Issue], RuffFix] | None = None,
    about: Mapping[str, str] | None = None,
    root: str | None = None,
) -> dict[str, Any]:
    """Return a log of one run, the same for the same findings in any order.

    A severity of 0.7 or more is the level "error", of 0.4 or more "warning", below "note". Columns count characters.
    Paths become relative references, percent-encoded, below "%SRCROOT%".

    Args:
        found: issues, each with the path of its file: relative, with "/" between its parts.
        version: of this package.
        reasons: why a finding was not fixed.
        fixes: edits that would fix a finding, by the places of the file that the finding is in.
        about: addresses of the documentation of rules, by rule.
        root: file URI of the directory that the paths are relative to, with "/" at its end.

    Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 3.13 to 3.55.
    """
    issues = sorted(found, key=_order)
    messages: dict[str, str] = {}
    for _, issue in issues:
        messages.setdefault(_rule(issue), issue.message or _rule(issue))
    rules = sorted(messages)
    base: dict[str, Any] = {"description": {"text": "The root of the repository, or the working directory."}}
    if root is not None:
        base["uri"] = root
    driver = {
        "name": "jido",
        "version": version,
        "rules": [_described(rule, messages[rule], (about or {}).get(rule)) for rule in rules],
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "originalUriBaseIds": {"%SRCROOT%": base},
                "columnKind": "unicodeCodePoints",
                "results": _results(issues, rules, reasons or {}, fixes or {}),
            }
        ],
    }


def _described(rule: str, message: str, about: str | None) -> dict[str, Any]:
    known = max((one for one in RULES if rule.startswith(one.code)), key=lambda one: len(one.code), default=None)
    finds = message if known is None else f"{known.finds[:1].upper()}{known.finds[1:]}."
    held = f" The fix is held back unless --unsafe-fixes is given: {known.why}." if known and known.why else ""
    link = {} if about is None else {"helpUri": about}
    return {
        "id": rule,
        "name": rule,
        "shortDescription": {"text": finds},
        "help": {"text": f"{finds}{held}" + (f" See {about}" if about else "")},
        **link,
    }


def _results(
    issues: Sequence[tuple[str, Issue]],
    rules: Sequence[str],
    reasons: Mapping[tuple[str, Issue], str],
    fixes: Mapping[tuple[str, Issue], RuffFix],
) -> list[dict[str, Any]]:
    seen: dict[tuple[str, str], int] = {}
    results: list[dict[str, Any]] = []
    places = {rule: place for place, rule in enumerate(rules)}
    for path, issue in issues:
        known = (path, issue.fingerprint)
        seen[known] = seen.get(known, 0) + 1
        why, fix = reasons.get((path, issue)), fixes.get((path, issue))
        properties = {"source": issue.source, "kind": issue.kind, "severity": issue.severity, "reason": why}
        message = issue.message or _rule(issue)
        result = {
            "ruleId": _rule(issue),
            "ruleIndex": places[_rule(issue)],
            "level": _level(issue.severity),
            "message": {"text": message if why is None else f"{message} (not fixed: {why})"},
            "locations": [{"physicalLocation": _location(path, issue)}],
            "partialFingerprints": {"jidoFinding/v1": f"{issue.fingerprint}:{seen[known]}"},
            "properties": {name: value for name, value in properties.items() if value is not None},
        }
        if fix is not None and fix.edits:
            result["fixes"] = [_fix(path, fix)]
        results.append(result)
    return results


def _fix(path: str, fix: RuffFix) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit.location.row,
                "startColumn": edit.location.column,
                "endLine": edit.end_location.row,
                "endColumn": edit.end_location.column,
            },
            "insertedContent": {"text": edit.content or ""},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(path), "replacements": replacements}
    return {"description": {"text": fix.message or "Fix"}, "artifactChanges": [change]}


def _order(one: tuple[str, Issue]) -> tuple[str, int, int, str, str]:
    path, issue = one
    place = issue.location
    return path, place.line or 0 if place else 0, place.column or 0 if place else 0, _rule(issue), issue.message


def _rule(issue: Issue) -> str:
    return issue.rule or issue.kind or "finding"


def _level(severity: float | None) -> str:
    return "warning" if severity is None or 0.4 <= severity < 0.7 else "error" if severity >= 0.7 else "note"


def _location(path: str, issue: Issue) -> dict[str, Any]:
    found: dict[str, Any] = {"artifactLocation": _artifact(path)}
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


def _artifact(path: str) -> dict[str, str]:
    # a first part with a colon would read as a scheme; quote() encodes it
    return {"uri": quote(path.encode("utf-8", "surrogateescape"), safe="/"), "uriBaseId": "%SRCROOT%"}
