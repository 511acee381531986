"""Runs one program, then ends everything the program started. It is the whole of a process, never imported into ours:

    python -I -S -c "import sandbox_launcher; sandbox_launcher.main()" [SETTING=VALUE...] -- PROGRAM [ARGUMENT...]

with its directory on sys.path. (As a script it would be compiled at every start.)

It stands between us and the program because only a parent can reap. On Linux it adopts what the program leaves
behind (PR_SET_CHILD_SUBREAPER), so that a child that changed its session, or whose parent is gone, is found, killed
and reaped too. Elsewhere than on Linux it ends the program alone; the caller ends the rest of the process group.

It is two processes, a guard and the one that starts the program; when either dies, however it does, the other ends
everything. With bubblewrap the guard starts that, and the other one is inside. Both end everything when

- they get SIGTERM, which is also sent to the guard when the thread that started it is gone;
- a handle `alive` says that the process that holds its other end is gone, at whatever moment that was;
- the time is over. So nothing outlives us, be we killed or stopped.

Settings; those marked * may come several times:

    result=FD        where to write: a line with the exit status (minus the number of the signal), then the report;
                     or "!" and the reason, when the program could not be locked in and was not started; "late" when
                     it was killed because its time was over
    alive=FD *       nobody ever writes to it; it is at its end when everything shall end. "alive=guard" for the
                     launcher that is started by another one, which puts a handle of its own there
    parent=PID       who started it, and ended meanwhile when it is another one
    time=SECONDS     how long the program may take
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
    role=NAME        "outer": the program is a sandbox, in which another launcher, "inner", writes the result; without
                     a role both are here
"""
# Without pathlib, which takes as long to import as Python takes to start.
# ruff: noqa: PTH102, PTH108, PTH112, PTH115, PTH123, PTH211

from __future__ import annotations

import os
import select
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
_LONGEST_WAIT_S = 3600.0  # the kernel takes no more than 24 days
_CHUNK = 1 << 20
_BY_SIGNAL = 128  # what shells, and bubblewrap, add to the number of the signal that ended a program
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_LANDLOCK_WITH_SCOPES = 6

if _ON_LINUX or TYPE_CHECKING:
    import sandbox_lock  # our neighbours; from jido_ai would load the package
    import sandbox_watch


class _Stop(BaseException):
    """Everything shall end: we were asked to, or nobody is left to ask."""


class _Late(BaseException):
    """The time is over."""


class _Settings:
    """What the command line said."""

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
    """Waits for children and for the end of everything. Signals are bytes in a pipe, so nothing is ever interrupted."""

    program: int | None = None

    def __init__(self, settings: _Settings) -> None:
        seconds = settings.text("time")
        self._deadline = time.monotonic() + float(seconds or "inf")
        self._handles = [int(handle) for handle in settings.all("alive")]
        self.begin()

    def begin(self) -> None:
        """Do it for this process, as after a fork."""
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
        """Look at one more handle."""
        self._handles.append(handle)
        self._poll.register(handle, select.POLLIN)

    def keep(self) -> None:
        """Let no program that is started from here have the handles."""
        for handle in self._handles:
            os.set_inheritable(handle, False)

    def wait(self, longest_s: float) -> None:
        """Return when a child has ended, or so much time is over.

        Raises:
            _Stop: everything shall end.
            _Late: the time of the program is over.
        """
        left_s = min(longest_s, self._deadline - time.monotonic(), _LONGEST_WAIT_S)
        for handle, _ in self._poll.poll(max(0.0, left_s) * 1000 + 1):
            if handle != self._awake or signal.SIGTERM in os.read(handle, 4096):
                raise _Stop
        if time.monotonic() >= self._deadline:
            raise _Late


def _on_signal(_signal: int, _frame: FrameType | None) -> None:
    """Nothing: the number of the signal in the pipe is enough."""


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
    """Copy the directories and plain files of a project; what else lies there is not looked at."""
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
    """Copy what lies in one directory into another, over what is there: directories, plain files, links."""
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
    """Start the program and return its id."""
    launcher = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)  # we and Python changed these; the program should not notice us
        if _ON_LINUX:
            _be_the_first_to_go()
        if settings.text("lock") is not None:
            _lock(settings)
        if _ON_LINUX:
            sandbox_lock.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # after the change of user, which clears it
            if os.getppid() != launcher:  # it was gone before
                os._exit(126)
        os.execv(argv[0], argv)
    except OSError as error:
        os.write(2, f"cannot execute {argv[0]}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(126)


def _be_the_first_to_go() -> None:
    """Let the kernel take this process, not us or our caller, when the machine runs out of memory."""
    try:
        with open("/proc/self/oom_score_adj", "wb") as file:
            file.write(b"1000")
    except OSError:  # it is closed to us in some containers
        pass


def _lock(settings: _Settings) -> None:
    """Give up rights; when that fails, say so and end."""
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
    except Exception as error:  # noqa: BLE001 - whatever failed, the program must not run half locked
        _tell(settings, f"!{error}\n".encode(errors="replace"))
        os._exit(126)


# -- while it runs ---------------------------------------------------------------------------------


def _wait_for(program: int, settings: _Settings, alive: _Alive) -> int:
    """Reap whatever ends until `program` does; return its exit status. Over a limit, everything is killed."""
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
    """Return which limit is overrun, None when none is."""
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
    """Kill and reap until no child is left: each death may hand us the children of the dead."""
    while True:
        for pid in sandbox_watch.children() if _ON_LINUX else [program] if program else []:
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


def _tell_instead(settings: _Settings, what: bytes) -> None:
    """Write to the result in the place of what may have been begun there; nobody else writes any more."""
    result = settings.number("result")
    if result is not None:
        os.ftruncate(result, 0)
        os.lseek(result, 0, os.SEEK_SET)
    _tell(settings, what)


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


def _adopt(parent: int | None) -> None:
    """Become the parent of all orphans below us, and end when our own parent does. Raises `_Stop`: it did already."""
    if _ON_LINUX:
        sandbox_lock.prctl(_PR_SET_CHILD_SUBREAPER, 1)
        sandbox_lock.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if parent is not None and os.getppid() != parent:
        raise _Stop


def _divide(argv: list[str], settings: _Settings, alive: _Alive) -> int:
    """Start the other launcher and return its id, or 0 in that one. The guard is whoever watches memory, the other one
    files. It holds one end of a pipe, by which the other one sees that it is gone, even when it was killed.
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
    os.setpgid(0, 0)  # so that a signal to the guard's group leaves who must end the rest
    alive.begin()
    alive.watch(read)
    _adopt(guard)
    return 0


def _guard(other: int, settings: _Settings, alive: _Alive) -> None:
    """Wait for the other launcher and end what it left. When it was killed, say so in its place."""
    status = _wait_for(other, settings, alive)
    _end_all(None)
    result = settings.number("result")
    by_signal = -status if status < 0 else status - _BY_SIGNAL if settings.text("role") == "outer" else 0
    if by_signal > 0 and result is not None and os.fstat(result).st_size == 0:
        _tell(settings, f"{-by_signal}\n".encode())


def _run(argv: list[str], settings: _Settings, alive: _Alive) -> None:
    """Start the program, wait for it, end what it left, and write the result."""
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
    """Do what the command line says, and end this process."""
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
