"""Hostile but bounded programs, and the bait that shows whether one succeeded. For Linux.

A probe prints GOT THROUGH if it succeeded; `Bait.harm` also checks. All numbers are small: a successful probe does no
lasting harm.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jido_ai.protocols import ToolExecutor
from jido_ai.tools.sandbox.layers import SandboxLimits
from jido_ai.values.tool import ToolJob, ToolRun

MIB = 1024 * 1024
LIMITS = SandboxLimits(memory_bytes=256 * MIB, processes=24, file_bytes=16 * MIB, disk_bytes=64 * MIB, files=1_000)
TIMEOUT_S = 1.2
OUTPUT = 100_000

_SYSCALL = "l = ctypes.CDLL(None, use_errno=True); c = l.syscall; b = ctypes.create_string_buffer(256); r = "
_THROUGH = "; print('GOT THROUGH' if r >= 0 else os.strerror(ctypes.get_errno()))"
_X86 = os.uname().machine == "x86_64"


def _call(x86_64: int, aarch64: int, arguments: str) -> str:
    return f"{_SYSCALL}c({x86_64 if _X86 else aarch64}, {arguments}){_THROUGH}"


def _attempt(statement: str) -> str:
    return f"{statement}\nprint('GOT THROUGH')"


PROBES = {
    # reading
    "read the password file": _attempt("open('/etc/shadow').read(1)"),
    "read a file in the home directory": _attempt("open(HOME_FILE).read()"),
    "read a file that everybody may read": _attempt("open(OUTSIDE + '/secret').read()"),
    "read a link to a file outside": _attempt("os.symlink(HOME_FILE, 'link'); open('link').read()"),
    "make a hard link to a file outside": _attempt("os.link(OUTSIDE + '/secret', 'link')"),
    "plant a link as the report": "os.symlink(HOME_FILE, 'report')",
    "swap the directory for a link": (
        "h = os.getcwd(); os.rename(h, h + '2'); os.symlink(os.path.dirname(HOME_FILE), h)\n"
        "os.symlink(HOME_FILE, h + '2/report')"
    ),
    "read a secret in the environment": "print('GOT THROUGH' if 'sk-canary' in str(os.environ) else '')",
    "read the environment of other processes": (
        "for p in glob.glob('/proc/[0-9]*/environ'):\n"
        "  try: print('GOT THROUGH' if b'sk-canary' in open(p, 'rb').read() else '')\n"
        "  except OSError: pass"
    ),
    "ask for the handle of a file outside": (
        "h = ctypes.create_string_buffer(struct.pack('Ii', 128, 0), 136); m = ctypes.create_string_buffer(4)\n"
        "if ctypes.CDLL(None).name_to_handle_at(-100, OUTSIDE.encode(), h, m, 0) == 0: print('GOT THROUGH')"
    ),
    # writing
    "write a file outside": "open(OUTSIDE + '/written', 'w')",
    "write to the directory for temporary files": _attempt("open('/var/tmp/' + MARK, 'w')"),
    "truncate a file outside": "os.truncate(OUTSIDE + '/secret', 0)",
    "change the mode of a file outside": "os.chmod(OUTSIDE + '/secret', 0o600)",
    "poison the installed packages": _attempt("f = SITE + '/' + MARK; open(f, 'w'); os.remove(f)"),
    "write to the settings of the kernel": _attempt("open('/proc/sys/kernel/hostname', 'r+').write('x')"),
    # other processes
    "kill a process outside": "os.kill(VICTIM, 9)",
    "kill everything": "os.kill(-1, 9)",
    "kill its parent and go on": "os.kill(os.getppid(), 9); time.sleep(60)",
    "trace a process outside": f"{_SYSCALL}l.ptrace(0x4206, VICTIM, 0, 0){_THROUGH}",
    "limit a process outside": "resource.prlimit(VICTIM, resource.RLIMIT_CPU, (0, 0)); print('GOT THROUGH')",
    "leave a daemon behind": (
        "if os.fork() == 0:\n"
        "  os.setsid()\n"
        "  if os.fork() == 0: os.closerange(0, 3); os.execv(sys.executable, [sys.executable, '-c', SLEEP, MARK])\n"
        "  os._exit(0)"
    ),
    "flee by forking": "while True:\n  if os.fork(): os._exit(0)",
    "flee by forking in new sessions": "while True:\n  if os.fork(): os._exit(0)\n  os.setsid()",
    # the network
    "connect by TCP": "socket.create_connection(('127.0.0.1', PORT), 1)",
    "send by UDP": "socket.socket(2, 2).sendto(b'x', ('127.0.0.1', PORT))",
    "connect to an abstract socket": "socket.socket(1).connect('\\0' + MARK)",
    "connect to a socket in the file system": "socket.socket(1).connect(OUTSIDE + '/socket')",
    "open a raw socket": _attempt("socket.socket(17, socket.SOCK_RAW)"),
    "open a socket to the kernel": _attempt("socket.socket(16, socket.SOCK_RAW)"),
    # resources
    "fork without end": (
        "try:\n  for i in range(60):\n    if os.fork() == 0: time.sleep(30)\n"
        "except OSError: print('stopped at', i)\nelse: print('GOT THROUGH')"
    ),
    "take memory in one process": _attempt("b = b'x' * (600 << 20)"),
    "take memory in many processes": (
        "r, w = os.pipe()\n"
        "for i in range(6):\n  if os.fork() == 0: b = b'x' * (60 << 20); os.write(w, b'x'); time.sleep(30)\n"
        "for i in range(6): os.read(r, 1)\ntime.sleep(.2)\nprint('GOT THROUGH')"
    ),
    "take shared memory": _attempt(
        "m = mmap.mmap(-1, 300 << 20); [m.write(b'x' * (1 << 20)) for i in range(300)]; time.sleep(.3)"
    ),
    "take memory that belongs to no process": _attempt(
        "[os.write(os.memfd_create('m'), b'x' * (9 << 20)) for i in range(40)]"
    ),
    "write one huge file": _attempt("f = open('f', 'wb'); [f.write(b'x' * (1 << 20)) for i in range(20)]; f.flush()"),
    "fill the disk with files": _attempt(
        "[open(f'f{i}', 'wb').write(b'x' * (9 << 20)) for i in range(20)]; time.sleep(.3)"
    ),
    "fill the disk with removed files": _attempt(
        "fs = []\nfor i in range(20): fs.append(open('f', 'wb', 0)); os.remove('f'); fs[-1].write(b'x' * (9 << 20))\n"
        "time.sleep(.3)"
    ),
    "make very many files": _attempt("for i in range(3000): open(f'f{i}', 'w').close()\ntime.sleep(.3)"),
    "fill the disk below the longest path": _attempt(
        "h = down(60, 'd' * 200)\nfor i in range(20):\n"
        "  f = os.open(f'f{i}', os.O_WRONLY | os.O_CREAT, dir_fd=h); os.write(f, b'x' * (9 << 20)); os.close(f)\n"
        "time.sleep(.3)"
    ),
    "make very many files below the longest path": _attempt(
        "h = down(60, 'd' * 200)\n"
        "for i in range(3000): os.close(os.open(f'f{i}', os.O_CREAT, dir_fd=h))\ntime.sleep(.3)"
    ),
    "nest directories until nobody can remove them": "down(3000, 'd')",
    "hide files in directories that cannot be read": _attempt(
        "h = down(3, 'd')\nfor i in range(4):\n  os.mkdir('hidden', 0o300, dir_fd=h)\n"
        "  h = os.open('hidden', os.O_PATH, dir_fd=h)\n"
        "for i in range(3000): os.close(os.open(f'f{i}', os.O_CREAT, dir_fd=h))\ntime.sleep(.3)"
    ),
    "take page tables": _attempt("touch(40)\ntime.sleep(.3)"),
    "take page tables in many processes": _attempt(
        "r, w = os.pipe()\n"
        "for i in range(12):\n  if os.fork() == 0: m = touch(7); os.write(w, b'x'); time.sleep(30)\n"
        "for i in range(12): os.read(r, 1)\ntime.sleep(.3)"
    ),
    "leave shared memory behind": _call(29, 194, "0, 4096, 0o1600"),
    "use the processor forever": "while True: pass",
    "sleep forever and ignore signals": "[signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]; time.sleep(60)",
    "print without end": "while True: os.write(1, b'y' * (1 << 20))",
    # the kernel
    "read a raw device": _attempt("os.read(os.open(glob.glob('/dev/[vs]d[ab]')[0], 0), 512)"),
    "make a device": _attempt("os.mknod('n', 0o600 | stat.S_IFBLK, os.makedev(254, 0))"),
    "mount a file system": f"{_SYSCALL}l.mount(b't', b'.', b'tmpfs', 0, None){_THROUGH}",
    "make a user namespace": f"{_SYSCALL}l.unshare(0x10000000){_THROUGH}",
    "make a user namespace by clone": _call(56, 220, "0x10000011, 0, 0, 0, 0"),
    "change the root": _attempt("os.chroot('.')"),
    "use io_uring": _call(425, 425, "4, b"),
    "use bpf": _call(321, 280, "0, struct.pack('18I', 2, 4, 4, 1, *[0] * 14), 72"),
    "use the keyring": _call(250, 219, "0, -3, 0, 0, 0"),
    "use userfaultfd": _call(323, 282, "1"),
    "watch performance events": _call(298, 241, "struct.pack('IIQ96x', 1, 112, 0), 0, -1, -1, 0"),
    "become root by a set-user-id program": (
        "r = subprocess.run(['su', '-c', 'id'], capture_output=True, stdin=-3)\n"
        "print('GOT THROUGH' if b'uid=0' in r.stdout else r)"
    ),
    "become root": _attempt("os.setuid(0)"),
}  # fmt: skip
KNOWN_ON_MEDIUM = frozenset({"fill the disk with removed files"})
"""What the layer "medium" does not stop: nobody can see such files, and each is small."""

_IMPORTS = """
import ctypes, glob, mmap, os, resource, signal, socket, stat, struct, subprocess, sys, time

