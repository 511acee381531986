"""LoopHost: a pipeline does the work of a loop node, below the graph's supervisor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import StartChild
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.system import ActorSystem
from jido_ai.components.call_context import current_wishes
from jido_ai.errors import NotFoundError
from jido_ai.graph.job import Job, NodeError
from jido_ai.graph.nodes import LoopNode
from jido_ai.graph.output import JudgedOutput, judged_of
from jido_ai.graph.step_calls import components_of
from jido_ai.loop.events import RunEvent
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.spending import enclosing_spending
from jido_ai.runs.call_log import enclosing_calls
from jido_ai.text.plain_prompt import plain_prompt
from jido_ai.values import LoopConfig, ReflectionResult, Scope, StopReason

LoopArgs = tuple[str, str | None]
"""The prompt, and the first candidate if there is one."""


class _NodePipeline(Pipeline):
    """A pipeline whose actors live below a supervisor of the graph.

    Attributes:
        above: that supervisor; set before the pipeline is entered.
    """

    above: ActorRef | None = None

    async def _spawn(self, top: ChildSpec) -> ActorRef:
        assert self.above is not None
        return await self.above.ask(StartChild(top), timeout_s=None)

    async def carried_out(
        self,
        arguments: LoopArgs,
        run_id: str,
        scope: Scope,
        metadata: Mapping[str, Any],
        listener: Callable[[RunEvent], object],
    ) -> ReflectionResult:
        """Do as `run`; the listener gets the events."""
        run = await self._admitted(self._request(*arguments, run_id, scope, metadata))
        run.handle.listener = listener
        return await self._runs.finish(run)

    async def continued(
        self, run_id: str, scope: Scope, decision: bool | str | None, listener: Callable[[RunEvent], object]
    ) -> ReflectionResult:
        """Do as `resume`; the listener gets the events."""
        run = await self._resumption(run_id, scope, decision, None)
        run.handle.listener = listener
        return await self._runs.finish(run)


class LoopHost:
    """Runs the loops of one node.

    Args:
        name: of the pipeline's supervisor.
        task_type: of the lessons.
        journal: of the graph; None without one.
    """

    def __init__(
        self,
        name: str,
        spec: LoopNode,
        *,
        system: ActorSystem,
        memory: ReflexionMemory | None,
        task_type: str,
        journal: RunJournal | None,
        lease_s: float,
    ) -> None:
        self.name = name
        self._journal = journal
        self._task_type = task_type
        self._tasks: dict[Job, asyncio.Task[None]] = {}
        self._cancelling: set[asyncio.Task[None]] = set()
        config = spec.config or LoopConfig()
        if spec.timeout_s is not None:
            config = config.replace(timeout_s=min(config.timeout_s, float(spec.timeout_s)))
        self.pipeline = _NodePipeline(
            *components_of(spec),
            memory,
            config,
            system,
            name=name,
            recall_by=spec.recall_by,
            reflector=spec.reflector,
            mode=spec.mode,
            approve=spec.approve,
            **spec.learning,
            journal=False if journal is None else None,
            lease_s=lease_s,
            record_calls="off",  # the graph keeps them
            output=spec.output,
        )

    async def open(self, above: ActorRef) -> None:
        """Start the pipeline's actors below a supervisor."""
        self.pipeline.above = above
        await self.pipeline.__aenter__()

    async def close(self) -> None:
        """End all loops and stop the actors."""
        await self.pipeline.__aexit__(None, None, None)
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=5.0)

    def reset(self) -> None:
        """Prepare for a start of the graph."""
        self._tasks.clear()

    def submit(self, job: Job) -> None:
        """Start a loop; its run is told when it has ended."""
        context = job.run.context.copy()
        context.run(enclosing_spending.set, job.meter)
        context.run(current_wishes.set, job.run.wishes_for(job.path))
        if job.run.calls is not None:
            context.run(enclosing_calls.set, (job.run.calls, job.path))
        self._tasks[job] = asyncio.Task(self._serve(job), context=context)

    def withdraw(self, job: Job) -> bool:
        """End a loop; it ends soon, with what it has."""
        task = self._tasks.get(job)
        if task is None:
            return True
        cancelling = asyncio.Task(self._cancel_run(job, task))
        self._cancelling.add(cancelling)
        cancelling.add_done_callback(self._cancelling.discard)
        return False

    async def _cancel_run(self, job: Job, task: asyncio.Task[None]) -> None:
        try:
            await self.pipeline.cancel(run_id_of(job))
        except NotFoundError:  # it has not begun
            task.cancel()

    async def _serve(self, job: Job) -> None:
        try:
            result = await self._result_of(job)
            job.result = result
            if result.stop_reason is StopReason.SUSPENDED:
                job.is_waiting = True
            else:
                job.out = _output_of(job, result)
        except asyncio.CancelledError:
            job.fail(NodeError("cancelled", "the run was cancelled", job.path))
        except Exception as error:  # noqa: BLE001 - whatever a loop raises is the result of its node
            job.fail(error)
        finally:
            del self._tasks[job]
        job.run.told(job)

    async def _result_of(self, job: Job) -> ReflectionResult:
        """Run the loop, or continue it if it was begun before."""
        run, run_id = job.run, run_id_of(job)
        listener = partial(run.tell_event, path=job.path)
        if self._journal is not None and (run.is_resumed or job.attempts > 1):
            try:
                recorded = await self._journal.load(run_id, run.scope)
            except NotFoundError:
                pass
            else:
                if job.attempts == 1:  # what it spent before counts for the whole
                    job.meter.record(recorded.spent)
                asked = recorded.question(job.path)
                decision = None if asked is None else run.decisions.get(asked.id)
                return await self.pipeline.continued(run_id, run.scope, decision, listener)
        metadata = {"task_type": self._task_type, **run.metadata, "graph_run": run.run_id, "node": job.path}
        metadata.pop("asked", None)  # the whole graph's
        if job.asked:
            metadata["asked"] = plain_prompt(job.asked)
        return await self.pipeline.carried_out(cast("LoopArgs", job.args), run_id, run.scope, metadata, listener)


def run_id_of(job: Job) -> str:
    """Return the id of a loop's own run."""
    return f"{job.run.run_id}/{job.path}"


def _output_of(job: Job, result: ReflectionResult) -> JudgedOutput:
    """Return the output of a loop. Raises `NodeError` if it has none."""
    judged = judged_of(result)
    if judged is not None:
        return judged
    reason, error = result.stop_reason, result.error
    kind = reason.value if error is None else error.kind
    message = f"the loop ended without a candidate: {reason.value}" if error is None else error.message
    component = job.path if error is None or error.component is None else f"{job.path}/{error.component}"
    raise NodeError(kind, message, component, may_retry=reason is StopReason.ERROR)
