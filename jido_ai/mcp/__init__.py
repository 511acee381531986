"""An MCP server over pipelines, graphs and a memory (extra `mcp`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.mcp.http import StreamableHTTP as StreamableHTTP
    from jido_ai.mcp.server import create_server as create_server
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
