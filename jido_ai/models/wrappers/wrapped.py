"""`wrapped`: a language model with all wrappers, in one order.

From the outside in, each a `LanguageModel` around the next:

1. `CachedModel`: what was answered before costs nothing and waits for nothing.
2. `RetryingModel`: the one deadline, and further tries; all that is below happens once per try.
3. `GuardedModel`: breaker, rate limits, calls at once. Below the retries, so that every try is seen by the breaker and
   counts for the limits; around the budget, so that no money is held by a call that waits.
4. `BudgetedModel`: refuses what cannot be paid for, just before it is made.
5. `LedgeredModel`: what this try took, priced and recorded, also when the budget is somebody else's.
6. `LoggedModel`: logs the actual requests and responses.
7. `ForeignModel`, around a model that is not ours: its passing failures get the names that the others know.

Streams pass through all of them; a stream is tried again only before its first piece.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, cast
from weakref import WeakKeyDictionary, ref

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError, describe
from jido_ai.models.breaker import BreakerRules
from jido_ai.models.guard import Guard, GuardLimits, WhenOpen, guard_of
from jido_ai.models.names import bare_model_named, model_of
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

__all__ = ["wrapped"]

_ledgers: Final[WeakKeyDictionary[ActorSystem, list[CostLedger]]] = WeakKeyDictionary()


def wrapped(
    model: AnyModel,
    *,
    system: ActorSystem | None = None,
    guard: Guard | None = None,
    store: LedgerStore | None = None,
    retries: RetryPolicy | int = 4,
    requests_per_minute: int | None = None,
    tokens_per_minute: int | None = None,
    max_concurrency: int | None = 256,
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

    Two models of the same provider and address share breaker and limits, and the ledger, when they are given the same
    `system` or `guard`; a provider that is down is found to be down once.

    Args:
        model: a `LanguageModel`, a function of a request, or the name of a model.
        system: where the shared state lives, as a supervised actor.
        guard: the shared state, in place of a system's.
        store: where the ledger is kept; an open `MemoryStore`. None keeps sums in the process.
        retries: how many, or a `RetryPolicy`; 0 has none.
        requests_per_minute, tokens_per_minute, max_concurrency: None is no limit. See `GuardLimits`.
        breaker: its rules; True has the default ones, False no breaker.
        when_open: "wait" for the provider's return within the call's deadline, or "fail" at once.
        cache: True keeps answers to requests at temperature 0.
        prices: (USD per million tokens in, out) by "provider:model" or "model"; for others, and by default, the list of
            genai-prices, when it is installed; "list" wants it.
        ledger: a `CostLedger`; True has one of its own, or the system's; False none.
        budget: of this model, for all its calls.
        label: whom the ledger counts calls for, unless `metadata["label"]` of a request says.
        sink: takes events; by default the system's, else the log.

    Raises:
        ConfigurationError: something given can never work.
        AuthenticationError: the named model's provider needs a key and there is none.
    """
    if system is not None and guard is not None:
        raise ConfigurationError("give a system or a guard, not both: a system has a guard of its own")
    for name, given, kinds in (
        ("breaker", breaker, (BreakerRules, bool)),
        ("cache", cache, (CompletionCache, bool)),
        ("ledger", ledger, (CostLedger, bool)),
        ("budget", budget, (Budget, type(None))),
        ("label", label, (str,)),
    ):
        if not isinstance(given, kinds):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass junk
            what = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
            raise ConfigurationError(f"{name} must be a {what}, got {describe(given)}")
    if sink is None and system is not None:
        sink = _sink_of(system)
    sink = safe_sink(sink)
    policy = retries if isinstance(retries, RetryPolicy) else RetryPolicy(retries=retries)
    if guard is None:
        guard = Guard(sink=sink) if system is None else guard_of(system)
    price_list = prices if isinstance(prices, Prices) else Prices(prices)
    if ledger is True:
        ledger = _ledger_of(system, store, sink)
    limits = GuardLimits(
        requests_per_minute=requests_per_minute,
        tokens_per_minute=tokens_per_minute,
        max_concurrency=max_concurrency,
        breaker=breaker if isinstance(breaker, BreakerRules) else BreakerRules() if breaker else None,
    )
    bare = bare_model_named(model) if isinstance(model, str) else model_of(model)
    is_ours = hasattr(bare, "on_headers")  # a provider over HTTP
    told = LoggedModel(bare if is_ours else ForeignModel(bare))
    inside: LanguageModel = LedgeredModel(told, price_list, ledger or None, label=label)
    inside = BudgetedModel(inside, price_list, budget)
    guarded = GuardedModel(inside, guard, limits, when_open=when_open, timeout_s=policy.timeout_s)
    if is_ours and cast("Any", bare).on_headers is None:  # no listener for its headers yet
        cast("Any", bare).on_headers = guarded.on_headers
    outside = RetryingModel(guarded, policy, sink=sink)
    if cache is not False:
        outside = CachedModel(outside, cache if isinstance(cache, CompletionCache) else CompletionCache())
    return outside


def _ledger_of(system: ActorSystem | None, store: LedgerStore | None, sink: Sink | None) -> CostLedger:
    """Return a ledger; for the same system and store it is the same one."""
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
    """Return a sink that hands events to the system's, and does not keep the system in memory."""
    emitting = ref(system)

    def sink(event: TelemetryEvent) -> None:
        there = emitting()
        if there is not None:
            there.emit(event.name, **event.data)

    return sink
