"""The tool check_patch: a patch of the server's project, checked hunk by hunk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Final

from mcp.server.mcpserver import Context
from pydantic import BaseModel, ConfigDict, Field

from jido_ai.components.component import showable
from jido_ai.mcp.limits import LARGEST, CallerOf, as_tool_error, permitted

PatchChecker = Callable[[str], Awaitable[Mapping[str, Any]]]
"""Checks a unified diff of a project and returns the report of `jido gate --json`."""
_AT_ONCE: Final = 2

Patch = Annotated[
    str, Field(max_length=LARGEST, description="Unified diff with paths relative to the project, as of git diff.")
]


class HunkReply(BaseModel):
    """One hunk."""

    model_config = ConfigDict(frozen=True)

    file: str
    line: int = Field(description="First line in the old file.")
    kept: bool
    rule: str | None = Field(None, description="Kind of the reason, such as import, test or suppression.")
    reason: str | None = Field(None, description="Why the hunk is rejected.")


class PatchReply(BaseModel):
    """The verdict on a patch."""

    model_config = ConfigDict(frozen=True)

    summary: dict[str, Any] = Field(description="Counts: hunks, kept, rejected, files, reasons.")
    hunks: list[HunkReply]
    kept: str = Field(description="Patch of the hunks that break nothing; it applies to the project.")
    rejected: str = Field(description="Patch of the others.")
    unchecked: list[str] = Field(default_factory=list[str], description="Checks that could not be made, and why.")


class PatchTool:
    """The tool check_patch."""

    def __init__(self, check: PatchChecker, caller_of: CallerOf) -> None:
        self._check = check
        self._caller_of = caller_of
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def check_patch(self, context: Context[Any, Any], patch: Patch) -> PatchReply:
        """Check a patch of the project before it is applied: return which hunks break nothing, and why others do."""
        with as_tool_error():
            permitted(self._caller_of, context, "run")
            async with self._turns:
                found = await self._check(patch)
        hunks = [HunkReply(**{name: one.get(name) for name in HunkReply.model_fields}) for one in found["hunks"]]
        return PatchReply(
            summary=found["summary"],
            hunks=[hunk.model_copy(update={"reason": hunk.reason and showable(hunk.reason)}) for hunk in hunks],
            kept=found["kept"],
            rejected=found["rejected"],
            unchecked=[showable(one) for one in found["unchecked"]],
        )
