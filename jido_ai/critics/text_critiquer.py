"""TextCritiquer: checks JSON, TOML, YAML, Markdown and plain text without an external program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jido_ai.critics.scoring import with_verdict
from jido_ai.errors import ConfigurationError
from jido_ai.extras import require
from jido_ai.protocols import RunContext, ToolExecutor
from jido_ai.text.checks import LANGUAGES
from jido_ai.tools.reports.linters import SEVERITIES
from jido_ai.tools.text_work import TextWork
from jido_ai.values import Candidate, CritiqueResult, Issue

_PARSERS: Final = {"markdown": "mdformat", "yaml": "ruamel.yaml"}


class TextCritiquer:
    """Judges a candidate by the checks of its language (see `text.checks`); severity and score as in `ToolCritiquer`.

    A text that may take long to check is checked in a process, which is killed after 10 seconds; the finding is then
    "too large to check", of kind "cannot-run".

    Args:
        language: "json", "jsonc" (JSON with comments), "markdown", "text", "toml" or "yaml".
        schema: a JSON Schema that JSON must match; its references must be inside it.
        layout: text that mdformat would format differently is one finding of style, rule "format" (Markdown only).
        executor: runs the process; by default the registered "sandbox".

    Raises:
        ConfigurationError: the language is unknown, a schema is given for a language other than JSON or is not a valid
            JSON Schema, or a layout for a language other than Markdown; or the parser of YAML or Markdown is not
            installed.
    """

    def __init__(
        self,
        language: str,
        *,
        schema: Mapping[str, Any] | None = None,
        layout: bool = False,
        executor: ToolExecutor | None = None,
    ) -> None:
        if language not in LANGUAGES:
            raise ConfigurationError(f"the language must be one of {', '.join(LANGUAGES)}, got {language!r}")
        if language in _PARSERS:
            require("improve", _PARSERS[language])
        if schema is not None:
            if language != "json":
                raise ConfigurationError(f"a schema is for the language 'json', got {language!r}")
            from jido_ai.text.json_schema import check_schema  # noqa: PLC0415 - slow to import and rarely needed

            check_schema(schema)
        if layout and language != "markdown":
            raise ConfigurationError(f"a layout is for the language 'markdown', got {language!r}")
        self._language = language
        self._schema = None if schema is None else dict(schema)
        self._layout = layout
        self._work = TextWork(executor)
        self.name = f"tool:{language}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Check the text, in a thread or in a separate process."""
        found = await self._check(candidate.content, context.time_left_s)
        issues = tuple(issue.replace(severity=SEVERITIES[issue.kind or "style"]) for issue in found)
        severities = [issue.severity or 0.0 for issue in issues]
        score = 1.0 / (1.0 + sum(severities))
        severity = max(severities, default=0.0)
        return with_verdict(CritiqueResult(severity=severity, score=score, issues=issues, source=self.name))

    async def _check(self, text: str, left_s: float | None) -> tuple[Issue, ...]:
        found = await self._work.check(self._language, text, self._schema, left_s=left_s)
        if not self._layout or any(issue.kind in ("syntax", "cannot-run") for issue in found):
            return found
        layout = await self._work.has_usual_layout(self._language, text, left_s=left_s)
        if layout is True:
            return found
        message = "the file is not formatted as mdformat would format it"
        return (*found, layout or Issue(message, kind="style", rule="format", source=self.name))
