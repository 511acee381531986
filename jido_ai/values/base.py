"""Base of all values: frozen, checked when they are built; and the kinds of numbers and ids they are made of.

Ids and timestamps have defaults that read the clock and the random source: the one impurity of values.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import EnumType
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Self, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from jido_ai.argument_hints import nearest_name
from jido_ai.errors import ConfigurationError, describe

__all__ = [
    "MOST_LEVELS",
    "SLACK",
    "ByValue",
    "Count",
    "Finite",
    "Line",
    "Metadata",
    "NotNegative",
    "Positive",
    "Signed",
    "Texts",
    "Unit",
    "Value",
    "is_too_deep",
    "joined",
    "new_id",
    "not_blank",
    "or_new",
    "own_copy",
    "utc_now",
]


SLACK: Final = 1e-9
"""Tolerance of comparisons: a value this close to a threshold equals the threshold."""
MOST_LEVELS: Final = 64
"""Most levels of nested metadata, itself the first: deeper values cannot be written as JSON everywhere."""
_ATOMS: Final = frozenset({str, int, float, bool, type(None)})
_ROWS: Final = frozenset({list, tuple})
_NESTING: Final = (dict, list, tuple, set, frozenset)


def new_id(prefix: str) -> str:
    """Return `prefix` and 16 random hexadecimal digits."""
    return f"{prefix}_{os.urandom(8).hex()}"


def utc_now() -> datetime:
    """Return the current time in UTC, aware."""
    return datetime.now(UTC)


def is_too_deep(value: object, most: int = MOST_LEVELS) -> bool:
    """Tell whether mappings, lists, tuples and sets are nested more than `most` levels deep."""
    level: list[object] = [value] if isinstance(value, _NESTING) else []
    for _ in range(most):
        inside: dict[int, object] = {}  # an object in several places is visited once
        for outer in level:
            fields: Iterable[object] = cast("Any", outer).values() if isinstance(outer, dict) else cast("Any", outer)
            for field in fields:
                if isinstance(field, _NESTING):
                    inside[id(cast("object", field))] = field
        if not inside:
            return False
        level = list(inside.values())
    return bool(level)


def _plain_copy(value: Any, levels: int) -> Any:
    """Return a copy of dicts, lists and tuples of plain values, in a tenth of the time of `deepcopy`.

    Raises:
        TypeError: there is something else in it, or there are more levels.
    """
    kind = value.__class__
    if levels and kind is dict:
        return {
            name: part if part.__class__ in _ATOMS else _plain_copy(part, levels - 1) for name, part in value.items()
        }
    if levels and kind in _ROWS:
        return kind([part if part.__class__ in _ATOMS else _plain_copy(part, levels - 1) for part in value])
    raise TypeError


def own_copy(value: object) -> Any:
    if not value:
        return copy.copy(value)
    try:
        return _plain_copy(value, MOST_LEVELS)
    except TypeError:  # not only what JSON has
        pass
    if is_too_deep(value):
        raise ValueError(f"is nested deeper than {MOST_LEVELS} levels")
    try:
        return copy.deepcopy(value)
    except Exception as error:
        raise ValueError(f"cannot be copied: {describe(error)}") from error


def or_new(prefix: str) -> AfterValidator:
    """Fill in an empty id (SPEC H1, H4, H63)."""
    return AfterValidator(lambda id: id or new_id(prefix))


def not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be blank")
    return value


Unit = Annotated[float, Field(strict=True, ge=0.0, le=1.0, allow_inf_nan=False)]
"""A float in [0, 1]; a bool is not a number."""
Signed = Annotated[float, Field(strict=True, ge=-1.0, le=1.0, allow_inf_nan=False)]
Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(strict=True, gt=0.0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(strict=True, ge=0.0, allow_inf_nan=False)]
Count = Annotated[int, Field(strict=True, ge=0)]
Line = Annotated[int, Field(strict=True, ge=1)]
Metadata = Annotated[dict[str, Any], BeforeValidator(own_copy)]


def _parameter(name: str, field: FieldInfo, model: type[Value]) -> Parameter:
    """Return a field as `help` shows it."""
    kind = Parameter.POSITIONAL_OR_KEYWORD if field.kw_only is False else Parameter.KEYWORD_ONLY
    default: object = Parameter.empty if field.is_required() else ...
    if name in model._derived:  # pyright: ignore[reportPrivateUsage] - the same file
        default = None
    elif field.default_factory is None and not field.is_required():
        default = field.default
    return Parameter(name, kind, default=default)


def _fields(error: ValidationError, model: type[BaseModel]) -> str:
    """Return a validation error as one line: field, limit, value."""
    faults: list[str] = []
    for fault in error.errors(include_url=False):
        where = "".join(f"{part}: " for part in (".".join(str(part) for part in fault["loc"]),) if part)
        what = fault["msg"].removeprefix("Value error, ").removeprefix(f"{model.__name__}: ")
        came = "" if fault["type"] in ("value_error", "missing") else f", got {describe(fault['input'])}"
        if fault["type"] == "extra_forbidden":
            near = nearest_name(str(fault["loc"][-1]), list(model.model_fields))
            came += f"; did you mean {near!r}?" if near else ""
        faults.append(f"{where}{what}{came}")
    return f"{model.__name__}: " + "; ".join(faults)


_MOST_GIVEN: Final = 1_000
_given_names: Final[dict[frozenset[str], set[str]]] = {}
"""Sets of the names of given fields, shared by all values with the same names: separate sets would be half the memory
of most values. Nothing changes them, because values are frozen."""


def _shared(given: set[str]) -> set[str]:
    return given if len(_given_names) >= _MOST_GIVEN else _given_names.setdefault(frozenset(given), given)


_set: Final = object.__setattr__


class Value(BaseModel):
    """Base of all values: frozen, no unknown fields, errors as `ConfigurationError`."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        arbitrary_types_allowed=True,
        protected_namespaces=(),
    )

    _positional: ClassVar[tuple[str, ...]] = ()
    _derived: ClassVar[tuple[str, ...]] = ()  # required fields that are computed from others if they are not given

    if not TYPE_CHECKING:  # type checkers see the fields themselves; those with kw_only=False are positional

        def __init__(self, /, *args: Any, **data: Any) -> None:
            if args:
                data = self._with_positions(args, data)
            try:
                self.__pydantic_validator__.validate_python(data, self_instance=self)  # all that BaseModel's does
            except ValidationError as error:
                raise ConfigurationError(_fields(error, type(self))) from error
            given = self.__pydantic_fields_set__
            shared = _given_names.get(frozenset(given))
            _set(self, "__pydantic_fields_set__", _shared(given) if shared is None else shared)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._positional = tuple(name for name, field in cls.model_fields.items() if field.kw_only is False)
        cls._sign()

    @classmethod
    def __pydantic_on_complete__(cls) -> None:
        cls._sign()  # pydantic has just put its own in its place

    @classmethod
    def _sign(cls) -> None:
        cls.__signature__ = Signature([_parameter(name, field, cls) for name, field in cls.model_fields.items()])

    @classmethod
    def _with_positions(cls, args: tuple[Any, ...], data: dict[str, Any]) -> dict[str, Any]:
        names = cls._positional
        if len(args) > len(names):
            raise TypeError(f"{cls.__name__} takes {len(names)} positional arguments, got {len(args)}")
        for name, arg in zip(names, args, strict=False):
            if name in data:
                raise TypeError(f"{cls.__name__} got {name!r} twice")
            data[name] = arg
        return data

    def replace(self, **changes: Any) -> Self:
        """Return a copy with `changes`, checked like a new one."""
        return type(self)(**{**self.__dict__, **changes})

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with `update`, which is not checked. The same as pydantic's, at a third of the cost."""
        if deep or self.__pydantic_private__ is not None or self.__pydantic_extra__ is not None:
            return super().model_copy(update=update, deep=deep)
        changes = update or {}
        return self.of_checked({**self.__dict__, **changes}, {*self.__pydantic_fields_set__, *changes})

    @classmethod
    def of_checked(cls, fields: dict[str, Any], given: set[str]) -> Self:
        """Return one of fields that are checked already, all of them, of which these were given."""
        value, shared = cls.__new__(cls), _given_names.get(frozenset(given))
        _set(value, "__dict__", fields)
        _set(value, "__pydantic_fields_set__", _shared(given) if shared is None else shared)
        _set(value, "__pydantic_extra__", None)
        _set(value, "__pydantic_private__", None)
        return value

    @classmethod
    def model_validate(cls, obj: Any, **kwargs: Any) -> Self:
        """Build one from a mapping. Raises `ConfigurationError`."""
        try:
            return super().model_validate(obj, **kwargs)
        except ValidationError as error:
            raise ConfigurationError(_fields(error, cls)) from error

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **kwargs: Any) -> Self:
        """Build one from JSON text. Raises `ConfigurationError`."""
        try:
            return super().model_validate_json(json_data, **kwargs)
        except ValidationError as error:
            raise ConfigurationError(_fields(error, cls)) from error


def joined(first: Sequence[Any], second: Sequence[Any]) -> tuple[Any, ...]:
    """Join two sequences in order, without repeats."""
    return tuple(dict.fromkeys((*first, *second)))


class ByValue(EnumType):
    """Makes members accessible by value, too, as the contract writes them: `StopReason.accepted`."""

    if not TYPE_CHECKING:  # type checkers know one name of each, the one in capitals

        @property
        def index(cls) -> Any:
            """The member with that value; without this, `str.index` would be found first."""
            return cls._value2member_map_.get("index", str.index)

        def __getattr__(cls, name: str) -> Any:
            for members in ("_member_map_", "_value2member_map_"):
                if name in cls.__dict__.get(members, ()):
                    return cls.__dict__[members][name]
            raise AttributeError(f"{cls.__name__} has no member {name!r}; it has: {', '.join(cls.__members__)}")


def _texts(value: object) -> object:
    if isinstance(value, str):
        raise ValueError("needs a sequence of strings, got one str")
    return value


Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]
