"""`with_limits`: a language model with all wrappers, in a fixed order.

From the outside in, each wraps the next:

1. `CachedModel`: cached answers cost nothing and wait for nothing.
2. `RetryingModel`: deadline and retries; the wrappers below act once per try.
3. `GuardedModel`: breaker, rate limits, concurrency. Below the retries, so that the breaker and the limits count every
   try; around the budget, so that waiting calls reserve no money.
4. `BudgetedModel`: refuses calls that exceed a budget, just before they are made.
5. `LedgeredModel`: prices and records each try, whether or not there is a budget.
6. `LoggedModel`: logs the actual requests and responses.
7. `ForeignModel`, around models from other libraries: translates their temporary errors to ours.

Streams pass through all wrappers; a stream is only retried before its first piece.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import CoroutineType
from typing import Any, Final, Literal, cast
from weakref import WeakKeyDictionary, ref

from jido_ai.actors.system import ActorSystem
from jido_ai.config import Provider
from jido_ai.errors import ConfigurationError, describe, message_of
from jido_ai.models.guard import GUARD, Guard, GuardLimits, WhenOpen
from jido_ai.models.limits import BreakerRules
from jido_ai.models.names import bare_model_named, model_of
from jido_ai.models.own_providers import providers_in_use
from jido_ai.models.pricing import Prices
from jido_ai.models.retry import RetryPolicy, passing_failure
from jido_ai.models.wrappers.budget import BudgetedModel
from jido_ai.models.wrappers.cache import CachedModel, CompletionCache
from jido_ai.models.wrappers.guarded import GuardedModel
from jido_ai.models.wrappers.ledger import CostLedger, LedgeredModel, LedgerStore
from jido_ai.models.wrappers.retry import RetryingModel
from jido_ai.models.wrappers.wrapper import AroundModel
from jido_ai.protocols import AnyModel, LanguageModel, StreamingModel
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.text.redaction import redact
from jido_ai.values import Budget, Completion, CompletionRequest, utc_now

_CALLS: Final = 256
_ledgers: Final[WeakKeyDictionary[ActorSystem, list[CostLedger]]] = WeakKeyDictionary()


def with_limits(
    model: AnyModel,
    *,
    system: ActorSystem | None = None,
    guard: Guard | None = None,
    store: LedgerStore | None = None,
    retries: RetryPolicy | int = 4,
    requests_per_minute: int | None = None,
    tokens_per_minute: int | None = None,
    max_concurrency: int | None = _CALLS,
    breaker: BreakerRules | bool = True,
    when_open: WhenOpen = "wait",
    cache: CompletionCache | bool = False,
    prices: Mapping[str, tuple[float, float]] | Literal["list"] | Prices | None = None,
    ledger: CostLedger | bool = True,
    budget: Budget | None = None,
    label: str = "",
    sink: Sink | None = None,
) -> StreamingModel:
    """Return `model` with retries, circuit breaker, limits, cache, cost ledger, budget and log around it.

    Models of the same provider and address share their limits, in one event loop, and those of the same name the
    breaker: behind a proxy, a model that is down does not stop the others. A model without an address, such as a
    function, has limits of its own, unless it has a `system` or `guard`.

    Args:
        model: a `LanguageModel`, a function of a request, or the name of a model.
        system: its models share a ledger, and it receives the events.
        guard: its models share their limits with each other only.
        store: stores the ledger; an open `MemoryStore`. None keeps sums in the process.
        retries: number of retries, or a `RetryPolicy`; 0 disables them.
        requests_per_minute, tokens_per_minute, max_concurrency: None is no limit. See `GuardLimits`. Those of
            `[providers.NAME]` in the settings hold where these are left at their defaults.
        breaker: rules of the circuit breaker; True uses the defaults, False none.
        when_open: "wait" for the provider's return within the call's deadline, or "fail" at once.
        cache: True caches answers to requests with temperature 0.
        prices: (USD per million tokens in, out) by "provider:model" or "model". Other models, and None, use the
            prices of the settings, then the list of genai-prices.
        ledger: a `CostLedger`; True creates one, or uses the system's; False disables it.
        budget: for all calls of this model.
        label: label in the ledger, unless a request has `metadata["label"]`.
        sink: receives events; by default the system's sink, else the log.

    Raises:
        ConfigurationError: an argument is invalid.
        AuthenticationError: the named model's provider needs a key and there is none.
    """
    for name, given, kinds in (
        ("breaker", breaker, (BreakerRules, bool)),
        ("cache", cache, (CompletionCache, bool)),
        ("ledger", ledger, (CostLedger, bool)),
        ("budget", budget, (Budget, type(None))),
        ("label", label, (str,)),
    ):
        if not isinstance(given, kinds):
            what = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
            raise ConfigurationError(f"{name} must be a {what}, got {describe(given)}")
    if sink is None and system is not None:
        sink = _sink_of(system)
    sink = safe_sink(sink)
    policy = retries if isinstance(retries, RetryPolicy) else RetryPolicy(retries=retries)
    price_list = prices if isinstance(prices, Prices) else Prices(prices)
    if ledger is True:
        ledger = _ledger_of(system, store, sink)
    bare = bare_model_named(model) if isinstance(model, str) else model_of(model)
    if guard is None:  # what has no address is a place of its own
        guard = GUARD if getattr(bare, "base_url", "") or system is not None else Guard()
    own = providers_in_use().get(str(getattr(bare, "provider", "")), Provider())
    limits = GuardLimits(
        requests_per_minute=requests_per_minute or own.requests_per_minute,
        tokens_per_minute=tokens_per_minute or own.tokens_per_minute,
        max_concurrency=own.max_concurrency or _CALLS if max_concurrency == _CALLS else max_concurrency,
        breaker=breaker if isinstance(breaker, BreakerRules) else BreakerRules() if breaker else None,
    )
    is_ours = hasattr(bare, "on_headers")  # a provider over HTTP
    logged = LoggedModel(bare if is_ours else ForeignModel(bare))
    inside: LanguageModel = LedgeredModel(logged, price_list, ledger or None, label=label)
    inside = BudgetedModel(inside, price_list, budget)
    guarded = GuardedModel(inside, guard, limits, when_open=when_open, timeout_s=policy.timeout_s, sink=sink)
    if is_ours and cast("Any", bare).on_headers is None:  # no listener for headers yet
        cast("Any", bare).on_headers = guarded.on_headers
    outside = RetryingModel(guarded, policy, sink=sink)
    if cache is not False:
        outside = CachedModel(outside, cache if isinstance(cache, CompletionCache) else CompletionCache())
    return outside


def _ledger_of(system: ActorSystem | None, store: LedgerStore | None, sink: Sink | None) -> CostLedger:
    """Return the ledger of a system and store; always the same one."""
    if system is None:
        return CostLedger(store, sink=sink)
    ledgers = _ledgers.setdefault(system, [])
    for ledger in ledgers:
        if ledger.store is store:
            return ledger
    ledger = CostLedger(store, sink=sink)
    ledgers.append(ledger)
    return ledger


def _sink_of(system: ActorSystem) -> Sink:
    """Return a sink that forwards events to the system without keeping it in memory."""
    emitting = ref(system)

    def sink(event: TelemetryEvent) -> None:
        there = emitting()
        if there is not None:
            there.emit(event.name, **event.data)

    return sink


# -- foreign ---------------------------------------------------------------------------------------


class ForeignModel(AroundModel[None]):
    """Wraps a model from another library: translates its temporary errors to `ModelError`s; see `passing_failure`.

    Other errors pass unchanged and are not retried.
    """

    async def _begin(self, request: CompletionRequest) -> None:
        """Do nothing: only failures concern it."""

    async def _failed(self, request: CompletionRequest, state: None, error: BaseException) -> None:
        if isinstance(error, Exception):
            model = self.name_of(request)
            known = passing_failure(error, provider=self.provider, model=model, now=utc_now())
            if known is not None:
                raise known from error


# -- log -------------------------------------------------------------------------------------------


_log: Final = logging.getLogger("jido_ai.llm")
_SHOWN_CHARS: Final = 2_000


class LoggedModel(AroundModel["str | None"]):
    """Writes requests and responses to the logger `jido_ai.llm` at DEBUG.

    Secrets of a known shape are masked, and texts cut to 2,000 characters. Keys are in headers, which no wrapper sees.
    """

    def complete(self, request: CompletionRequest) -> CoroutineType[Any, Any, Completion]:
        if not _log.isEnabledFor(logging.DEBUG):  # as a rule: then there is nothing of ours around the call
            return self.inside.complete(request)
        return super().complete(request)

    async def _begin(self, request: CompletionRequest) -> str | None:
        """Return how the log names the model; None when nothing is written."""
        if not _log.isEnabledFor(logging.DEBUG):
            return None
        name = f"{self.provider}:{self.name_of(request)}"
        for message in request.messages:
            _log.debug("%s <- %s: %s", name, message.role, _shown(message.content))
        return name

    async def _answered(self, request: CompletionRequest, state: str | None, completion: Completion) -> Completion:
        if state is not None:
            _log.debug("%s -> %s: %s", state, completion.finish_reason, _shown(completion.text))
        return completion

    async def _failed(self, request: CompletionRequest, state: str | None, error: BaseException) -> None:
        if state is not None:
            _log.debug("%s failed: %s: %s", state, type(error).__name__, _shown(message_of(error)))


def _shown(text: str) -> str:
    """Return the beginning of a text without secrets, which are searched for beyond the cut too."""
    shown = redact(text[: 2 * _SHOWN_CHARS])
    return shown if len(shown) <= _SHOWN_CHARS else shown[: _SHOWN_CHARS - 1] + "…"
