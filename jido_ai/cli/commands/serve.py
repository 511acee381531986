"""`jido serve`."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from jido_ai.cli.commands.options import new_app
from jido_ai.errors import ConfigurationError
from jido_ai.extras import needs_extra
from jido_ai.text.wording import counted

app = new_app()


@app.command("serve")
def serve_command(  # noqa: PLR0917 - typer calls it by keyword
    host: Annotated[
        str, typer.Option(metavar="H", help="Address to listen on; --tokens is needed if other machines can reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="Port; 0 picks a free one.")] = 8765,
    memory: Annotated[
        str | None, typer.Option(metavar="M", help="File or address that keeps runs and lessons.")
    ] = None,
    tokens: Annotated[Path | None, typer.Option(metavar="FILE", help="Tokens of `jido token new`.")] = None,
    drain: Annotated[
        float,
        typer.Option(
            metavar="S", min=0.0, max=86_400.0, help="Seconds to let runs in flight finish when the server stops."
        ),
    ] = 30.0,
    max_runs: Annotated[int, typer.Option(metavar="N", min=1, help="Maximum runs in flight.")] = 64,
    max_queue: Annotated[
        int, typer.Option(metavar="N", min=0, help="Maximum accepted runs that wait for their turn.")
    ] = 1_000,
) -> None:
    """Serve pipelines and graphs over HTTP, with a page that shows the runs.

    It serves those that the nearest jido.toml names in [pipelines.NAME] and [graphs.NAME].
    """
    from jido_ai.cli.memory_place import memory_address  # noqa: PLC0415 - each command loads what it needs
    from jido_ai.cli.served import load_served  # noqa: PLC0415
    from jido_ai.cli.trust import trusted_settings  # noqa: PLC0415
    from jido_ai.loop.settings import memory_options  # noqa: PLC0415
    from jido_ai.memory.reflexion_memory import ReflexionMemory  # noqa: PLC0415
    from jido_ai.reflection.reflector import Reflector  # noqa: PLC0415

    with needs_extra("serve"):
        from jido_ai.serve.app import create_app  # noqa: PLC0415 - an extra
        from jido_ai.serve.server import bound_socket, is_loopback, serve  # noqa: PLC0415

    if tokens is None and not is_loopback(host):
        raise ConfigurationError(
            f"--host {host} can be reached from other machines, so it needs --tokens FILE; `jido token new` makes one"
        )
    settings = trusted_settings(memory=memory)
    served = load_served(settings)
    address = memory_address(settings.memory)
    app = create_app(
        served,
        memory=ReflexionMemory(address, **memory_options(settings)),
        tokens=tokens,
        max_runs=max_runs,
        max_queue=max_queue,
        reflector=Reflector(settings.model, depth=settings.depth),
        monthly_usd=settings.monthly_budget_usd,
        allowed_origins=settings.allowed_origins,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="jido serve: %(message)s")
    bound = bound_socket(host, port)
    port = bound.getsockname()[1]
    host = f"[{host}]" if ":" in host else host
    names = ", ".join(served) or "nothing to run: add [pipelines.NAME] or [graphs.NAME] to a jido.toml"

    def begun() -> None:
        sys.stdout.write(f"http://{host}:{port}/  {counted(len(served), 'thing')} ({names}); memory {address}\n")
        sys.stdout.flush()

    def tell(line: str) -> None:
        print(f"jido serve: {line}", file=sys.stderr, flush=True)

    serve(app, bound, drain_s=drain, tell=tell, begun=begun)
