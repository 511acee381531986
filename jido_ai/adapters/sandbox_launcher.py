"""Runs one program, then ends everything the program started. It is the whole of a process, never imported into ours:

    python -I -S -c "import sandbox_launcher; sandbox_launcher.main()" [SETTING=VALUE...] -- PROGRAM [ARGUMENT...]

with its directory on sys.path. (As a script it would be compiled at every start.)

It stands between us and the program because only a parent can reap. On Linux it adopts what the program leaves
behind (PR_SET_CHILD_SUBREAPER), so that a child that changed its session, or whose parent is gone, is found, killed
and reaped too. SIGTERM, and the death of the process that started it, mean: stop. Elsewhere than on Linux it ends the
program alone; the caller ends the rest of the process group.

Settings; those marked * may come several times:

    result=FD        where to write: a line with the exit status (minus the number of the signal), then the report;
                     or "!" and the reason, when the program could not be locked in and was not started
    report=NAME      the plain file in the working directory that is the report; max_report=BYTES of it at most
    memory=BYTES     kill everything when all processes together hold more
    base=DIRECTORY   what the program may write to; watch=BYTES kills everything when more lies there, or more than
    files=NUMBER     files and directories
    stage=DIRECTORY  base becomes a file system in memory, of size=BYTES and files=NUMBER, that begins as a copy
    tree=DIRECTORY   the files of a project that lie under those in the working directory of the copy, without links
    skip=NAME *      what is left out of the tree, wherever it lies
    uid=NUMBER       who the program is; its files are given to it
    limit=NAME:N *   resource limits; NPROC counts what the user runs already on top, when there is no uid
    lock=LAYER       "medium" or "strong": what sandbox_lock takes away; without it, nothing
    read=PATH *      what may be read on the layer "medium", and is looked at before a capability is given up
    outer=1          the program is a sandbox, in which another launcher writes the result
"""
# Without pathlib, which takes as long to import as Python takes to start.
# ruff: noqa: PTH102, PTH108, PTH112, PTH115, PTH123, PTH208, PTH211

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from types import FrameType

TYPE_CHECKING = False  # without typing, which is slow to import

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ON_LINUX = sys.platform == "linux"
_GLANCE_S = 0.05  # how often memory and disk are looked at
_CHUNK = 1 << 20
_BY_SIGNAL = 128  # what shells, and bubblewrap, add to the number of the signal that ended a program
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_LANDLOCK_WITH_SCOPES = 6

if _ON_LINUX or TYPE_CHECKING:
    import sandbox_lock  # our neighbour; from jido_ai would load the package


class _Stop(BaseException):
    """We were asked to stop."""


class _Settings:
    """What the command line said."""

    def __init__(self, words: list[str]) -> None:
        self._said: dict[str, list[str]] = {}
        for word in words:
            key, _, value = word.partition("=")
            self._said.setdefault(key, []).append(value)

    def all(self, key: str) -> list[str]:
        return self._said.get(key, [])

    def text(self, key: str) -> str | None:
        return self._said[key][0] if key in self._said else None

    def number(self, key: str) -> int | None:
        value = self.text(key)
        return None if value is None else int(value)


def _on_sigterm(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the clean-up that follows is not interrupted
    raise _Stop


# -- before ----------------------------------------------------------------------------------------


def _prepare(settings: _Settings) -> None:
    """Make the directory what the program shall find: in memory if asked for, and its own."""
    base, stage, uid = settings.text("base"), settings.text("stage"), settings.number("uid")
    if base is None:
        return
    if stage is not None:
        sandbox_lock.mount_tmpfs(base, settings.number("size") or 0, settings.number("files") or 0)
        tree = settings.text("tree")
        if tree is not None:
            os.mkdir(f"{base}/work")
            _copy_tree(tree, f"{base}/work", frozenset(settings.all("skip")))
            sandbox_lock.detach(tree)
        _copy(stage, base)
        copied, report = f"{base}/work", settings.text("report")
        if report is not None and os.path.lexists(f"{copied}/{report}"):
            os.unlink(f"{copied}/{report}")  # that of another run
        os.mkdir(f"{base}/shm")
        sandbox_lock.bind(f"{base}/shm", "/dev/shm")
        sandbox_lock.detach(stage)
        os.chdir(f"{base}/work")
    if uid is not None:
        os.chown(base, uid, uid)
        for place, directories, files in os.walk(base):
            for name in (*directories, *files):
                os.chown(f"{place}/{name}", uid, uid, follow_symlinks=False)


def _copy_tree(source: str, target: str, left_out: frozenset[str]) -> None:
    """Copy the directories and plain files of a project; what else lies there is not looked at."""
    with os.scandir(source) as entries:
        for entry in entries:
            there = f"{target}/{entry.name}"
            if entry.name in left_out:
                continue
            if entry.is_dir(follow_symlinks=False):
                os.mkdir(there)
                _copy_tree(entry.path, there, left_out)
            elif entry.is_file(follow_symlinks=False):
                _copy_file(entry.path, there)


def _copy(source: str, target: str) -> None:
    """Copy what lies in one directory into another, over what is there: directories, plain files, links."""
    with os.scandir(source) as entries:
        for entry in entries:
            there = f"{target}/{entry.name}"
            is_directory = entry.is_dir(follow_symlinks=False)
            if not is_directory and os.path.lexists(there):
                os.unlink(there)
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), there)
            elif is_directory:
                if not os.path.isdir(there):
                    os.mkdir(there)
                _copy(entry.path, there)
            else:
                _copy_file(entry.path, there)


