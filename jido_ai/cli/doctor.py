"""`jido doctor`: installed extras, available tools and models, and data directories."""

from __future__ import annotations

import os
import platform
import re
import shlex
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import TextIO

from jido_ai.cli.memory_place import address_of, own_memory
from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.files.private import readable_by_others
from jido_ai.loop.settings import find_settings, load_settings
from jido_ai.memory.stores.sqlite.file import inspect_file
from jido_ai.memory.stores.sqlite.guard import beside
from jido_ai.models.names import bare_model_named, providers
from jido_ai.registry import names
from jido_ai.text.redaction import redact
from jido_ai.tools.lookup import default_executor, tool_named
from jido_ai.tools.sandbox.executor import SandboxExecutor
from jido_ai.tools.sandbox.layers import LAYERS, search_path
from jido_ai.tools.sandbox.selftest import escapes

_LIBRARIES = ("pydantic", "pykka", "aiosqlite", "cachetools", "httpx", "rich", "typer", "ruff")

_ABSENT = "not installed"
_EXTRAS = ("dbos", "improve", "mcp", "otel", "postgres", "prices", "semantic", "serve")
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+).*extra == ['\"](?P<extra>[a-z0-9-]+)['\"]")

_HELD = {
    "strong": "bubblewrap, seccomp, limits; memory is watched, files and bytes are limited by a file system in memory",
    "medium": "Landlock, seccomp, limits; memory, files and bytes are watched, so a burst may pass a limit briefly",
    "none": "tools that execute a candidate, as pytest does, are refused; those that only read it are not confined",
}


def doctor(memory: Path | str | None, out: TextIO) -> int:
    """Print the report; return 0, or 1 when something that `jido improve` needs is missing or set wrongly.

    Args:
        memory: as the command line said it.
    """

    def row(label: str, text: str) -> None:
        out.write(f"{label:<21} {text}\n")

    row("python", f"{platform.python_version()} at {sys.executable}")
    row("system", f"{platform.system()} {platform.release()}")
    for library in ("jido-ai", *_LIBRARIES):
        row(library, _version(library))
    missing: list[str] = []
    for name in names("tool"):
        is_found, place = _tool(name)
        row(f"tool {name}", place)
        if not is_found:
            missing.append(name)
    if missing:
        row("  searched", _path())
    _extras(row)
    _sandbox(row)
    are_usable = _settings(None if memory is None else str(memory), row)
    _models(row)
    needed = [name for name in missing if name in ("compile", "ruff")]
    if needed:
        out.write(f"`jido improve` needs what is missing: {', '.join(needed)}\n")
    return 1 if needed or not are_usable else 0


def _settings(memory: str | None, row: Callable[[str, str], None]) -> bool:
    """Print the settings file, each setting with its source, and the memory; return False if one cannot be used."""
    try:
        found = find_settings(Path.cwd())
        settings = load_settings(memory=memory)
    except ConfigurationError as error:
        row("settings", f"cannot be used: {error}")
        return False
    row("settings", "no jido.toml or [tool.jido] from here up" if found is None else str(found[0]))
    for name, value in settings.model_dump(mode="json", exclude={"origins", "memory"}, exclude_none=True).items():
        if name in settings.origins or value not in ([], {}):
            row(f"  {name}", f"{redact(str(value))} ({settings.origins.get(name, 'by default')})")
    address = address_of(settings.memory)
    refusal = _refusal(address)
    row("memory", f"{redact(address)} ({_memory_state(address) if refusal is None else f'refused: {redact(refusal)}'})")
    if refusal is not None:
        return False
    _workers(address, row)
    for path, mode in _open_to_others(address):
        row("", f"others can read {redact(str(path))}: chmod {mode} {redact(shlex.quote(str(path)))}")
    return True


