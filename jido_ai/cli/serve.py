"""The work of `jido serve`."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from jido_ai.cli.memory_place import memory_address
from jido_ai.cli.served import load_served
from jido_ai.cli.trust import trusted_settings
from jido_ai.errors import ConfigurationError
from jido_ai.extras import needs_extra
from jido_ai.loop.settings import memory_options
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.reflection.reflector import Reflector
from jido_ai.text.wording import counted


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The arguments of the command."""

    host: str
    port: int
    memory: str | None
    tokens: Path | None
    drain_s: float
    max_runs: int
    max_queue: int


def serve_nearest(options: ServeOptions, out: TextIO) -> None:
    """Serve the pipelines and graphs of the nearest settings file until a signal comes.

    Raises:
        ConfigurationError: a setting or option can never work. Nothing has started.
    """
    with needs_extra("serve"):
        from jido_ai.serve.app import create_app  # noqa: PLC0415 - an extra
        from jido_ai.serve.server import bound_socket, is_loopback, serve  # noqa: PLC0415

    if options.tokens is None and not is_loopback(options.host):
        raise ConfigurationError(
            f"--host {options.host} can be reached from other machines, so it needs --tokens FILE; "
            "`jido token new` makes one"
        )
    settings = trusted_settings(memory=options.memory)
    served = load_served(settings)
    address = memory_address(settings.memory)
    app = create_app(
        served,
        memory=ReflexionMemory(address, **memory_options(settings)),
        tokens=options.tokens,
        max_runs=options.max_runs,
        max_queue=options.max_queue,
        reflector=Reflector(settings.model, depth=settings.depth),
        monthly_usd=settings.monthly_budget_usd,
        allowed_origins=settings.allowed_origins,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="jido serve: %(message)s")
    bound = bound_socket(options.host, options.port)
    port = bound.getsockname()[1]
    host = f"[{options.host}]" if ":" in options.host else options.host
    names = ", ".join(served) or "nothing to run: add [pipelines.NAME] or [graphs.NAME] to a jido.toml"

    def begun() -> None:
        out.write(f"http://{host}:{port}/  {counted(len(served), 'thing')} ({names}); memory {address}\n")
        out.flush()

    def tell(line: str) -> None:
        print(f"jido serve: {line}", file=sys.stderr, flush=True)

    serve(app, bound, drain_s=options.drain_s, tell=tell, begun=begun)
