"""The supervision tree of a running server, read over HTTP."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final, cast

from jido_ai.actors.system import TreeNode
from jido_ai.errors import ConfigurationError, JidoError, describe
from jido_ai.text.printable import clip, printable
from jido_ai.text.redaction import redact

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
