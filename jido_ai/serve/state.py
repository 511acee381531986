"""ServerState: the parts of a server that its routes share, and their life."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, cast

from fastapi import Depends
from starlette.requests import Request

from jido_ai.errors import ActorError, ConfigurationError
from jido_ai.graph.orders import RunOrder
from jido_ai.graph.served import Served, keep_running
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.known_prices import without_price
from jido_ai.reflection.reflector import Reflector
from jido_ai.runs.kept_open import KeptOpen
from jido_ai.runs.signals import OnePerKey
from jido_ai.serve.caller import Caller
from jido_ai.serve.entries import Entry
from jido_ai.serve.metrics import Metrics
from jido_ai.serve.queues import Queues
from jido_ai.serve.quotas import Quotas
from jido_ai.serve.reachable import ReachableModels
from jido_ai.serve.scan import kept_runs
from jido_ai.serve.served_runs import ServedRuns
from jido_ai.serve.tokens import Token, TokenFile
from jido_ai.values import utc_now

__all__ = ["ServerState", "State"]

_log: Final = logging.getLogger("jido_ai.serve")


class ServerState:
    """The parts of a server.

    Args:
        memory: opened and closed with the server unless it is open.
        reflector: for episodes of other agents; None: one without a model.
        monthly_usd: see `create_app`.
    """

    def __init__(
        self,
        served: Mapping[str, Served],
        memory: ReflexionMemory,
        tokens: TokenFile | None,
        *,
        max_runs: int,
        max_queue: int,
        reflector: Any = None,
        monthly_usd: float | None = None,
    ) -> None:
        self.memory = memory
        self.tokens = tokens
        self.metrics = Metrics()
        self.quotas = Quotas()
        self.noting = OnePerKey()  # runs on which a note is written
        self.reflector = Reflector() if reflector is None else reflector
        self._monthly_usd = monthly_usd
        self.served = served
        self.runs = ServedRuns(served, memory, max_runs=max_runs, max_queue=max_queue, emit=self._log)
        self.runs.admit, self.runs.ended = self._admit_run, self._ended
        self.metrics.watch(self.runs)
        self.models = ReachableModels(served.values())
        self.queues = Queues(memory.address)
        self.doors: list[AbstractAsyncContextManager[Any]] = []  # what lives as long as the server
        self._kept = KeptOpen(self._running)
        self._failure: Exception | None = None
        self._is_closed = False
        self.streams: dict[str, int] = {}

    async def open(self) -> None:
        """Start everything, once; also called before each request, since a mounted app does not get its start.

        Returns early, with nothing started, if `close` is called meanwhile.

        Raises:
            JidoError: the memory cannot be opened, or a pipeline or graph cannot be started.
        """
        if self._failure is not None:
            raise self._failure
        if self._is_closed:
            return
        try:
            await self._kept.open()
        except Exception as error:
            if self._is_closed and isinstance(error, ActorError):
                return
            self._failure = error
            raise

    async def close(self) -> None:
        """Stop everything; unfinished runs continue at the next start."""
        self._is_closed = True
        await self._kept.close()

    @asynccontextmanager
    async def _running(self) -> AsyncGenerator[None]:
        reflector = {"reflections": (self.reflector,)}
        async with AsyncExitStack() as stack:
            if not self.memory.is_open:
                await stack.enter_async_context(self.memory)
            kept = keep_running(self.served, self.memory, monthly_usd=self._monthly_usd, others=reflector)
            await stack.enter_async_context(kept)
            if self.tokens is not None:
                for token in self.tokens.all():
                    for name, one in self.served.items():  # running: a graph knows its models from then on
                        await _check_dollars(token, name, one)
                await self._count_today()
            for part in (self.runs, self.models, self.queues):
                stack.push_async_callback(part.close)
            self.runs.open()
            for door in self.doors:
                await stack.enter_async_context(door)
            yield

    async def _count_today(self) -> None:
        """Count today's spending of the tokens before this start."""
        today = utc_now().date()
        async with aclosing(kept_runs(self.memory)) as runs:
            async for _, entry in runs:
                if entry.updated_at.date() < today:
                    return
                self._spend(entry)

    def admit(self, caller: Caller) -> None:
        """Raise `Problem` ("quota") if the caller may start no run now."""
        if caller.token is not None:
            self._admit(caller.token)

    def _admit_run(self, order: RunOrder) -> None:
        """Raise `Problem` ("quota") if the token of a run may start none now, whoever resumes the run."""
        token = None if self.tokens is None else self.tokens.token_named(order.token)
        if token is not None:
            self._admit(token)

    def _admit(self, token: Token) -> None:
        now = utc_now()
        self.quotas.admit(
            token,
            in_flight=self.runs.of_token(token.id),
            now=time.monotonic(),
            day=now.date(),
            until_midnight_s=_until_midnight(now),
        )

    async def start(self, order: RunOrder, caller: Caller) -> Entry:
        """Accept a run; see `ServedRuns.accept`.

        Raises:
            ConfigurationError: the token's limit in dollars cannot be kept; see `_check_dollars`.
        """
        if caller.token is not None and order.name in self.served:  # the token may be younger than this server
            await _check_dollars(caller.token, order.name, self.served[order.name])
        return await self.runs.accept(order)

    def _ended(self, entry: Entry) -> None:
        self.metrics.ended(entry)
        self._spend(entry)

    def _spend(self, entry: Entry) -> None:
        if entry.order.token and entry.summary is not None:
            self.quotas.spend(entry.order.token, entry.updated_at.date(), entry.summary)

    def _log(self, name: str, **facts: object) -> None:
        level = logging.INFO if name == "serve.run_taken_up" else logging.WARNING
        _log.log(level, "%s %s", name, " ".join(f"{key}={value!r}" for key, value in facts.items()))


async def _check_dollars(token: Token, name: str, served: Served) -> None:
    """Raise `ConfigurationError` if a token has a limit in dollars and the price of a model is not known."""
    most = token.quota.dollars_a_day
    found = None if most is None else await without_price(served.uses())
    if most is not None and found is not None:
        mend = (
            "a model object has no prices; wrap it, with_limits(model), or name it"
            if found.is_bare
            else f'give its price in USD per million tokens ([prices."{found.name}"] with input_usd and output_usd in '
            "jido.toml)"
        )
        raise ConfigurationError(
            f"the token {token.id} has dollars_a_day={most:g}, which cannot be kept: the price of {found.name}, which "
            f"{name!r} uses, is unknown; {mend}, or limit --tokens-a-day instead"
        )


def _until_midnight(now: datetime) -> float:
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (tomorrow - now).total_seconds()


async def _state_of(request: Request) -> ServerState:
    return cast("ServerState", request.app.state.jido)


State = Annotated[ServerState, Depends(_state_of)]
"""The state, as the dependency of a route."""
