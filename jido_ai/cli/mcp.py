"""`jido mcp`: serve the pipelines and graphs of the settings file over standard input and output."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from pathlib import Path

from jido_ai.cli.memory_place import memory_address
from jido_ai.cli.served import load_served
from jido_ai.loop.settings import load_settings
from jido_ai.mcp.server import create_server

__all__ = ["serve"]


def serve(memory: str | None, model: str | None, directory: Path | None) -> None:
    """Serve until the client closes standard input. Standard output is the protocol's alone.

    Args:
        memory: as on the command line.
        model: for pipelines and graphs that name none.
        directory: becomes the working directory; None: stays where it is.

    Raises:
        ConfigurationError: the settings file names something that can never work, or mcp is not installed.
        StoreError: the memory cannot be opened.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if directory is not None:
        os.chdir(directory)
    budget_usd = load_settings().monthly_budget_usd
    server = create_server(load_served(model=model), memory=memory_address(memory), monthly_usd=budget_usd)
    asyncio.run(server.run_stdio_async())
