"""Runs one program, then ends everything it started. Runs as its own process and is never imported into ours:

    python -I -S -c "import sandbox_launcher; sandbox_launcher.main()" [SETTING=VALUE...] -- PROGRAM [ARGUMENT...]

with its directory on sys.path. (A script would be compiled on every start.)

It stands between us and the program because only a parent can reap. On Linux it adopts orphans of the program
(PR_SET_CHILD_SUBREAPER), so that a child that changed its session, or whose parent is gone, is also found, killed and
reaped. On other systems it ends only the program; the caller ends the rest of the process group.

It consists of two processes: a guard and the one that starts the program. If either dies for any reason, the other ends
everything. With bubblewrap, the guard starts bubblewrap and the other one is inside. Both end everything when

- they get SIGTERM, which the guard also gets when the thread that started it is gone;
- a handle `alive` shows that the process that holds its other end is gone, at whatever moment;
- the time is over. So nothing outlives us, even if we are killed or stopped.

Settings; those marked * may be repeated:

    result=FD        where to write: a line with the exit status (minus the number of the signal), then the report;
                     or "!" and the reason, if the program could not be confined and was not started; "late" if it
                     was killed because its time was over
    alive=FD *       never written to; at its end everything must end. "alive=guard" for a launcher that is started
                     by another one, which puts its own handle there
    parent=PID       the process that started it; another parent means that it has ended
    time=SECONDS     time limit of the program
    report=NAME      the plain file in the working directory that is the report; max_report=BYTES of it at most
    memory=BYTES     kill everything when all processes together hold more
    base=DIRECTORY   the writable directory of the program; watch=BYTES kills everything when it holds more, or
    files=NUMBER     when it holds more files and directories
    stage=DIRECTORY  base becomes a file system in memory, of size=BYTES and files=NUMBER, that begins as a copy
    tree=DIRECTORY   project whose files go below those in the working directory of the copy, without links
    skip=NAME *      name to leave out of the tree, at any depth
    uid=NUMBER       user of the program, who gets its files
    limit=NAME:N *   resource limits; NPROC is on top of the user's running processes if there is no uid
    lock=LAYER       "medium" or "strong": the rights that sandbox_lock removes; by default none
    read=PATH *      readable path in the layer "medium"; also checked before a capability is dropped
    role=NAME        "outer": the program is a sandbox, in which another launcher, "inner", writes the result;
                     without a role both are here
"""
# Without pathlib, whose import takes as long as the start of Python.
# ruff: noqa: PTH102, PTH108, PTH112, PTH115, PTH123, PTH211

from __future__ import annotations

import os
import select
import signal
import stat
import sys
import time
from types import FrameType

TYPE_CHECKING = False  # typing is slow to import

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ON_LINUX = sys.platform == "linux"
_GLANCE_S = 0.05  # interval at which memory and disk are checked
_LONGEST_WAIT_S = 3600.0  # the kernel's maximum is 24 days
_CHUNK = 1 << 20
_BY_SIGNAL = 128  # shells and bubblewrap add this to the number of the signal that ended a program
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_LANDLOCK_WITH_SCOPES = 6

if _ON_LINUX or TYPE_CHECKING:
    import sandbox_lock  # beside this file; importing from jido_ai would load the package
    import sandbox_watch


class _Stop(BaseException):
    """Everything must end: a stop was requested, or the caller is gone."""


class _Late(BaseException):
    """The time is over."""


class _Settings:
    """The settings from the command line."""

    def __init__(self, words: list[str]) -> None:
        self._said: dict[str, list[str]] = {}
        for word in words:
            key, _, value = word.partition("=")
            self._said.setdefault(key, []).append(value)

    def forget(self, key: str) -> None:
        self._said.pop(key, None)

    def all(self, key: str) -> list[str]:
        return self._said.get(key, [])

    def text(self, key: str) -> str | None:
        return self._said[key][0] if key in self._said else None

    def number(self, key: str) -> int | None:
        value = self.text(key)
        return None if value is None else int(value)


class _Alive:
    """Waits for children and for the end of everything. Signals arrive as bytes in a pipe and interrupt nothing."""

    program: int | None = None

    def __init__(self, settings: _Settings) -> None:
        seconds = settings.text("time")
        self._deadline = time.monotonic() + float(seconds or "inf")
        self._handles = [int(handle) for handle in settings.all("alive")]
        self.begin()

    def begin(self) -> None:
        """Set it up for this process, for example after a fork."""
        self._awake, told = os.pipe()
        for handle in (self._awake, told):
            os.set_blocking(handle, False)
        self._poll = select.poll()
        for handle in (self._awake, *self._handles):
            self._poll.register(handle, select.POLLIN)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, _on_signal)

    def watch(self, handle: int) -> None:
        """Watch one more handle."""
        self._handles.append(handle)
        self._poll.register(handle, select.POLLIN)

    def keep(self) -> None:
        """Keep the handles from programs that are started here."""
        for handle in self._handles:
            os.set_inheritable(handle, False)

    def wait(self, longest_s: float) -> None:
        """Return when a child has ended, or after `longest_s`.

        Raises:
            _Stop: everything must end.
            _Late: the time of the program is over.
        """
        left_s = min(longest_s, self._deadline - time.monotonic(), _LONGEST_WAIT_S)
        for handle, _ in self._poll.poll(max(0.0, left_s) * 1000 + 1):
            if handle != self._awake or signal.SIGTERM in os.read(handle, 4096):
                raise _Stop
        if time.monotonic() >= self._deadline:
            raise _Late


