"""Settings from a file or the environment, parsed and checked. Pure: `loop.settings` finds the file.

Layers in order of precedence: explicit arguments, the environment, the file. Settings that no layer gives come from the
mode, then from the defaults; so a setting that is given always overrides the mode (SPEC R39).

A downloaded project contains its own file. So a file may name only addresses on this machine, for models (which receive
texts and keys) and for memories; other addresses come from the command line or the environment.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Annotated, Any, Final, Literal, Self, cast
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from jido_ai.argument_hints import nearest_name
from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.redaction import redact
from jido_ai.values import LoopConfig, Value

__all__ = [
    "GIVEN",
    "Layer",
    "OwnPrice",
    "Prompts",
    "Provider",
    "Settings",
    "from_environment",
    "from_toml",
    "is_here",
    "resolve_settings",
    "variables",
]

GIVEN: Final = "given"
"""The origin of a setting that is an argument, or an option of a command."""
Flag = Annotated[bool, Field(strict=True)]
Text = Annotated[str, Field(strict=True, min_length=1, pattern=r"\S")]
_LOOP_FIELDS: Final = frozenset(LoopConfig.model_fields) - {"stop_rules"}
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_TAKEN: Final = ("anthropic", "compatible", "ollama", "openai", "scripted", "targeted")
_KEYS_OF_OTHERS: Final = ("ANTHROPIC_API_KEY", "COMPATIBLE_API_KEY", "OLLAMA_API_KEY", "OPENAI_API_KEY")
_HERE: Final = re.compile(r"(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)
"""Exactly one host: a database address may list several ("localhost:1,elsewhere")."""
_OF_MODE: Final[Mapping[str, Mapping[str, Any]]] = {
    "lite": {"max_lessons": 3, "max_lesson_tokens": 512, "dreaming": False, "reflect_on_success": False},
    "full": {"max_lessons": 5, "max_lesson_tokens": 1024, "dreaming": True, "reflect_on_success": True},
}
"""Settings that the mode fills in if no layer gives them (SPEC R37, R38)."""


class Prompts(Value):
    """Prompts of the user's own.

    Attributes:
        dir: directory with a file for each prompt, as `jido prompts export` writes them. In a settings file it is
            relative to the file and lies below it.
    """

    dir: Text | None = None


class OwnPrice(Value):
    """The price of a million tokens, in US dollars; also written as a pair, as in [0.15, 0.6].

    Attributes:
        input_usd: of what is sent.
        output_usd: of what is answered.
    """

    input_usd: Annotated[float, Field(strict=True, ge=0.0, allow_inf_nan=False)]
    output_usd: Annotated[float, Field(strict=True, ge=0.0, allow_inf_nan=False)]

    @model_validator(mode="before")
    @classmethod
    def _from_pair(cls, data: object) -> object:
        if not isinstance(data, list | tuple):
            return data
        pair = cast("list[object]", data)
        if len(pair) != 2:
            raise ValueError(f"a price must be [USD per million tokens in, out], got {len(pair)} values")
        return {"input_usd": pair[0], "output_usd": pair[1]}

    @property
    def pair(self) -> tuple[float, float]:
        """The prices of input and output."""
        return self.input_usd, self.output_usd


class Provider(Value):
    """A server of the user's own, whose models are named "NAME:MODEL".

    Attributes:
        kind: how it is talked to: "compatible" (OpenAI's chat completions: vLLM, llama.cpp, LM Studio, LiteLLM),
            "openai", "anthropic" or "ollama".
        base_url: its address, in a file only on this machine.
        base_url_env: the environment variable with its address, which may be anywhere; instead of `base_url`.
        proxy: the address of a proxy on the way, in a file only on this machine; "" is none. By default HTTPS_PROXY and
            HTTP_PROXY say it; NO_PROXY counts in any case.
        proxy_env: the environment variable with that address, which may be anywhere; instead of `proxy`.
        api_key_env: the environment variable with its key; None sends no key to an address of its own.
        requests_per_minute, tokens_per_minute, max_concurrency: limits of calls, at least 1; none by default, and 256
            calls at a time.
        price: of its models that have none in `[prices]`: USD per million tokens in and out.
        enforces_schema: whether it keeps to the schema of a request; if not, requests also describe the JSON in words.
            None is what is known of its kind.
    """

    kind: Literal["compatible", "openai", "anthropic", "ollama"] = "compatible"
    base_url: Text | None = None
    base_url_env: Text | None = None
    proxy: str | None = None
    proxy_env: Text | None = None
    api_key_env: Text | None = None
    requests_per_minute: Annotated[int, Field(strict=True, ge=1)] | None = None
    tokens_per_minute: Annotated[int, Field(strict=True, ge=1)] | None = None
    max_concurrency: Annotated[int, Field(strict=True, ge=1)] | None = None
    price: OwnPrice | None = None
    enforces_schema: Flag | None = None


class Settings(Value):
    """Settings of the commands. The library itself does not read them; `load_settings` returns them.

    Attributes:
        enabled: False turns off retrieval, reflection and dreaming (SPEC R34, R35).
        mode: "lite" or "full"; sets `max_lessons`, `max_lesson_tokens`, `dreaming` and `reflect_on_success` if they are
            not given. With "full", the commands reflect on their attempts.
        model: the model that writes, such as "openai:NAME".
        critic: the model that judges; None is the one that writes.
        memory: a file, or an address.
        python: the interpreter for a project's tests, or the directory of its environment. In a settings file it is
            relative to the file.
        exclude: patterns of files and folders that `jido improve` leaves alone.
        max_lessons: most lessons offered to a run; 1 to 100.
        max_lesson_tokens: limit for all these together, at four characters per token; 32 to 1,000,000.
        learn_from: which accepted answers become worked examples: "known", "accepted" or "nothing"; see `Pipeline`.
        max_examples: most examples kept for each task type and scope; at least 0.
        max_examples_shown: most examples shown to a run; at least 0.
        holdout: share of the runs that are shown nothing remembered, in [0, 1]; None: a tenth, after 20 runs.
        reward_threshold: attempts with a reward below it are reflected on; -1 to 1.
        dreaming: maintenance reflects on what recent important memories have in common.
        reflect_on_success: reflect on successful attempts, too.
        depth: how detailed a reflection is.
        criteria: the checklist for a model that judges; empty for a free critique.
        retention_days: 1 to 365; how long entries without their own expiry are kept; None keeps them forever (SPEC M6).
        max_entries: most entries of one kind in one scope; at least 1.
        audit: which reads and writes are recorded: "none", "writes" or "all" (SPEC M49).
        monthly_budget_usd: limit for the calls of any 30 days; above 0.
        record_calls: what runs keep of each call of a model: "redacted" masks secrets, "full" keeps all, "off" nothing.
        allowed_origins: websites whose pages may ask `jido serve` with a token, as in "https://app.example".
        prompts: where prompts of the user's own are.
        providers: servers of the user's own, by name; their models are named "NAME:MODEL".
        prices: USD per million tokens, by "PROVIDER:MODEL", or just "MODEL"; goes before the built-in list.
        loop: fields of `LoopConfig` for all runs.
        task: the same by task type; overrides `loop` (SPEC M31).
        origins: the source of every setting that was given.
    """

    enabled: Flag = True
    mode: Literal["lite", "full"] = "lite"
    model: Text | None = None
    critic: Text | None = None
    memory: Text | None = None
    python: Text | None = None
    exclude: tuple[Text, ...] = ()
    max_lessons: Annotated[int, Field(strict=True, ge=1, le=100)] = 3
    max_lesson_tokens: Annotated[int, Field(strict=True, ge=32, le=1_000_000)] = 512
    learn_from: Literal["known", "accepted", "nothing"] = "known"
    max_examples: Annotated[int, Field(strict=True, ge=0)] = 50
    max_examples_shown: Annotated[int, Field(strict=True, ge=0)] = 2
    holdout: Annotated[float, Field(strict=True, ge=0.0, le=1.0, allow_inf_nan=False)] | None = None
    reward_threshold: Annotated[float, Field(strict=True, ge=-1.0, le=1.0, allow_inf_nan=False)] = 0.3
    dreaming: Flag = False
    reflect_on_success: Flag = False
    depth: Literal["basic", "detailed", "comprehensive"] = "detailed"
    criteria: tuple[Text, ...] = ()
    retention_days: Annotated[float, Field(strict=True, ge=1.0, le=365.0, allow_inf_nan=False)] | None = None
    max_entries: Annotated[int, Field(strict=True, ge=1)] = 1000
    audit: Literal["none", "writes", "all"] = "none"
    monthly_budget_usd: Annotated[float, Field(strict=True, gt=0.0, allow_inf_nan=False)] | None = None
    record_calls: Literal["redacted", "full", "off"] = "redacted"
    allowed_origins: tuple[Text, ...] = ()
    prompts: Prompts = Field(default_factory=Prompts)
    providers: dict[str, Provider] = Field(default_factory=dict[str, Provider])
    prices: dict[str, OwnPrice] = Field(default_factory=dict[str, OwnPrice])
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

    @model_validator(mode="after")
    def _can_be_named(self) -> Self:
        for name, provider in self.providers.items():
            _check_provider(name, provider)
        for name in self.prices:
            if not name.strip() or "@" in name:
                raise ValueError(
                    f'prices: must be "PROVIDER:MODEL" or "MODEL", without an address; got {describe(name)}'
                )
        return self

    def loop_config(
        self, task_type: str | None = None, *, usual: Mapping[str, Any] | None = None, **given: Any
    ) -> LoopConfig:
        """Return the configuration of a run.

        Precedence: `given`, the settings of the task type, the settings for all runs, `usual`.

        Args:
            usual: fields of `LoopConfig`, in place of its defaults.
            given: fields of `LoopConfig`; None means not given.

        Raises:
            ConfigurationError: the given fields do not fit the settings.
        """
        explicit = {name: value for name, value in given.items() if value is not None}
        return LoopConfig(**{**(usual or {}), **self.loop, **self.task.get(task_type or "", {}), **explicit})


def _check_provider(name: str, provider: Provider) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"providers: a name has letters, digits, - and _, and begins with a letter; got {name!r}")
    if name in _TAKEN:
        raise ValueError(f"providers.{name}: the name is taken; use another one, with kind = ...")
    has_address = provider.base_url is not None or provider.base_url_env is not None
    for key in ("base_url", "proxy"):
        if getattr(provider, key) is not None and getattr(provider, f"{key}_env") is not None:
            raise ValueError(f"providers.{name}: give {key} or {key}_env, one of the two")
    if provider.kind == "compatible" and not has_address:
        raise ValueError(f"providers.{name}: needs base_url, or base_url_env, the variable that has its address")
    if provider.api_key_env in _KEYS_OF_OTHERS:
        raise ValueError(
            f"providers.{name}.api_key_env: {provider.api_key_env} is the key of another provider, and is sent to that "
            "one only; name a variable of its own"
        )


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
    """The settings of one source.

    Attributes:
        source: as errors name it: a file, "the environment".
        values: by the names of `Settings`.
        names: the source's own names of values, such as environment variables.
        stays_here: the source may name only addresses on this machine.
        pipelines, graphs: these tables as they are; `graph.served_file` reads them.
    """

    source: str
    values: Mapping[str, Any]
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    stays_here: bool = False
    pipelines: object = None
    graphs: object = None

    def place(self, key: str) -> str:
        """Return where a value came from."""
        return f"{self.source}: {self.names[key]}" if key in self.names else self.source


def resolve_settings(*layers: Layer) -> Settings:
    """Merge the layers: for every setting, the value of the first layer that gives one.

    Invalid values are refused even if an earlier layer overrides them.

    Raises:
        ConfigurationError: an unknown setting, a value of the wrong type or out of range, or an address on another
            machine; the message names the source, the setting, the value and the expectation.
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
            is_inner = nearest_name(key, [*known, *_LOOP_FIELDS]) in _LOOP_FIELDS
            hint = f"{_unknown(key, sorted(_LOOP_FIELDS))} It is in [loop]" if is_inner else _unknown(key, known)
            raise ConfigurationError(f"{layer.source}: {hint}")
        _check_keys(layer, key, value)
        beside = {"loop": layer.values["loop"]} if key == "task" and "loop" in layer.values else {}
        try:
            Settings(**{**beside, key: value})
        except ConfigurationError as error:
            text = redact(str(error).removeprefix("Settings: "))
            text = text.replace(": Provider: ", ".").replace(": OwnPrice: ", ".")
            raise ConfigurationError(f"{layer.place(key)}: {text}") from error
        if layer.stays_here:
            _check_stays_here(layer, key, value)


def _check_keys(layer: Layer, key: str, value: Any) -> None:
    """Refuse an unknown key in a table of `[providers]` or `[prices]`."""
    kinds: dict[str, type[Value]] = {"providers": Provider, "prices": OwnPrice}
    if key not in kinds or not isinstance(value, dict):
        return
    known = list(kinds[key].model_fields)
    for name, table in cast("dict[str, object]", value).items():
        for field_ in cast("dict[str, object]", table) if isinstance(table, dict) else ():
            if field_ not in known:
                raise ConfigurationError(f"{layer.place(key)}: {key}.{name}: {_unknown(field_, known)}")


def _check_stays_here(layer: Layer, key: str, value: Any) -> None:
    if key == "providers":
        for name, one in value.items():
            for part in ("base_url", "proxy"):
                if (address := one.get(part)) and not is_here(address):
                    raise ConfigurationError(
                        f"{layer.place(key)}: providers.{name}.{part}: a file may only name an address on this "
                        f"machine, got {describe(redact(address))}; put it into an environment variable, and name that "
                        f"with {part}_env"
                    )
        return
    if key not in ("model", "critic", "memory"):
        return
    address = value if key == "memory" else value.partition("@")[2]
    if not address or (key == "memory" and "://" not in address):
        return
    if not is_here(address):
        raise ConfigurationError(
            f"{layer.place(key)}: {key}: a file may only name an address on this machine, got "
            f"{describe(redact(value))}; give it on the command line or as JIDO_{key.upper()}"
        )


def is_here(address: str) -> bool:
    """Tell whether an address, with or without its scheme, is on this machine: loopback and no other host."""
    try:
        hosts = urlsplit(address if "://" in address else f"//{address}").netloc.rpartition("@")[2]
    except ValueError:
        return False
    return _HERE.fullmatch(hosts) is not None


def _unknown(key: str, known: list[str]) -> str:
    near = nearest_name(key, known)
    hint = f"did you mean {near!r}?" if near else f"known: {', '.join(known)}"
    return f"unknown setting {describe(key)}; {hint}"


# -- a file ----------------------------------------------------------------------------------------


def from_toml(text: str, source: str, table: tuple[str, ...] = ()) -> Layer | None:
    """Return the settings in a table of a TOML text; None if it has no such table.

    Args:
        source: the file's name.
        table: such as ("tool", "jido"); () is the whole text.

    Raises:
        ConfigurationError: the text is not TOML, or `table` is not a table.
    """
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML, or a number with thousands of digits
        raise ConfigurationError(f"{source}: not valid TOML: {error}") from error
    for depth, name in enumerate(table, 1):
        inside: object = values.get(name)
        if inside is None:
            return None
        if not isinstance(inside, dict):
            raise ConfigurationError(f"{source}: [{'.'.join(table[:depth])}] must be a table")
        values = cast("dict[str, Any]", inside)
    pipelines, graphs = values.pop("pipelines", None), values.pop("graphs", None)
    return Layer(source, values, stays_here=True, pipelines=pipelines, graphs=graphs)


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
    "JIDO_PYTHON": ("python", str),
    "REFLECTIVE_MEMORY_ENABLED": ("enabled", _flag),
    "REFLECTIVE_MEMORY_MODE": ("mode", str.lower),
    "JIDO_MAX_LESSONS": ("max_lessons", _count),
    "JIDO_MAX_LESSON_TOKENS": ("max_lesson_tokens", _count),
    "JIDO_LEARN_FROM": ("learn_from", str.lower),
    "JIDO_MAX_EXAMPLES": ("max_examples", _count),
    "JIDO_MAX_EXAMPLES_SHOWN": ("max_examples_shown", _count),
    "JIDO_HOLDOUT": ("holdout", _number),
    "JIDO_REWARD_THRESHOLD": ("reward_threshold", _number),
    "JIDO_DREAMING": ("dreaming", _flag),
    "JIDO_REFLECT_ON_SUCCESS": ("reflect_on_success", _flag),
    "JIDO_RETENTION_DAYS": ("retention_days", _number),
    "JIDO_MAX_ENTRIES": ("max_entries", _count),
    "JIDO_AUDIT": ("audit", str.lower),
    "JIDO_RECORD_CALLS": ("record_calls", str.lower),
    "JIDO_MONTHLY_BUDGET_USD": ("monthly_budget_usd", _number),
}
"""If two variables give one setting, the first wins (SPEC R34, R36, R40)."""


def variables() -> dict[str, str]:
    """Return the environment variables that are read, each with the setting that it gives."""
    return {variable: key for variable, (key, _) in _VARIABLES.items()}


def from_environment(environ: Mapping[str, str]) -> Layer:
    """Return the settings in environment variables; blank variables are ignored.

    Raises:
        ConfigurationError: a value has the wrong type; the message names the variable.
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
