"""`jido mcp`: serve the pipelines and graphs of the settings file over standard input and output."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jido_ai.cli.memory_place import memory_address
from jido_ai.cli.served import load_served
from jido_ai.errors import ConfigurationError
from jido_ai.loop.settings import load_settings
from jido_ai.mcp.patch_tool import PatchChecker
from jido_ai.mcp.server import create_server


def serve(memory: str | None, model: str | None, directory: Path | None, tests: Path | None = None) -> None:
    """Serve until the client closes standard input. Standard output is the protocol's alone.

    Args:
        memory: as on the command line.
        model: for pipelines and graphs that name none.
        directory: becomes the working directory; None: stays where it is. The tool check_patch is about its project.
        tests: for that tool: tests that must keep passing.

    Raises:
        ConfigurationError: the settings file names something that can never work, or mcp is not installed.
        StoreError: the memory cannot be opened.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if directory is not None:
        os.chdir(directory)
    settings = load_settings(model=model)
    server = create_server(
        load_served(settings),
        memory=memory_address(memory),
        monthly_usd=settings.monthly_budget_usd,
        check_patch=patch_checker(Path.cwd(), tests),
    )
    asyncio.run(server.run_stdio_async())


def patch_checker(root: Path, tests: Path | None) -> PatchChecker | None:
    """Return a function that checks patches of the project here; None without the tools of `jido improve`."""
    try:
        from jido_ai.improve.patch_report import patch_json  # noqa: PLC0415 - needs an extra
        from jido_ai.improve.patch_run import GateOptions, gate  # noqa: PLC0415
    except ImportError:
        return None
    if tests is not None and not tests.exists():
        raise ConfigurationError(f"{tests}: no such tests; --tests takes a file or a directory")

    async def check(patch: str) -> Mapping[str, Any]:
        report = await gate(GateOptions(patch=patch, root=root, tests=tests))
        return patch_json(report.verdict)

    return check
