"""Decisions of a person about revisions: read from the command line, and asked for on standard error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from jido_ai.cli.again import DECISION, command
from jido_ai.errors import ConfigurationError, describe
from jido_ai.files.bounded_read import read_text
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.state import Pending
from jido_ai.text.change import unified_diff
from jido_ai.text.printable import printable
from jido_ai.values import SUSPEND

_LONGEST: Final = 1 << 20


def decide_later(*_: Any) -> object:
    """Answer every revision with `SUSPEND`; an `approve` of a pipeline."""
    return SUSPEND


def decision_of(text: str) -> bool | str:
    """Return the decision that an option names: "yes", "no", or "@FILE" for the text of a file.

    Raises:
        ConfigurationError: it is none of these, or the file cannot be read as text of at most 1 MiB.
    """
    if text in ("yes", "no"):
        return text == "yes"
    if not text.startswith("@") or len(text) == 1:
        raise ConfigurationError(f"--decide must be yes, no or @FILE, got {describe(text)}")
    decided = read_text(Path(text[1:]), _LONGEST)
    if not decided.strip():
        raise ConfigurationError(f"{text[1:]}: blank; a revision needs a text")
    return decided


def ask_for_decision(recorded: RecordedRun, waiting: Pending, memory: str | None, err: TextIO) -> None:
    """Show the revision that waits, as a diff, and say how to decide.

    Args:
        memory: as the command line said it.
    """
    base = None if waiting.base is None else recorded.iterations[waiting.base].candidate
    err.write("waiting  this revision needs a decision:\n")
    diff = unified_diff("" if base is None else base.content, waiting.candidate.content)
    err.writelines(f"         {printable(line)}\n" for line in diff.splitlines())
    err.write(f"decide   {command('runs', 'resume', recorded.run_id, memory=memory)} --decide {DECISION}\n")


def decision_by_path(given: Sequence[str]) -> bool | str | dict[str, bool | str] | None:
    """Return the decision: one for the node that waits, or by path."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return decision_of(given[0])
    by_path: dict[str, bool | str] = {}
    for text in given:
        path, equals, decision = text.partition("=")
        if not equals:
            raise ConfigurationError(f"several decisions are written NODE=yes|no|@FILE, got {describe(text)}")
        by_path[path] = decision_of(decision)
    return by_path
