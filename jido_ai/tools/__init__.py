"""Tools: programs that judge candidates; the ready ones; lookup by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.protocols import ToolExecutor as ToolExecutor
    from jido_ai.tools.rules import has_length as has_length
    from jido_ai.tools.rules import json_schema_tool as json_schema_tool
    from jido_ai.tools.rules import must_match as must_match
    from jido_ai.tools.rules import must_not_match as must_not_match
    from jido_ai.tools.rules import rules_tool as rules_tool
    from jido_ai.tools.tool import Tool as Tool
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