def _copy_file(source: str, target: str) -> None:
    old = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(old)
        new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, stat.S_IMODE(status.st_mode))
        try:
            done = 0
            while sent := os.sendfile(new, old, done, _CHUNK):
                done += sent
            os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
        finally:
            os.close(new)
    finally:
        os.close(old)


def _start(argv: list[str], settings: _Settings) -> int:
    """Start the program and return its id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        for number in (signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # Python changes these; the program should not notice us
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        if settings.text("lock") is not None:
            _lock(settings)
        if _ON_LINUX:
            sandbox_lock.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # after the change of user, which clears it
        os.execv(argv[0], argv)
    except OSError as error:
        os.write(2, f"cannot execute {argv[0]}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(126)


def _lock(settings: _Settings) -> None:
    """Give up rights; when that fails, say so and end."""
    uid, is_medium = settings.number("uid"), settings.text("lock") == "medium"
    readable = settings.all("read")
    limits = [(name, int(value)) for name, _, value in (limit.partition(":") for limit in settings.all("limit"))]
    try:
        os.setpgid(0, 0)  # so that a signal to its own group does not reach us
        if is_medium and uid is None:
            others = _threads_of(os.getuid())
            limits = [(name, value + others if name == "NPROC" else value) for name, value in limits]
        sandbox_lock.drop_to(uid, readable)
        sandbox_lock.set_limits(limits)
        if is_medium:
            sandbox_lock.restrict_paths(readable, [settings.text("base") or ""], _DEVICES)
        sandbox_lock.restrict_calls(
            () if is_medium else (_AF_UNIX, _AF_INET, _AF_INET6),
            own_files_open=is_medium and uid is None,
            signals_open=is_medium and uid is None and sandbox_lock.landlock_version() < _LANDLOCK_WITH_SCOPES,
        )
    except Exception as error:  # noqa: BLE001 - whatever failed, the program must not run half locked
        _tell(settings, f"!{error}\n".encode(errors="replace"))
        os._exit(126)


def _threads_of(uid: int) -> int:
    """Return how many threads a user has, as RLIMIT_NPROC counts them."""
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))
            except OSError:  # it ended meanwhile
                continue
    return count


# -- while it runs ---------------------------------------------------------------------------------


def _wait_for(program: int, settings: _Settings) -> int:
    """Reap whatever ends until `program` does; return its exit status. Over a limit, everything is killed."""
    memory, watch, files = settings.number("memory"), settings.number("watch"), settings.number("files")
    if memory is None or not hasattr(signal, "sigtimedwait"):
        while True:
            pid, status = os.wait()
            if pid == program:
                return os.waitstatus_to_exitcode(status)
    next_look = time.monotonic() + _GLANCE_S
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == program:
            return os.waitstatus_to_exitcode(status)
        if pid:
            continue
        if time.monotonic() >= next_look:
            over = _over(memory, settings.text("base"), watch, files)
            if over:
                _end_all(program)
                os.write(2, f"sandbox: everything was killed: {over}\n".encode())
                if settings.text("outer"):
                    _tell(settings, f"{-signal.SIGKILL}\n".encode())
                return -signal.SIGKILL
            next_look = time.monotonic() + _GLANCE_S
        signal.sigtimedwait([signal.SIGCHLD], _GLANCE_S)


def _over(memory: int, base: str | None, watch: int | None, files: int | None) -> str | None:
    """Return which limit is overrun, None when none is."""
    if _memory() > memory:
        return f"its processes together held more than {memory} bytes of memory"
    if base is not None and watch is not None and files is not None:
        count, size = _disk(base, files)
        if size > watch:
            return f"it wrote more than {watch} bytes"
        if count > files:
            return f"it made more than {files} files"
    return None


def _memory() -> int:
    """Return the bytes that our descendants hold for themselves, also swapped out; shared ones count for each."""
    total = 0
    for pid in _descendants():
        try:
            with open(f"/proc/{pid}/status", "rb") as file:
                lines = file.read().splitlines()
        except OSError:  # it ended meanwhile
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith((b"RssAnon", b"RssShmem", b"VmSwap")))
    return total * 1024


def _disk(base: str, most: int) -> tuple[int, int]:
    """Return how many files and directories lie below `base`, at most a little over `most`, and their bytes."""
    count = size = 0
    pending = [base]
    while pending and count <= most:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    count += 1
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError:  # it went meanwhile, or it is closed to us
            continue
    return count, size


# -- after -----------------------------------------------------------------------------------------


def _parents() -> dict[int, int]:
    """Return the parent of every process."""
    found: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # "pid (name) state ppid ...": the name may hold anything, a parenthesis too
                found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:  # it ended meanwhile
            continue
    return found


def _children() -> list[int]:
    """Return the ids of our children, adopted ones included."""
    return [pid for pid, parent in _parents().items() if parent == os.getpid()]


def _descendants() -> list[int]:
    """Return the ids of our children, their children, and so on."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents().items():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    pending = [os.getpid()]
    while pending:
        below = children.get(pending.pop(), [])
        found += below
        pending += below
    return found


