"""Checks and repairs of texts off the event loop: short ones in a thread, others in a process that can be killed.

A parser may take quadratic time. A thread cannot be stopped, and the program does not exit while it runs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from jido_ai.errors import ToolError
from jido_ai.protocols import ToolExecutor
from jido_ai.text.checks import check_text, is_quick, plain_check, too_large
from jido_ai.text.markdown_layout import has_usual_layout
from jido_ai.text.repair import is_quick_repair, repair_texts
from jido_ai.text.syntax_repair import SyntaxRepair, syntax_repairs
from jido_ai.tools import runners
from jido_ai.tools.lookup import default_executor
from jido_ai.tools.reports.linters import clean_end
from jido_ai.values import Issue
from jido_ai.values.tool import ToolJob

TIMEOUT_S: Final = 10.0
"""Time limit for one text in seconds, including the start of the process."""

_SCRIPT: Final = str(Path(runners.__file__).resolve().parent / "texts_json.py")
_QUICK_PYTHON_CHARS: Final = 2_000
_SHORT_CHARS: Final = 4_000
_OUTPUT_BYTES: Final = 16 * 1024 * 1024  # minimum; a text may be six times as long in JSON
P = ParamSpec("P")
T = TypeVar("T")


async def read_off_loop(chars: int, read: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of `read`, called in a thread unless it reads few `chars`: a thread costs more than these."""
    return read(*args, **kwargs) if chars <= _SHORT_CHARS else await asyncio.to_thread(read, *args, **kwargs)


class TextWork:
    """Runs checks and repairs.

    Args:
        executor: runs the process; None is the registered "sandbox", looked up on first use.
    """

    def __init__(self, executor: ToolExecutor | None = None) -> None:
        self._executor = executor

    async def check(
        self, language: str, text: str, schema: Mapping[str, Any] | None = None, *, left_s: float | None = None
    ) -> tuple[Issue, ...]:
        """Return the findings of `check_text`.

        If the time runs out, that is a finding of kind "cannot-run", in addition to those of the quick checks.

        Args:
            left_s: seconds left for the run; None is no limit.
        """
        if is_quick(language, text, plain=schema is None):
            return await asyncio.to_thread(check_text, language, text, schema)
        try:
            answer = await self._answer(left_s, do="check", language=language, text=text, schema=schema)
        except ToolError as error:
            found = await asyncio.to_thread(plain_check, language, text)
            return (*found, too_large(language, str(error)))
        return tuple(Issue.model_validate(one) for one in answer["issues"])

    async def has_usual_layout(self, language: str, text: str, *, left_s: float | None = None) -> bool | Issue:
        """Tell whether mdformat would leave the text unchanged; if the time runs out, return an issue."""
        if is_quick(language, text, plain=False):
            return await asyncio.to_thread(has_usual_layout, text)
        try:
            answer = await self._answer(left_s, do="layout", language=language, text=text, schema=None)
        except ToolError as error:
            return too_large(language, str(error))
        return answer["is_usual"] is True

    async def repair(
        self,
        language: str,
        text: str,
        issues: Sequence[Issue],
        schema: Mapping[str, Any] | None = None,
        *,
        left_s: float | None = None,
    ) -> tuple[str, tuple[Issue, ...]]:
        """Return the result of `repair_texts`.

        Raises:
            ToolError: the time ran out, or the process could not be run.
        """
        plain = schema is None and all(issue.rule != "format" for issue in issues)
        if is_quick(language, text, plain=plain) and is_quick_repair(text, issues):
            return await asyncio.to_thread(repair_texts, language, text, issues, schema)
        data = [issue.model_dump(mode="json") for issue in issues]
        answer = await self._answer(left_s, do="repair", language=language, text=text, issues=data, schema=schema)
        fixed: list[int] = answer["fixed"]
        return str(answer["text"]), tuple(issues[index] for index in fixed)

    async def repair_syntax(self, text: str, *, left_s: float | None = None) -> tuple[SyntaxRepair, ...]:
        """Return the result of `syntax_repairs`; nothing if the time runs out."""
        if len(text) <= _QUICK_PYTHON_CHARS:
            return await asyncio.to_thread(syntax_repairs, text)
        try:
            answer = await self._answer(left_s, do="syntax", text=text)
        except ToolError:
            return ()
        return tuple(
            SyntaxRepair(one["text"], tuple(one["rows"]), one["size"], one["slips"]) for one in answer["repairs"]
        )

    async def _answer(self, left_s: float | None, **request: Any) -> Any:
        """Return the answer of the process.

        Raises:
            ToolError: it was killed at its limit, or ended abnormally.
        """
        self._executor = self._executor or default_executor()
        raw = await asyncio.to_thread(lambda: json.dumps(request).encode())
        limit_s = min(TIMEOUT_S, inf if left_s is None else left_s)
        job = ToolJob(
            argv=("python", "-P", "-s", _SCRIPT),
            stdin=raw,
            timeout_s=limit_s,
            max_output_bytes=max(_OUTPUT_BYTES, 2 * len(raw)),
            executes=False,
        )
        run = await self._executor.run(job)
        if run.timed_out:
            raise ToolError(f"it took longer than {limit_s:.0f} s")
        if run.exit_status != 0 or run.truncated:
            why = clean_end(run.stderr).rpartition("\n")[2] or f"its process ended with {run.exit_status}"
            raise ToolError(why)
        return await asyncio.to_thread(json.loads, run.stdout)
