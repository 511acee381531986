"""`jido tree`: the supervision tree of a running server, or of an example while it runs."""

from __future__ import annotations

import asyncio
import json
import logging
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final, TextIO, cast

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from jido_ai.actors.system import TreeNode
from jido_ai.errors import ConfigurationError, JidoError, describe
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.text.printable import clip, printable
from jido_ai.text.redaction import redact
from jido_ai.values import Candidate, CritiqueResult, Issue

_COLOURS = {"running": "green", "starting": "cyan", "restarting": "yellow", "stopping": "yellow", "stopped": "red"}


def draw(node: TreeNode) -> Tree:
    """Return a tree to print: name, kind, status, restarts, waiting messages."""
    tree = Tree(_label(node))
    _grow(tree, node)
    return tree


def _grow(tree: Tree, node: TreeNode) -> None:
    for child in node.children:
        _grow(tree.add(_label(child)), child)


def _label(node: TreeNode) -> Text:
    label = Text.assemble(
        (node.name, "bold"), " ", (node.kind, "dim"), " ", (node.status, _COLOURS.get(node.status, ""))
    )
    if node.restarts:
        label.append(f"  restarts {node.restarts}", "yellow")
    if node.mailbox:
        label.append(f"  mailbox {node.mailbox}", "cyan")
    return label


def show_server(url: str, token: str | None, out: TextIO) -> None:
    """Draw the tree of a running `jido serve`. Raises as `tree_at` does."""
    Console(file=out, highlight=False).print(draw(tree_at(url, token)))


def show_example(out: TextIO) -> None:
    """Run three prompts through a pipeline whose critiquer crashes once, and draw its tree while they are under way."""
    console = Console(file=out, highlight=False)
    console.print("an example; of a running server: jido tree --url http://127.0.0.1:8765", style="dim")
    log = logging.getLogger("jido_ai")
    level = log.level
    log.setLevel(logging.CRITICAL)  # the crash is meant
    try:
        asyncio.run(_run_and_draw(console))
    finally:
        log.setLevel(level)


async def _run_and_draw(console: Console) -> None:
    ways = _Ways()
    pipeline = Pipeline(
        generator=ways.generate, critiquer=ways.critique, reviser=ways.revise, memory=True, name="example"
    )
    async with pipeline, asyncio.TaskGroup() as group:
        for number in range(3):
            group.create_task(pipeline.run(f"prompt {number}", run_id=f"run {number}"))
        await ways.all_wait.wait()
        console.print(draw(pipeline.tree()))
        ways.go_on.set()


class _Ways:
    """Components of the example: the critiquer crashes at its first call, the reviser waits until the tree is drawn."""

    def __init__(self) -> None:
        self.all_wait = asyncio.Event()
        self.go_on = asyncio.Event()
        self._has_crashed = False
        self._waiting = 0

    async def generate(self, prompt: str, context: RunContext) -> str:
        return f"a draft about {prompt}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        if not self._has_crashed:
            self._has_crashed = True
            raise RuntimeError("the critiquer of the example crashes once")
        if candidate.parent_id is not None:
            return CritiqueResult.no_issues()
        return CritiqueResult(severity=0.7, issues=[Issue("too short")])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        self._waiting += 1
        if self._waiting == 3:
            self.all_wait.set()
        await self.go_on.wait()
        return f"{candidate.content}, at some length"


# -- server tree -----------------------------------------------------------------------------------


_TIMEOUT_S: Final = 10.0
_MOST_BYTES: Final = 16 << 20
_MOST_LEVELS: Final = 100


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is sent to the address that was given, and to no other."""

    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None


def tree_at(url: str, token: str | None) -> TreeNode:
    """Return the tree of the `jido serve` at an address, as in "http://127.0.0.1:8765".

    Raises:
        ConfigurationError: the address is not http or https, or the token cannot be sent.
        JidoError: there is no answer within 10 s, it is refused, or it is not a tree.
    """
    shown = redact(url)
    if not url.startswith(("http://", "https://")):
        raise ConfigurationError(f"--url takes the address of `jido serve`, as in http://127.0.0.1:8765, got {shown!r}")
    request = urllib.request.Request(f"{url.rstrip('/')}/v1/tree", headers={"accept": "application/json"})
    if token:
        request.add_header("authorization", f"Bearer {token}")
    try:
        with urllib.request.build_opener(_NoRedirects()).open(request, timeout=_TIMEOUT_S) as answer:
            body = answer.read(_MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(shown, error.code, error.read(_MOST_BYTES)) from error
    except ValueError as error:
        raise ConfigurationError(f"--url or the token cannot be sent: {redact(str(error))}") from error
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise JidoError(f"no `jido serve` answers at {shown}: {redact(str(reason))}") from error
    try:
        if len(body) > _MOST_BYTES:
            raise ValueError(f"more than {_MOST_BYTES:,} bytes")
        return _node(json.loads(body), 0)
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise JidoError(f"{shown} did not answer with a tree: {describe(error)}; is it `jido serve`?") from error


def _refused(url: str, status: int, body: bytes) -> JidoError:
    if status in (401, 403):
        return JidoError(f"{url} needs a token with the scope read: give --token, or set JIDO_TOKEN")
    said = printable(clip(" ".join(body.decode("utf-8", "replace").split()), 200))
    return JidoError(f"{url} answered with status {status}: {redact(said)}; is it `jido serve`?")


def _node(data: Mapping[str, Any], level: int) -> TreeNode:
    if level > _MOST_LEVELS:
        raise ValueError(f"deeper than {_MOST_LEVELS} levels")
    return TreeNode(
        name=printable(str(data["name"])),
        kind=printable(str(data["kind"])),
        status=printable(str(data["status"])),
        restarts=int(data["restarts"]),
        mailbox=int(data["mailbox"]),
        children=tuple(_node(one, level + 1) for one in cast("list[Mapping[str, Any]]", data["children"])),
        reason=printable(str(data.get("reason", ""))),
    )
