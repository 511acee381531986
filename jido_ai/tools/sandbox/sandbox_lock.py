"""Drops rights permanently: the last step of a launcher's child before it becomes the program. Linux only.

It imports few modules, all of the standard library, because it runs on every start. Sources: the manual pages
seccomp(2), landlock(7), capabilities(7), prctl(2); system call numbers from the kernel's tables for x86_64 and aarch64.
"""
# Without pathlib, whose import takes longer than everything here takes to run.
# ruff: noqa: PTH112

from __future__ import annotations

import ctypes
import os
import resource
import struct
from collections.abc import Sequence

_PR_SET_KEEPCAPS = 8
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_CAP_AMBIENT_RAISE, _CAP_AMBIENT_CLEAR_ALL = 2, 4
_CAP_DAC_READ_SEARCH = 2

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, value: int, more: int = 0) -> None:
    """Call prctl(2). Raises `OSError`."""
    _checked(_libc.prctl(option, *map(ctypes.c_ulong, (value, more, 0, 0))), f"prctl {option}")


# -- mounts, in our own mount namespace -------------------------------------------------------------

_MS_NOSUID, _MS_NODEV, _MS_BIND, _MNT_DETACH = 2, 4, 4096, 2


def mount_tmpfs(path: str, size: int, files: int) -> None:
    """Mount an empty file system in memory on `path`, of at most `size` bytes and `files` files and directories."""
    options = f"mode=0700,size={size},nr_inodes={files}".encode()
    _checked(_libc.mount(b"tmpfs", os.fsencode(path), b"tmpfs", _MS_NOSUID | _MS_NODEV, options), f"mount {path}")


def bind(source: str, target: str) -> None:
    """Bind `source` to `target`."""
    _checked(_libc.mount(os.fsencode(source), os.fsencode(target), None, _MS_BIND, None), f"bind {target}")


def detach(path: str) -> None:
    """Detach the mount on `path`."""
    _checked(_libc.umount2(os.fsencode(path), _MNT_DETACH), f"umount {path}")


# -- numbers ---------------------------------------------------------------------------------------


def set_limits(limits: Sequence[tuple[str, int]]) -> None:
    """Set resource limits, soft and hard, by the name after RLIMIT_; a lower hard limit stays."""
    for name, value in limits:
        number: int = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(number)[1]
        least = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (least, least))


# -- user and capabilities -------------------------------------------------------------------------


def drop_to(uid: int | None, must_read: Sequence[str]) -> None:
    """Become `uid` permanently; None keeps the user. All capabilities are dropped in both cases.

    One is kept if `uid` could not open the directories `must_read`, e.g. if the interpreter is below /root: the right
    to read despite file modes. Landlock or the mounts then decide what is readable, as they do for a plain user's own
    files.
    """
    may_search = False
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        prctl(_PR_SET_KEEPCAPS, 1)
        os.setresuid(uid, uid, uid)  # from here on no capability is effective, but all are permitted
        may_search = not all(os.access(path, os.R_OK | (os.X_OK if os.path.isdir(path) else 0)) for path in must_read)
    prctl(_PR_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL)
    _set_capabilities(1 << _CAP_DAC_READ_SEARCH if may_search else 0)
    if may_search:
        prctl(_PR_CAP_AMBIENT, _CAP_AMBIENT_RAISE, _CAP_DAC_READ_SEARCH)  # so that it survives execve
    prctl(_PR_SET_NO_NEW_PRIVS, 1)  # set-user-id programs give nothing back


def _set_capabilities(low: int) -> None:
    version_3, ourselves = 0x20080522, 0
    header = struct.pack("=Ii", version_3, ourselves)
    words = struct.pack("=6I", low, low, low, 0, 0, 0)  # effective, permitted, inheritable; twice 32 bits
    _checked(_libc.capset(header, words), "capset")


# -- which files: Landlock --------------------------------------------------------------------------

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_MAKE_CHAR, _MAKE_BLOCK, _TRUNCATE, _IOCTL_DEV = 1 << 6, 1 << 11, 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_TCP, _SCOPES = 3, 3  # bind and connect; abstract sockets and signals


def landlock_version() -> int:
    """Return the kernel's version of Landlock; 0 if it has none."""
    return max(0, _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG))


def restrict_paths(readable: Sequence[str], writable: Sequence[str], devices: Sequence[str]) -> None:
    """Allow opening files only below these paths; also forbid TCP and, if the kernel can, signals and abstract sockets
    to the outside. Missing paths are ignored.

    Raises:
        OSError: the kernel has no Landlock.
    """
    version = landlock_version()
    kinds = (1 << (13 if version < 2 else 14 if version < 3 else 15 if version < 5 else 16)) - 1
    words = [kinds, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0]
    attributes = struct.pack("=3Q", *words)[: 8 if version < 4 else 16 if version < 6 else 24]
    size = ctypes.c_size_t(len(attributes))
    ruleset = _checked(_libc.syscall(_CREATE_RULESET, attributes, size, 0), "Landlock")
    everything = kinds & ~(_MAKE_CHAR | _MAKE_BLOCK)
    on_devices = _READ_FILE | _WRITE_FILE
    for paths, rights in ((readable, _READ), (writable, everything), (devices, on_devices)):
        for path in paths:
            _allow(ruleset, path, rights & kinds)
    _checked(_libc.syscall(_RESTRICT_SELF, ruleset, 0), "Landlock")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    if not os.path.isdir(path):
        rights &= _OF_FILES
    rule = struct.pack("=Qi", rights, handle)
    _checked(_libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0), f"Landlock rule for {path}")
    os.close(handle)


# -- which system calls: seccomp --------------------------------------------------------------------

