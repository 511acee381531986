"""Names and the objects behind them."""

from __future__ import annotations

from collections.abc import Generator
from importlib.metadata import EntryPoint
from typing import Any, get_args

import pytest

from jido_ai import registry
from jido_ai.errors import ConfigurationError
from jido_ai.registry import Kind, names, resolve

OURS = [(kind, name) for kind in get_args(Kind) for name in registry._OURS[kind]]


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> Generator[dict[str, str]]:
    """Give a dict of name -> address, of the tools that other packages add."""
    added: dict[str, str] = {}

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in added.items() if group == "jido_ai.tools"]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry._theirs.cache_clear()
    yield added
    registry._theirs.cache_clear()


@pytest.mark.parametrize(("kind", "name"), OURS)
def test_every_name_of_ours_resolves(kind: Kind, name: str) -> None:
    assert resolve(kind, name) is not None
    assert name in names(kind)


def test_names_are_sorted() -> None:
    for kind in get_args(Kind):
        assert list(names(kind)) == sorted(set(names(kind)))


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match=r"unknown tool 'rufff'; known: .*ruff"):
        resolve("tool", "rufff")


@pytest.mark.rows("R60")
def test_other_packages_add_names_by_entry_points(theirs: dict[str, str]) -> None:
    theirs["mine"] = "json:loads"
    import json

    assert resolve("tool", "mine") is json.loads
    assert "mine" in names("tool")
    assert "mine" not in names("store")


def test_a_name_of_ours_cannot_be_taken_over(theirs: dict[str, str]) -> None:
    ours = resolve("tool", "ruff")
    theirs["ruff"] = "json:loads"
    registry._theirs.cache_clear()
    assert resolve("tool", "ruff") is ours
    assert names("tool").count("ruff") == 1


@pytest.mark.parametrize("address", ["no_such_module:x", "json:no_such_name"])
def test_a_registered_name_that_cannot_be_loaded_is_a_configuration_error(
    address: str, theirs: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs["broken"] = address
    with pytest.raises(ConfigurationError, match="'broken' is registered but cannot be loaded"):
        resolve("tool", "broken")
    tools: dict[str, Any] = {"ours": address}
    monkeypatch.setitem(registry._OURS, "tool", tools)
    with pytest.raises(ConfigurationError, match="'ours' is registered but cannot be loaded"):
        resolve("tool", "ours")
