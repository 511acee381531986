"""GraphWork: the state of one run of a graph, and the steps that advance it.

It outlives the actor that works on it: if that is killed, its successor goes on. Hosts tell it which jobs have ended;
it settles them, starts what has waited for them, and decides nothing: that is `rules.decide`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextvars import Context
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, cast

from jido_ai.actors.actor import Actor, Reply
from jido_ai.actors.exit_reason import Normal, Shutdown
from jido_ai.actors.ref import ActorRef
from jido_ai.components.call_context import Wishes, current_wishes
from jido_ai.components.component import text_of
from jido_ai.errors import (
    ActorDeadError,
    ActorError,
    ComponentError,
    ConfigurationError,
    RunClaimedError,
    StoreError,
)
from jido_ai.graph.job import Frame, Job, JobGate, MapRun, NodeError, items_of, keywords_of, prepare
from jido_ai.graph.journal_lines import line_of
from jido_ai.graph.log import GraphLog
from jido_ai.graph.nodes import ApprovalNode, CheckNode, LoopNode, MapNode
from jido_ai.graph.output import JudgedOutput, Several, judged_of
from jido_ai.graph.plan import Plan, PlanNode
from jido_ai.graph.record import (
    NodeLine,
    RecordedGraph,
    decided_line,
    node_line,
    resumed_line,
    started_line,
    stopped_line,
)
from jido_ai.graph.report import Clock, first_error, result_of, unbegun_result, walk
from jido_ai.graph.results import GraphResult
from jido_ai.graph.rules import THERE, State, decide
from jido_ai.loop.events import RunEvent
from jido_ai.models.spending import Spending, enclosing_spending
from jido_ai.runs.call_log import CallLog
from jido_ai.runs.checks import too_large
from jido_ai.runs.journal import Line, LineWriter, PatientLines
from jido_ai.runs.questions import ASKED_AGAIN, question_id
from jido_ai.runs.work import Begin
from jido_ai.telemetry import OBSERVING
from jido_ai.values import SLACK, Budget, ErrorInfo, ReflectionResult, Scope, Usage, utc_now


@dataclass(frozen=True, slots=True)
class Wake:
    """To a run's actor: jobs have ended."""


WAKE: Final = Wake()
_NO_USAGE: Final = Usage()
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class GraphRequest:
    """One run, as the caller requested it.

    Attributes:
        context: the caller's context variables; every call runs in a copy.
        approve: asked by every approval instead of its own.
        decisions: of persons, by id of the question.
        outer: an account that the run is a part of, whose limits apply as well.
        wishes: the form and settings that its caller asks for, of the answer.
    """

    run_id: str
    inputs: Mapping[str, Any]
    scope: Scope
    metadata: Mapping[str, Any]
    context: Context
    approve: Callable[..., Awaitable[object]] | None = None
    decisions: Mapping[str, bool | str] = field(default_factory=dict[str, "bool | str"])
    outer: Spending | None = field(default_factory=enclosing_spending.get, repr=False, compare=False)
    wishes: Wishes | None = field(default_factory=current_wishes.get, repr=False)


@dataclass(frozen=True, slots=True)
class Past:
    """The earlier state of a run, for example from another process.

    Attributes:
        is_over: nothing is done any more; only the result is wanted.
        loops: results of the loops that were done, by path.
    """

    recorded: RecordedGraph
    loops: Mapping[str, ReflectionResult]
    is_over: bool = False


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


