"""Which memory a command uses: its address, the place of its file, and how it is opened."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jido_ai.cli.trust import trusted_settings
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.files.private import make_private_directory
from jido_ai.memory.store_at import store_at
from jido_ai.values import Scope

if TYPE_CHECKING:
    from jido_ai.memory.index.choice import Similarity
    from jido_ai.memory.reflexion_memory import ReflexionMemory
    from jido_ai.memory.store import MemoryStore

OWN_TENANT: Final = "default"
"""Tenant of what commands store, unless they are told a scope. Each project has a scope of its own."""
MANY: Final = 10**9
"""More entries than a memory has."""


@asynccontextmanager
async def open_memory(
    chosen: str | None, similarity: str = "auto", *, max_entries: int = MANY, create: bool = False
) -> AsyncGenerator[ReflexionMemory]:
    """Open the memory of a command.

    Args:
        chosen: as the command line has it; see `address_of`.
        create: make the file if there is none.

    Raises:
        ConfigurationError: the address or a setting is wrong.
        NotFoundError: there is no such file.
    """
    address_of(chosen)  # refuses an empty name before the settings would
    settings = trusted_settings(memory=chosen)
    address = address_of(settings.memory)
    if create:
        make_place(address)
    elif "://" not in address:
        existing(Path(address))
    kind: Similarity = similarity  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType] - checked there
    options: dict[str, Any] = {"max_entries": max_entries, "audit": settings.audit, "timeout_s": 600.0}
    from jido_ai.memory.reflexion_memory import ReflexionMemory  # noqa: PLC0415 - `open_store` does without

    async with ReflexionMemory(address, similarity=kind, **options) as memory:
        yield memory


@asynccontextmanager
async def open_store(chosen: str | None) -> AsyncGenerator[MemoryStore | None]:
    """Open only the store of a command's memory, which takes half the time; for commands that list.

    Yields None if the memory keeps an audit: its reads go through `open_memory`.
    """
    address_of(chosen)  # refuses an empty name before the settings would
    settings = trusted_settings(memory=chosen)
    if settings.audit != "none":
        yield None
        return
    address = address_of(settings.memory)
    if "://" not in address:
        existing(Path(address))
    store = store_at(address)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def address_of(chosen: str | None) -> str:
    """Return the address of the memory to use: the chosen one, else that of the settings, else the user's own."""
    if chosen is not None and not chosen.strip():
        raise ConfigurationError("--memory takes a file name or postgresql://..., got nothing")
    if chosen == ":memory:":
        raise ConfigurationError("--memory takes a file name or postgresql://...: a memory in :memory: would be lost")
    return chosen or trusted_settings().memory or own_memory()


def memory_address(chosen: str | None) -> str:
    """Return `address_of(chosen)`, and make the directory of a file if there is none."""
    address = address_of(chosen)
    make_place(address)
    return address


def usable_memory(chosen: str | None) -> tuple[str | None, str | None]:
    """Return the address of the memory, or why there is none: the user's own cannot be written.

    Raises:
        ConfigurationError: the memory that was chosen cannot be made.
    """
    if chosen is not None:
        return memory_address(chosen), None
    address = Path(own_memory())
    try:
        make_place(str(address))
    except ConfigurationError as error:
        return None, str(error)
    place = address if address.exists() else address.parent
    if not os.access(place, os.W_OK):
        return None, f"{place}: cannot be written; name another --memory"
    return str(address), None


def own_memory() -> str:
    """Return the file of the user's own memory, which is used if no other is named."""
    from platformdirs import user_data_path  # noqa: PLC0415 - most commands are told which memory to use

    return str(user_data_path("jido-ai", appauthor=False) / "memory.db")


def make_place(address: str) -> None:
    """Make the directory of a memory file, readable by its owner only, if there is none."""
    if "://" not in address:
        parent = Path(address).parent
        try:
            make_private_directory(parent)
        except OSError as error:
            raise ConfigurationError(f"{parent}: cannot create it: {error.strerror}; name another --memory") from error


def existing(path: Path) -> Path:
    """Return the path of a memory file. Raises `NotFoundError` if there is no such file."""
    if not path.exists():
        raise NotFoundError(f"{path}: no memory yet; the first run with it creates it")
    return path


def scope_of(text: str) -> Scope:
    """Return the scope that is written TENANT/PROJECT. Raises `ConfigurationError` for anything else."""
    tenant, slash, project = text.partition("/")
    if not slash:
        raise ConfigurationError(f"--scope takes TENANT/PROJECT, got {text!r}")
    return Scope(tenant, project)
