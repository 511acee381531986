"""Layers of the sandbox: the view of a program in each, and the command that runs it there."""

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

Layer = Literal["strong", "medium", "none"]
LAYERS: Final[tuple[Layer, ...]] = ("strong", "medium")
"""The layers that confine a hostile program, the best first."""

_HERE: Final = str(Path(__file__).resolve().parent)
_LAUNCHER: Final = f"import sys; sys.path.insert(0, {_HERE!r}); import sandbox_launcher; sandbox_launcher.main()"
_PACKAGE: Final = Path(__file__).resolve().parents[2]
_OURS: Final = Path(sys.executable).parent  # not resolved: in a virtual environment it is a link
_STAGE: Final = "/stage"
_TREE: Final = "/tree"
_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/etc/alternatives",
    "/etc/ld.so.cache", "/etc/localtime", f"/etc/python{sys.version_info.major}.{sys.version_info.minor}",
    "/etc/ssl/openssl.cnf",  # node does not start if it exists but is not readable
)  # fmt: skip
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin")


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """Limits of one run in the layers "strong" and "medium".

    Attributes:
        memory_bytes: of all processes together, including their page tables, checked 20 times a second; and of each
            process's private memory, enforced at once.
        processes: number of concurrent processes and threads.
        file_bytes: size of one file.
        disk_bytes, files: of all files together, besides the copied project tree. Exact in "strong", where the files
            are in memory; checked 20 times a second in "medium".
        open_files: per process.
        address_bytes: address space of each process, used or not. The kernel's page tables grow with it, by at most
            1/512. By default 64 GiB: programs that reserve terabytes, such as those built with AddressSanitizer, need
            more.
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
class LayerReport:
    """The file to read back, and its maximum size."""

    name: str
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Locked:
    """The confinement of a program: layer, readable paths besides system and interpreter, limits, and the project.

    No path is readable through a link that lies in the project: what a program may read is not for the project to say.
    """

    layer: Layer = "none"
    readable: Sequence[Path] = ()
    limits: SandboxLimits = SandboxLimits()
    project: Path | None = None


def search_path(layer: Layer) -> str:
    """Return where programs are searched: beside the interpreter, then on PATH; in a sandbox, in the system."""
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
    report: LayerReport | None,
) -> list[str]:
    """Return the command that runs `argv`, whose first item is an absolute path, in the workspace.

    Args:
        result: the file descriptor that the launcher writes to.
        alive: a file descriptor whose other end this process holds as long as the program may run.
        time_s: time limit in seconds.
    """
    settings = [f"result={result}", f"alive={alive}", f"time={time_s}"]
    if report is not None:
        settings += [f"report={report.name}", f"max_report={report.max_bytes}"]
    if locked.layer == "none":
        return [*_launcher(), *settings, _parent(), "--", *argv]
    limits = locked.limits
    program = Path(argv[0])
    is_linked = _is_linked(program, locked.project)
    named = [path for path in locked.readable if not _is_linked(path, locked.project)]
    readable = _readable([*named, *([] if is_linked else [program, program.resolve()])])  # it may be a link
    if is_linked and not any(program.is_relative_to(path) for path in readable):
        argv = [str(program.resolve()), *argv[1:]]  # which runs if it is readable anyway
    held = [
        *settings,
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
    outer = [*_launcher(), "role=outer", *settings, _parent(), memory]
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


def _is_linked(path: Path, project: Path | None) -> bool:
    """Tell whether a path leads out of the project through a link that lies in it."""
    if project is None or path.resolve().is_relative_to(top := project.resolve()):
        return False
    links = (part for part in (path.absolute(), *path.absolute().parents) if part.is_symlink())
    return any(link.parent.resolve().is_relative_to(top) for link in links)


def _readable(more: Iterable[Path]) -> list[Path]:
    """Return the readable paths, parents first, without missing paths and those below another.

    These are the system's programs and libraries, the interpreter with its packages, and this package.
    """
    prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    ours = [Path(path) for prefix in prefixes for path in (prefix, os.path.realpath(prefix))]
    wanted = sorted({*map(Path, _SYSTEM), *ours, _PACKAGE, Path(sys.executable), *(path.absolute() for path in more)})
    paths: list[Path] = []
    for path in wanted:
        if path.exists() and not any(path.is_relative_to(other) for other in paths):
            paths.append(path)
    return paths


def _bubblewrap(workspace: Workspace, readable: Iterable[Path]) -> list[str]:
    """Return the command of bubblewrap: new namespaces, and a file system with only the readable paths.

    Root needs no user namespace for this, and without one it can become another user inside; a plain user does need
    one. The launcher has all capabilities and drops them for the program. There are no pseudo-terminals: for them
    bubblewrap creates a second user namespace, in which the launcher could not mount.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise FileNotFoundError("bubblewrap (bwrap) is not installed; on Debian and Ubuntu: apt-get install bubblewrap")
    # Bubblewrap would make the parent directories as inaccessible as their contents; access(2) ignores capabilities.
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
