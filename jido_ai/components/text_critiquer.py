"""A critic of JSON, TOML, Markdown and plain text that needs no program."""

from __future__ import annotations

import asyncio

from jido_ai.errors import ConfigurationError
from jido_ai.logic.text_checks import LANGUAGES, check_text
from jido_ai.logic.tool_reports import SEVERITIES
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult

__all__ = ["TextCritiquer"]


class TextCritiquer:
    """Judges a candidate by the checks of its language, see `logic.text_checks`; severity and score as a tool critic's.

    Args:
        language: "json", "markdown", "text" or "toml".

    Raises:
        ConfigurationError: another language.
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ConfigurationError(f"the language must be one of {', '.join(LANGUAGES)}, got {language!r}")
        self._language = language
        self.name = f"tool:{language}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Check the text, on a thread."""
        found = await asyncio.to_thread(check_text, self._language, candidate.content)
        issues = tuple(issue.replace(severity=SEVERITIES[issue.kind or "style"]) for issue in found)
        severities = [issue.severity or 0.0 for issue in issues]
        score = 1.0 / (1.0 + sum(severities))
        return CritiqueResult(severity=max(severities, default=0.0), score=score, issues=issues, source=self.name)