def _workers(address: str, row: Callable[[str, str], None]) -> None:
    """Print the queues of a memory that has workers, who lives, and whose runs were handed over."""
    if find_spec("dbos") is None or ("://" not in address and not Path(f"{address}.queue").exists()):
        return
    from jido_ai.integrations.dbos_overview import queues_at  # noqa: PLC0415 - an extra

    try:
        queues = queues_at(address)
    except JidoError as error:
        row("queues", str(error))
        return
    for name, view in queues.items():
        row(f"queue {name}", f"{view.waiting} waiting, {view.running} running, {len(view.workers)} workers")
        for worker in view.workers:
            state = f"{worker.running} of {worker.concurrency} runs"
            if worker.is_gone or worker.is_silent:
                state = "gone" if worker.is_gone else f"silent for {worker.silent_s:.0f} s"
            row(f"  {worker.id}", f"{state}, jido-ai {worker.release}: {', '.join(worker.names)}")
        if view.handovers:
            newest = view.handovers[0]
            row("  handed over", f"{len(view.handovers)} recently; {newest.seconds_ago:.0f} s ago {newest.run_id}, "
                f"from {newest.from_worker}")  # fmt: skip
        if view.given_up:
            worst = view.given_up[0]
            row("  given up", f"{len(view.given_up)} recently; {worst.seconds_ago:.0f} s ago {worst.run_id}, "
                f"with which {worst.attempts} workers ended")  # fmt: skip


def _open_to_others(address: str) -> list[tuple[Path, str]]:
    """Return the files of a memory that others can read, with their proper modes; the directory too if it is ours."""
    if "://" in address or not Path(address).is_file():
        return []
    path = Path(address)
    files = readable_by_others((path, *(beside(path, suffix) for suffix in ("-journal", "-wal", "-shm"))))
    own = readable_by_others([path.absolute().parent]) if path == Path(own_memory()) else []
    return [(path, "600") for path in files] + [(path, "700") for path in own]


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return _ABSENT


def _tool(name: str) -> tuple[bool, str]:
    tool, executor = tool_named(name), default_executor()
    try:
        return True, executor.locate(tool.found(executor).argv[0])
    except ConfigurationError as error:
        searched = f"searched {search_path('none')}; "
        return False, f"not found: {str(error).replace(searched, '')}"


def _path() -> str:
    """Return the directories in which programs are searched, each once."""
    return os.pathsep.join(dict.fromkeys(search_path("none").split(os.pathsep)))


def _extras(row: Callable[[str, str], None]) -> None:
    """Print whether each extra is installed, and how to install it."""
    wanted: dict[str, list[str]] = {name: [] for name in _EXTRAS}
    try:
        requirements = requires("jido-ai") or []
    except PackageNotFoundError:  # a copy that is not installed
        return
    for requirement in requirements:
        found = _REQUIREMENT.match(requirement)
        if found is not None and found["extra"] in wanted:
            wanted[found["extra"]].append(found["name"])
    for name, packages in wanted.items():
        absent = [package for package in packages if _version(package) == _ABSENT]
        text = f"{_ABSENT} ({', '.join(absent)}): pip install 'jido-ai[{name}]'" if absent else "installed"
        row(f"extra {name}", text)


def _sandbox(row: Callable[[str, str], None]) -> None:
    used = SandboxExecutor().layer()
    row("sandbox", f"{used}: {_HELD[used]}")
    for layer in LAYERS:
        why = escapes(layer)
        row(f"  {layer}", why or ("works; used" if layer == used else "works"))


def _models(row: Callable[[str, str], None]) -> None:
    """Print the address of every provider, or what is missing. Nothing is sent."""
    for provider in providers():
        try:
            model = bare_model_named(f"{provider}:NAME")
        except JidoError as error:
            row(f"model {provider}", str(error).removeprefix(f"{provider}:NAME: "))
        else:
            address = str(getattr(model, "base_url", ""))
            row(f"model {provider}", f'would be asked at {redact(address)}, as in "{provider}:NAME"')


def _refusal(address: str) -> str | None:
    """Return why the file of a memory is refused, before it is opened; None if it is not."""
    try:
        if "://" not in address:
            inspect_file(Path(address))
    except JidoError as error:
        return str(error)
    return None


def _memory_state(address: str) -> str:
    if "://" in address:
        return "a database server"
    memory = Path(address)
    if memory.exists():
        return f"{memory.stat().st_size} bytes"
    above = next(parent for parent in memory.absolute().parents if parent.exists())
    return "not created yet" if os.access(above, os.W_OK) else "its directory is not writable"
