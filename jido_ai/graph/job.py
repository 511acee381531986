"""The state of a run: jobs with their arguments, frames and maps, which outlive the actors that work on them.

A frame is one run of one plan; a nested graph has a frame of its own. A job is one node of a frame, or one item of a
map.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import Context
from typing import Any, Final, Protocol, cast

from jido_ai.components.call_context import Wishes
from jido_ai.components.component import text_of
from jido_ai.errors import BudgetExceededError, ComponentError
from jido_ai.graph.nodes import ApprovalNode, LoopNode, StepNode
from jido_ai.graph.output import read_field, value_of
from jido_ai.graph.plan import Plan, PlanNode
from jido_ai.graph.rules import State
from jido_ai.graph.template import ABSENT, Field, as_text
from jido_ai.loop.events import RunEvent
from jido_ai.models.spending import Spending
from jido_ai.protocols import Reservation
from jido_ai.runs.call_log import CallLog
from jido_ai.values import Budget, CritiqueResult, ErrorInfo, ReflectionResult, Scope, Usage

_NO_ITEM: Final[Mapping[str, Any]] = {}
_NO_USAGE: Final = Usage()


class NodeError(Exception):
    """Ends a node as failed, with an error of that kind."""

    def __init__(self, kind: str, message: str, component: str | None = None, *, may_retry: bool = False) -> None:
        super().__init__(message)
        self.info = ErrorInfo(kind, message, component)
        self.may_retry = may_retry


class Host(Protocol):
    """The host of a node's work: an actor, or a pipeline."""

    def submit(self, job: Job) -> None:
        """Take a job; its run is told when it has ended."""
        ...

    def withdraw(self, job: Job) -> bool:
        """End a job early. Returns True if it has ended at once; False if its run will be told, soon."""
        ...


class JobRun(Protocol):
    """A run, as its jobs and their hosts know it."""

    run_id: str
    scope: Scope
    metadata: Mapping[str, Any]
    context: Context
    deadline: float | None

    calls: CallLog | None
    is_resumed: bool
    decisions: Mapping[str, bool | str]
    approve: Callable[..., Awaitable[object]] | None

    def wishes_for(self, path: str) -> Wishes | None:
        """Return the wishes of the caller of the run for the text of a node."""
        ...

    def suspend(self, job: Job) -> None:
        """Let a job wait for a person. Raises `NodeError` if the run has no journal."""
        ...

    def tell_event(self, event: RunEvent, path: str) -> None:
        """Pass an event of a loop on."""
        ...

    def told(self, job: Job) -> None:
        """Note that a job has ended."""
        ...

    def open_account(self) -> Spending:
        """Return a new account that is a part of the run's."""
        ...


class Job:
    """One node of a run, at work or ended.

    Attributes:
        path: with its map items and nested graphs: "sections[3]/draft".
        item: {item} and {index} inside of a map.
        parent: the map that it is an item of, if it is one.
        number: which item.
        began, ended: seconds of the event loop's clock; -1.0 for not yet.
        out: the output, when `error` is None.
        args: keywords or texts for the call, by the kind of its node.
        asked: of a loop, its prompt without the tags of blocks; "" if that is the prompt.
        result: of a loop the whole result, of a check the critique.
        inner: the frame of a nested graph, or the items of a map.
        timer: ends the current try when its time is over.
        holds_slot: it counts for `max_concurrency`.
        may_retry: another try may help.
        is_waiting: it waits for a person.
        is_restored: it was done before, in an earlier try of what holds it or before the run was resumed.
    """

    __slots__ = (
        "account",
        "args",
        "asked",
        "attempts",
        "began",
        "ended",
        "error",
        "frame",
        "holds_slot",
        "inner",
        "is_restored",
        "is_waiting",
        "item",
        "may_retry",
        "node",
        "number",
        "out",
        "parent",
        "path",
        "result",
        "run",
        "state",
        "timer",
        "warnings",
    )

    def __init__(self, run: JobRun, frame: Frame, node: PlanNode, path: str) -> None:
        self.run = run
        self.frame = frame
        self.node = node
        self.path = path
        self.state = State.RUNNING
        self.item = _NO_ITEM
        self.parent: MapRun | None = None
        self.number = 0
        self.attempts = 0
        self.began = self.ended = -1.0
        self.args: Any = None
        self.asked = ""
        self.out: Any = None
        self.error: ErrorInfo | None = None
        self.is_waiting = False
        self.is_restored = False
        self.result: ReflectionResult | CritiqueResult | None = None
        self.warnings: tuple[str, ...] = ()
        self.inner: Frame | MapRun | None = None
        self.account: Spending | None = None
        self.may_retry = True
        self.timer: Any = None
        self.holds_slot = False

    def read(self, field: Field) -> Any:
        """Return a field of a template. Raises `ComponentError` if it is not there."""
        frame = self.frame
        if field.name in self.item:
            return read_field(self.item[field.name], field)
        index = frame.plan.index.get(field.name)
        if index is None:
            return read_field(frame.inputs[field.name], field)
        if frame.states[index] == State.SKIPPED:
            return ABSENT
        return read_field(frame.outs[index], field)

    def fail(self, error: BaseException, *, may_retry: bool | None = None) -> None:
        """Note why the current try failed."""
        if isinstance(error, NodeError):
            self.error, self.may_retry = error.info, error.may_retry
        elif isinstance(error, BudgetExceededError):
            self.error, self.may_retry = ErrorInfo("budget", text_of(error), self.path), False
        else:
            self.error = ErrorInfo(type(error).__name__, text_of(error), self.path)
            self.may_retry = getattr(error, "retryable", True) is not False
        if may_retry is not None:
            self.may_retry = may_retry

    def restore(  # noqa: PLR0917 - one caller, in the order of the line
        self,
        began: float,
        ended: float,
        attempts: int,
        out: Any,
        error: ErrorInfo | None,
        result: ReflectionResult | CritiqueResult | None,
        warnings: tuple[str, ...],
    ) -> None:
        """Take over what was done before."""
        self.is_restored = True
        self.began, self.ended, self.attempts = began, ended, attempts
        self.out, self.error, self.result, self.warnings = out, error, result, warnings

    def reserve(self, *, calls: int = 1, tokens: int = 0, cost_usd: float = 0.0) -> Reservation:
        """Set aside what a call may take, at the account of the job: a job is the `Meter` of its calls."""
        return self.meter.reserve(calls=calls, tokens=tokens, cost_usd=cost_usd)

    @property
    def spent(self) -> Usage:
        """Usage of the job so far."""
        return _NO_USAGE if self.account is None else self.account.spent

    @property
    def left(self) -> Budget:
        """Budget that the job has left."""
        return self.meter.left

    @property
    def meter(self) -> Spending:
        """The account of the job, a part of that of its run; opened when it is first needed."""
        if self.account is None:
            self.account = self.run.open_account()
        return self.account

    @property
    def has_output(self) -> bool:
        """True if there is an output, its own or that of a fallback."""
        return self.state in (State.DONE, State.STOOD_IN)


