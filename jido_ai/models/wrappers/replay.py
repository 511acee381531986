"""Record a model's answers and play them back, for tests that call no model.

A recording is a file of JSON lines, one exchange each, oldest first. Secrets are taken out before anything is written.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any, Final

from jido_ai.components.call_context import current_call
from jido_ai.errors import ConfigurationError, ModelError, NotFoundError, describe, message_of, name_at
from jido_ai.files.bounded_read import read_at_most
from jido_ai.protocols import LanguageModel, StreamingModel
from jido_ai.text.redaction import MASK, redact, redact_values
from jido_ai.values import Completion, CompletionRequest, Value

_NOT_RECORDED: Final = {"metadata", "timeout_s"}
"""Fields of a request that do not affect the answer."""
_SHOWN_CHARS: Final = 80
_MOST_BYTES: Final = 1 << 30


class _RecordedError(Value):
    """A `ModelError` that came instead of an answer."""

    kind: str
    message: str
    provider: str
    model: str | None = None
    host: str = ""
    status: int | None = None
    retry_after_s: float | None = None

    def error(self) -> ModelError:
        """Return it as the error it was."""
        kind = {known.__name__: known for known in (ModelError, *ModelError.__subclasses__())}.get(self.kind)
        if kind is None:
            raise ConfigurationError(f"the recording has an error of an unknown kind: {self.kind!r}")
        who: dict[str, Any] = {"provider": self.provider, "model": self.model, "host": self.host}
        error = kind(self.message.removeprefix(f"{name_at(**who)}: "), **who)
        error.status = self.status
        if hasattr(error, "retry_after_s"):
            error.retry_after_s = self.retry_after_s  # type: ignore[attr-defined]
        return error


class _Exchange(Value):
    """A request and its outcome: a completion, in pieces if it was streamed, or an error."""

    request: CompletionRequest
    completion: Completion | None = None
    pieces: tuple[str, ...] = ()
    error: _RecordedError | None = None


class RecordingModel:
    """Asks another model, and adds each exchange to a file; errors of the model are recorded as well.

    Calls that are cancelled, or end with any other error, are not recorded. A request's metadata and time limit are
    left out. Several recorders may share a model, but each needs a file of its own.

    Args:
        model: the model to ask. It stays the caller's to close.
        path: the file; created if it is missing, else appended to. A link, or a pipe without a reader, is refused.
        secrets: texts to take out beside whatever looks like a key, a token or a password.

    Raises (when called):
        OSError: the file cannot be written.
    """

    def __init__(self, model: LanguageModel, path: str | Path, *, secrets: Sequence[str] = ()) -> None:
        self._inner = model
        self._path = Path(path)
        self._secrets = tuple(secret for secret in secrets if secret)
        self._turn = threading.Lock()
        self.provider = str(getattr(model, "provider", "recording"))
        self.model = str(getattr(model, "model", ""))
        self.base_url = str(getattr(model, "base_url", ""))

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the model's answer. See `LanguageModel`."""
        try:
            completion = await self._inner.complete(request)
        except ModelError as error:
            await self._add(request, error=_recorded(error))
            raise
        await self._add(request, completion=completion)
        return completion

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the model's pieces; a model that cannot stream yields its answer in one piece."""
        if not isinstance(self._inner, StreamingModel):
            completion = await self.complete(request)
            yield completion.text
            yield completion
            return
        pieces: list[str] = []
        answer = self._inner.stream(request)
        try:
            async for piece in answer:
                if isinstance(piece, str):
                    pieces.append(piece)
                else:
                    await self._add(request, completion=piece, pieces=tuple(pieces))
                yield piece
        except ModelError as error:
            await self._add(request, pieces=tuple(pieces), error=_recorded(error))
            raise
        finally:
            await answer.aclose()

    async def _add(self, request: CompletionRequest, **outcome: Any) -> None:
        exchange = _Exchange(request=request, **outcome)
        fields = exchange.model_dump(exclude_defaults=True, exclude={"request": _NOT_RECORDED})
        line = json.dumps(_masked(fields, self._secrets))  # ASCII: half a surrogate pair survives
        await asyncio.to_thread(self._append, line)

    def _append(self, line: str) -> None:
        with self._turn, open(self._path, "a", encoding="utf-8", opener=_open_no_link) as file:
            file.write(line + "\n")


