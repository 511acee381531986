"""What a user may write in a file or in the environment, read and checked. Pure: `cli.settings` finds the file.

Several layers say something of the same setting; the first that speaks wins: what was given explicitly, the
environment, the file. What none of them says the mode says, and what the mode leaves open has a default: a single
setting that was given always wins over the mode (SPEC R39).

A project that was fetched from somebody brings its file along. So a file may name no address but one on this machine,
neither of a model (where texts and keys go) nor of a memory; these come from the command line or the environment.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Annotated, Any, Final, Literal, Self, cast
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.redaction import redact
from jido_ai.values import LoopConfig, Value

__all__ = ["Layer", "Settings", "from_environment", "from_toml", "resolve_settings"]

Flag = Annotated[bool, Field(strict=True)]
Text = Annotated[str, Field(strict=True, min_length=1, pattern=r"\S")]
_LOOP_FIELDS: Final = frozenset(LoopConfig.model_fields) - {"stop_rules"}
_HERE: Final = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)
"""One host and nothing else: a database's address may list several ("localhost:1,elsewhere")."""
_OF_MODE: Final[Mapping[str, Mapping[str, Any]]] = {
    "lite": {"max_lessons": 3, "max_lesson_tokens": 512, "dreaming": False, "reflect_on_success": False},
    "full": {"max_lessons": 5, "max_lesson_tokens": 1024, "dreaming": True, "reflect_on_success": True},
}
"""What a mode says of what nobody gave (SPEC R37, R38)."""


