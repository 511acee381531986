"""Providers and prices of the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from jido_ai import Budget, LLMCritiquer, LLMGenerator, LoopConfig, Pipeline
from jido_ai.config import Settings, from_toml, resolve_settings
from jido_ai.errors import AuthenticationError, ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.loop.settings import load_settings
from jido_ai.models.names import bare_model_named, providers
from jido_ai.models.own_providers import use_providers
from jido_ai.models.pricing import Prices
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.testing import ScriptedModel
from jido_ai.values import Usage

FILE = """
[providers.writer]
base_url = "http://127.0.0.1:8000/v1"
price = [1.0, 2.0]
[providers.judge]
kind = "ollama"
base_url = "http://[::1]:11435"
[providers.proxy]
kind = "anthropic"
base_url_env = "PROXY_URL"
api_key_env = "PROXY_KEY"
max_concurrency = 2
requests_per_minute = 90
[prices]
"writer:big" = [10, 20]
[prices."compatible:m"]
input_usd = 0.5
output_usd = 1.5
"""
SPENT = Usage(1, 1_000_000, 1_000_000)


@pytest.fixture(autouse=True)
def clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "COMPATIBLE_API_KEY", "COMPATIBLE_BASE_URL", "PROXY_URL", "PROXY_KEY"):
        monkeypatch.delenv(name, raising=False)
    yield
    use_providers(Settings())


def use() -> None:
    Path("jido.toml").write_text(FILE)
    load_settings(trust=True)


def test_two_local_servers_and_a_proxy_stand_in_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROXY_URL", "https://proxy.example/v1")
    monkeypatch.setenv("PROXY_KEY", "secret-of-the-proxy")
    monkeypatch.setenv("COMPATIBLE_API_KEY", "not-for-the-writer")
    use()
    made: list[Any] = [bare_model_named(f"{name}:m") for name in ("writer", "judge", "proxy")]
    addresses = [(one.provider, one.model, one.base_url) for one in made]
    assert addresses == [
        ("writer", "m", "http://127.0.0.1:8000/v1"),
        ("judge", "m", "http://[::1]:11435"),
        ("proxy", "m", "https://proxy.example/v1"),
    ]
    assert "authorization" not in made[0]._headers()
    assert providers()[-3:] == ["writer", "judge", "proxy"]


@pytest.mark.parametrize(
    ("kind", "says", "enforces"),
    [
        ("compatible", "enforces_schema = true", True),
        ("ollama", "enforces_schema = false", False),
        ("compatible", "", None),
        ("ollama", "", True),
    ],
)
def test_a_provider_says_whether_it_enforces_schemas(kind: str, says: str, enforces: bool | None) -> None:
    Path("jido.toml").write_text(f'[providers.own]\nkind = "{kind}"\nbase_url = "http://127.0.0.1:8000/v1"\n{says}\n')
    load_settings()
    made: Any = bare_model_named("own:m")
    assert made.enforces_schema is enforces


@pytest.mark.parametrize(
    ("says", "through"),
    [
        ('proxy = "http://127.0.0.1:3128"', "http://127.0.0.1:3128"),
        ('proxy_env = "MY_PROXY"', "http://proxy.corp.example:3128"),
        ('proxy = ""', ""),
        ("", "http://usual.example:3128"),
    ],
)
@pytest.mark.parametrize("kind", ["compatible", "openai", "anthropic", "ollama"])
def test_a_provider_says_which_proxy_is_on_the_way(
    says: str, through: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "MY_URL": "https://llm.example/v1",
        "MY_PROXY": "http://proxy.corp.example:3128",
        "https_proxy": "http://usual.example:3128",
        "MY_KEY": "0123456789abcdef",
    }.items():
        monkeypatch.setenv(name, value)
    Path("jido.toml").write_text(
        f'[providers.own]\nkind = "{kind}"\nbase_url_env = "MY_URL"\napi_key_env = "MY_KEY"\n{says}\n'
    )
    load_settings(trust=True)
    made: Any = bare_model_named("own:m")
    assert made._place.proxy.rstrip("/") == through
    monkeypatch.setenv("no_proxy", "llm.example")
    assert cast("Any", bare_model_named("own:m"))._place.proxy == ""


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("proxy:m", ConfigurationError, "PROXY_URL, which is not set"),
        ("writer:m@http://127.0.0.1:9", ConfigurationError, "write writer:m"),
        ("other:m", ConfigurationError, "known are: .*writer"),
    ],
)
def test_a_model_of_a_provider_that_cannot_be_asked_says_why(name: str, kind: type[Exception], says: str) -> None:
    use()
    with pytest.raises(kind, match=says):
        bare_model_named(name)


def test_a_missing_key_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROXY_URL", "https://proxy.example/v1")
    use()
    with pytest.raises(AuthenticationError, match=r"proxy:m.*set PROXY_KEY"):
        bare_model_named("proxy:m")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[providers.m]\nbase_url = "http://evil.example/v1"', r"providers\.m\.base_url: .* on this machine"),
        ('[providers.m]\nbase_url = "http://127.0.0.1@evil.example/"', "on this machine"),
        ('[providers.openai]\nbase_url = "http://127.0.0.1:1"', "the name is taken"),
        ('[providers.m]\nbase_url = "http://127.0.0.1"\napi_key_env = "OPENAI_API_KEY"', "key of another provider"),
        ("[providers.m]\nmax_concurrency = 1", "needs base_url"),
        (
            '[providers.m]\nbase_url = "http://127.0.0.1"\nproxy = "http://me:hunter2@evil.example"',
            r"providers\.m\.proxy: .* on this machine, got '(?!.*hunter2).*proxy_env",
        ),
        ('[providers.m]\nbase_url = "http://127.0.0.1"\nproxy = ""\nproxy_env = "P"', "proxy or proxy_env, one"),
        ('[providers.m]\nbase_ur = "http://127.0.0.1"', "did you mean 'base_url'"),
        ('[providers.m]\nbase_url = "http://127.0.0.1"\nmax_concurrency = 0', r"providers\.m\.max_concurrency"),
        ('[providers.m]\nbase_url = "http://127.0.0.1"\nenforces_schema = "yes"', r"providers\.m\.enforces_schema"),
        ('[prices]\n"a:b" = [1, -2]', r"prices\.a:b\.output_usd"),
        ('[prices]\n"a:b@http://127.0.0.1" = [1, 2]', "without an address"),
    ],
)
def test_a_provider_or_price_that_cannot_work_is_refused_with_its_place(text: str, says: str) -> None:
    layer = from_toml(text, "jido.toml")
    assert layer is not None
    with pytest.raises(ConfigurationError, match=says):
        resolve_settings(layer)


@pytest.mark.parametrize(
    ("provider", "model", "cost"),
    [("compatible", "m", 2.0), ("writer", "any", 3.0), ("writer", "big", 30.0), ("judge", "m", None)],
)
async def test_a_price_is_of_the_model_else_of_its_provider(provider: str, model: str, cost: float | None) -> None:
    use()
    assert await Prices().cost(provider, "http://127.0.0.1:8000/v1", model, SPENT) == cost


def test_limits_of_a_provider_hold_for_its_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROXY_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PROXY_KEY", "k")
    use()
    limited: Any = with_limits("proxy:m")
    limits = limited.inside._limits
    assert (limits.max_concurrency, limits.requests_per_minute) == (2, 90)
    free: Any = with_limits("writer:m")
    assert (free.inside._limits.max_concurrency, free.inside._limits.requests_per_minute) == (256, None)


# -- budgets in dollars ------------------------------------------------------------------------------


@pytest.mark.parametrize("unknown", ["generator", "critiquer"])
async def test_a_dollar_budget_with_an_unknown_price_is_refused_before_the_first_call(unknown: str) -> None:
    scripts = {part: ScriptedModel(lambda _: "text", provider="p", model=part) for part in ("generator", "critiquer")}
    prices = {"generator": (1.0, 1.0), "critiquer": (1.0, 1.0)}
    del prices[unknown]
    models = {part: with_limits(script, prices=prices) for part, script in scripts.items()}
    config = LoopConfig(budget=Budget(max_cost_usd=0.5))
    async with Pipeline(LLMGenerator(models["generator"]), LLMCritiquer(models["critiquer"]), config=config) as one:
        with pytest.raises(ConfigurationError, match=rf"p:{unknown} is unknown.*\[prices\..*max_calls"):
            await one.run("a question")
        with pytest.raises(ConfigurationError, match=f"p:{unknown}"):
            _ = [event async for event in one.stream("a question")]
    assert not any(script.requests for script in scripts.values())


async def test_a_graph_with_a_dollar_budget_needs_the_price_of_every_node(tmp_path: Path) -> None:
    text = """
    [graph]
    output = "draft"
    budget = { max_cost_usd = 1.0 }
    [nodes.draft]
    prompt = "write"
    model = "compatible:mine@http://127.0.0.1:9/v1"
    """
    (tmp_path / "g.toml").write_text(text)
    async with Graph.from_toml(tmp_path / "g.toml") as graph:
        with pytest.raises(ConfigurationError, match=r'\[prices\."compatible:mine"\]'):
            await graph.run()
    (tmp_path / "jido.toml").write_text('[prices."compatible:mine"]\ninput_usd = 1.0\noutput_usd = 1.0\n')
    load_settings(trust=True)
    async with Graph.from_toml(tmp_path / "g.toml") as graph:
        await graph.check_prices()