def _on_signal(_signal: int, _frame: FrameType | None) -> None:
    """Do nothing: the number of the signal in the pipe is enough."""


# -- before ----------------------------------------------------------------------------------------


def _prepare(settings: _Settings) -> None:
    """Prepare the program's directory: in memory if requested, and owned by its user."""
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
            os.unlink(f"{copied}/{report}")  # from another run
        os.mkdir(f"{base}/shm")
        sandbox_lock.bind(f"{base}/shm", "/dev/shm")
        sandbox_lock.detach(stage)
        os.chdir(f"{base}/work")
    if uid is not None:
        _give(base, uid)


def _give(base: str, uid: int) -> None:
    os.chown(base, uid, uid)
    pending = [base]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                os.chown(entry.path, uid, uid, follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)


def _copy_tree(source: str, target: str, left_out: frozenset[str]) -> None:
    """Copy the directories and plain files of a project; other entries are skipped."""
    pending = [(source, target)]
    while pending:
        old, new = pending.pop()
        with os.scandir(old) as entries:
            for entry in entries:
                there = f"{new}/{entry.name}"
                if entry.name in left_out:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    os.mkdir(there)
                    pending.append((entry.path, there))
                elif entry.is_file(follow_symlinks=False):
                    _copy_file(entry.path, there)


