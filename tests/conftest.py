"""A test marked `virtual_clock` runs on the virtual clock: `pytestmark = pytest.mark.virtual_clock` for a file."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Generator, Iterator, Mapping
from itertools import count

import pytest
from postgres_cluster import Cluster, Pooler, pgbouncer, programs

from jido_ai.testing import VirtualClockLoop

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # in the environments of the integrations
    pass
else:  # how long an example takes depends on the load
    settings.register_profile("jido", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("jido")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "virtual_clock: run on an event loop whose time jumps to the next timer")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start jobs in the background: commands inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow the tests that start PostgreSQL, and the cases beyond `quick_cases`."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        call = getattr(item, "callspec", None)
        params = call.params.values() if call else ()
        if "postgres_cluster" in getattr(item, "fixturenames", ()) or {"postgres", "pgbouncer"}.intersection(
            param for param in params if isinstance(param, str)
        ):
            item.add_marker("slow")
        if item.get_closest_marker("quick_cases") is not None:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for some in cases.values():
        marker = some[0].get_closest_marker("quick_cases")
        assert marker is not None
        step = -(-len(some) // marker.args[0])
        for number, item in enumerate(some):
            if number % step:
                item.add_marker("slow")


def pytest_collection_finish() -> None:
    """Keep the garbage collector, which many tests call, from searching what all of them share again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """Do the same after each file: what it imported stays."""
    yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tell pytest-asyncio which loop a test runs on."""
    if item.get_closest_marker("virtual_clock") is None:
        return {"asyncio": asyncio.new_event_loop}
    return {"virtual": VirtualClockLoop}


_schemas = count(1)


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    """Return a PostgreSQL that runs for these tests alone."""
    bin = programs()
    if bin is None:
        pytest.skip("PostgreSQL is not installed on this machine (Debian: apt-get install postgresql)")
    cluster = Cluster(bin)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


@pytest.fixture
def postgres(postgres_cluster: Cluster) -> str:
    """Return the address of a schema that nobody used before."""
    return postgres_cluster.address(f"test_{next(_schemas)}")


@pytest.fixture(scope="session")
def pooler(postgres_cluster: Cluster) -> Iterator[Pooler]:
    """Return a pgbouncer in transaction mode before the PostgreSQL of these tests."""
    program = pgbouncer()
    if program is None:
        pytest.skip("pgbouncer is not installed on this machine (Debian: apt-get install pgbouncer)")
    pooler = Pooler(program, postgres_cluster)
    try:
        yield pooler
    finally:
        pooler.remove()


@pytest.fixture
def pooled_postgres(pooler: Pooler) -> str:
    """Return the address, through pgbouncer, of a schema that nobody used before."""
    return pooler.address(f"pooled_{next(_schemas)}")