# Opcodes of the classic Berkeley packet filter, as (opcode, jump if true, jump if false, operand).
_Code = tuple[int, int, int, int]
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24  # offsets in struct seccomp_data
_X32 = 0x40000000
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET

_ALLOW: _Code = (_RETURN, 0, 0, 0x7FFF0000)
_KILL: _Code = (_RETURN, 0, 0, 0x80000000)
_REFUSE: _Code = (_RETURN, 0, 0, 0x00050000 | 1)  # EPERM
_NO_NETWORK: _Code = (_RETURN, 0, 0, 0x00050000 | 101)  # ENETUNREACH: as without a network, and so it is reported
_UNKNOWN: _Code = (_RETURN, 0, 0, 0x00050000 | 38)  # ENOSYS: libc takes the older call
_PRETEND: _Code = (_RETURN, 0, 0, 0x00050000)  # success without effect

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

# Each call: its number on x86_64 and on aarch64; -1 if there is none.
_REFUSED = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "pidfd_getfd": (438, 438),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "ioprio_set": (251, 30),
    # mounts, roots, namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467), "unshare": (272, 97),
    "setns": (308, 268),
    # large and new parts of the kernel, where most bugs are
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "fanotify_init": (300, 262), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "lookup_dcookie": (212, 18), "personality": (135, 92), "modify_ldt": (154, -1),
    "uselib": (134, -1), "ustat": (136, -1), "sysfs": (139, -1),
    # the machine
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "acct": (163, 89), "syslog": (103, 116),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "iopl": (172, -1), "ioperm": (173, -1),
    "vhangup": (153, 58),
    # memory that belongs to no process, would not be counted, and may remain afterwards
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "semget": (64, 190),
    "msgget": (68, 186), "mq_open": (240, 180),
}  # fmt: skip
# Calls that may name another process in their first argument; 0 is the caller.
_ON_SELF = {
    "prlimit64": (302, 261), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274),
}  # fmt: skip
_SIGNALS = {
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424),
}  # fmt: skip
# Landlock does not check these, so a plain user's own files would be open to them.
_ATTRIBUTES = {
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1),
    "lchown": (94, -1), "fchown": (93, 55), "fchownat": (260, 54), "utime": (132, -1), "utimes": (235, -1),
    "futimesat": (261, -1), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "setxattrat": (463, 463),
    "removexattrat": (466, 466), "file_setattr": (469, 469),
}  # fmt: skip
_SETPRIORITY, _FCNTL, _IOCTL = (141, 140), (72, 25), (16, 29)
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_F_SETOWN, _F_SETOWN_EX, _FIOSETOWN, _SIOCSPGRP = 8, 15, 0x8901, 0x8902


def restrict_calls(families: Sequence[int], *, own_files_open: bool, signals_open: bool) -> None:
    """Refuse the system calls that no honest program under test needs, for us and all our children, permanently.

    Args:
        families: socket families that may be created; pairs of connected sockets are always allowed.
        own_files_open: files outside belong to our user. Changes of mode, owner, times and extended attributes are then
            faked, because the filter cannot see which file they are for.
        signals_open: processes outside could be sent signals. Then signals are allowed only to our own process group.

    Raises:
        OSError: the kernel has no seccomp, or the processor is neither x86_64 nor aarch64.
    """
    machine = os.uname().machine
    if machine not in _MACHINES:
        raise OSError(f"no table of system calls for {machine}")
    column, architecture = _MACHINES[machine]
    code: list[_Code] = [
        *[(_LOAD, 0, 0, _ARCHITECTURE), (_IF_EQUAL, 1, 0, architecture), _KILL, (_LOAD, 0, 0, _NUMBER)],
        *([(_IF_AT_LEAST, 0, 1, _X32), _KILL] if machine == "x86_64" else []),
    ]

    def on(call: tuple[int, int], *answer: _Code) -> None:
        if call[column] >= 0:
            code.extend([(_IF_EQUAL, 0, len(answer), call[column]), *answer])

    for call in _REFUSED.values():
        on(call, _REFUSE)
    for call in _ON_SELF.values():
        on(call, *_only((0,), _FIRST))
    on(_SETPRIORITY, *_only((0,), _SECOND))
    on(_CLONE3, _UNKNOWN)
    on(_CLONE, (_LOAD, 0, 0, _FIRST), (_IF_ANY_BIT, 0, 1, _NEW_NAMESPACES), _REFUSE, _ALLOW)
    on(_SOCKET, *_only(families, _FIRST)[:-1], _NO_NETWORK)
    if signals_open:
        for call in _SIGNALS.values():
            on(call, *_only((0,), _FIRST))
        on(_FCNTL, *_unless((_F_SETOWN, _F_SETOWN_EX), _SECOND))
        on(_IOCTL, *_unless((_FIOSETOWN, _SIOCSPGRP), _SECOND))
    if own_files_open:
        for call in _ATTRIBUTES.values():
            on(call, _PRETEND)
    code.append(_ALLOW)
    _install(code)


def _only(values: Sequence[int], offset: int) -> list[_Code]:
    """Allow the call if the argument is one of `values`."""
    tests: list[_Code] = []
    for value in values:
        tests += [(_IF_EQUAL, 0, 1, value), _ALLOW]
    return [(_LOAD, 0, 0, offset), *tests, _REFUSE]


def _unless(values: Sequence[int], offset: int) -> list[_Code]:
    """Refuse the call if the argument is one of `values`."""
    tests: list[_Code] = []
    for value in values:
        tests += [(_IF_EQUAL, 0, 1, value), _REFUSE]
    return [(_LOAD, 0, 0, offset), *tests, _ALLOW]


def _install(code: Sequence[_Code]) -> None:
    filter_mode = 2
    program = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *one) for one in code))
    header = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(program)))
    prctl(_PR_SET_SECCOMP, filter_mode, ctypes.addressof(header))
