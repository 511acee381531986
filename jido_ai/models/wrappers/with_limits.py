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

from collections.abc import Mapping
from typing import Any, Final, Literal, cast
from weakref import WeakKeyDictionary, ref

from jido_ai.actors.system import ActorSystem
from jido_ai.config import Provider
from jido_ai.errors import ConfigurationError, describe
from jido_ai.models.guard import GUARD, Guard, GuardLimits, WhenOpen
from jido_ai.models.limits import BreakerRules
from jido_ai.models.names import bare_model_named, model_of
from jido_ai.models.own_providers import providers_in_use
from jido_ai.models.retry import RetryPolicy
from jido_ai.models.wrappers.budget import BudgetedModel
from jido_ai.models.wrappers.cache import CachedModel, CompletionCache
from jido_ai.models.wrappers.foreign import ForeignModel
from jido_ai.models.wrappers.guarded import GuardedModel
from jido_ai.models.wrappers.ledger import CostLedger, LedgeredModel, LedgerStore
from jido_ai.models.wrappers.log import LoggedModel
from jido_ai.models.wrappers.prices import Prices
from jido_ai.models.wrappers.retry import RetryingModel
from jido_ai.protocols import AnyModel, LanguageModel, StreamingModel
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.values import Budget

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