def down(levels, name):
    handle = os.open('.', os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=handle)
        above, handle = handle, os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(above)
    return handle

def touch(times):
    maps = [mmap.mmap(-1, 8 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ) for _ in range(times)]
    for one in maps:
        for at in range(0, len(one), 2 << 20):
            one[at]
    return maps

"""


@dataclass(slots=True)
class Bait:
    """What probes are after."""

    outside: Path
    home_file: Path
    victim: subprocess.Popen[bytes]
    listeners: tuple[socket.socket, ...]
    mark: str

    def code(self, probe: str) -> str:
        values = {
            "OUTSIDE": str(self.outside),
            "HOME_FILE": str(self.home_file),
            "VICTIM": self.victim.pid,
            "PORT": self.listeners[0].getsockname()[1],
            "MARK": self.mark,
            "SITE": sysconfig.get_paths()["purelib"],
            "SLEEP": "import time; time.sleep(60)",
        }
        return _IMPORTS + "".join(f"{name} = {value!r}\n" for name, value in values.items()) + PROBES[probe]

    def harm(self, run: ToolRun) -> list[str]:
        """Return what got through."""
        secret = self.outside / "secret"
        signs = {
            "it said so": "GOT THROUGH" in run.stdout,
            "a file outside was made": (self.outside / "written").exists() or Path("/var/tmp", self.mark).exists(),
            "a file outside was changed": secret.read_text() != "sk-canary" or secret.stat().st_mode & 0o777 != 0o666,
            "a process outside was killed": self.victim.poll() is not None,
            "a socket was reached": any(_was_reached(listener) for listener in self.listeners),
            "the report holds a secret": "sk-canary" in (run.report or ""),
            "it outran its time": run.duration_s
            > TIMEOUT_S + 10,  # a busy machine takes long to end it; those that would not end take 30 s
            "its output was not cut": len(run.stdout) > OUTPUT,
            "its directory is left": Path(run.directory).parent.exists(),
            "a process is left": bool(_processes(self.mark)),
        }
        return [sign for sign, is_so in signs.items() if is_so]


@contextmanager
def bait() -> Generator[Bait]:
    """Put out files that any user may use, also one at home, sockets, a process, and a secret in the environment."""
    mark = f"jido-probe-{secrets.token_hex(6)}"
    outside = Path(tempfile.mkdtemp(prefix="jido-bait-"))
    home_file = Path.home() / f".{mark}"
    os.environ["JIDO_PROBE_KEY"] = "sk-canary"
    victim = subprocess.Popen(["sleep", "600"])
    kinds = (2, 1), (2, 2), (1, 1), (1, 1)
    listeners = tuple(socket.socket(family, kind) for family, kind in kinds)
    try:
        outside.chmod(0o777)
        for file in (outside / "secret", home_file):
            file.write_text("sk-canary")
            file.chmod(0o666)
        listeners[0].bind(("127.0.0.1", 0))
        for listener, place in zip(
            listeners[1:], (listeners[0].getsockname(), f"\0{mark}", str(outside / "socket")), strict=True
        ):
            listener.bind(place)
        (outside / "socket").chmod(0o777)
        for listener in (listeners[0], *listeners[2:]):
            listener.listen()
        for listener in listeners:
            listener.setblocking(False)
        yield Bait(outside, home_file, victim, listeners, mark)
    finally:
        for listener in listeners:
            listener.close()
        victim.kill()
        victim.wait()
        del os.environ["JIDO_PROBE_KEY"]
        home_file.unlink(missing_ok=True)
        Path("/var/tmp", mark).unlink(missing_ok=True)
        for pid in _processes(mark):
            os.kill(pid, 9)
        shutil.rmtree(outside, ignore_errors=True)


async def run_probe(executor: ToolExecutor, probe: str) -> tuple[list[str], ToolRun]:
    """Run one probe against fresh bait; return what got through, and the run."""
    with bait() as prey:
        job = ToolJob(
            argv=("python", "-S", "-c", prey.code(probe)),
            report="report",
            timeout_s=TIMEOUT_S,
            max_output_bytes=OUTPUT,
            unsafe=True,
        )
        run = await executor.run(job)
        return prey.harm(run), run


def _was_reached(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _processes(mark: str) -> list[int]:
    """Return the processes with the mark in their command line.

    One that is being taken down gets 5 s; one that is left sleeps for 60.
    """
    found: list[int] = []
    for _ in range(50):
        found = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and _has(entry, mark)]
        if not found:
            break
        time.sleep(0.1)
    return found


def _has(entry: Path, mark: str) -> bool:
    try:
        return mark.encode() in (entry / "cmdline").read_bytes()
    except OSError:
        return False
