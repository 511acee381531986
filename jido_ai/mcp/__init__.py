"""An MCP server over pipelines, graphs and a memory (extra `mcp`)."""
