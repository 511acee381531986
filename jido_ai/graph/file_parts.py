"""The parts that a graph file names: models, critics, revisers and steps. Nothing outside of its folder is read."""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from jido_ai.argument_hints import nearest
from jido_ai.config import is_here
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.rules_file import read_rules
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError, describe
from jido_ai.files.bounded_read import read_at_most
from jido_ai.files.relative_path import relative_path
from jido_ai.models.names import providers, split_model_name
from jido_ai.models.own_providers import sends_key
from jido_ai.models.pricing import Prices
from jido_ai.models.scripted_answers import ScriptedAnswers
from jido_ai.models.wrappers.ledger import CostLedger, LedgeredModel
from jido_ai.registry import names, resolve
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.text.redaction import redact
from jido_ai.tools.rules import rules_tool

_SCRIPTED: Final = "scripted"
_MOST_BYTES: Final = 1 << 20


class FileParts:
    """Builds what a file names. All methods raise `ConfigurationError` for what it may not name.

    Args:
        folder: nothing outside of it is read, through links neither.
        here: directory of the file; names of files begin there.
        trust: Python functions may be named.
        keys: keys of built-in providers may be sent to addresses that the file names; None is as `trust`.
        kind: of the file, in errors.
    """

    def __init__(self, folder: Path, here: Path, *, trust: bool, keys: bool | None = None, kind: str = "graph") -> None:
        self._keys = trust if keys is None else keys
        self._kind = kind
        self._folder = folder
        self._here = here
        self._trust = trust

    def path(self, name: object) -> Path:
        """Return the path of a file or directory in the folder."""
        path = self._here / relative_path(_text(name))
        if not path.resolve().is_relative_to(self._folder):
            raise ConfigurationError(f"{name} leads outside the folder of the graph")
        if not path.exists():
            files = [one.name for one in self._here.iterdir()] if self._here.is_dir() else []
            raise ConfigurationError(f"there is no {name}; {nearest(str(name), sorted(files))}")
        return path

    def _read(self, name: str) -> str:
        data = read_at_most(self.path(name), _MOST_BYTES)
        if data is None:
            raise ConfigurationError(f"{name} is larger than {_MOST_BYTES:,} bytes")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"{name} is not UTF-8 text: {error.reason}") from error

    def model(self, name: object) -> object:
        """Return a model or the name of one. A file names only addresses on this machine."""
        text = _text(name)
        provider, model, address = split_model_name(text)
        if provider == _SCRIPTED:
            script = ScriptedAnswers(self._read(model), model)
            return LedgeredModel(script, Prices({f"{_SCRIPTED}:{model}": (0.0, 0.0)}), CostLedger())
        known = [*providers(), _SCRIPTED]
        if provider not in known:
            raise ConfigurationError(f"unknown model provider {provider!r}; {nearest(provider, known)}")
        if address is not None and not is_here(address):
            raise ConfigurationError(
                f"a {self._kind} file names no address on another machine, got {describe(redact(address))} for "
                f"{provider}:{model}; name a provider of jido.toml ([providers.NAME] with base_url_env), or set "
                f"{provider.upper()}_BASE_URL and leave the address out"
            )
        if address is not None and not self._keys and sends_key(provider):
            allow = "run it with --trust (from_toml: trust=True)"
            if self._kind == "settings":
                allow = "run `jido improve` once with --trust, or put its directory into JIDO_TRUSTED"
            raise ConfigurationError(
                f"a {self._kind} file may not choose where the key of {provider} goes, got {describe(redact(text))}; "
                f"set {provider.upper()}_BASE_URL and leave the address out, or if you trust the file, {allow}"
            )
        return text

    def critic(self, name: object, project: Mapping[str, Any]) -> object:
        """Return the critic for "model:...", "tool:..." or "rules:..."."""
        kind, colon, rest = _text(name).partition(":")
        match kind:
            case "model" if colon:
                return LLMCritiquer(cast("Any", self.model(rest)))
            case "tool" if colon:
                if rest not in names("tool"):
                    raise ConfigurationError(f"unknown tool {rest!r}; {nearest(rest, names('tool'))}")
                return ToolCritiquer([rest], **project)
            case "rules" if colon:
                return ToolCritiquer([rules_tool(*read_rules(self._read(rest), rest))])
            case _:
                known = ("model", "tool", "rules")
                raise ConfigurationError(
                    f'must be "model:...", "tool:..." or "rules:...", got {describe(name)}; {nearest(kind, known)}'
                )

    def targeted(self, project: Mapping[str, Any]) -> TargetedReviser:
        """Return the reviser that repairs without a model."""
        return TargetedReviser(**project)

    def step(self, name: object) -> Callable[..., Any]:
        """Return a registered step, or with trust the function that "python:MODULE.FUNCTION" names."""
        text = _text(name)
        if not text.startswith("python:"):
            return cast("Callable[..., Any]", resolve("step", text))
        found = self._python(text)
        if not callable(found):
            raise ConfigurationError(f"{text} is not a function")
        return cast("Callable[..., Any]", found)

    def output(self, value: object) -> object:
        """Return a JSON Schema, inline or of a file; or with trust the type that "python:MODULE.TYPE" names."""
        if isinstance(value, Mapping):
            return cast("object", value)
        text = _text(value)
        if text.startswith("python:"):
            return self._python(text)
        try:
            schema: object = json.loads(self._read(text))
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(f"{text} is not JSON: {error}") from error
        if not isinstance(schema, Mapping):
            raise ConfigurationError(f"{text} is not a JSON Schema: it must be an object, got {describe(schema)}")
        return cast("object", schema)

    def _python(self, text: str) -> object:
        """Return the object of the name "python:MODULE.NAME"."""
        if not self._trust:
            raise ConfigurationError(
                f"{text} is Python code; run it with --trust if you trust its author (from_toml: trust=True)"
            )
        module, dot, name = text.removeprefix("python:").rpartition(".")
        if not dot or not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
            raise ConfigurationError(f"write python:MODULE.NAME, got {describe(text)}")
        found: object = getattr(self._module(module), name, None)
        if found is None:
            raise ConfigurationError(f"{module} has no {name!r}")
        return found

    def _module(self, name: str) -> Any:
        """Import a module beside the file, else an installed one."""
        beside = self._here / f"{name}.py"
        try:
            if "." in name or not beside.is_file():
                return importlib.import_module(name)
            spec = importlib.util.spec_from_file_location(name, beside)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
        except Exception as error:
            raise ConfigurationError(f"cannot import {name}: {type(error).__name__}: {error}") from error
        return module


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigurationError(f"must be a string, got {describe(value)}")
    return value
