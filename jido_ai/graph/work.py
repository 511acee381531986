"""GraphWork: the state of one run of a graph, and the steps that advance it.

It outlives the actor that works on it: if that is killed, its successor goes on. Hosts tell it which jobs have ended;
it settles them, starts what has waited for them, and decides nothing: that is `rules.decide`.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from contextvars import Context
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, cast

from jido_ai.actors.ref import ActorRef
from jido_ai.errors import ComponentError
from jido_ai.graph.events import GraphEvent, GraphStarted, GraphStopped, NodeStarted, NodeStopped, NodeWarned, placed
from jido_ai.graph.gate import Gate
from jido_ai.graph.job import Frame, Job, MapRun, NodeError
from jido_ai.graph.nodes import ApprovalNode, LoopNode, MapNode, StepNode
from jido_ai.graph.output import Several, value_of
from jido_ai.graph.plan import Plan, PlanNode
from jido_ai.graph.report import Clock, first_error, has_failure, is_waiting, node_result, node_results, result_at, walk
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.graph.rules import THERE, State, decide, run_status
from jido_ai.graph.template import as_text
from jido_ai.loop.events import RunEvent
from jido_ai.models.spending import Spending
from jido_ai.values import Budget, ErrorInfo, Scope, utc_now

__all__ = ["WAKE", "GraphRequest", "GraphWork", "Wake"]


@dataclass(frozen=True, slots=True)
class Wake:
    """To a run's actor: jobs have ended."""


WAKE: Final = Wake()
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class GraphRequest:
    """One run, as the caller requested it.

    Attributes:
        context: the caller's context variables; every call runs in a copy.
    """

    run_id: str
    inputs: Mapping[str, Any]
    scope: Scope
    metadata: Mapping[str, Any]
    context: Context


