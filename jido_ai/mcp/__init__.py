"""An MCP server over pipelines, graphs and a memory (extra `mcp`)."""

from jido_ai.mcp.http import StreamableHTTP
from jido_ai.mcp.server import create_server

__all__ = ["StreamableHTTP", "create_server"]