class GraphWork:
    """The state of one run; see the module. A `RunWork`.

    Args:
        log: keeps the events.
        tell: passes an entry of the log on.
        journal: None for a run that is not written down.
        past: None for a new run.
        calls: keeps the calls of models; None keeps none.

    Attributes:
        is_over: the result is ready.
        finished: done, with the result, when it is made.
        ended: jobs that hosts say have ended, not settled yet.
    """

    is_under_way = False  # it ends at once when its caller is cancelled
    shutdown_s = 5.0

    def __init__(
        self,
        request: GraphRequest,
        plan: Plan,
        gate: JobGate,
        *,
        name: str,
        log: GraphLog,
        tell: Callable[[Any], None],
        timeout_s: float | None = None,
        budget: Budget | None = None,
        journal: LineWriter | None = None,
        past: Past | None = None,
        calls: CallLog | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.run_id = request.run_id
        self.scope = request.scope
        self.metadata = request.metadata
        self.context = request.context
        self.inputs = request.inputs
        self.approve = request.approve
        self.decisions = request.decisions
        self._wishes = request.wishes
        self._answer_path = plan.nodes[plan.output].path
        self.deadline: float | None = None
        self.ref: ActorRef | None = None
        self.is_over = False
        self.finished: asyncio.Future[GraphResult] = loop.create_future()
        self.ended: list[Job] = []
        self.is_resumed = past is not None
        self.calls = calls
        self._name = name
        self._past = past
        self._before_s = 0.0 if past is None else past.recorded.duration_s
        self._lines = kept_lines(past) if past is not None else {}
        spent = sum((line.usage for line in self._lines.values()), _NO_USAGE) if self._lines else None
        self.spending = Spending(budget, spent=spent, now=loop.time, outer=request.outer)
        self._done_before: dict[str, Job] = {}  # in an earlier try of what holds them
        self._journal = None if journal is None else PatientLines(journal)
        self._has_begun = False
        self._opening: list[Line] = []
        self._told: dict[Job, tuple[str, dict[str, Any]]] = {}
        self._plan = plan
        self._gate = gate
        self._timeout_s = timeout_s
        self._log = log
        self._record = tell
        self._loop = loop
        self._root: Frame | None = None
        self._agenda: deque[tuple[Frame, int]] = deque()
        self._ending: deque[Job] = deque()  # without a host
        self._unfinished: deque[Job] = deque()  # of a run that is over, without a line in its journal
        self._running: dict[Job, None] = {}
        self._is_woken = False
        self._end: ErrorInfo | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._clock: Clock = (_NEVER, 0.0)
        self._result: GraphResult | None = None

    def actor(self) -> GraphRun:
        """Return a new actor for the work."""
        return GraphRun(self)

    def wishes_for(self, path: str) -> Wishes | None:
        """Return the wishes of the caller of the run for the text of a node."""
        return self._wishes and (self._wishes if path == self._answer_path else self._wishes.inside())

    def suspend(self, job: Job) -> None:
        """Let a job wait for a person; say so if what was asked before at its place was another text.

        Raises:
            NodeError: there is no journal in which it could wait.
        """
        if self._journal is None:
            message = "it waits for a person, which needs a journal: give the graph a memory"
            raise NodeError("ConfigurationError", message, job.path)
        before = None if self._past is None else self._past.recorded.asked.get(job.path)
        if before is not None and before != question_id(job.path, job.args):
            job.warnings = (*job.warnings, ASKED_AGAIN)
            self._tell(job, ASKED_AGAIN)
        job.is_waiting = True

    def tell_event(self, event: RunEvent, path: str) -> None:
        """Pass an event of a loop on."""
        self._tell(event, path)

    @property
    def is_journaled(self) -> bool:
        """True if what is done is written down."""
        return self._journal is not None

    def open_account(self) -> Spending:
        """Return a new account that is a part of the run's."""
        return Spending(outer=self.spending)

    # -- from hosts and callers ----------------------------------------------------------------------

    def told(self, job: Job) -> None:
        """Note that a job has ended, and wake the run's actor."""
        if self._end is not None and job.error is not None and job.error.kind == "cancelled":
            job.error = self._end  # a loop ends as cancelled, whatever ended the run
        self.ended.append(job)
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

    def begin(self, ref: ActorRef | None) -> None:
        """Start, or go on after the actor before was killed."""
        self.ref = ref
        if self._root is None:
            began = self._loop.time()
            self._clock = self._log.clock = utc_now(), began
            if self._past is None or not self._past.is_over:
                self._tell(self.inputs)
            if self._timeout_s is not None:
                self.deadline = began + self._timeout_s
                self._timer = self._loop.call_at(self.deadline, self._expire)
            self._root = self._open(Frame(self._plan, self.inputs))

    def awake(self) -> int:
        """Return how many jobs have ended; those that end from now on wake the actor again."""
        self._is_woken = False
        return len(self.ended)

    def advance(self, count: int) -> None:
        """Settle the first `count` of the jobs that have ended, and start what waited for them."""
        self._ending.extend(self.ended[:count])
        del self.ended[:count]
        while self._ending or self._agenda or self._unfinished:
            if self._ending:
                self._ended(self._ending.popleft())
            elif self._agenda:
                frame, index = self._agenda.popleft()
                self._consider(frame, index)
            else:  # here the run was ended: nothing stands in for these, and nothing begins after them
                self._end = self._unfinished[0].error
                self._ending, self._unfinished = self._unfinished, self._ending

    async def write_before(self, count: int) -> None:
        """Write what has to be in the journal before the first `count` of the ended jobs are settled."""
        lines: list[Line] = []
        if not self._has_begun:
            lines = self._opening = self._opening or self._first_lines()
        jobs = [
            job
            for job in self.ended[:count]
            if not self._will_retry(job)
            and (job.error is None or job.error is not self._end)
            and not self._waits_on(job)
        ]
        try:
            lines = [*lines, *map(self._line_of, jobs)]
            await self._write(lines)
            for job in jobs:
                self._told.pop(job, None)
        except ConfigurationError as error:  # a line is too large for the journal: nothing was written
            assert self._journal is not None
            self._journal.withdraw(lines)
            if not any([await self._is_refused(job) for job in jobs]):
                self._refuse_run(error)
            else:
                await self.write_before(count)
        self._has_begun = True

    def _waits_on(self, job: Job) -> bool:
        """Tell whether a job still waits for what it waited for before the run was resumed."""
        line = None if self._past is None else self._past.recorded.nodes.get(job.path)
        if line is None or not (job.is_waiting and line.is_waiting):
            return False
        before, now = node_line(line, 0)[1], self._line_of(job)[1]
        return all(before.get(name) == now.get(name) for name in ("question", "usage", "error"))

    def _line_of(self, job: Job) -> tuple[str, dict[str, Any]]:
        """Return the line of a job, the same one until it is written, also if its writer is killed."""
        if job not in self._told:
            self._told[job] = line_of(job, self._clock, self._loop.time(), self._log.last)
        return self._told[job]

    async def _is_refused(self, job: Job) -> bool:
        """Fail a job whose line no journal can hold; tell whether it was one."""
        instead = "return the name of a file, or a list for a map"
        said = await asyncio.to_thread(too_large, "the output has", self._line_of(job)[1], instead)
        if said is None:
            return False
        del self._told[job]
        job.fail(NodeError("ComponentError", said, job.path))
        job.out = job.result = None
        job.is_waiting = False
        return True

    def _refuse_run(self, error: ConfigurationError) -> None:
        """End a run whose own lines can never be written."""
        self._journal = None
        self.stop("ConfigurationError", text_of(error))

    def _first_lines(self) -> list[Line]:
        trace = None if OBSERVING.observer is None else self.context.run(OBSERVING.observer.trace)
        if self._past is None:
            return [started_line(self._name, self.inputs, self.metadata, trace)]
        past = self._past.recorded
        decided = [
            question
            for question in past.questions
            if question.id in self.decisions and past.nodes[question.path].kind == "approval"
        ]
        return [  # loops write the decisions for them
            resumed_line(self._log.last, trace),
            *(decided_line(one, self.decisions[one.id]) for one in decided),
        ]

    async def write_after(self) -> None:
        """Write the last line of the run."""
        await self._write([stopped_line(self.result(), self._end, self._log.last, self._before_s)])

    async def _write(self, lines: list[Line]) -> None:
        if self._journal is None:
            return
        try:
            await self._journal.write(*lines)
        except RunClaimedError as error:
            self._journal = None  # the run is not ours any more
            self.stop("RunClaimedError", text_of(error))
        except (StoreError, ActorError):  # the run goes on, and the lines are written later if possible
            return

    def result(self) -> GraphResult:
        """Return the result of a run that is over, or that no actor can continue."""
        if self._result is None:
            self._result = self._make_result()
            if self._timer is not None:
                self._timer.cancel()
            self._tell(self._result)
            self.finished.set_result(self._result)
            self._record = _ignore  # so that the log, which refers to us, does not keep those that listen
        return self._result

    async def abandoned(self, error: ActorError) -> GraphResult:
        """End at once, because no actor can continue, and return the result so far."""
        if isinstance(error, ActorDeadError) and error.reason == Shutdown():
            return self._abandon(ErrorInfo("cancelled", "the graph was closed"))
        return self._abandon(ErrorInfo(type(error).__name__, text_of(error), "graph"))

    def forsake(self) -> None:
        """End at once, because the caller was cancelled."""
        self._abandon(ErrorInfo("cancelled", "the run was cancelled"))

    def _abandon(self, error: ErrorInfo) -> GraphResult:
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
        if self._done_before and (done := self._done_before.pop(job.path, None)) is not None:
            job.restore(done.began, done.ended, done.attempts, done.out, done.error, done.result, done.warnings)
            job.account = done.account
            self._ending.append(job)
            return
        if self._lines and (line := self._lines.get(job.path)) is not None and not self._is_asked_anew(job, line):
            self._restore(job, line)
            return
        job.began = self._loop.time()
        self._tell(job)
        self._launch(job)

    def _is_asked_anew(self, job: Job, line: NodeLine) -> bool:
        """Tell whether an approval that was answered would show another text now."""
        if not line.question or (self._past is not None and self._past.is_over):
            return False
        try:
            prepare(job)
        except ComponentError:
            return True  # its own try says why
        return question_id(job.path, job.args) != line.question

    def _restore(self, job: Job, line: NodeLine) -> None:
        """Take over what was done before, by another process for example."""
        assert self._past is not None
        started = line.started or self._clock[0]
        began = self._clock[1] + (started - self._clock[0]).total_seconds()
        out, result = line.out, line.critique
        if isinstance(job.node.spec, LoopNode):
            result = self._past.loops.get(job.path)
            out = None if result is None or line.error is not None else judged_of(result)
        elif line.critique is not None and isinstance(job.node.spec, CheckNode):
            is_good = line.critique.severity < job.node.spec.threshold - SLACK
            out = JudgedOutput(line.critique.as_feedback(), line.critique, is_good)
        job.restore(began, began + line.duration_s, line.attempts, out, line.error, result, line.warnings)
        job.is_waiting = line.is_waiting
        job.account = Spending(spent=line.usage)
        self._ending.append(job)

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
                    inputs = keywords_of(job)
                    job.inner = self._open(Frame(cast("Plan", job.node.plan), inputs, f"{job.path}/", job))
                    return
                case _:
                    prepare(job)
                    for cut in job.warnings:
                        self._tell(job, cut)
        except Exception as error:  # noqa: BLE001 - a field that is not there is the result of the node
            job.fail(error)
            self._ending.append(job)
            return
        if self._past is not None and self._past.is_over:
            job.error = self._past.recorded.end or ErrorInfo(
                "interrupted", "the journal does not have its result", job.path
            )
            job.may_retry = False
            self._unfinished.append(job)
            return
        self._running[job] = None
        self._gate.enter(job, self._submit)

    def _limit(self, job: Job) -> None:
        timeout_s = job.node.spec.timeout_s
        if timeout_s is not None and job.node.kind != "loop":  # a loop's own limit is at most that
            job.timer = self._loop.call_later(timeout_s, self._time_out, job)

    def _submit(self, job: Job) -> None:
        self._limit(job)
        job.node.host.submit(job)

    def _open_map(self, job: Job) -> None:
        spec = cast("MapNode", job.node.spec)
        items = items_of(job)
        job.inner = inner = MapRun(job, items)
        if not items:
            self._ending.append(job)
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
        self.stop("deadline", f"the run's time is up: timeout_s={self._timeout_s:g}")

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
            job.out = job.args
            if spec.on_timeout == "suspend":
                try:
                    self.suspend(job)
                except NodeError as error:
                    job.fail(error)
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
            self.ended.append(job)

    def _ended(self, job: Job) -> None:
        """Try a job again, or settle it."""
        if job in self._running:
            del self._running[job]
            self._gate.leave(job)
        if job.timer is not None:
            job.timer.cancel()
            job.timer = None
        if self._will_retry(job):
            self._keep_done(job)
            self._launch(job)
        else:
            self._complete(job)

    def _will_retry(self, job: Job) -> bool:
        is_left = job.may_retry and job.attempts <= job.node.spec.retries and not job.is_restored
        return job.error is not None and is_left and self._end is None

    def _keep_done(self, job: Job) -> None:
        """Keep what is done inside of a map or a graph that is tried again."""
        for inner in walk(job):
            if inner is not job and inner.state == State.DONE and inner.inner is None:
                self._done_before[inner.path] = inner

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
        job = frame.jobs[index]
        if job is None or not job.is_restored:  # otherwise it was told before
            self._tell(frame, index)
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
        if not job.is_restored:
            self._tell(job, True)
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
        self._ending.append(holder)

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
        self._ending.append(job)

    # -- telling -------------------------------------------------------------------------------------

    def _tell(self, about: Any, more: Any = None) -> None:
        """Add an entry to the log; see `GraphLog`."""
        self._record((about, more, self._loop.time()))

    def _make_result(self) -> GraphResult:
        end, root = self._end, self._root
        if root is None:  # it never began
            self._log.clock = utc_now(), self._loop.time()
            return unbegun_result(self.run_id, self._plan, self.spending.spent, end)
        over = self._past.recorded if self._past is not None and self._past.is_over else None
        fault = None if self._journal is None else self._journal.error
        made = result_of(
            self.run_id,
            root,
            self._clock,
            usage=self.spending.spent,
            end=end if over is None else over.end,
            duration_s=self._before_s + self._loop.time() - self._clock[1] if over is None else over.duration_s,
            fault=None if fault is None else ErrorInfo(type(fault).__name__, text_of(fault), "journal"),
        )
        return made if self.calls is None else replace(made, calls=self.calls.close())


def _ignore(entry: object) -> None:
    """Discard an entry after the end."""


def kept_lines(past: Past) -> dict[str, NodeLine]:
    """Return the journal lines of nodes that are not run again.

    What failed is tried again after a run that failed as a whole. What waited for a person is asked again, unless only
    the result is wanted.
    """
    recorded = past.recorded
    retries = recorded.status == "failed" and not past.is_over
    return {
        path: line
        for path, line in recorded.nodes.items()
        if past.is_over or not (line.is_waiting or (retries and line.error is not None))
    }
