"""Call checks: the arguments of a component are validated before a model is asked or a program runs."""

from __future__ import annotations

from jido_ai.errors import ConfigurationError, describe
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult


def check_generate_call(prompt: object, context: object) -> None:
    """Check the arguments of `generate`. Raises `ConfigurationError`, which names the first wrong one."""
    _check("prompt", prompt, str)
    check_context(context)


def check_critique_call(candidate: object, context: object) -> None:
    """Check the arguments of `critique`. Raises `ConfigurationError`, which names the first wrong one."""
    _check("candidate", candidate, Candidate)
    check_context(context)


def check_revise_call(candidate: object, critique: object, context: object) -> None:
    """Check the arguments of `revise`. Raises `ConfigurationError`, which names the first wrong one."""
    _check("candidate", candidate, Candidate)
    _check("critique", critique, CritiqueResult)
    check_context(context)


def check_context(context: object) -> None:
    """Check a context. An object with the same fields, as in tests, is accepted. Raises `ConfigurationError`."""
    if not hasattr(context, "time_left_s"):
        _check("context", context, RunContext)


def _check(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise ConfigurationError(f"{name} must be a {kind.__name__}, got {describe(value)}")
