"""A critic of JSON, TOML, YAML, Markdown and plain text that needs no program."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from jido_ai.errors import ConfigurationError
from jido_ai.logic.text_checks import LANGUAGES, check_text
from jido_ai.logic.tool_reports import SEVERITIES
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, Issue

__all__ = ["TextCritiquer"]


class TextCritiquer:
    """Judges a candidate by the checks of its language, see `logic.text_checks`; severity and score as a tool critic's.

    Args:
        language: "json", "markdown", "text", "toml" or "yaml".
        schema: a JSON Schema that JSON must fit; what it refers to must be in it.
        layout: Markdown that mdformat would lay out otherwise is one finding of style, rule "format".

    Raises:
        ConfigurationError: another language, a schema for another language than JSON, or one that is no JSON Schema; a
            layout for another language than Markdown.
    """

    def __init__(self, language: str, *, schema: Mapping[str, Any] | None = None, layout: bool = False) -> None:
        if language not in LANGUAGES:
            raise ConfigurationError(f"the language must be one of {', '.join(LANGUAGES)}, got {language!r}")
        if schema is not None:
            if language != "json":
                raise ConfigurationError(f"a schema is for the language 'json', got {language!r}")
            from jido_ai.logic.json_schema import check_schema  # noqa: PLC0415 - slow to load, and seldom needed

            check_schema(schema)
        if layout and language != "markdown":
            raise ConfigurationError(f"a layout is for the language 'markdown', got {language!r}")
        self._language = language
        self._schema = None if schema is None else dict(schema)
        self._layout = layout
        self.name = f"tool:{language}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Check the text, on a thread."""
        found = await asyncio.to_thread(self._check, candidate.content)
        issues = tuple(issue.replace(severity=SEVERITIES[issue.kind or "style"]) for issue in found)
        severities = [issue.severity or 0.0 for issue in issues]
        score = 1.0 / (1.0 + sum(severities))
        return CritiqueResult(severity=max(severities, default=0.0), score=score, issues=issues, source=self.name)

    def _check(self, text: str) -> tuple[Issue, ...]:
        found = check_text(self._language, text, self._schema)
        if self._layout and not any(issue.kind == "syntax" for issue in found):
            from jido_ai.logic.markdown_text import formatted_markdown  # noqa: PLC0415 - loaded where there is Markdown

            if formatted_markdown(text) not in (None, text):
                said = "the file is not laid out as mdformat would"
                found = (*found, Issue(said, kind="style", rule="format", source=self.name))
        return found