def _copy(source: str, target: str) -> None:
    """Copy the contents of one directory over those of another: directories, plain files, links."""
    pending = [(source, target)]
    while pending:
        old, new = pending.pop()
        with os.scandir(old) as entries:
            for entry in entries:
                there = f"{new}/{entry.name}"
                is_directory = entry.is_dir(follow_symlinks=False)
                if not is_directory and os.path.lexists(there):
                    os.unlink(there)
                if entry.is_symlink():
                    os.symlink(os.readlink(entry.path), there)
                elif is_directory:
                    if not os.path.isdir(there):
                        os.mkdir(there)
                    pending.append((entry.path, there))
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
    """Start the program and return its pid."""
    launcher = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # changed by us and by Python; the program gets the defaults
        if _ON_LINUX:
            _be_the_first_to_go()
        if settings.text("lock") is not None:
            _lock(settings)
        if _ON_LINUX:
            sandbox_lock.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # after the change of user, which resets it
            if os.getppid() != launcher:  # it was already gone
                os._exit(126)
        os.execv(argv[0], argv)
    except OSError as error:
        os.write(2, f"cannot execute {argv[0]}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(126)


def _be_the_first_to_go() -> None:
    """Make the kernel kill this process, not us or our caller, when the machine runs out of memory."""
    try:
        with open("/proc/self/oom_score_adj", "wb") as file:
            file.write(b"1000")
    except OSError:  # not writable in some containers
        pass


def _lock(settings: _Settings) -> None:
    """Drop rights; if that fails, report it and exit."""
    uid, is_medium = settings.number("uid"), settings.text("lock") == "medium"
    readable = settings.all("read")
    limits = [(name, int(value)) for name, _, value in (limit.partition(":") for limit in settings.all("limit"))]
    try:
        os.setpgid(0, 0)  # so that a signal to its own group does not reach us
        if is_medium and uid is None:
            others = sandbox_watch.threads_of(os.getuid())
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
    except Exception as error:  # noqa: BLE001 - on any failure: the program must not run half confined
        _tell(settings, f"!{error}\n".encode(errors="replace"))
        os._exit(126)


# -- while it runs ---------------------------------------------------------------------------------


def _wait_for(program: int, settings: _Settings, alive: _Alive) -> int:
    """Reap children until `program` ends; return its exit status. Over a limit, everything is killed."""
    memory, watch, files = settings.number("memory"), settings.number("watch"), settings.number("files")
    has_limits = memory is not None or watch is not None
    next_look = time.monotonic() + _GLANCE_S
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == program:
            return os.waitstatus_to_exitcode(status)
        if pid:
            continue
        if has_limits and time.monotonic() >= next_look:
            over = _over(memory, settings.text("base"), watch, files)
            if over:
                _end_all(program)
                os.write(2, f"sandbox: everything was killed: {over}\n".encode())
                _tell_instead(settings, f"{-signal.SIGKILL}\n".encode())
                os._exit(0)
            next_look = time.monotonic() + _GLANCE_S
        alive.wait(_GLANCE_S if has_limits else float("inf"))


def _over(memory: int | None, base: str | None, watch: int | None, files: int | None) -> str | None:
    """Return which limit is exceeded; None if none is."""
    if memory is not None and sandbox_watch.memory() > memory:
        return f"its processes together held more than {memory} bytes of memory"
    if base is not None and watch is not None and files is not None:
        count, size = sandbox_watch.disk(base, files)
        if size > watch:
            return f"it wrote more than {watch} bytes"
        if count > files:
            return f"it made more than {files} files"
    return None


# -- after -----------------------------------------------------------------------------------------


def _end_all(program: int | None) -> None:
    """Kill and reap until no child is left: we may inherit the children of the killed ones."""
    while True:
        for pid in sandbox_watch.children() if _ON_LINUX else [program] if program else []:
            try:
                os.kill(pid, signal.SIGKILL)  # the pid is still its own: only we reap it
            except PermissionError:  # it changed its rights; we wait for it, until our caller times out
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


def _tell_instead(settings: _Settings, what: bytes) -> None:
    """Overwrite a partial result; no other process writes to it any more."""
    result = settings.number("result")
    if result is not None:
        os.ftruncate(result, 0)
        os.lseek(result, 0, os.SEEK_SET)
    _tell(settings, what)


def _report(settings: _Settings, work: int) -> bytes:
    """Return the report, at most one byte more than allowed; empty if there is none.

    The program may have replaced it by a link to another file, or by a pipe without a writer: neither is read. The
    directory itself may have been swapped, so the descriptor was opened before the run.
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


def _adopt(parent: int | None) -> None:
    """Become the parent of all orphans below us, and end with our own parent. Raises `_Stop` if it is already gone."""
    if _ON_LINUX:
        sandbox_lock.prctl(_PR_SET_CHILD_SUBREAPER, 1)
        sandbox_lock.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if parent is not None and os.getppid() != parent:
        raise _Stop


def _divide(argv: list[str], settings: _Settings, alive: _Alive) -> int:
    """Start the other launcher and return its pid, or 0 in the new one.

    The guard watches memory, the other one files. The guard holds one end of a pipe, which tells the other one when the
    guard is gone, even if it was killed.
    """
    guard = os.getpid()
    read, held = os.pipe()
    if settings.text("role") == "outer":
        os.set_inheritable(read, True)
        place = argv.index("alive=guard")
        other = _start([*argv[:place], f"alive={read}", *argv[place + 1 :]], settings)
    else:
        other = os.fork()
        settings.forget("watch" if other else "memory")
    if other:
        os.close(read)
        return other
    os.close(held)
    os.setpgid(0, 0)  # a signal to the guard's group must not reach the process that ends the rest
    alive.begin()
    alive.watch(read)
    _adopt(guard)
    return 0


def _guard(other: int, settings: _Settings, alive: _Alive) -> None:
    """Wait for the other launcher and end its remains. If it was killed, report that in its place."""
    status = _wait_for(other, settings, alive)
    _end_all(None)
    result = settings.number("result")
    by_signal = -status if status < 0 else status - _BY_SIGNAL if settings.text("role") == "outer" else 0
    if by_signal > 0 and result is not None and os.fstat(result).st_size == 0:
        _tell(settings, f"{-by_signal}\n".encode())


def _run(argv: list[str], settings: _Settings, alive: _Alive) -> None:
    """Start the program, wait for it, end its remains, and write the result."""
    alive.keep()
    result = settings.number("result")
    if result is not None:
        os.set_inheritable(result, False)
    try:
        _prepare(settings)
    except OSError as error:
        _tell(settings, f"!{error}\n".encode(errors="replace"))
        return
    work = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    alive.wait(0.0)
    alive.program = _start(argv, settings)
    status = _wait_for(alive.program, settings, alive)
    _end_all(None)
    _tell(settings, f"{status}\n".encode() + _report(settings, work))


def main() -> None:
    """Do as the command line says, and exit."""
    end = sys.argv.index("--")
    settings, argv = _Settings(sys.argv[1:end]), sys.argv[end + 1 :]
    alive = _Alive(settings)
    try:
        _adopt(settings.number("parent"))
        alive.wait(0.0)
        is_whole = settings.text("role") == "inner" or not _ON_LINUX
        other = 0 if is_whole else _divide(argv, settings, alive)
        if other:
            _guard(other, settings, alive)
        else:
            _run(argv, settings, alive)
        os._exit(0)
    except _Late:
        _end_all(alive.program)
        _tell_instead(settings, b"late\n")
        os._exit(0)
    except _Stop:
        _end_all(alive.program)
        os._exit(_BY_SIGNAL + signal.SIGTERM)
