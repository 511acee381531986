"""Components that are named instead of made: a model, or its name, stands for a component that asks the model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from typing_extensions import TypeIs

from jido_ai.errors import AuthenticationError, ConfigurationError
from jido_ai.protocols import AnyCritiquer, AnyGenerator, AnyReviser, LanguageModel, RunContext
from jido_ai.values import CritiqueResult

AnyJudge = AnyCritiquer | LanguageModel | str
"""Anything accepted as a critiquer; a model judges with the default prompt."""

T = TypeVar("T")
OutputT = TypeVar("OutputT")
_Critique = CritiqueResult | Awaitable[CritiqueResult]
ValueCritic = Callable[[OutputT], _Critique] | Callable[[OutputT, RunContext], _Critique]
"""A function that judges the object that an answer stands for; only where answers have a type."""


def is_model(what: object) -> TypeIs[LanguageModel | str]:
    """Tell whether this is a model or the name of one, rather than a component."""
    if isinstance(what, str):
        return True
    methods = ("generate", "critique", "revise")
    return callable(getattr(what, "complete", None)) and not any(hasattr(what, method) for method in methods)


def generator_of(what: AnyGenerator | LanguageModel | str | None) -> AnyGenerator | None:
    """Return a generator: itself, or one that asks the model."""
    if not is_model(what):
        return what
    from jido_ai.models.llm_generator import LLMGenerator  # noqa: PLC0415 - a pipeline of functions needs no models

    return _asking("generator", LLMGenerator, what)


def critiquer_of(what: AnyJudge) -> AnyCritiquer:
    """Return a critiquer: itself, or one that asks the model."""
    if not is_model(what):
        return what
    from jido_ai.critics.llm_critiquer import LLMCritiquer  # noqa: PLC0415

    return _asking("critiquer", LLMCritiquer, what)


def reviser_of(what: AnyReviser | LanguageModel | str | None) -> AnyReviser | None:
    """Return a reviser: itself, or one that asks the model."""
    if not is_model(what):
        return what
    from jido_ai.revisers.llm_reviser import LLMReviser  # noqa: PLC0415

    return _asking("reviser", LLMReviser, what)


def _asking(role: str, component: Callable[[LanguageModel | str], T], model: LanguageModel | str) -> T:
    try:
        return component(model)
    except AuthenticationError:
        raise
    except ConfigurationError as error:
        raise ConfigurationError(f"{role}: {error}") from error