class Settings(Value):
    """What holds for the commands, and for whoever asks for it: nothing else reads it.

    Attributes:
        enabled: False: nothing is retrieved, no reflection is made, nothing is dreamt of (SPEC R34, R35).
        mode: "lite" or "full"; it says `max_lessons`, `max_lesson_tokens`, `dreaming` and `reflect_on_success` where
            they are not given. Full: the commands reflect on what they try.
        model, critic: who writes and who judges, as in "openai:NAME".
        memory: a file, or an address.
        max_lessons: offered to a run at most.
        max_lesson_tokens: of all these together, four characters for one.
        dreaming: maintenance looks for what recent important memories have in common.
        reflect_on_success: attempts that succeeded are reflected on, too.
        depth: how much a reflection is asked for.
        criteria: what a model judges by; none is freely.
        retention_days: 1 to 365; how long entries without a time of their own are kept; None is for ever (SPEC M6).
        max_entries: of one kind in one scope; at least 1.
        audit: what is recorded of who read and wrote: "none", "writes" or "all" (SPEC M49).
        monthly_budget_usd: for the calls of any 30 days; above 0.
        loop: fields of `LoopConfig` for all runs.
        task: the same by task type; these come before `loop` (SPEC M31).
        origins: of every setting that was given, by whom.
    """

    enabled: Flag = True
    mode: Literal["lite", "full"] = "lite"
    model: Text | None = None
    critic: Text | None = None
    memory: Text | None = None
    max_lessons: Annotated[int, Field(strict=True, ge=1, le=100)] = 3
    max_lesson_tokens: Annotated[int, Field(strict=True, ge=32, le=1_000_000)] = 512
    dreaming: Flag = False
    reflect_on_success: Flag = False
    depth: Literal["basic", "detailed", "comprehensive"] = "detailed"
    criteria: tuple[Text, ...] = ()
    retention_days: Annotated[float, Field(strict=True, ge=1.0, le=365.0, allow_inf_nan=False)] | None = None
    max_entries: Annotated[int, Field(strict=True, ge=1)] = 1000
    audit: Literal["none", "writes", "all"] = "none"
    monthly_budget_usd: Annotated[float, Field(strict=True, gt=0.0, allow_inf_nan=False)] | None = None
    loop: dict[str, Any] = Field(default_factory=dict)
    task: dict[str, dict[str, Any]] = Field(default_factory=dict)
    origins: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _by_mode(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        given = cast("dict[str, Any]", data)
        mode = given.get("mode", "lite")
        return {**_OF_MODE.get(mode if isinstance(mode, str) else "", {}), **given}

    @model_validator(mode="after")
    def _is_a_loop(self) -> Self:
        _check_loop("loop", self.loop, {})
        for name, fields in self.task.items():
            _check_loop(f"task.{name}", fields, self.loop)
        return self

    def loop_config(
        self, task_type: str | None = None, *, usual: Mapping[str, Any] | None = None, **given: Any
    ) -> LoopConfig:
        """Return how a run goes: as given here, else as set for the task type, else for all runs, else as usual.

        Args:
            usual: fields of `LoopConfig`, in place of its defaults.
            given: the same; None says nothing.

        Raises:
            ConfigurationError: what is given does not fit to what is set.
        """
        explicit = {name: value for name, value in given.items() if value is not None}
        return LoopConfig(**{**(usual or {}), **self.loop, **self.task.get(task_type or "", {}), **explicit})


def _check_loop(name: str, fields: Mapping[str, Any], below: Mapping[str, Any]) -> None:
    for key in fields:
        if key not in _LOOP_FIELDS:
            raise ValueError(f"{name}: {_unknown(key, sorted(_LOOP_FIELDS))}")
    try:
        LoopConfig(**{**below, **fields})
    except ConfigurationError as error:
        raise ValueError(f"{name}: {str(error).removeprefix('LoopConfig: ')}") from error


# -- layers ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place says.

    Attributes:
        source: the place, as errors name it: a file, "the environment".
        values: by the names of `Settings`.
        names: of values that the place knows by another name, as the environment does.
        stays_here: it may name no address but one on this machine.
    """

    source: str
    values: Mapping[str, Any]
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    stays_here: bool = False

    def place(self, key: str) -> str:
        """Return where a value came from."""
        return f"{self.source}: {self.names[key]}" if key in self.names else self.source


def resolve_settings(*layers: Layer) -> Settings:
    """Return what holds: of every setting what the first layer says that says something.

    A value that can never work is refused also where another layer comes before it.

    Raises:
        ConfigurationError: an unknown setting, a value of another type or out of range, or an address elsewhere; it
            names the place, the setting, what came and what was expected.
    """
    chosen: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for layer in layers:
        _check(layer)
        for key, value in layer.values.items():
            if key not in chosen:
                chosen[key], origins[key] = value, layer.place(key)
    return Settings(**chosen, origins=origins)


def _check(layer: Layer) -> None:
    known = [name for name in Settings.model_fields if name != "origins"]
    for key, value in layer.values.items():
        if key not in known:
            raise ConfigurationError(f"{layer.source}: {_unknown(key, known)}")
        beside = {"loop": layer.values["loop"]} if key == "task" and "loop" in layer.values else {}
        try:
            Settings(**{**beside, key: value})
        except ConfigurationError as error:
            text = redact(str(error).removeprefix("Settings: "))
            raise ConfigurationError(f"{layer.place(key)}: {text}") from error
        if layer.stays_here and key in ("model", "critic", "memory"):
            _check_stays_here(layer, key, value)


def _check_stays_here(layer: Layer, key: str, value: str) -> None:
    address = value if key == "memory" else value.partition("@")[2]
    if not address or (key == "memory" and "://" not in address):
        return
    try:
        hosts = urlsplit(address if "://" in address else f"//{address}").netloc.rpartition("@")[2]
    except ValueError:
        hosts = ""
    if not _HERE.fullmatch(hosts):
        raise ConfigurationError(
            f"{layer.place(key)}: {key}: a file may only name an address on this machine, got "
            f"{describe(redact(value))}; give it on the command line or as JIDO_{key.upper()}"
        )


def _unknown(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(known)}"
    return f"unknown setting {describe(key)}; {hint}"


# -- a file ----------------------------------------------------------------------------------------


def from_toml(text: str, source: str, table: tuple[str, ...] = ()) -> Layer | None:
    """Return what a TOML text says in a table of it; None when it has no such table.

    Args:
        source: the file's name.
        table: as ("tool", "jido"); () is the whole text.

    Raises:
        ConfigurationError: it is no TOML, or there is something else in the place of the table.
    """
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of what is no TOML, or has a number of thousands of digits
        raise ConfigurationError(f"{source}: cannot be read as TOML: {error}") from error
    for depth, name in enumerate(table, 1):
        inside: object = values.get(name)
        if inside is None:
            return None
        if not isinstance(inside, dict):
            raise ConfigurationError(f"{source}: [{'.'.join(table[:depth])}] must be a table")
        values = cast("dict[str, Any]", inside)
    return Layer(source, values, stays_here=True)


# -- the environment -------------------------------------------------------------------------------


def _flag(text: str) -> bool:
    word = text.lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise ValueError("true or false")


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ValueError("a number") from None
    if not isfinite(number):
        raise ValueError("a finite number")
    return number


def _count(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("a whole number") from None


_VARIABLES: Final[Mapping[str, tuple[str, Callable[[str], object]]]] = {
    "JIDO_MODEL": ("model", str),
    "RAE_LLM_MODEL_DEFAULT": ("model", str),
    "JIDO_CRITIC": ("critic", str),
    "JIDO_MEMORY": ("memory", str),
    "REFLECTIVE_MEMORY_ENABLED": ("enabled", _flag),
    "REFLECTIVE_MEMORY_MODE": ("mode", str.lower),
    "JIDO_MAX_LESSONS": ("max_lessons", _count),
    "JIDO_MAX_LESSON_TOKENS": ("max_lesson_tokens", _count),
    "JIDO_DREAMING": ("dreaming", _flag),
    "JIDO_REFLECT_ON_SUCCESS": ("reflect_on_success", _flag),
    "JIDO_RETENTION_DAYS": ("retention_days", _number),
    "JIDO_MAX_ENTRIES": ("max_entries", _count),
    "JIDO_AUDIT": ("audit", str.lower),
    "JIDO_MONTHLY_BUDGET_USD": ("monthly_budget_usd", _number),
}
"""Of two variables for one setting the first counts (SPEC R34, R36, R40)."""


def from_environment(environ: Mapping[str, str]) -> Layer:
    """Return what environment variables say; one that is blank says nothing.

    Raises:
        ConfigurationError: a value is of another type; it names the variable.
    """
    values: dict[str, object] = {}
    names: dict[str, str] = {}
    for variable, (key, read) in _VARIABLES.items():
        text = environ.get(variable, "").strip()
        if not text or key in values:
            continue
        try:
            values[key] = read(text)
        except ValueError as error:
            raise ConfigurationError(f"the environment: {variable} must be {error}, got {describe(text)}") from error
        names[key] = variable
    return Layer("the environment", values, names)