def _end_all(program: int | None) -> None:
    """Kill and reap until no child is left: each death may hand us the children of the dead."""
    while True:
        for pid in _children() if _ON_LINUX else [program] if program else []:
            try:
                os.kill(pid, signal.SIGKILL)  # it cannot be somebody else: nobody but us reaps it
            except PermissionError:  # it took other rights; we wait for it, and whoever waits for us loses patience
                continue
        try:
            os.wait()
        except ChildProcessError:
            return


def _tell(settings: _Settings, what: bytes) -> None:
    """Write to the result, if there is one."""
    result = settings.number("result")
    while result is not None and what:
        what = what[os.write(result, what) :]


def _report(settings: _Settings, work: int) -> bytes:
    """Return the report, one byte more than allowed at most; nothing when there is none.

    The program may have put a link to another file, or a pipe that nobody writes, in its place: neither is read. The
    directory itself may have been swapped, hence the descriptor from before the run.
    """
    name, most = settings.text("report"), settings.number("max_report")
    if name is None or most is None:
        return b""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=work)
    except OSError:
        return b""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        return b""
    with open(handle, "rb") as file:
        return b"=" + file.read(most + 1)


def main() -> None:
    """Do what the command line says, and end this process."""
    end = sys.argv.index("--")
    settings, argv = _Settings(sys.argv[1:end]), sys.argv[end + 1 :]
    program: int | None = None
    signal.signal(signal.SIGTERM, _on_sigterm)
    try:
        if _ON_LINUX:
            sandbox_lock.prctl(_PR_SET_CHILD_SUBREAPER, 1)
            sandbox_lock.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        result = settings.number("result")
        is_outer = settings.text("outer") is not None
        try:
            _prepare(settings)
        except OSError as error:
            _tell(settings, f"!{error}\n".encode(errors="replace"))
            os._exit(126)
        if result is not None and not is_outer:
            os.set_inheritable(result, False)
        work = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        program = _start(argv, settings)
        status = _wait_for(program, settings)
        program = None
        _end_all(program)
        if not is_outer:
            _tell(settings, f"{status}\n".encode() + _report(settings, work))
        elif status > _BY_SIGNAL and result is not None and os.fstat(result).st_size == 0:
            _tell(settings, f"{_BY_SIGNAL - status}\n".encode())  # the program of a plain user killed its launcher
        os._exit(0)
    except _Stop:
        _end_all(program)
        os._exit(_BY_SIGNAL + signal.SIGTERM)
