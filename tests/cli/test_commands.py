"""The commands as they are typed: what is loaded, short options, prefixes of ids."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys

import pytest

from jido_ai.cli.app import _COMMANDS, app
from jido_ai.cli.commands.memory import Kind
from jido_ai.cli.ids import only_match
from jido_ai.errors import ConfigurationError
from jido_ai.values import MemoryKind

HEAVY = ("pydantic", "rich", "asyncio", "json_repair", "httpx", "sqlite3", "jido_ai.values")


def loaded_by(*words: str, **environment: str) -> tuple[str, list[str]]:
    """Return what a command prints, and which of the heavy modules it loads."""
    code = (
        "import sys, json\n"
        f"sys.argv = ['jido', *{list(words)!r}]\n"
        "from jido_ai.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]), file=sys.stderr)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=150,
        env={**os.environ, **environment},
    )
    return run.stdout, json.loads(run.stderr.splitlines()[-1])


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("--version",)], ids=" ".join)
def test_help_and_version_load_nothing_heavy(words: tuple[str, ...]) -> None:
    out, heavy = loaded_by(*words)
    assert out.strip()
    assert heavy == []


def test_every_command_in_the_help_loads_and_has_the_same_description() -> None:
    out, _ = loaded_by("--help")
    for name, line in _COMMANDS.items():
        assert line in " ".join(out.split())
        found = importlib.import_module(f"jido_ai.cli.commands.{name.replace('-', '_')}").app
        said = found.info.help or found.registered_commands[0].callback.__doc__
        assert said.split()[:2] == line.split()[:2]


def test_the_command_line_has_the_kinds_of_the_memory() -> None:
    assert [kind.value for kind in Kind] == [kind.value for kind in MemoryKind]


@pytest.mark.parametrize("words", [("memory", "list", "-h"), ("improve", "-h"), ("runs", "-h")], ids=" ".join)
def test_the_short_option_for_help_works_everywhere(words: tuple[str, ...]) -> None:
    assert "Usage: jido " + " ".join(words[:-1]) in loaded_by(*words)[0]


def test_the_shell_completes_commands_without_loading_them() -> None:
    out, heavy = loaded_by(_JIDO_COMPLETE="complete_bash", COMP_WORDS="jido me", COMP_CWORD="1")
    assert out.split() == ["memory"]
    assert "jido_ai.values" not in heavy


def test_an_id_may_be_shortened_to_a_prefix_that_only_one_has() -> None:
    known = ["memory_ab1", "memory_ab2", "memory_c"]
    assert only_match("memory_c", known, "entries") == "memory_c"
    assert only_match("memory_ab1", known, "entries") == "memory_ab1"
    assert only_match("memory_d", known, "entries") is None
    with pytest.raises(ConfigurationError, match=r"beginning of 2 entries: memory_ab1, memory_ab2; give more of it"):
        only_match("memory_ab", known, "entries")
    assert app.info.name == "jido"
