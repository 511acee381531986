"""Pipeline: the supervised actors of one generate, critique and revise setup, and the caller's handle on them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Generic, Literal, Unpack, cast, overload
from weakref import WeakValueDictionary

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.components.component import (
    ComponentHost,
    as_candidates,
    as_critique,
    as_reflection,
    as_revision,
    check_max_concurrency,
    component_spec,
    method_of,
    used_by,
)
from jido_ai.critics.output_critiquer import OutputCritiquer
from jido_ai.critics.panel import PanelCritiquer
from jido_ai.errors import (
    ComponentError,
    ConfigurationError,
    describe,
)
from jido_ai.loop.calls import LoopParts, RunCalls, refusal_of
from jido_ai.loop.events import RunEvent
from jido_ai.loop.examples import schema_digest
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.loop_runs import LoopRuns
from jido_ai.loop.memory import RunMemory, earlier_reflection, remember
from jido_ai.loop.named_components import AnyJudge, ValueCritic, critiquer_of, generator_of, reviser_of
from jido_ai.loop.options import Approve, LearnFrom, LearningOptions, PipelineOptions, ReflectOptions, RunRequest
from jido_ai.loop.policies import Policy, policy_of
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.state import Stop
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.spending import Spending
from jido_ai.protocols import AnyCritiquer, AnyGenerator, AnyReflector, AnyReviser, LanguageModel
from jido_ai.reflection.evaluation import ReflectionMode
from jido_ai.reflection.log import ReflectionLog
from jido_ai.reflection.reflector import Reflector, reflected_outside
from jido_ai.runs.call_log import RecordCalls
from jido_ai.runs.checks import checked_metadata, checked_run_id, checked_scope, too_large
from jido_ai.runs.handle import RunHandle
from jido_ai.runs.leases import Leases
from jido_ai.runs.progress_bar import Told
from jido_ai.runs.questions import Decisions, answers_of
from jido_ai.runs.runnable import Memory, Runnable
from jido_ai.runs.service import ActiveRun
from jido_ai.runs.signals import Turns
from jido_ai.telemetry import Sink
from jido_ai.text.output_type import OutputType, output_type
from jido_ai.values import (
    Budget,
    Candidate,
    CritiqueResult,
    Episode,
    LoopConfig,
    Reflection,
    ReflectionResult,
    Scope,
    new_id,
)
from jido_ai.values.checks import checked, checked_id
from jido_ai.values.run import OutputT

_LONGEST_PROMPT: Final = 10 * 1024 * 1024


class Pipeline(Runnable[RunRequest, RecordedRun, ReflectionResult[OutputT], RunEvent], Generic[OutputT]):
    """A generator, critiquers and a reviser under supervision; `async with` starts it.

    Args:
        generator: makes first candidates; may be None if every run brings its own.
        critiquer: judges candidates; a list is a panel. May be left out with `output`: then the type judges alone.
        reviser: makes revisions. None: a generator that is a language model revises, one with `uses_attempts` drafts
            again, told the findings; without either, runs only judge.
        memory: None; True (in this process); a path or address; or a `ReflexionMemory`. One that is open stays open and
            belongs to the caller; any other is opened and closed with the pipeline.
        config: limits of runs and when they stop.
        system: actor system to live in; None creates one.
        name: prefix of its actors' names; unique in its system.
        recall_by: text to retrieve lessons by: the "prompt", or the first "critique" of a candidate that the caller
            gives.
        reflector: describes what an attempt teaches: a `Reflector`, any object with the method, a function, or True for
            one without a model. Every attempt that needs it is reflected on; the lessons go to the reviser and the
            generator of the same run, and into memory. `observe` also works without a reflector.
        mode: "lite"; or "full", which also reflects on successes.
        approve: called with every revision before it is judged: `(revision, iteration, context)`, with the iteration
            that it was made from. True accepts the revision, False ends that line of revisions, a text or a `Candidate`
            replaces it; SUSPEND ends the run with `StopReason.SUSPENDED` until `resume` brings the decision, which
            needs a journal. It may take until the run's deadline; a plain function is called in a thread.
        journal: write every step of every run to the memory's journal before the next step, so that `resume` can
            continue an interrupted run. None: if there is a memory; if a write fails, the result reports it, and the
            lines are written later if possible. True: a step that cannot be written ends the run.
        max_concurrency: maximum number of runs in flight; others wait for their turn. None is no limit.
        max_lessons: maximum number of lessons offered to a run, at least 1; None: five, and five more from similar
            failing tests.
        max_lesson_tokens: maximum number of tokens of these lessons together, at four characters per token, at least 1;
            the first lesson is always offered. The examples of a run have the same limit; one that does not fit is left
            out. None is no limit.
        learn_from: which accepted answers become worked examples for later runs: "known" (those that a program or a
            person accepted), "accepted" (also those that only a model accepted) or "nothing".
        max_examples: maximum number of examples kept per task type and scope, at least 0.
        max_examples_shown: maximum number of examples shown to the generator, at least 0.
        holdout: share of the runs that are made without anything remembered, to see whether the memory helps, in
            [0, 1]; None is 0.1 from the 20th run of a scope and task type on.
        reward_threshold: rewards from here on need no reflection, in [-1, 1].
        output: type of the answer: a pydantic model, a dataclass, a `TypedDict`, any other type that
            `pydantic.TypeAdapter` takes, or a JSON Schema as a dict. Candidates are JSON texts; `candidate.value` and
            `result.output` are objects of the type. What does not validate is a finding with a place, and critics see
            only candidates that validate (`OutputCritiquer`).
        lease_s: seconds after its last sign of life for which a process keeps its runs, more than 0. After that another
            process may resume them; a process of this machine that is gone loses them at once.
        record_calls: what is kept of every call of a model, in the result and with the run in the journal: "redacted"
            masks secrets as the memory does, "full" keeps the texts as they are, "off" keeps nothing.
        sink: receives the runtime's events if the pipeline creates its system.

    Each component is any object with the method, a plain (async) function, or a language model or its name, such as
    "openai:gpt-4o-mini", for the component that asks it, with defaults. Plain functions run in threads. Each
    becomes one supervised actor, and each run one `ReflectionLoop` actor.

    Each call of a component, `approve`, a stop rule or a tool's parser runs in its own copy of the context
    (`contextvars`) of whoever called `run`, `stream`, `resume`, `run_many` or `observe`. A pipeline works only in the
    event loop in which it was entered.

    Raises:
        ConfigurationError: an argument can never work. Nothing has started.
    """

    @overload
    def __init__(
        self,
        generator: AnyGenerator | LanguageModel | str | None = ...,
        critiquer: AnyJudge | Sequence[AnyJudge] | None = ...,
        reviser: AnyReviser | LanguageModel | str | None = ...,
        memory: Memory = ...,
        config: LoopConfig | None = ...,
        system: ActorSystem | None = ...,
        *,
        output: type[OutputT] | None = ...,
        **options: Unpack[PipelineOptions],
    ) -> None: ...
    @overload
    def __init__(
        self,
        generator: AnyGenerator | LanguageModel | str | None = ...,
        critiquer: AnyJudge | ValueCritic[OutputT] | Sequence[AnyJudge | ValueCritic[OutputT]] | None = ...,
        reviser: AnyReviser | LanguageModel | str | None = ...,
        memory: Memory = ...,
        config: LoopConfig | None = ...,
        system: ActorSystem | None = ...,
        *,
        output: type[OutputT],
        **options: Unpack[PipelineOptions],
    ) -> None: ...
    @overload
    def __init__(
        self: Pipeline[Any],
        generator: AnyGenerator | LanguageModel | str | None = ...,
        critiquer: AnyJudge | ValueCritic[Any] | Sequence[AnyJudge | ValueCritic[Any]] | None = ...,
        reviser: AnyReviser | LanguageModel | str | None = ...,
        memory: Memory = ...,
        config: LoopConfig | None = ...,
        system: ActorSystem | None = ...,
        *,
        output: object,
        **options: Unpack[PipelineOptions],
    ) -> None: ...
    def __init__(  # noqa: PLR0917 - the order of the public contract
        self,
        generator: AnyGenerator | LanguageModel | str | None = None,
        critiquer: AnyJudge | ValueCritic[Any] | Sequence[AnyJudge | ValueCritic[Any]] | None = None,
        reviser: AnyReviser | LanguageModel | str | None = None,
        memory: Memory = None,
        config: LoopConfig | None = None,
        system: ActorSystem | None = None,
        *,
        name: str | None = None,
        recall_by: Literal["prompt", "critique"] = "prompt",
        reflector: AnyReflector | bool | None = None,
        mode: ReflectionMode = "lite",
        approve: Approve | None = None,
        journal: bool | None = None,
        max_concurrency: int | None = None,
        max_lessons: int | None = None,
        max_lesson_tokens: int | None = None,
        learn_from: LearnFrom = "known",
        max_examples: int = 50,
        max_examples_shown: int = 2,
        holdout: float | None = None,
        reward_threshold: float = 0.3,
        output: object = None,
        lease_s: float = 30.0,
        record_calls: RecordCalls = "redacted",
        sink: Sink | None = None,
    ) -> None:
        if critiquer is None and output is None:
            raise ConfigurationError(
                "a pipeline needs a critiquer, which decides when a candidate is good enough, or an output type"
            )
        self.config = LoopConfig() if config is None else checked("config", config, LoopConfig)
        self._output = None if output is None else output_type(output)
        generator, reviser = generator_of(generator), reviser_of(reviser)
        if isinstance(critiquer, list | tuple):
            critics = [critiquer_of(one) for one in cast("Sequence[AnyJudge]", critiquer)]
            judge = PanelCritiquer(critics) if self._output is None else OutputCritiquer(self._output, critics)
        else:
            judge = None if critiquer is None else critiquer_of(cast("AnyJudge", critiquer))
            judge = judge if self._output is None else OutputCritiquer(self._output, judge)
        if reviser is None:
            asked: object = getattr(generator, "asked_model", None)
            reviser = reviser_of(cast("LanguageModel | None", asked))
        self._hosts = [ComponentHost("critiquer", judge, "critique", as_critique)]
        self._uses_attempts = getattr(generator, "uses_attempts", False) is True
        self._longest_prompt = _LONGEST_PROMPT
        self._has_generator = generator is not None
        if generator is not None:
            self._hosts.append(ComponentHost("generator", generator, "generate", as_candidates))
            longest: object = getattr(generator, "longest_prompt", None)
            self._longest_prompt = min(_LONGEST_PROMPT, longest) if isinstance(longest, int) else _LONGEST_PROMPT
        if reviser is not None:
            self._hosts.append(ComponentHost("reviser", reviser, "revise", as_revision))
        if reflector is not None and reflector is not False:
            reflector = Reflector() if reflector is True else reflector
            self._hosts.append(ComponentHost("reflector", reflector, "reflect", as_reflection))
        self._observer = Reflector() if reflector is None or reflector is False else reflector
        if mode not in ("lite", "full"):
            raise ConfigurationError(f'mode must be "lite" or "full", got {describe(mode)}')
        self._mode: ReflectionMode = mode
        if recall_by not in ("prompt", "critique"):
            raise ConfigurationError(f'recall_by must be "prompt" or "critique", got {recall_by!r}')
        self._recall_by: Literal["prompt", "critique"] = recall_by
        self._approve = None if approve is None else method_of(approve, "approve")
        check_max_concurrency(max_concurrency)
        self.learning: Final = LearningOptions(
            max_lessons=max_lessons,
            max_lesson_tokens=max_lesson_tokens,
            learn_from=learn_from,
            max_examples=max_examples,
            max_examples_shown=max_examples_shown,
            holdout=holdout,
            reward_threshold=reward_threshold,
        )
        self._must_be_journaled = journal is True
        self._turns = None if max_concurrency is None else Turns(max_concurrency)
        self._refs: dict[str, ActorRef] = {}
        self._parts: LoopParts | None = None
        self._observing: set[asyncio.Timeout] = set()
        self._episodes: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # that are being observed
        super().__init__(
            "pipeline",
            name=name,
            system=system,
            memory=memory,
            journal=journal,
            lease_s=lease_s,
            sink=sink,
            record_calls=record_calls,
        )
        self._reflection_log = ReflectionLog(self._system.emit)

    # -- life --------------------------------------------------------------------------------------

    async def _start_actors(self) -> None:
        for host in self._hosts:
            host.reset()
        components = ChildSpec(
            id="components",
            start=(
                Supervisor,
                ([component_spec(host, f"{self.name}.{host.name}") for host in self._hosts],),
                {"max_restarts": 200, "max_seconds": 1.0},
            ),
            type="supervisor",
            name=f"{self.name}.components",
        )
        await self._start_top(components)
        for host in self._hosts:
            self._refs[host.name] = self._named(f"{self.name}.{host.name}")
        self._parts = LoopParts(
            critiquer=self._refs["critiquer"],
            reviser=self._refs.get("reviser"),
            redrafts=self._uses_attempts and "reviser" not in self._refs,
            generator=self._refs.get("generator"),
            memory=None,
            config=self.config,
            policy=self._policy(self._approve, is_typed=self._output is not None),
            reflector=self._refs.get("reflector"),
            mode=self._mode,
            reward_threshold=self.learning.reward_threshold,
            must_be_journaled=self._must_be_journaled,
            approve=self._approve,
            reflection_log=self._reflection_log,
            output=self._output,
        )

    def _closing(self) -> list[Callable[[], Awaitable[object]]]:
        now = asyncio.get_running_loop().time()
        for limit in self._observing:
            if not limit.expired():  # otherwise its clean-up is under way
                limit.reschedule(now)
        return [self._runs.closed, *(host.close for host in self._hosts), self._stop_top]

    def use_critiquer(self, critiquer: AnyCritiquer) -> AnyCritiquer:
        """Let another critiquer judge in place of this pipeline's, and return the one so far.

        Raises:
            ConfigurationError: it is running.
        """
        if self.running_in is not None:
            raise ConfigurationError(f"{self.name} is running; its critiquer cannot be replaced")
        before = cast("AnyCritiquer", self._hosts[0].component)
        self._hosts[0] = ComponentHost("critiquer", critiquer, "critique", as_critique)
        return before

    # -- runs --------------------------------------------------------------------------------------

    async def run(
        self,
        prompt: str,
        initial_candidate: Candidate | str | None = None,
        *,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
    ) -> ReflectionResult[OutputT]:
        """Judge and revise until a stop rule ends the run, and return the result.

        Component failures do not raise: the result holds the stop reason and the error. Cancelling the caller cancels
        the run.

        Args:
            approve: asked instead of the pipeline's.

        Raises:
            ConfigurationError: the prompt is blank, there is neither a candidate nor a generator, or without a journal
                a run of that id is in flight here.
            RunClaimedError: with a journal, a run of that id and scope is in flight, here or in another process.
        """
        return await self._run(self._request(prompt, initial_candidate, run_id, scope, metadata, approve=approve))

    async def run_or_resume(
        self,
        prompt: str,
        initial_candidate: Candidate | str | None = None,
        *,
        run_id: str,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
    ) -> ReflectionResult[OutputT]:
        """Run under an id that was never used, continue a run that did not finish, or return its result.

        A run that was interrupted or suspended, or that an error, the deadline or the budget ended, continues as with
        `resume`; of one that is over or was cancelled the result is returned, and nothing is called. So it can be
        called again after any fault.

        Raises:
            ConfigurationError: there is no journal, or the run of that id has another prompt or initial candidate.
            RunClaimedError: the run is in flight, here or in another process. Nothing was called.
        """
        return await self._run_or_resume(
            self._request(prompt, initial_candidate, checked_id(run_id), scope, metadata, approve=approve)
        )

    async def start(
        self,
        prompt: str | None = None,
        initial_candidate: Candidate | str | None = None,
        *,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
        resume: str | None = None,
        decision: Decisions | None = None,
    ) -> RunHandle[ReflectionResult[OutputT], RunEvent]:
        """Start a run that continues whether or not anyone listens, and return its handle.

        Args:
            resume: id of a run to continue, instead of a prompt, candidate, id and metadata for a new one.
            decision: see `resume`; only with `resume`.

        Raises:
            ConfigurationError, NotFoundError, RunClaimedError: as `run` and `resume`.
        """
        request = None
        if resume is None:
            request = self._request(cast("str", prompt), initial_candidate, run_id, scope, metadata, approve=approve)
            request = replace(request, is_watched=True)
        elif not (prompt is initial_candidate is run_id is metadata is None):
            raise ConfigurationError("resume= continues a run as it was: omit prompt, candidate, run_id and metadata")
        return await self._start(request, resume, scope, decision, approve)

    def stream(
        self,
        prompt: str,
        initial_candidate: Candidate | str | None = None,
        *,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
    ) -> AsyncGenerator[RunEvent]:
        """Do as `run`, and yield its events, `RunStopped` with the result last. Leaving early cancels the run.

        The run begins, and errors are raised, with the first event; its context is that of the call of `stream`.
        """

        def request() -> RunRequest:
            made = self._request(prompt, initial_candidate, run_id, scope, metadata, approve=approve)
            return replace(made, is_watched=True)

        return self._stream(request)

    async def run_many(
        self,
        prompts: Sequence[str],
        max_concurrency: int | None = None,
        scope: Scope | None = None,
        progress: bool | Told = False,
    ) -> list[ReflectionResult[OutputT]]:
        """Run all prompts, at most `max_concurrency` at once, and return the results in the order of the prompts.

        With a memory, a run is offered what is known when it begins: with `max_concurrency` the lessons of those beside
        it that have ended by then, with 1 those of all before it; without, all begin at once and are offered none of
        each other's.

        Args:
            progress: True shows a bar on standard error; a function is called with the number of runs done and of all.

        Raises:
            ConfigurationError: a prompt is blank, or `prompts` is one string. Nothing has started.
        """
        check_max_concurrency(max_concurrency)
        if isinstance(prompts, str):
            raise ConfigurationError("prompts must be a sequence of strings, got one string: use run() for one prompt")
        if not isinstance(prompts, Iterable):
            raise ConfigurationError(f"prompts must be a sequence of strings, got {describe(prompts)}")
        requests = [self._request(prompt, None, None, scope, None) for prompt in prompts]
        return await self._run_many(requests, max_concurrency, progress)

    async def observe(self, episode: Episode) -> Reflection:
        """Learn from an attempt by another agent: reflect on it and store the lessons.

        The episode goes to the log, the reflection (and separately its strategy) into memory; without a memory the
        reflection is only returned. An episode with a reflection keeps it, and the reflector is not called. What is
        observed again, under the same id and unchanged, counts once and has the reflection that was made then.

        Raises:
            ConfigurationError: the argument is not an `Episode`, or lacks an agent id or a prompt to be found by.
            ComponentError: the reflector did not return a `Reflection`, or did not answer within `config.timeout_s`.
            StoreError: the memory cannot store it (now).
        """
        if not isinstance(episode, Episode):
            raise ConfigurationError(f"observe needs an Episode, got {describe(episode)}")
        self._check_is_running()
        if not episode.agent_id.strip():
            raise ConfigurationError("an episode needs an agent_id to be stored, got a blank one")
        if self._memory is not None and not episode.prompt.strip():  # refused before a model is called and paid for
            raise ConfigurationError("an episode needs a prompt to be stored, got a blank one")
        key = f"{episode.scope.tenant}/{episode.scope.project}/{episode.id}"
        async with self._episodes.setdefault(key, asyncio.Lock()):
            reflection = episode.reflection
            if reflection is None and self._memory is not None:
                reflection = await earlier_reflection(self._memory, episode)
            if reflection is None:
                reflection = await self.reflection_on(episode)
            if self._memory is not None:
                await remember(self._memory, [episode.replace(reflection=reflection)], self._reflection_log)
            return reflection

    async def reflection_on(self, episode: Episode) -> Reflection:
        """Reflect on an attempt by another agent, and store nothing. Raises `ComponentError` as `observe`."""
        self._reflection_log.started(episode)
        limit = asyncio.timeout(self.config.timeout_s)
        try:
            async with limit:
                self._observing.add(limit)
                reflection = await reflected_outside(self._observer, episode)
        except Exception as error:
            self._reflection_log.failed(episode, type(error).__name__)
            if limit.expired() and isinstance(error, TimeoutError):
                when = "before the pipeline closed" if self._is_closing else f"within {self.config.timeout_s:g} s"
                raise ComponentError(f"the reflector did not answer {when}", component="reflector") from error
            raise
        finally:
            self._observing.discard(limit)
        self._reflection_log.made(episode, reflection)
        return reflection

    async def critique(self, prompt: str, candidate: Candidate | str, scope: Scope | None = None) -> CritiqueResult:
        """Judge one candidate, with the retries and time limits of a run; nothing is revised or written.

        Raises:
            ConfigurationError: as `run`.
            ComponentError: the critiquer failed, or did not answer in time.
        """
        request = self._request(prompt, candidate, None, scope, None)
        assert self._parts is not None
        assert request.initial is not None
        now = asyncio.get_running_loop().time
        spending = Spending(self.config.budget, spent=None, now=now, outer=request.outer)
        calls = RunCalls(request, self._parts, lambda _: None, spending)
        calls.begin(now() + self.config.timeout_s)
        try:
            async with asyncio.timeout(self.config.timeout_s):
                critique = await calls.critique(request.initial, 0)
        except TimeoutError as error:
            message = f"the candidate was not judged within {self.config.timeout_s:g} s"
            raise ComponentError(message, component="critiquer") from error
        if isinstance(critique, Stop):
            fault = critique.error
            said = critique.reason.value if fault is None else f"{fault.kind}: {fault.message}"
            failure = ComponentError(f"the candidate could not be judged: {said}", component="critiquer")
            raise failure from refusal_of(critique)
        return critique

    def check_request(
        self,
        prompt: str,
        initial_candidate: Candidate | str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        """Raise `ConfigurationError` if `run` would refuse these arguments."""
        self._request(prompt, initial_candidate, run_id, None, metadata)

    def uses(self) -> tuple[object, ...]:
        """Return the components, and the components and models that they use, each once."""
        return tuple(used_by(host.component for host in self._hosts))

    def budgets(self) -> list[tuple[Budget | None, tuple[object, ...]]]:
        return [(self.config.budget, self.uses())] if self.config.budget is not None else []

    @property
    def output(self) -> OutputType[Any] | None:
        """The type of its answers; None for texts."""
        return self._output

    @property
    def journal(self) -> RunJournal | None:
        """The journal of its runs; None without one."""
        return self._journal

    # -- inside ------------------------------------------------------------------------------------

    def _request(
        self,
        prompt: str,
        initial: Candidate | str | None,
        run_id: str | None,
        scope: Scope | None,
        metadata: Mapping[str, Any] | None,
        *,
        approve: Approve | None = None,
    ) -> RunRequest:
        if not isinstance(prompt, str) or not prompt.strip():
            raise ConfigurationError(f"the prompt must be a string that is not blank, got {describe(prompt)}")
        longest = self._longest_prompt if initial is None else _LONGEST_PROMPT
        if len(prompt) > longest:
            raise ConfigurationError(f"the prompt has {len(prompt)} characters; the maximum is {longest}")
        if initial is None and not self._has_generator:
            raise ConfigurationError("the pipeline has no generator: pass an initial_candidate")
        if initial is not None and not isinstance(initial, str | Candidate):
            raise ConfigurationError(f"initial_candidate must be a Candidate or a str, got {describe(initial)}")
        if initial is not None and self._journal is not None:
            said = too_large("initial_candidate has", initial, "give less, or the name of a file")
            if said is not None:
                raise ConfigurationError(said)
        known_id, data, place = checked_run_id(run_id), checked_metadata(metadata), checked_scope(scope)
        self._check_is_running()
        return RunRequest(
            run_id=known_id or new_id("run"),
            prompt=prompt,
            initial=Candidate(initial) if isinstance(initial, str) else initial,
            scope=place,
            metadata=data,
            approve=self._approve if approve is None else method_of(approve, "approve"),
        )

    def _resumed(self, recorded: RecordedRun, decision: Decisions | None, approve: Approve | None) -> RunRequest:
        answer = None
        if decision is not None:
            (answer,) = answers_of(
                decision, recorded.questions, run_id=recorded.run_id, status=str(recorded.status)
            ).values() or [None]
        return RunRequest(
            recorded.run_id,
            recorded.prompt,
            recorded.initial,
            recorded.scope,
            recorded.metadata,
            approve=self._approve if approve is None else method_of(approve, "approve"),
            decision=answer,
        )

    def _repeated(self, request: RunRequest, recorded: RecordedRun) -> RunRequest:
        if not recorded.is_of(request.prompt, request.initial):
            raise ConfigurationError(
                f"run {recorded.run_id!r} exists and has another prompt or initial candidate; use another run_id, "
                "or resume() to continue it as it is"
            )
        return request

    def _new_runs(self, memory: ReflexionMemory | None, leases: Leases | None) -> LoopRuns:
        self._journal = None if memory is None else RunJournal(memory)
        return LoopRuns(
            self.name,
            self._journal,
            leases,
            self._record_calls,
            parts_of=self._parts_for,
            turns=self._turns,
            leaving_s=2 * self.config.step_timeout_s,
            output=self._output,
        )

    def _parts_for(self, run: ActiveRun[RunRequest, RecordedRun, ReflectionResult[Any], RunEvent]) -> LoopParts:
        parts, request = self._parts, run.request
        assert parts is not None
        form = None if request.wishes is None else request.wishes.form
        if request.approve is not parts.approve or form is not None:
            policy = self._policy(request.approve, is_typed=self._output is not None or form is not None)
            parts = replace(parts, approve=request.approve, policy=policy, output=self._output or form, form=form)
        if self._memory is None:  # they hold nothing of one run
            return parts
        return replace(parts, memory=self._run_memory(self._memory, parts.output), journal=self._runs.lines(run))

    def _policy(self, approve: Approve | None, *, is_typed: bool) -> Policy:
        """Return the policy of runs; where a person approves each revision, none is replaced by a fresh candidate."""
        can_regenerate = self._uses_attempts and approve is None
        return policy_of(self.config, can_regenerate=can_regenerate, is_typed=is_typed)

    def _run_memory(self, memory: ReflexionMemory, output: OutputType[Any] | None) -> RunMemory:
        return RunMemory(
            memory,
            self.config,
            by=self._recall_by,
            log=self._reflection_log,
            options=self.learning,
            schema=None if output is None else schema_digest(output.plain),
        )


@overload
async def reflect(
    prompt: str,
    initial_candidate: Candidate | str | None = ...,
    *,
    critiquer: AnyJudge | Sequence[AnyJudge],
    output: None = ...,
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[str]: ...
@overload
async def reflect(
    prompt: str,
    initial_candidate: Candidate | str | None = ...,
    *,
    critiquer: AnyJudge | Sequence[AnyJudge] | None = ...,
    output: type[OutputT],
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[OutputT]: ...
@overload
async def reflect(
    prompt: str,
    initial_candidate: Candidate | str | None = ...,
    *,
    critiquer: AnyJudge | ValueCritic[OutputT] | Sequence[AnyJudge | ValueCritic[OutputT]] | None = ...,
    output: type[OutputT],
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[OutputT]: ...
@overload
async def reflect(
    prompt: str,
    initial_candidate: Candidate | str | None = ...,
    *,
    critiquer: AnyJudge | ValueCritic[Any] | Sequence[AnyJudge | ValueCritic[Any]] | None = ...,
    output: object,
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[Any]: ...
async def reflect(
    prompt: str,
    initial_candidate: Candidate | str | None = None,
    *,
    critiquer: AnyJudge | ValueCritic[Any] | Sequence[AnyJudge | ValueCritic[Any]] | None = None,
    reviser: AnyReviser | LanguageModel | str | None = None,
    generator: AnyGenerator | LanguageModel | str | None = None,
    memory: Memory = None,
    config: LoopConfig | None = None,
    system: ActorSystem | None = None,
    output: object = None,
    run_id: str | None = None,
    scope: Scope | None = None,
    metadata: Mapping[str, Any] | None = None,
    **options: Unpack[PipelineOptions],
) -> ReflectionResult[Any]:
    """Run one prompt through a temporary pipeline; the arguments are those of `Pipeline` and `Pipeline.run`.

    Args:
        options: other arguments of `Pipeline`, such as `reflector` or `approve`.
    """
    async with Pipeline(generator, critiquer, reviser, memory, config, system, output=output, **options) as pipeline:
        return await pipeline.run(prompt, initial_candidate, run_id=run_id, scope=scope, metadata=metadata)


@overload
def reflect_sync(
    prompt: str,
    initial_candidate: Candidate | str | None = ...,
    *,
    critiquer: AnyJudge | Sequence[AnyJudge],
    output: None = ...,
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[str]: ...
@overload
def reflect_sync(
    prompt: str,
    initial_candidate: Candidate | str | None = ...,
    *,
    critiquer: AnyJudge | Sequence[AnyJudge] | None = ...,
    output: type[OutputT],
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[OutputT]: ...
@overload
def reflect_sync(
    prompt: str,
    initial_candidate: Candidate | str | None = ...,
    *,
    critiquer: AnyJudge | ValueCritic[OutputT] | Sequence[AnyJudge | ValueCritic[OutputT]] | None = ...,
    output: type[OutputT],
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[OutputT]: ...
@overload
def reflect_sync(
    prompt: str,
    initial_candidate: Candidate | str | None = ...,
    *,
    critiquer: AnyJudge | ValueCritic[Any] | Sequence[AnyJudge | ValueCritic[Any]] | None = ...,
    output: object,
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[Any]: ...
def reflect_sync(
    prompt: str,
    initial_candidate: Candidate | str | None = None,
    *,
    critiquer: AnyJudge | ValueCritic[Any] | Sequence[AnyJudge | ValueCritic[Any]] | None = None,
    output: object = None,
    **options: Unpack[ReflectOptions],
) -> ReflectionResult[Any]:
    """Do as `reflect`, for scripts without an event loop.

    Raises:
        ConfigurationError: an event loop is running; await `reflect` instead, or under trio call this in a thread.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        other = _other_library()
        if other is not None:
            way = f"await {other}.to_thread.run_sync(partial(reflect_sync, ...))"
            raise ConfigurationError(f"the event loop of {other} is running here: use `{way}`") from None
        return asyncio.run(reflect(prompt, initial_candidate, critiquer=critiquer, output=output, **options))
    raise ConfigurationError("an event loop is running here: use `await reflect(...)`")


def _other_library() -> str | None:
    """Return "trio" or another library than asyncio whose event loop runs in this thread; None without one."""
    sniffio: Any = sys.modules.get("sniffio")  # imported by those that can run
    return None if sniffio is None else getattr(sniffio.thread_local, "name", None)
