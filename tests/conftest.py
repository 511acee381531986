"""A test marked `virtual_clock` runs on the virtual clock: `pytestmark = pytest.mark.virtual_clock` for a file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest

from jido_ai.testing import VirtualClockLoop


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "virtual_clock: run on an event loop whose time jumps to the next timer")


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tell pytest-asyncio which loop a test runs on."""
    if item.get_closest_marker("virtual_clock") is None:
        return {"asyncio": asyncio.new_event_loop}
    return {"virtual": VirtualClockLoop}
