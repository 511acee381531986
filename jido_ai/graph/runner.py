"""GraphRun: the actor of one run of a graph."""

from __future__ import annotations

from dataclasses import dataclass

from jido_ai.actors.actor import Actor, Reply
from jido_ai.actors.exit_reason import Normal
from jido_ai.actors.ref import Ask
from jido_ai.graph.results import GraphResult
from jido_ai.graph.work import GraphWork, Wake


@dataclass(frozen=True, slots=True)
class Begin(Ask[GraphResult]):
    """Start the run, or continue it; the reply is the result."""


class GraphRun(Actor[Begin | Wake]):
    """Advances one run as its nodes end, replies with the result, and ends. The work keeps the state."""

    def __init__(self, work: GraphWork) -> None:
        self._work = work
        self._reply: Reply | None = None

    async def on_receive(self, message: Begin | Wake) -> None:
        work = self._work
        if type(message) is not Wake:
            self._reply = self.defer_reply()
            if work.is_journaled:
                await work.write_before(0)
            work.begin(self.ref)
        count = work.awake()
        if count and work.is_journaled:
            await work.write_before(count)
        work.advance(count)
        if work.is_over and self._reply is not None:
            if work.is_journaled:
                await work.write_after()
            self._reply.send(work.result())
            self.exit(Normal())


class ActorWork(GraphWork):
    """The work as the service of the runs sees it; a `RunWork`."""

    is_under_way = False  # it ends at once when its caller is cancelled
    shutdown_s = 5.0

    def actor(self) -> GraphRun:
        """Return a new actor for the work."""
        return GraphRun(self)

    def message(self) -> Begin:
        """Return the message that starts or continues the work."""
        return Begin()