class MapRun:
    """The items of a map.

    Attributes:
        jobs: by position; None before an item starts.
        following: position of the next item to start.
        left: number of items that have not ended.
        end: why it was ended early.
    """

    __slots__ = ("end", "following", "items", "job", "jobs", "left")

    def __init__(self, job: Job, items: Sequence[Any]) -> None:
        self.job = job
        self.items = items
        self.jobs: list[Job | None] = [None] * len(items)
        self.following = 0
        self.left = len(items)
        self.end: ErrorInfo | None = None


class Frame:
    """One run of one plan.

    Attributes:
        prefix: of the paths of its nodes, "" or ending in "/".
        job: the nested graph or the item that it belongs to; None for the whole run.
        states, outs, jobs: by position in the plan.
        waits: number of nodes that each still waits for.
        causes: of the skipped nodes, what skipped them.
        chosen: by choice, the name it chose.
        is_smooth: every node that has ended is done, so an input is there if its node has ended.
        left: number of nodes that have not ended.
        end: why it was ended early.
    """

    __slots__ = (
        "causes",
        "chosen",
        "end",
        "inputs",
        "is_smooth",
        "job",
        "jobs",
        "left",
        "outs",
        "plan",
        "prefix",
        "states",
        "waits",
    )

    def __init__(self, plan: Plan, inputs: Mapping[str, Any], prefix: str = "", job: Job | None = None) -> None:
        count = len(plan.nodes)
        self.plan = plan
        self.prefix = prefix
        self.inputs = inputs
        self.job = job
        self.states: list[int] = [0] * count
        self.outs: list[Any] = [None] * count
        self.jobs: list[Job | None] = [None] * count
        self.waits = plan.waits.copy()
        self.causes: dict[int, int] = {}
        self.chosen: dict[int, str] = {}
        self.is_smooth = True
        self.left = count
        self.end: ErrorInfo | None = None


class JobGate:
    """Lets jobs through, at most `limit` at a time; None is no limit."""

    __slots__ = ("_at_work", "_waiting", "limit")

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self._at_work = 0
        self._waiting: dict[Job, Callable[[Job], None]] = {}

    def enter(self, job: Job, go: Callable[[Job], None]) -> None:
        """Call `go` with the job as soon as there is room for it."""
        if self.limit is not None:
            if self._at_work >= self.limit:
                self._waiting[job] = go
                return
            self._at_work += 1
            job.holds_slot = True
        go(job)

    def leave(self, job: Job) -> bool:
        """End the job's stay, or its wait. Returns True if it was still waiting."""
        if self.limit is None:
            return False
        if not job.holds_slot:
            return self._waiting.pop(job, None) is not None
        job.holds_slot = False
        self._at_work -= 1
        while self._waiting and self._at_work < self.limit:
            following = next(iter(self._waiting))
            go = self._waiting.pop(following)
            self._at_work += 1
            following.holds_slot = True
            go(following)
        return False


def prepare(job: Job) -> None:
    """Set the arguments of a job, and a warning for each text that was cut. Raises `ComponentError`."""
    node = job.node
    spec = node.spec
    match spec:
        case StepNode():
            job.args = keywords_of(job) if spec.prompt is None else _prompt(job)
        case LoopNode():
            initial = node.templates.get("initial")
            prompt = _prompt(job)
            job.args = prompt, None if initial is None else as_text(initial.value(job.read))
        case ApprovalNode():
            job.args = as_text(node.templates["show"].value(job.read))
        case _:
            template = node.templates.get("text")
            job.args = None if template is None else template.value(job.read)


def _prompt(job: Job) -> str:
    filled = job.node.templates["prompt"].prompt(job.read, job.node.spec.max_field_chars)
    job.warnings, job.asked = filled.cuts, filled.plain
    if not filled.value.strip():
        raise NodeError("ComponentError", "the prompt is blank", job.path)
    return filled.value


def keywords_of(job: Job) -> dict[str, Any]:
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


def items_of(job: Job) -> list[Any]:
    """Return the items of a map. Raises `ComponentError` if there is no list."""
    template = job.node.templates["over"]
    value = template.value(job.read)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if isinstance(value, list):
        return cast("list[Any]", value)
    error = ComponentError(
        f"{template.source} is not a list; for the lines of a text use {{node.lines}}", component=job.path
    )
    error.retryable = False
    raise error
