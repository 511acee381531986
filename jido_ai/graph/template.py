"""Templates of nodes: text with fields, `{name}` or `{node.field}`; `{{` is a brace. Pure.

There is no expression, no attribute access and no evaluation. A template that is one field alone passes the value
itself; any other is text. A lone `}` is itself, `}}` is one brace, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from jido_ai.errors import ConfigurationError, describe
from jido_ai.models.prompts.template import DATA_NOTE, cut, data_blocks


def text_of_json(value: Any) -> str:
    """Return the value as JSON on one line. Raises `ConfigurationError` for a value that JSON cannot hold."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"JSON cannot hold {describe(value)}") from error


MAX_FIELD_CHARS: Final = 10_000
MOST_FIELD_CHARS: Final = 1_000_000
FIELD_NAME: Final = re.compile(r"[^\W\d][\w-]*")
"""A name of a node or of an input: a letter or "_", then letters, digits, "_" and "-"."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a template.

    Attributes:
        name: a graph input or a node.
        path: the words after the name: () for `{name}`, ("json", "title") for `{name.json.title}`.
    """

    name: str
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "{" + ".".join((self.name, *self.path)) + "}"

    @property
    def tag(self) -> str:
        """Return the name of its block in a prompt."""
        return re.sub(r"\W", "_", "_".join((self.name, *self.path)))


@dataclass(frozen=True, slots=True)
class Filled:
    """A template with its fields filled in.

    Attributes:
        value: a text; of a lone field, the value itself.
        cuts: one line for each field that was too long and is cut.
        plain: the text without the tags of blocks, as a person would say it; "" if that is the value.
    """

    value: Any
    cuts: tuple[str, ...] = ()
    plain: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template.

    Attributes:
        source: as it was written.
        parts: texts and fields in turn.
        trusted: names whose fields stand in a prompt as they are, without a block.
    """

    source: str
    parts: tuple[str | Field, ...]
    trusted: frozenset[str] = frozenset()

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields in order, each once."""
        return tuple(dict.fromkeys(part for part in self.parts if isinstance(part, Field)))

    @property
    def lone(self) -> Field | None:
        """Return the field that is the whole template, if it is one."""
        only = self.parts[0] if len(self.parts) == 1 else None
        return only if isinstance(only, Field) else None

    def value(self, read: Callable[[Field], Any]) -> Any:
        """Return the filled-in template, uncut: the value itself for a lone field, else a text."""
        if len(self.parts) == 1:
            only = self.parts[0]
            if isinstance(only, str):
                return only
            value = read(only)
            return None if value is ABSENT else value
        return "".join([part if isinstance(part, str) else as_text(read(part)) for part in self.parts])

    def prompt(self, read: Callable[[Field], Any], max_chars: int = MAX_FIELD_CHARS) -> Filled:
        """Return the filled-in template as a prompt.

        Every field that is not trusted becomes a block of data that its text cannot close. Each is cut to `max_chars`
        characters; a lone field is the prompt itself.
        """
        texts = {part: as_text(read(part)) for part in self.fields}
        cuts = tuple(
            f"{field} has {len(text):,} characters and was cut to {max_chars:,}"
            for field, text in texts.items()
            if len(text) > max_chars
        )
        shown = {field: cut(text, max_chars) for field, text in texts.items()}
        if not shown:
            return Filled(self.value(read))
        if self.lone is not None:
            return Filled(shown[self.lone], cuts)
        plain = "".join([part if isinstance(part, str) else shown[part] for part in self.parts])
        data = {field: text for field, text in shown.items() if field.name not in self.trusted}
        if not data:
            return Filled(plain, cuts, plain)
        own = "".join([part if isinstance(part, str) else shown[part] for part in self.parts if part not in data])
        blocks = data_blocks([(field.tag, text) for field, text in data.items()], beside=own)
        by_field = {**shown, **dict(zip(data, blocks, strict=True))}
        text = "".join([part if isinstance(part, str) else by_field[part] for part in self.parts])
        return Filled(f"{DATA_NOTE}\n\n{text}", cuts, plain)


class _Absent:
    """The value of a field of a skipped node."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()
"""An empty text inside of a text, None for a lone field."""


def as_text(value: object) -> str:
    """Return a value as text: a text as it is, anything else as JSON, and "" for what is absent."""
    if isinstance(value, str):
        return value
    return "" if value is ABSENT else text_of_json(value)


def parse_template(source: object) -> Template:
    """Parse a template. Raises `ConfigurationError`, which names the place in the text."""
    if not isinstance(source, str):
        raise ConfigurationError(f"a template must be a string, got {describe(source)}")
    parts: list[str | Field] = []
    text: list[str] = []
    at = 0
    while at < len(source):
        here = source[at]
        if source.startswith(("{{", "}}"), at):
            text.append(here)
            at += 2
        elif here == "{":
            end = source.find("}", at)
            if end < 0:
                raise ConfigurationError(
                    f"the brace at character {at + 1} has no end: {source[at : at + 30]!r}; a brace is written {{{{"
                )
            if text:
                parts.append("".join(text))
                text = []
            parts.append(_field(source[at + 1 : end]))
            at = end + 1
        else:
            end = min((found for found in (source.find("{", at), source.find("}", at + 1)) if found > at), default=-1)
            end = len(source) if end < 0 else end
            text.append(source[at:end])
            at = end
    if text or not parts:
        parts.append("".join(text))
    return Template(source, tuple(parts))


def _field(inside: str) -> Field:
    name, *path = inside.strip().split(".")
    if FIELD_NAME.fullmatch(name) is None or not all(path):
        raise ConfigurationError(
            f"{{{inside}}} is not a field: it must be {{name}} or {{node.field}}; a brace is written {{{{"
        )
    return Field(name, tuple(path))