class ReplayModel:
    """Answers requests from a recording; nothing is sent.

    Requests are the same when all but their metadata and time limit is equal, secrets taken out. A request that was
    recorded several times is answered in that order, and from then on with the last answer.

    Args:
        path: a file that `RecordingModel` wrote.
        secrets: those of the recorder.

    Raises:
        ConfigurationError: the file does not exist or is not a recording.
        NotFoundError: when called: the request was not recorded.
    """

    def __init__(self, path: str | Path, *, secrets: Sequence[str] = ()) -> None:
        self._path = Path(path)
        self._secrets = tuple(secret for secret in secrets if secret)
        self._answers: defaultdict[str, deque[_Exchange]] = defaultdict(deque)
        self.provider = "replay"
        self.model = ""
        self.base_url = ""
        try:
            data = read_at_most(self._path, _MOST_BYTES)
            if data is None:
                raise ConfigurationError(f"{path} is larger than {_MOST_BYTES} bytes, the limit for a recording")
            lines = data.decode("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"there is no recording to play back at {path}: {error}") from error
        for number, line in enumerate(lines, 1):
            if line.strip():
                exchange = _read(line, f"{path}, line {number}")
                self._answers[self._same(exchange.request)].append(exchange)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the recorded answer or raise the recorded error. See `LanguageModel`."""
        exchange = self._next(request)
        recorded = current_call.get()
        if recorded is not None:
            recorded.is_replayed = True
        if exchange.error is not None:
            raise exchange.error.error()
        assert exchange.completion is not None
        return exchange.completion

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the recorded pieces; an answer that was not streamed is one piece."""
        exchange = self._next(request)
        for piece in exchange.pieces:
            yield piece
        if exchange.error is not None:
            raise exchange.error.error()
        assert exchange.completion is not None
        if not exchange.pieces and exchange.completion.text:
            yield exchange.completion.text
        yield exchange.completion

    def _same(self, request: CompletionRequest) -> str:
        """Return a text that is equal for requests that ask for the same."""
        fields = request.model_dump(exclude_defaults=True, exclude=_NOT_RECORDED)
        return json.dumps(_masked(fields, self._secrets), sort_keys=True)

    def _next(self, request: CompletionRequest) -> _Exchange:
        found = self._answers.get(self._same(request))
        if found is None:
            last = request.messages[-1]
            begin = describe(redact(last.content)[:_SHOWN_CHARS])
            raise NotFoundError(
                f"{self._path} has {sum(map(len, self._answers.values()))} exchanges, but none for this request: "
                f"{len(request.messages)} messages, the last by {last.role}: {begin} "
                f"({len(last.content)} characters), model={request.model!r}, temperature={request.temperature}, "
                f"max_tokens={request.max_tokens}, schema={'yes' if request.schema else 'no'}; record it again"
            )
        return found.popleft() if len(found) > 1 else found[0]


def _open_no_link(path: str, flags: int) -> int:
    """Open a file without following links or waiting for the reader of a pipe, which others may have created."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)


def _recorded(error: ModelError) -> _RecordedError:
    return _RecordedError(
        kind=type(error).__name__,
        message=message_of(error),
        provider=error.provider,
        model=error.model,
        host=error.host,
        status=error.status,
        retry_after_s=getattr(error, "retry_after_s", None),
    )


def _masked(fields: dict[str, Any], secrets: Sequence[str]) -> Any:
    """Return a copy of a JSON-like value with all secrets masked."""
    return _without(redact_values(json.loads(json.dumps(fields))), secrets)


def _without(value: Any, secrets: Sequence[str]) -> Any:
    """Return a JSON-like value with every occurrence of each secret masked."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, MASK)
        return value
    if isinstance(value, dict):
        return {name: _without(item, secrets) for name, item in value.items()}  # pyright: ignore[reportUnknownVariableType] - JSON
    if isinstance(value, list):
        return [_without(item, secrets) for item in value]  # pyright: ignore[reportUnknownVariableType] - JSON
    return value


def _read(line: str, where: str) -> _Exchange:
    try:
        exchange = _Exchange.model_validate(json.loads(line))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{where} is not an exchange of a recording: {describe(error)}") from error
    if exchange.completion is None and exchange.error is None:
        raise ConfigurationError(f"{where} has neither an answer nor an error")
    return exchange
