"""Claims: a run has at most one owner, across processes and machines.

A claim names its owner by host, boot, process namespace, pid and start time of the process. For an owner on this
machine it is known whether the process is alive; a claim of another machine holds until it expires.
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
from jido_ai.protocols import Claim
from jido_ai.values import Scope, utc_now

__all__ = ["claimed", "is_void", "let_go", "new_claim", "owner_named"]

_PROC: Final = Path("/proc")
_SHOWN_CHARS: Final = 100
_live: Final[set[str]] = set()
"""Tokens of the claims whose runs are in flight in this process."""


def new_claim(run_id: str, scope: Scope, lasts_s: float) -> Claim:
    """Return a claim of this process, in flight until `let_go`.

    Other processes on this machine respect it while this process is alive.

    Args:
        lasts_s: seconds for which other machines respect it.
    """
    token = uuid4().hex
    _live.add(token)
    return Claim(
        run_id=run_id,
        scope=scope,
        token=token,
        owner=_this_process(),
        expires_at=utc_now() + timedelta(seconds=lasts_s),
    )


def let_go(claim: Claim) -> None:
    """Mark the run as no longer in flight: in this process the claim is void, whatever the store says."""
    _live.discard(claim.token)


def claimed(holder: Claim) -> RunClaimedError:
    """Return the error for a caller that wants the run of `holder`."""
    return RunClaimedError(holder.run_id, owner_named(holder.owner), holder.expires_at)


def is_void(claim: Claim, now: datetime | None = None) -> bool:
    """Tell whether a claim no longer holds: its process is gone, or it has expired and its owner cannot be checked.

    Args:
        now: defaults to the current time.
    """
    owner = _read(claim.owner)
    if owner is None or not _is_here(owner):
        return claim.expires_at <= (now or utc_now())
    if owner["pid"] == os.getpid() and owner["start"] == _start_of(os.getpid()):
        return claim.token not in _live
    return not _lives(owner)


def owner_named(owner: str) -> str:
    """Return the owner for messages: host and pid."""
    read = _read(owner)
    return owner[:_SHOWN_CHARS] if read is None else f"{read['host']} (pid {read['pid']})"[:_SHOWN_CHARS]


def _this_process() -> str:
    pid = os.getpid()
    about = {"host": platform.node(), "boot": _boot(), "namespace": _namespace(), "pid": pid, "start": _start_of(pid)}
    return json.dumps(about)


def _read(owner: str) -> dict[str, Any] | None:
    """Return the owner that `_this_process` wrote; None for anything else."""
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
