"""Identity of a check: the same in every process, and another one once the check has changed. Pure."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, MethodWrapperType
from typing import Any, Final, cast

from jido_ai.learning.comparing.tasks import Check

_MOST_VALUES: Final = 10_000
_PLAIN: Final = (str, bytes, int, float, complex, type(None), type(...))


def identity_of_check(check: Check, files: Mapping[str, str], judge: str | None) -> list[object]:
    """Return the identity of a check, JSON-ready.

    A function is known by its name, its code, and the plain values and functions that it is bound to by defaults,
    closure or object; global names that it uses are not looked up.

    Args:
        files: the contents of its files, by name.
        judge: the identity of a judge's model; None of other checks.
    """
    value: object = check.value
    if not callable(value):
        own: list[object] = [*([judge] if judge is not None else []), *sorted(files.items())]
        return [check.kind, json.dumps(value, sort_keys=True), *([_digest(own)] if own else [])]
    name = getattr(value, "__qualname__", type(value).__qualname__)
    return [check.kind, str(name), _digest(_Reading().told(value))]


class _Reading:
    """Puts values and functions in a form that is the same in every process, as far as they can be looked into."""

    def __init__(self) -> None:
        self._path: set[int] = set()
        self._left = _MOST_VALUES

    def told(self, value: Any) -> object:
        """Return the form of a value: of one that is not plain, the name of its type."""
        if isinstance(value, _PLAIN):
            return repr(value)
        self._left -= 1
        if id(value) in self._path or self._left < 0:
            return type(value).__qualname__
        self._path.add(id(value))
        try:
            return self._looked_into(value)
        finally:
            self._path.discard(id(value))

    def _looked_into(self, value: Any) -> object:
        match value:
            case tuple() | list():
                return [self.told(one) for one in cast("list[object]", value)]
            case set() | frozenset():
                return sorted(json.dumps(self.told(one)) for one in cast("set[object]", value))
            case Mapping():
                pairs = cast("Mapping[object, object]", value).items()
                return sorted(json.dumps([self.told(key), self.told(one)]) for key, one in pairs)
            case functools.partial():
                bound = cast("functools.partial[object]", value)
                return self.told((bound.func, bound.args, bound.keywords))
            case CodeType():
                return [value.co_code.hex(), list(value.co_names), self.told(value.co_consts)]
            case FunctionType():
                cells = [_content(cell) for cell in value.__closure__ or ()]
                return self.told((value.__code__, value.__defaults__, value.__kwdefaults__, cells))
            case MethodType():
                return self.told((value.__func__, _state(value.__self__)))
            case BuiltinMethodType() | MethodWrapperType():
                return [value.__qualname__, self.told(value.__self__)]
            case _ if callable(value) and not hasattr(value, "__qualname__"):
                return self.told((type(value).__call__, _state(value)))
            case _:
                return str(getattr(value, "__qualname__", type(value).__qualname__))


def _state(owner: object) -> dict[str, object]:
    slots = getattr(type(owner), "__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return {**{name: getattr(owner, name, None) for name in names}, **getattr(owner, "__dict__", {})}


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not set yet
        return None


def _digest(told: object) -> str:
    return hashlib.sha256(json.dumps(told).encode("utf-8", "surrogatepass")).hexdigest()
