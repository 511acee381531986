"""llama.cpp's own server with a tiny model, in a process of its own, on loopback.

python llama_server.py FOLDER KEY       writes the model into FOLDER, serves it, prints the address, ends with stdin
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

NAME = "tiny"


@contextmanager
def llama_server(folder: Path, key: str) -> Generator[str]:
    """Serve in a child process and give the address, without "/v1"; the child ends with the `with` block or with us."""
    command = [sys.executable, "-W", "ignore", __file__, str(folder), key]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            while line := child.stdout.readline().decode("utf-8", "replace"):
                if line.startswith("serving "):
                    break
            else:
                raise RuntimeError(f"the llama server did not start; its status is {child.wait()}")
            yield line.split()[1]
        finally:
            child.stdin.close()
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main(folder: Path, key: str) -> None:
    import xllamacpp
    from tiny_model import write_tiny_model

    file = folder / "tiny.gguf"
    write_tiny_model(file)
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.model_alias = {NAME} if isinstance(params.model_alias, set) else NAME
    params.n_ctx = 16384  # shared by the two slots; the tiny model reads letters, not words
    params.n_parallel = 2
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.n_threads_http = 64  # each holds one connection
    params.hostnames = ["127.0.0.1"]
    params.port = free_port()
    params.ui = False
    params.offline = True
    params.api_keys = [key]
    server = xllamacpp.Server(params)
    print(f"serving {server.listening_address}", flush=True)  # noqa: T201 - to our parent
    sys.stdin.read()  # ends when our parent does
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
