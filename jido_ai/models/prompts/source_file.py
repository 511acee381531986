"""Source files in a request: name and language, numbered lines, the surrounding project. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.printable import clip

PROJECT_CHARS: Final = 8_000
"""Characters of the project's other files that a request shows: about 2,000 tokens."""
NUMBERED: Final = 'Its lines are shown as "NUMBER | TEXT"; give "line" by these numbers.'
"""Explains what `numbered` does."""
_LANGUAGES: Final[Mapping[str, str]] = {
    ".bash": "bash",
    ".c": "c",
    ".cc": "c++",
    ".cpp": "c++",
    ".cs": "c#",
    ".css": "css",
    ".ex": "elixir",
    ".exs": "elixir",
    ".go": "go",
    ".h": "c",
    ".hpp": "c++",
    ".html": "html",
    ".java": "java",
    ".js": "javascript",
    ".json": "json",
    ".jsx": "javascript",
    ".kt": "kotlin",
    ".lua": "lua",
    ".markdown": "markdown",
    ".md": "markdown",
    ".php": "php",
    ".pl": "perl",
    ".py": "python",
    ".pyi": "python",
    ".rb": "ruby",
    ".rs": "rust",
    ".rst": "restructuredtext",
    ".scala": "scala",
    ".sh": "shell",
    ".sql": "sql",
    ".swift": "swift",
    ".toml": "toml",
    ".ts": "typescript",
    ".tsx": "typescript",
    ".txt": "text",
    ".yaml": "yaml",
    ".yml": "yaml",
}
_PROSE: Final = frozenset({"markdown", "restructuredtext", "text"})
_NAME_CHARS: Final = 200
_LEFT_OUT: Final = "[… {} characters left out …]"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """Facts about the file whose text is the candidate. All of them are data.

    Attributes:
        path: of the file, relative to the project; None when it is not known.
        language: such as "python"; None when it is not known.
        project: other files of the project: path and text.
    """

    path: str | None = None
    language: str | None = None
    project: Mapping[str, str] | None = None

    @property
    def is_code(self) -> bool:
        """True unless it is text for readers."""
        return self.language not in _PROSE

    @property
    def heading(self) -> str:
        """Return file name and language, a line each, if known."""
        facts = (("File", self.path), ("Language", self.language))
        return "\n".join(f"{label}: {_in_a_line(text)}" for label, text in facts if text)

    @property
    def surroundings(self) -> str:
        """The other files, whole as long as there is room; others by name and size. At most 8,000 characters."""
        room = PROJECT_CHARS
        shown: list[str] = []
        for path, text in (self.project or {}).items():
            name = _in_a_line(path)
            part = f"File: {name}\n{_LEFT_OUT.format(len(text))}"
            if len(text) <= room:
                whole = f"File: {name}\n{numbered(text)}"
                part = whole if len(whole) + 2 <= room else part
            room -= len(part) + 2
            if room < 0:
                break
            shown.append(part)
        return "\n\n".join(shown)


def source_file(
    path: object, language: object, project: object = None, metadata: Mapping[str, Any] | None = None
) -> SourceFile | None:
    """Return the facts about the file; None without any.

    Args:
        path, language, project: what the caller says.
        metadata: of the run; its "path" and "language" count where the caller says nothing.

    Raises:
        ConfigurationError: `path` or `language` is neither None nor a string that is not blank, or `project` is not a
            mapping of strings.
    """
    for name, value in (("path", path), ("language", language)):
        if value is not None and not (isinstance(value, str) and value.strip()):
            raise ConfigurationError(f"{name} must be None or a string that is not blank, got {describe(value)}")
    if project is not None and not _is_texts(project):
        raise ConfigurationError(f"project must be None or a mapping of paths to texts, got {describe(project)}")
    given = metadata or {}
    path = path or _text(given.get("path"))
    language = language or _text(given.get("language")) or _language_of(cast("str | None", path))
    if path is None and language is None:
        return None
    return SourceFile(cast("str | None", path), cast("str | None", language), cast("Mapping[str, str] | None", project))


def numbered(text: str, max_chars: int | None = None) -> str:
    """Return the text with each line's number beside it, as `NUMBER | TEXT`, counted from 1; a line feed ends a line.

    Args:
        max_chars: of the text itself, at least 100. Of a longer one the beginning (three quarters) and the end are
            shown, in whole lines if they fit, with the numbers they have in the text, and a note of what is missing.
            None: all of it.
    """
    if max_chars is None or len(text) <= max_chars:
        lines = text.removesuffix("\n").split("\n")
        return "\n".join(_rows(lines, 1, len(lines)))
    total = text.count("\n") + (not text.endswith("\n"))
    *head, rest = text[: max_chars * 3 // 4].split("\n")
    first, *tail = text[len(text) - max_chars // 4 :].removesuffix("\n").split("\n")
    left_out = len(text) - max_chars * 3 // 4 - max_chars // 4
    left_out += len(rest) if head else 0  # a line that is too long is shown in part
    left_out += len(first) + 1 if tail else 0
    head, tail = head or [rest], tail or [first]
    note = _LEFT_OUT.format(left_out)
    return "\n".join((*_rows(head, 1, total), note, *_rows(tail, total - len(tail) + 1, total)))


def _rows(lines: Sequence[str], first: int, total: int) -> list[str]:
    width = len(str(total))
    return [f"{number:>{width}} | {line}" for number, line in enumerate(lines, first)]


def _in_a_line(text: str) -> str:
    return clip(" ".join(text[: 4 * _NAME_CHARS].split()), _NAME_CHARS)


def _language_of(path: str | None) -> str | None:
    return None if path is None else _LANGUAGES.get(PurePosixPath(path.strip()).suffix.lower())


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _is_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(part, str) for item in cast("Mapping[object, object]", value).items() for part in item
    )