class GraphWork:
    """The state of one run; see the module.

    Args:
        recorded: jobs that were done before, by path; they are not done again.

    Attributes:
        is_over: the result is ready.
        over: done when the caller has the result.
        finished: jobs that have ended and are not settled yet.
    """

    def __init__(
        self,
        request: GraphRequest,
        plan: Plan,
        gate: Gate,
        *,
        timeout_s: float | None,
        budget: Budget | None,
        emit: Callable[[GraphEvent], None] | None,
        recorded: dict[str, Job] | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.run_id = request.run_id
        self.scope = request.scope
        self.metadata = request.metadata
        self.context = request.context
        self.inputs = request.inputs
        self.deadline: float | None = None
        self.spending = Spending(budget, now=loop.time)
        self.ref: ActorRef | None = None
        self.is_over = False
        self.over: asyncio.Future[None] = loop.create_future()
        self.finished: list[Job] = []
        self.recorded = {} if recorded is None else recorded
        self._plan = plan
        self._gate = gate
        self._timeout_s = timeout_s
        self._emit = emit
        self._seq = 0
        self._loop = loop
        self._root: Frame | None = None
        self._agenda: deque[tuple[Frame, int]] = deque()
        self._running: dict[Job, None] = {}
        self._is_woken = False
        self._end: ErrorInfo | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._clock: Clock = (_NEVER, 0.0)
        self._result: GraphResult | None = None

    @property
    def tell_event(self) -> Callable[[RunEvent, str], None] | None:
        """Pass an event of a loop on; None if nobody listens."""
        return None if self._emit is None else self._pass_on

    def open_account(self) -> Spending:
        """Return a new account that is a part of the run's."""
        return Spending(outer=self.spending)

    # -- from hosts and callers ----------------------------------------------------------------------

    def told(self, job: Job) -> None:
        """Note that a job has ended, and wake the run's actor."""
        self.finished.append(job)
        self._wake()

    def _wake(self) -> None:
        if not self._is_woken and self.ref is not None:
            self._is_woken = True
            self.ref.tell(WAKE)

    def stop(self, kind: str, message: str) -> None:
        """End the run soon, with what it has; does nothing if it is ending."""
        if self._end is not None or self.is_over:
            return
        self._end = ErrorInfo(kind, message)
        for job in list(self._running):
            self._withdraw(job, self._end)
        self._wake()

    def cancel(self) -> None:
        """End the run soon, with what it has."""
        self.stop("cancelled", "the run was cancelled")

    # -- from the actor ------------------------------------------------------------------------------

    def begin(self, ref: ActorRef) -> None:
        """Start, or go on after the actor before was killed."""
        self.ref = ref
        self._is_woken = False
        if self._root is None:
            began = self._loop.time()
            self._clock = utc_now(), began
            if self._emit is not None:
                self._tell(GraphStarted(self.run_id, dict(self.inputs)))
            if self._timeout_s is not None:
                self.deadline = began + self._timeout_s
                self._timer = self._loop.call_at(self.deadline, self._expire)
            self._root = self._open(Frame(self._plan, self.inputs))
        self.advance()

    def advance(self) -> None:
        """Settle the jobs that have ended, and start what waited for them."""
        self._is_woken = False
        while self.finished or self._agenda:
            batch, self.finished = self.finished, []
            for job in batch:
                self._ended(job)
            while self._agenda:
                frame, index = self._agenda.popleft()
                self._consider(frame, index)

    def result(self) -> GraphResult:
        """Return the result of a run that is over, or that no actor can continue."""
        if self._result is None:
            self._result = self._make_result()
            if self._timer is not None:
                self._timer.cancel()
            if self._emit is not None:
                self._tell(GraphStopped(self.run_id, self._result))
        return self._result

    def abandon(self, error: ErrorInfo) -> GraphResult:
        """End at once, because no actor can continue, and return the result so far."""
        if self.is_over:
            return self.result()
        self._end = self._end or error
        for job in list(self._running):
            if not self._gate.leave(job):
                job.node.host.withdraw(job)
            del self._running[job]
            job.state, job.error, job.ended = State.FAILED, self._end, self._loop.time()
        self.is_over = True
        return self.result()

    # -- starting ------------------------------------------------------------------------------------

    def _open(self, frame: Frame) -> Frame:
        self._agenda.extend((frame, index) for index in frame.plan.roots)
        return frame

    def _consider(self, frame: Frame, index: int) -> None:
        """Run, skip or leave out a node whose inputs have all ended."""
        node = frame.plan.nodes[index]
        if self._end is not None or frame.end is not None:
            frame.states[index] = State.NOT_REACHED
            self._settle(frame, index)
            return
        if not (frame.is_smooth and node.is_plain):
            state, cause = decide(frame.plan, node, frame.states, frame.causes, frame.chosen)
            if state is not State.RUNNING:
                frame.states[index] = state
                if cause >= 0:
                    frame.causes[index] = cause
                self._settle(frame, index)
                return
        job = Job(self, frame, node, frame.prefix + node.name)
        frame.jobs[index] = job
        frame.states[index] = State.RUNNING
        self._first_launch(job)

    def _first_launch(self, job: Job) -> None:
        done = self.recorded.pop(job.path, None) if self.recorded else None
        if done is not None:
            self._restore(job, done)
            return
        job.began = self._loop.time()
        if self._emit is not None:
            self._tell(NodeStarted(self.run_id, path=job.path))
        self._launch(job)

    def _launch(self, job: Job) -> None:
        """Begin a try: fill in the templates and hand the job to its host, or open what is inside of it."""
        job.attempts += 1
        job.error = None
        try:
            match job.node.kind:
                case "map":
                    self._limit(job)
                    self._open_map(job)
                    return
                case "graph":
                    self._limit(job)
                    inputs = _keywords(job)
                    job.inner = self._open(Frame(cast("Plan", job.node.plan), inputs, f"{job.path}/", job))
                    return
                case _:
                    self._prepare(job)
        except Exception as error:  # noqa: BLE001 - a field that is not there is the result of the node
            job.fail(error)
            self.finished.append(job)
            return
        if job.is_waiting:
            self.finished.append(job)
            return
        self._running[job] = None
        self._gate.enter(job, self._submit)

    def _prepare(self, job: Job) -> None:
        """Set the arguments of a job from its templates. Raises `ComponentError`."""
        node = job.node
        spec = node.spec
        match spec:
            case StepNode():
                job.args = _keywords(job) if spec.prompt is None else self._prompt(job)
            case LoopNode():
                initial = node.templates.get("initial")
                prompt = self._prompt(job)
                job.args = prompt, None if initial is None else as_text(initial.value(job.read))
            case ApprovalNode():
                job.args = node.templates["show"].value(job.read)
                job.is_waiting = node.host is None
            case _:
                template = node.templates.get("text")
                job.args = None if template is None else template.value(job.read)

    def _prompt(self, job: Job) -> str:
        filled = job.node.templates["prompt"].prompt(job.read, job.node.spec.max_field_chars)
        if filled.cuts:
            job.warnings = filled.cuts
            if self._emit is not None:
                for cut in filled.cuts:
                    self._tell(NodeWarned(self.run_id, cut, path=job.path))
        if not filled.value.strip():
            raise NodeError("ComponentError", "the prompt is blank", job.path)
        return filled.value

    def _limit(self, job: Job) -> None:
        timeout_s = job.node.spec.timeout_s
        if timeout_s is not None and job.node.kind != "loop":  # a loop's own limit is at most that
            job.timer = self._loop.call_later(timeout_s, self._time_out, job)

    def _submit(self, job: Job) -> None:
        self._limit(job)
        job.node.host.submit(job)

    def _open_map(self, job: Job) -> None:
        spec = cast("MapNode", job.node.spec)
        items = _items_of(job.node.templates["over"].value(job.read), job)
        job.inner = inner = MapRun(job, items)
        if not items:
            self.finished.append(job)
            job.out = Several()
        self._fill(inner, spec.max_concurrency)

    def _fill(self, items: MapRun, limit: int | None) -> None:
        """Start as many items as may be at work."""
        job = items.job
        each = cast("PlanNode", job.node.each)
        while items.following < len(items.items):
            at_work = items.following - (len(items.items) - items.left)
            if limit is not None and at_work >= limit:
                return
            number = items.following
            items.following += 1
            one = Job(self, job.frame, each, f"{job.path}[{number}]")
            one.parent, one.number = items, number
            one.item = {"item": items.items[number], "index": number}
            items.jobs[number] = one
            if self._end is None and items.end is None:
                self._first_launch(one)
            else:
                one.state = State.NOT_REACHED
                items.left -= 1

    # -- ending --------------------------------------------------------------------------------------

    def _expire(self) -> None:
        self.stop("deadline", f"the run's time is over: timeout_s={self._timeout_s:g}")

    def _time_out(self, job: Job) -> None:
        spec = job.node.spec
        job.timer = None
        if job.inner is not None:
            self._end_inside(
                job, ErrorInfo("TimeoutError", f"did not end within timeout_s={spec.timeout_s:g}", job.path)
            )
            return
        if job not in self._running:
            return
        if isinstance(spec, ApprovalNode) and spec.on_timeout != "refuse":
            self._withdraw(job, None)
            job.is_waiting = spec.on_timeout == "suspend"
            job.out = as_text(job.args)
        elif isinstance(spec, ApprovalNode):
            self._withdraw(job, ErrorInfo("refused", f"nobody answered within {spec.timeout_s:g} s", job.path))
            job.may_retry = False
        else:
            self._withdraw(job, ErrorInfo("TimeoutError", f"did not end within timeout_s={spec.timeout_s:g}", job.path))
            job.may_retry = True
        self._wake()

    def _end_inside(self, holder: Job, error: ErrorInfo) -> None:
        """End what is inside of a map or a graph early."""
        for job in list(walk(holder)):
            if job.inner is not None:
                job.inner.end = job.inner.end or error
            if job in self._running:
                self._withdraw(job, error)
                job.may_retry = False
        self._wake()

    def _withdraw(self, job: Job, error: ErrorInfo | None) -> None:
        """End a job early; it is settled when its host says that it has ended."""
        if self._gate.leave(job) or job.node.host.withdraw(job):
            job.error = error
            self.finished.append(job)

    def _ended(self, job: Job) -> None:
        """Try a job again, or settle it."""
        if job in self._running:
            del self._running[job]
            self._gate.leave(job)
        if job.timer is not None:
            job.timer.cancel()
            job.timer = None
        if job.error is not None and job.may_retry and job.attempts <= job.node.spec.retries and self._end is None:
            self._keep_done(job)
            self._launch(job)
            return
        self._complete(job)

    def _keep_done(self, job: Job) -> None:
        """Keep what is done inside of a map or a graph that is tried again."""
        for inner in walk(job):
            if inner is not job and inner.state == State.DONE and inner.inner is None:
                self.recorded[inner.path] = inner

    def _complete(self, job: Job) -> None:
        if not job.is_restored:
            job.ended = self._loop.time()
        if job.is_waiting:
            job.state = State.WAITING
        elif job.error is None:
            job.state = State.DONE
        elif job.node.text is not None and self._end is None:
            job.state, job.out = State.STOOD_IN, job.node.text
        else:
            job.state = State.FAILED
        if job.parent is not None:
            self._item_ended(job.parent, job)
        else:
            self._node_ended(job)

    def _restore(self, job: Job, done: Job) -> None:
        """Take over what was done before."""
        job.began, job.ended, job.attempts = done.began, done.ended, done.attempts
        job.out, job.result, job.warnings, job.account = done.out, done.result, done.warnings, done.account
        job.is_restored = True
        self.finished.append(job)

    def _node_ended(self, job: Job) -> None:
        frame, index, node = job.frame, job.node.index, job.node
        frame.states[index] = job.state
        frame.outs[index] = job.out
        if job.state is State.DONE:
            if node.kind == "choice":
                frame.chosen[index] = job.out
        elif job.state is State.FAILED and node.standby >= 0:
            frame.states[index] = State.STANDBY
            frame.is_smooth = False
            self._arrived(frame, node.standby)
            return
        self._settle(frame, index)

    def _arrived(self, frame: Frame, index: int) -> None:
        """Note that one of the nodes that a node waits for has ended."""
        frame.waits[index] -= 1
        if frame.waits[index] == 0:
            self._agenda.append((frame, index))

    def _settle(self, frame: Frame, index: int, *, has_stood_by: bool = False) -> None:
        """Let those that wait for a node know that it has ended."""
        node, state = frame.plan.nodes[index], frame.states[index]
        if state != State.DONE:
            frame.is_smooth = False
        if self._emit is not None:
            self._tell_stopped(frame, index)
        frame.left -= 1
        for consumer in node.consumers:
            if not (has_stood_by and consumer == node.standby):
                self._arrived(frame, consumer)
        if node.owner >= 0 and frame.states[node.owner] == State.STANDBY:
            self._stand_in(frame, node.owner, index)
        if frame.left == 0:
            self._frame_ended(frame)

    def _stand_in(self, frame: Frame, owner: int, index: int) -> None:
        """Settle a failed node now that its fallback has ended."""
        job = cast("Job", frame.jobs[owner])
        job.state = State.FAILED
        if frame.states[index] in THERE:
            job.state, job.out = State.STOOD_IN, frame.outs[index]
        frame.states[owner], frame.outs[owner] = job.state, job.out
        self._settle(frame, owner, has_stood_by=True)

    def _item_ended(self, items: MapRun, job: Job) -> None:
        if self._emit is not None:
            self._tell(NodeStopped(self.run_id, node_result(job, self._clock), path=job.path))
        items.left -= 1
        holder, spec = items.job, cast("MapNode", items.job.node.spec)
        if items.left:
            self._fill(items, spec.max_concurrency)
        if items.left or holder.ended >= 0:
            return
        jobs = [one for one in items.jobs if one is not None]
        failed = next((one for one in jobs if one.state in (State.FAILED, State.NOT_REACHED)), None)
        holder.is_waiting = any(one.state is State.WAITING for one in jobs)
        if items.end is not None:
            holder.error, holder.may_retry = items.end, True
        elif not holder.is_waiting and failed is not None and (spec.on_error == "fail" or self._end is not None):
            error = failed.error or cast("ErrorInfo", self._end)
            holder.error = ErrorInfo(error.kind, error.message, failed.path)
            holder.may_retry = failed.may_retry
        else:
            holder.out = Several(tuple([one.out for one in jobs if one.has_output]))
        self.finished.append(holder)

    def _frame_ended(self, frame: Frame) -> None:
        job = frame.job
        if job is None:
            self.is_over = True
            return
        output = frame.plan.output
        job.is_waiting = any(one is not None and one.state is State.WAITING for one in frame.jobs)
        if frame.end is not None:
            job.error, job.may_retry, job.is_waiting = frame.end, True, False
        elif frame.states[output] in THERE:
            job.out = frame.outs[output]
        elif not job.is_waiting:
            error = first_error(frame) or self._end or ErrorInfo("ComponentError", "the graph has no output")
            job.error, job.may_retry = ErrorInfo(error.kind, error.message, error.component or job.path), True
        self.finished.append(job)

    # -- telling -------------------------------------------------------------------------------------

    def _tell(self, event: GraphEvent) -> None:
        self._seq += 1
        assert self._emit is not None
        self._emit(replace(event, seq=self._seq))

    def _pass_on(self, event: RunEvent, path: str) -> None:
        self._tell(placed(event, path))

    def _tell_stopped(self, frame: Frame, index: int) -> None:
        path = frame.prefix + frame.plan.nodes[index].name
        self._tell(NodeStopped(self.run_id, result_at(frame, index, self._clock), path=path))

    def _make_result(self) -> GraphResult:
        end, root = self._end, self._root
        if root is None:  # it never began
            nodes = {name: NodeResult(name, "not_reached") for name in self._plan.names}
            status = "cancelled" if end is not None and end.kind == "cancelled" else "failed"
            return GraphResult(self.run_id, None, status, nodes, self.spending.spent, 0.0, end)
        output = self._plan.output
        has_output = root.states[output] in THERE
        status = run_status(
            has_output=has_output,
            has_failure=end is not None or ((self._plan.holds_others or not root.is_smooth) and has_failure(root)),
            is_waiting=(self._plan.holds_others or not root.is_smooth) and is_waiting(root),
            is_cancelled=end is not None and end.kind == "cancelled",
        )
        error = None if has_output else end or first_error(root)
        return GraphResult(
            self.run_id,
            value_of(root.outs[output]) if has_output else None,
            status,
            node_results(root, self._clock),
            self.spending.spent,
            self._loop.time() - self._clock[1],
            error if status in ("failed", "cancelled") else None,
        )


def _keywords(job: Job) -> dict[str, Any]:
    """Return the keywords of a call. Raises `ComponentError` if a field is not there."""
    outs, frame = job.frame.outs, job.frame
    keywords: dict[str, Any] = {}
    for binding in job.node.bindings:
        if binding.source >= 0 and frame.is_smooth:
            keywords[binding.name] = value_of(outs[binding.source])
        elif binding.template is None:
            keywords[binding.name] = binding.constant
        else:
            keywords[binding.name] = binding.template.value(job.read)
    return keywords


def _items_of(value: Any, job: Job) -> list[Any]:
    """Return the items of a map. Raises `ComponentError` if there is no list."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if value is None:
        return _no_list(job)
    if not isinstance(value, list):
        return _no_list(job)
    return cast("list[Any]", value)


def _no_list(job: Job) -> list[Any]:
    error = ComponentError(
        f"{job.node.templates['over'].source} gave no list; for the lines of a text use {{node.lines}}",
        component=job.path,
    )
    error.retryable = False
    raise error
