"""Hints for names that are unknown, among them keyword arguments: "did you mean 'critiquer'?"."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from enum import Enum
from functools import wraps
from typing import Any, Final

_SAID: Final = re.compile(r"(?:got|has) an unexpected keyword argument '(\w+)'(?!.*[Dd]id you mean)")
_SAME: Final = (
    frozenset({"critiquer", "critiquers", "critic", "critics", "judge", "judges"}),
    frozenset({"max_iterations", "iterations", "max_rounds", "rounds", "max_attempts", "max_turns"}),
    frozenset({"severity_threshold", "threshold", "max_severity"}),
    frozenset({"start", "args", "kwargs", "target"}),
)
_LONGEST_LISTED: Final = 12
_HINTED: Final = "_jido_hinted_"


def nearest(name: str, known: Sequence[str]) -> str:
    """Return "did you mean ...?" with the nearest of the known names, or the names if none is near."""
    if near := nearest_name(name, known):
        return f"did you mean {near!r}?"
    shown = [repr(one) for one in known[:_LONGEST_LISTED]]
    more = f", and {len(known) - _LONGEST_LISTED} more" if len(known) > _LONGEST_LISTED else ""
    return f"known: {', '.join(shown)}{more}" if shown else "there are none"


def nearest_name(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that means the same, else the one that is spelt most like it, if any is."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a message

    same = next((names for names in _SAME if _word(name) in names), ())
    near = next((one for one in known if _word(one) in same), None)
    return near or next(iter(get_close_matches(name, known, n=1)), None)


def _word(name: str) -> str:
    return name.strip("-").replace("-", "_")


def with_hints(thing: Any) -> Any:
    """Return a class, changed in place, or a function, wrapped, whose errors for unknown keyword arguments have a hint.

    Other things, and classes without an `__init__` of their own in Python, are returned as they are.
    """
    if isinstance(thing, type):
        init: object = thing.__dict__.get("__init__")
        own = inspect.isfunction(init) and not issubclass(thing, BaseException | Enum)
        own = own and not hasattr(thing, "__pydantic_fields__")  # values have hints of their own
        if own and not getattr(init, _HINTED, False) and not getattr(thing, "_is_protocol", False):
            thing.__init__ = _hinting(init)  # type: ignore[misc]
        return thing
    if inspect.isfunction(thing) and thing.__module__.startswith("jido_ai.") and not hasattr(thing, _HINTED):
        return _hinting(thing)
    return thing


def _hinting(function: Any) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            _tell(error, function)
            raise

    @wraps(function)
    async def call_async(*args: Any, **kwargs: Any) -> Any:
        try:
            return await function(*args, **kwargs)
        except TypeError as error:
            _tell(error, function)
            raise

    chosen = call_async if inspect.iscoroutinefunction(function) else call
    setattr(chosen, _HINTED, True)
    return chosen


def _tell(error: TypeError, function: Any) -> None:
    """Add the hint to an error of the call itself; one from inside the function is not about its arguments."""
    said = _SAID.search(str(error))
    if said is None or (error.__traceback__ is not None and error.__traceback__.tb_next is not None):
        return
    parameters = inspect.signature(function).parameters
    annotation = str(parameters["config"].annotation) if "config" in parameters else ""
    config = inspect.unwrap(function).__globals__.get(annotation.partition(" ")[0])
    names = [one for one in parameters if not one.startswith("_")]
    near = nearest_name(said[1], [*names, *getattr(config, "model_fields", ())])
    if near:
        told = repr(near) if near in names else f"config={config.__name__}({near}=...)"
        error.args = (f"{error}; did you mean {told}?",)
