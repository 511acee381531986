"""Claims: a run has at most one owner, across processes and machines.

A claim names its owner by host, boot, process namespace, pid and start time of the process. It holds until it expires,
and it is renewed while its run is in flight. Of an owner on this machine it is void as soon as the process is gone.
"""

from __future__ import annotations

import json
import os
import platform
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final, cast
from uuid import uuid4

from jido_ai.errors import RunClaimedError
from jido_ai.values import Scope, utc_now
from jido_ai.values.record import Claim

_PROC: Final = Path("/proc")
_SHOWN_CHARS: Final = 100
_live: Final[set[str]] = set()
"""Tokens of the claims whose runs are in flight in this process."""


def new_claim(run_id: str, scope: Scope, lasts_s: float) -> Claim:
    """Return a claim of this process, in flight until `let_go`.

    Args:
        lasts_s: seconds for which other processes respect it unless it is renewed.
    """
    token = uuid4().hex
    _live.add(token)
    return Claim(
        run_id=run_id,
        scope=scope,
        token=token,
        owner=this_process(),
        expires_at=utc_now() + timedelta(seconds=lasts_s),
    )


def let_go(claim: Claim) -> None:
    """Mark the run as no longer in flight: in this process the claim is void, whatever the store says."""
    _live.discard(claim.token)


def claimed(holder: Claim) -> RunClaimedError:
    """Return the error for a caller that wants the run of `holder`."""
    return RunClaimedError(holder.run_id, owner_named(holder.owner), holder.expires_at)


def is_void(claim: Claim, now: datetime | None = None) -> bool:
    """Tell whether a claim no longer holds: it has expired, or its owner was on this machine and is gone.

    A claim of this process holds until `let_go`.

    Args:
        now: defaults to the current time.
    """
    owner = _read(claim.owner)
    is_here = owner is not None and _is_here(owner)
    if owner is not None and is_here and owner["pid"] == os.getpid() and owner["start"] == _start_of(os.getpid()):
        return claim.token not in _live
    if claim.expires_at <= (now or utc_now()):
        return True
    return owner is not None and is_here and not _lives(owner)


def is_gone(owner: str) -> bool:
    """Tell whether the owner of a claim was a process of this machine that has ended."""
    read = _read(owner)
    return read is not None and _is_here(read) and not _lives(read)


def owner_named(owner: str) -> str:
    """Return the owner for messages: host and pid, or that its process has finished it."""
    read = _read(owner)
    if not owner:
        return "a process that has finished it"
    return owner[:_SHOWN_CHARS] if read is None else f"{read['host']} (pid {read['pid']})"[:_SHOWN_CHARS]


def this_process() -> str:
    """Return this process as the owner of a claim."""
    return _described(os.getpid())  # which a fork changes


@cache
def _described(pid: int) -> str:
    about = {"host": platform.node(), "boot": _boot(), "namespace": _namespace(), "pid": pid, "start": _start_of(pid)}
    return json.dumps(about)


def _read(owner: str) -> dict[str, Any] | None:
    """Return the owner that `this_process` wrote; None for anything else."""
    try:
        read: object = json.loads(owner)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    about = cast("dict[str, Any]", read)
    texts = all(isinstance(about.get(name), str) for name in ("host", "boot", "namespace", "start"))
    return about if texts and type(about.get("pid")) is int and about["pid"] > 0 else None


def _is_here(owner: dict[str, Any]) -> bool:
    """Tell whether this process can see the owner's process by its pid."""
    if os.name != "posix" or owner["namespace"] != _namespace() or owner["boot"] != _boot():
        return False
    return bool(owner["boot"]) or owner["host"] == platform.node()


def _lives(owner: dict[str, Any]) -> bool:
    if (_PROC / "self" / "stat").exists():
        return _start_of(owner["pid"]) == owner["start"]
    try:
        os.kill(owner["pid"], 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _start_of(pid: int) -> str:
    """Return the start time of a process in kernel ticks; "" if it has ended or is unknown."""
    try:
        fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    state, start = fields[0], fields[19]
    return "" if state in (b"Z", b"X") else start.decode()


@cache
def _boot() -> str:
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _namespace() -> str:
    try:
        return str((_PROC / "self/ns/pid").readlink())
    except OSError:
        return ""
