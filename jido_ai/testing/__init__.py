"""Test helpers for code that uses jido_ai: a virtual clock, a supervised system, and a scripted language model.

    async def test_a_crashed_counter_is_restarted() -> None:
        async with supervised(ChildSpec(id="counter", start=Counter)) as system:
            ...

    virtual_run(main())                       # sleeps and timeouts take no real time

    with without_waits():                     # retries of model calls follow at once
        ...

    model = ScriptedModel(["no", RateLimitError("later", provider="scripted"), "yes"])    # one reply per call

With pytest-asyncio, use `VirtualClockLoop` as a loop factory; see our `tests/conftest.py`.

The contracts of parts that others may write, such as stores, are in `jido_ai.testing.contracts`; they need pytest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jido_ai.testing.scripted_model import ScriptedModel as ScriptedModel
    from jido_ai.testing.scripted_model import ScriptedReply as ScriptedReply
    from jido_ai.testing.supervised_system import supervised as supervised
    from jido_ai.testing.virtual_clock import DeadlockError as DeadlockError
    from jido_ai.testing.virtual_clock import VirtualClockLoop as VirtualClockLoop
    from jido_ai.testing.virtual_clock import virtual_run as virtual_run
    from jido_ai.testing.waits import without_waits as without_waits
else:
    from jido_ai.lazy_names import lazy_names

    __getattr__, __dir__ = lazy_names()
