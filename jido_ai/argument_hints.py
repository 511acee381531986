"""Hints for keyword arguments that a public class or function does not have: "did you mean 'critiquer'?"."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from enum import Enum
from functools import wraps
from typing import Any, Final

_SAID: Final = re.compile(r"(?:got|has) an unexpected keyword argument '(\w+)'(?!.*[Dd]id you mean)")
_SAME: Final = {"critic": "critiquer", "critics": "critiquer", "judge": "critiquer", "judges": "critiquer"}
_HINTED: Final = "_jido_hinted_"


def hint(name: str, known: Iterable[str], config: type | None = None) -> str:
    """Return "did you mean ...?" for an argument that is unknown, or "" if no known name is near.

    A name that is nearer to a field of `config`, the class of the argument of that name, is told with it.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only for a message

    names = [one for one in known if not one.startswith("_")]
    fields = getattr(config, "model_fields", ())
    same = _SAME.get(name)
    near = [same] if same in names else get_close_matches(name, [*names, *fields], n=1)
    if config is None or not near or near[0] in names:
        return f"did you mean {near[0]!r}?" if near else ""
    return f"did you mean config={config.__name__}({near[0]}=...)?"


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
    told = hint(said[1], parameters, inspect.unwrap(function).__globals__.get(annotation.partition(" ")[0]))
    if told:
        error.args = (f"{error}; {told}",)
