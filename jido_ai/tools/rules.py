"""Text rules as tools: patterns, lengths, and JSON Schemas.

They run in a separate process like any other tool, because a pattern may take forever on a hostile text; the process
can be killed and does not block the event loop.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from jsonschema.exceptions import SchemaError
from jsonschema.validators import validator_for

from jido_ai.errors import ConfigurationError
from jido_ai.tools import runners
from jido_ai.tools.reports.checks import parse_rules
from jido_ai.tools.tool import Tool

_SCRIPTS: Final = Path(runners.__file__).resolve().parent
_RULES: Final = ".jido-rules.json"
_SCHEMA: Final = ".jido-schema.json"
_TIMEOUT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; created by `must_match`, `must_not_match` and `has_length`.

    Attributes:
        name: the `rule` of its issues.
        told: the rule as the script receives it, JSON-ready.
    """

    name: str
    told: Mapping[str, object]


def must_match(
    pattern: str, *, name: str | None = None, message: str | None = None, severity: float = 0.7, kind: str = "error"
) -> Rule:
    """Return the rule that a pattern of `re` occurs somewhere in the text; "(?m)" and similar set flags.

    Raises:
        ConfigurationError: the pattern is invalid, or the severity is not in [0, 1].
    """
    said = message or f"nothing matches {pattern}"
    return _rule(name or pattern, said, severity, kind, {"must": _pattern(pattern)})


def must_not_match(
    pattern: str, *, name: str | None = None, message: str | None = None, severity: float = 0.7, kind: str = "error"
) -> Rule:
    """Return the rule that a pattern does not occur; each match is an issue, up to 100.

    Raises:
        ConfigurationError: like `must_match`.
    """
    said = message or f"this must not match {pattern}"
    return _rule(name or pattern, said, severity, kind, {"must_not": _pattern(pattern)})


def has_length(
    of: Literal["characters", "words", "lines"],
    *,
    at_least: int | None = None,
    at_most: int | None = None,
    name: str | None = None,
    message: str | None = None,
    severity: float = 0.4,
    kind: str = "warning",
) -> Rule:
    """Return the rule that a length is within bounds, both inclusive. Words are separated by whitespace.

    Raises:
        ConfigurationError: no bound is given, one is negative, they exclude each other, or the severity is not in [0,
            1].
    """
    if of not in ("characters", "words", "lines"):
        raise ConfigurationError(f'of must be "characters", "words" or "lines", got {of!r}')
    bounds = [bound for bound in (at_least, at_most) if bound is not None]
    if not bounds or min(bounds) < 0 or bounds != sorted(bounds):
        raise ConfigurationError(f"need 0 <= at_least <= at_most, got {at_least} and {at_most}")
    words = [
        f"at least {at_least}" if at_least is not None else "",
        f"at most {at_most}" if at_most is not None else "",
    ]
    wanted = f"exactly {at_least}" if at_least == at_most else " and ".join(filter(None, words))
    said = f"there should be {wanted} {of}"
    told = {"of": of, "at_least": at_least, "at_most": at_most}
    return _rule(name or f"length-{of}", message or said, severity, kind, told)


def rules_tool(
    *rules: Rule, name: str = "rules", filename: str = "candidate.txt", timeout_s: float = _TIMEOUT_S
) -> Tool:
    """Return a tool that checks the candidate against rules. A run longer than `timeout_s` is a "timeout".

    Raises:
        ConfigurationError: there is no rule.
    """
    if not rules:
        raise ConfigurationError("need at least one rule")
    return Tool(
        name,
        ("python", "-I", "-S", str(_SCRIPTS / "rules_json.py"), _RULES, "{file}"),
        filename=filename,
        files={_RULES: json.dumps([{"rule": rule.name, **rule.told} for rule in rules])},
        parser=parse_rules,
        ran=frozenset({0}),
        executes=False,
        timeout_s=timeout_s,
    )


def json_schema_tool(
    schema: Mapping[str, Any],
    *,
    name: str = "json-schema",
    filename: str = "candidate.json",
    timeout_s: float = _TIMEOUT_S,
) -> Tool:
    """Return a tool that checks the candidate, a JSON text, against a schema.

    A text that is not JSON, including one with NaN or Infinity, is of kind "syntax"; a violation of the schema is an
    "error" with the rule "schema-" plus the keyword, and a message that starts with the JSON pointer of the value. The
    draft is the one that "$schema" names, else the newest. Nothing is fetched: an external "$ref" "cannot run".

    Raises:
        ConfigurationError: the schema is not valid.
    """
    try:
        told = json.dumps(dict(schema))
        validator_for(schema).check_schema(dict(schema))
    except SchemaError as error:
        raise ConfigurationError(f"not a valid JSON Schema: {error.message[:500]}") from error
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"not a valid JSON Schema: {error}") from error
    return Tool(
        name,
        ("python", "-P", "-s", str(_SCRIPTS / "schema_json.py"), _SCHEMA, "{file}"),
        filename=filename,
        files={_SCHEMA: told},
        parser=parse_rules,
        ran=frozenset({0}),
        needs=("jsonschema",),
        executes=False,
        timeout_s=timeout_s,
    )


def _rule(name: str, message: str, severity: float, kind: str, told: Mapping[str, object]) -> Rule:
    if not 0.0 <= severity <= 1.0:
        raise ConfigurationError(f"a severity must be in [0, 1], got {severity}")
    return Rule(name, {"message": message, "severity": severity, "kind": kind, **told})


def _pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise ConfigurationError(f"not a regular expression: {pattern!r}: {error}") from error
    return pattern
