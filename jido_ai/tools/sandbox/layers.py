"""The layers of the sandbox: what each lets a program see, and the command that runs it there."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from jido_ai.errors import ConfigurationError
from jido_ai.tools.sandbox.directories import SPARE_UIDS
from jido_ai.tools.sandbox.workspace import Workspace

__all__ = ["LAYERS", "Layer", "Locked", "Report", "SandboxLimits", "command", "search_path"]

Layer = Literal["strong", "medium", "none"]
LAYERS: Final[tuple[Layer, ...]] = ("strong", "medium")
"""Those that hold a hostile program, the best first."""

_HERE: Final = str(Path(__file__).resolve().parent)
_LAUNCHER: Final = f"import sys; sys.path.insert(0, {_HERE!r}); import sandbox_launcher; sandbox_launcher.main()"
_PACKAGE: Final = Path(__file__).resolve().parents[2]
_OURS: Final = Path(sys.executable).parent  # not resolved: in a virtual environment the program is a link
_STAGE: Final = "/stage"
_TREE: Final = "/tree"
_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/etc/alternatives",
    "/etc/ld.so.cache", "/etc/localtime", f"/etc/python{sys.version_info.major}.{sys.version_info.minor}",
    "/etc/ssl/openssl.cnf",  # node does not start when it is there and closed
)  # fmt: skip
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """What one run may use on the layers "strong" and "medium".

    Attributes:
        memory_bytes: of all processes together, with their page tables, looked at 20 times a second, and of each one's
            private memory, at once.
        processes: processes and threads at the same time.
        file_bytes: of one file.
        disk_bytes, files: of all files together, besides the project tree that was copied. Exact on "strong", where
            they live in memory; looked at 20 times a second on "medium".
        open_files: of each process.
        address_bytes: of each process's address space, held or not. The kernel's page tables grow with it, by a 512th
            at most. By default 64 GiB: what reserves terabytes, as programs built with AddressSanitizer do, needs more.
    """

    memory_bytes: int = 1024 * 1024 * 1024
    processes: int = 256
    file_bytes: int = 64 * 1024 * 1024
    disk_bytes: int = 256 * 1024 * 1024
    files: int = 10_000
    open_files: int = 512
    address_bytes: int = 64 * 1024 * 1024 * 1024

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise ConfigurationError(f"{name} must be at least 1, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Report:
    """The file to read back, and how much of it."""

    name: str
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Locked:
    """How a program is held: the layer, what it may read besides the system and the interpreter, what it may use."""

    layer: Layer = "none"
    readable: Sequence[Path] = ()
    limits: SandboxLimits = SandboxLimits()


def search_path(layer: Layer) -> str:
    """Return where programs are looked for: beside the interpreter, then on PATH; inside a sandbox, in the system."""
    others = os.environ.get("PATH", os.defpath) if layer == "none" else os.pathsep.join(_SYSTEM_PATH)
    return os.pathsep.join([str(_OURS), others])


def command(
    argv: Sequence[str],
    workspace: Workspace,
    locked: Locked,
    *,
    result: int,
    alive: int,
    time_s: float,
    report: Report | None,
) -> list[str]:
    """Return the command that runs `argv`, whose first word is an absolute path, in the workspace.

    Args:
        result: the file descriptor that the launcher writes to.
        alive: the file descriptor whose other end is held by this process as long as the program may run.
        time_s: how long that is at most, in seconds.
    """
    told = [f"result={result}", f"alive={alive}", f"time={time_s}"]
    if report is not None:
        told += [f"report={report.name}", f"max_report={report.max_bytes}"]
    if locked.layer == "none":
        return [*_launcher(), *told, _parent(), "--", *argv]
    limits = locked.limits
    program = Path(argv[0])
    readable = _readable([*locked.readable, program, program.resolve()])  # it may be a link to somewhere else
    held = [
        *told,
        f"lock={locked.layer}",
        f"base={workspace.base}",
        f"files={limits.files + workspace.tree_files}",
        *(f"limit={name}:{value}" for name, value in _resource_limits(limits)),
        *(f"read={path}" for path in readable),
    ]
    if os.geteuid() == 0:
        held.append(f"uid={random.choice(SPARE_UIDS)}")
    memory = f"memory={limits.memory_bytes}"
    disk = limits.disk_bytes + workspace.tree_bytes
    if locked.layer == "medium":
        return [*_launcher(), *held, _parent(), memory, f"watch={disk}", "--", *argv]
    tree = [] if workspace.tree is None else [f"tree={_TREE}", *(f"skip={name}" for name in sorted(workspace.left_out))]
    inner = [*_launcher(), "role=inner", "alive=guard", *held, *tree, f"stage={_STAGE}", f"size={disk}", "--", *argv]
    outer = [*_launcher(), "role=outer", *told, _parent(), memory]
    return [*outer, "--", *_bubblewrap(workspace, readable), "--", *inner]


def _parent() -> str:
    return f"parent={os.getpid()}"


def _launcher() -> list[str]:
    return [sys.executable, "-I", "-S", "-c", _LAUNCHER]


def _resource_limits(limits: SandboxLimits) -> tuple[tuple[str, int], ...]:
    return (
        ("AS", limits.address_bytes),
        ("CORE", 0),
        ("DATA", limits.memory_bytes),
        ("FSIZE", limits.file_bytes),
        ("NOFILE", limits.open_files),
        ("NPROC", limits.processes),
    )


def _readable(more: Iterable[Path]) -> list[Path]:
    """Return what may be read, parents first, without what does not exist or lies below another.

    That is the system's programs and libraries, the interpreter with what is installed in it, and this package.
    """
    prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    ours = [Path(path) for prefix in prefixes for path in (prefix, os.path.realpath(prefix))]
    wanted = sorted({*map(Path, _SYSTEM), *ours, _PACKAGE, Path(sys.executable), *(path.absolute() for path in more)})
    found: list[Path] = []
    for path in wanted:
        if path.exists() and not any(path.is_relative_to(other) for other in found):
            found.append(path)
    return found


def _bubblewrap(workspace: Workspace, readable: Iterable[Path]) -> list[str]:
    """Return the command of bubblewrap: new namespaces, and a file system of what may be read and nothing else.

    Root needs no user namespace for that, and without one it can become another user inside; a plain user does.
    All capabilities are for the launcher, which gives them up for the program. No pseudo-terminals: with them
    bubblewrap makes a second user namespace, in which the launcher could not mount.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise FileNotFoundError("bubblewrap (bwrap) is not installed; on Debian and Ubuntu: apt-get install bubblewrap")
    # Bubblewrap would make the directories above as closed as what lies in them, and access(2) knows no capability.
    above = {parent for path in readable for parent in path.parents if parent != Path("/")}
    shown = [word for parent in sorted(above) for word in ("--dir", str(parent))]
    for path in readable:
        if path.is_symlink() and path.parent == Path("/"):  # /bin -> usr/bin
            shown += ["--symlink", str(path.readlink()), str(path)]
        else:
            shown += ["--ro-bind", os.path.realpath(path), str(path)]
    if workspace.tree is not None:
        shown += ["--ro-bind", str(workspace.tree), _TREE]
    namespaces = ("ipc", "pid", "net", "uts") if os.geteuid() == 0 else ("all",)
    return [
        *(program, "--die-with-parent", "--new-session", "--cap-add", "ALL"),
        *(f"--unshare-{namespace}" for namespace in namespaces),
        *shown,
        *("--proc", "/proc", "--dir", "/dev/shm", "--symlink", "/proc/self/fd", "/dev/fd"),
        *(word for device in _DEVICES for word in ("--dev-bind", device, device)),
        *("--ro-bind", str(workspace.base), _STAGE, "--dir", str(workspace.base), "--remount-ro", "/"),
    ]
