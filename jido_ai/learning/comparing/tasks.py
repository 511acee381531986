"""Tasks of a comparison and the checks that decide whether an answer passes. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Check", "Task"]


@dataclass(frozen=True, slots=True)
class Check:
    """A condition that an answer must meet; made by one of the class methods.

    Attributes:
        kind: "exact", "contains", "regex", "json_schema", "rules", "python_tests", "command", "judge" or "function".
        value: the text, schema, path, tests, command or function; of a judge, its criterion.
        model: the model of a judge, as `provider:name`.
    """

    kind: str
    value: Any
    model: str | None = None

    @classmethod
    def exact(cls, text: str) -> Check:
        """The answer is this text, apart from white space around it."""
        return cls("exact", text)

    @classmethod
    def function(cls, passes: Callable[[str], bool]) -> Check:
        """A function of the answer's text returns True."""
        return cls("function", passes)


@dataclass(frozen=True, slots=True)
class Task:
    """A prompt, and the checks that its answer must pass, all of them.

    Attributes:
        prompt: what is asked.
        checks: at least one.
        id: unique in a set; None: made of the prompt and checks.
        initial_candidate: the text to improve; None: a first answer is asked for.
        output: the type of the answer; None: text.
        weight: counts in the table, never in the statistics; above 0.
        metadata: kept with the task; "family" groups tasks in the report.
    """

    prompt: str
    checks: Sequence[Check]
    id: str | None = None
    initial_candidate: str | None = None
    output: Any = None
    weight: float = 1.0
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
