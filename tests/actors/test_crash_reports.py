"""What people see of actors: reports of crashes, drawn trees, the names of a ref."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from actor_helpers import settle

from jido_ai.actors.actor import Actor
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError
from jido_ai.loop.pipeline import Pipeline
from jido_ai.testing import virtual_run


class Missing(Actor[Any]):
    """Crashes on a missing key."""

    def __init__(self) -> None:
        self.kept = "of the state"

    async def on_receive(self, message: Any) -> Any:
        empty: dict[str, int] = {}
        return empty["missing key"]


@pytest.mark.parametrize("level", ["trace", "full", "short"])
async def test_a_crash_is_logged_with_its_traceback_and_texts_only_if_asked_for(
    caplog: pytest.LogCaptureFixture, level: Any
) -> None:
    async with ActorSystem(crash_reports=level) as system:
        ref = await system.spawn(ChildSpec(id="m", start=Missing, name="m", restart="temporary"))
        ref.tell("of the message")
        await system.wait_down(ref)
    (told,) = [text for text in caplog.messages if text.startswith("actor.crashed")]
    assert ("KeyError: 'missing key'" in told, "in on_receive" in told) == ((level != "short"),) * 2
    assert ("restarts=0" in told) == (level != "short")
    assert ("message='str'" in told, "state='1 attributes'" in told) == ((level == "trace"),) * 2
    assert ("of the message" in told, "of the state" in told) == ((level == "full"),) * 2


async def test_a_crash_of_a_part_of_a_pipeline_tells_no_texts_in_any_system(caplog: pytest.LogCaptureFixture) -> None:
    def failing(prompt: str) -> str:
        raise ValueError(f"cannot answer {prompt}")

    async with (
        ActorSystem(crash_reports="full") as system,
        Pipeline(failing, lambda candidate: 0.5, system=system) as pipeline,
    ):
        await pipeline.run("a secret question")
    assert [text for text in caplog.messages if text.startswith("actor.crashed")]
    assert "secret" not in caplog.text


def test_a_wrong_level_of_crash_reports_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="crash_reports must be"):
        ActorSystem(crash_reports="loud")  # type: ignore[arg-type]


async def test_the_tree_is_drawn_a_line_for_each_actor(capsys: pytest.CaptureFixture[str]) -> None:
    async with ActorSystem("shop", sink=lambda _: None) as system:
        specs = [ChildSpec(id="a", start=Missing, name="a"), ChildSpec(id="b", start=Missing)]
        await system.spawn(Supervisor, specs, name="top")
        await system.spawn(Missing, name="lone")
        ref = system.whereis("a")
        assert ref is not None
        ref.tell("crash")
        await settle()
        system.print_tree()
        assert repr(system.tree()) == str(system.tree())
    assert capsys.readouterr().out.splitlines() == [
        "shop (ActorSystem)",
        "├─ top (Supervisor)",
        "│  ├─ a (Missing, 1 restart, last after Crashed(error=KeyError('missing key')))",
        "│  └─ b (Missing)",
        "└─ lone (Missing)",
    ]


class Kept(Actor[Any]):
    """Keeps the messages with their times."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log

    async def on_receive(self, message: Any) -> Any:
        self.log.append((message, round(self.system.now())))


def test_a_message_can_be_sent_after_a_while_and_be_withdrawn() -> None:
    log: list[Any] = []

    async def main() -> None:
        async with ActorSystem() as system:
            ref = await system.spawn(Kept, log)
            ref.send_after(60, "later")
            ref.send_after(30, "never").cancel()
            ref.send_after(0, "soon")
            for wrong in (-1, float("nan"), float("inf"), "1", True):
                with pytest.raises(ConfigurationError, match="seconds must be"):
                    ref.send_after(wrong, "x")  # type: ignore[arg-type]
            await asyncio.sleep(61)

    virtual_run(main())
    assert log == [("soon", 0), ("later", 60)]


async def test_a_ref_lists_only_what_is_for_users() -> None:
    async with ActorSystem() as system:
        ref = await system.spawn(Missing)
        public = {"ask", "id", "is_alive", "kill", "label", "name", "offer", "send_after", "stop", "tell"}
        assert {name for name in dir(ref) if name[0] != "_"} == public
