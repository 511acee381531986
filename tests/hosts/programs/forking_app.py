"""Pipelines made before a fork: one that was used, one that was not; `make` is for a hook that runs after the fork."""

from __future__ import annotations

from typing import Any

from host_work import critique, fast_pipeline

from jido_ai.errors import ConfigurationError
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import reflect_sync

used = BlockingPipeline(fast_pipeline(memory=True))
used.run("before the fork")
unused = BlockingPipeline(fast_pipeline(memory=True))
made: list[BlockingPipeline] = []


def make(*_: object, **__: object) -> None:
    made.append(BlockingPipeline(fast_pipeline(memory=True)))
    made[0].run("after the fork")


def report() -> str:
    """Return what each of them does in this process."""
    try:
        before = str(used.run("q").accepted)
    except ConfigurationError as error:
        before = "refused, fork" if "fork" in str(error) else str(error)
    accepted = [
        unused.run("q").accepted,
        made[0].run("q").accepted,
        reflect_sync("q", "a", critiquer=critique).accepted,
    ]
    return f"{before}; {accepted}"


def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answer with the report, as a WSGI application."""
    body = report().encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
