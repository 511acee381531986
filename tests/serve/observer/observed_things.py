"""Pipelines and graphs with a script in the place of models, for looking at the observer's page."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.panel import PanelCritiquer
from jido_ai.errors import ModelUnavailableError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import ApprovalNode, LoopNode, StepNode
from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing.scripted_model import ScriptedModel
from jido_ai.values import SUSPEND, Candidate, CompletionRequest, CritiqueResult, Issue, LoopConfig

HOSTILE: Final = '<img src=x onerror="document.title=1"> \u202egnp.exe\u202c <b>bold</b> \x00 ' + "w" * 300

DRAFTS: Final = (
    "Supervision is a way to handle errors. A process crashes and then it is started again by other process. "
    "It is very good because it is simple and everyone likes it.",
    "Supervision is a way to handle errors. When a process crashes, its supervisor starts it again from a known "
    "state. It is very good because it is simple and everyone likes it.",
    "Supervision keeps errors small. When a process crashes, its supervisor starts it again from a known "
    "state. The rest of the program never sees the failure, and the log names the cause.",
    "Supervision keeps errors small. When a process crashes, its supervisor starts it again from a known good "
    "state, at most three times in five seconds. The rest of the program never sees the failure, and the log "
    "names the cause.",
)
_ISSUES: Final = (
    ("“other process” needs an article", "“very good” says nothing", "the claim “everyone likes it” has no source"),
    ("“very good” says nothing", "the claim “everyone likes it” has no source"),
    ("restarts without a limit are not mentioned", "“other process” needs an article"),
    (),
)
_SEVERITIES: Final = (0.82, 0.61, 0.4, 0.12)


def _usage(calls: int, tokens_in: int, tokens_out: int) -> dict[str, Any]:
    cost = round(tokens_in * 0.5e-6 + tokens_out * 3e-6, 6)
    return {"usage": {"calls": calls, "input_tokens": tokens_in, "output_tokens": tokens_out, "cost_usd": cost}}


class Essay:
    """Improves a text in steps that are written down."""

    def __init__(self, pause_s: float = 0.0) -> None:
        self.pause_s = pause_s

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        await asyncio.sleep(self.pause_s)
        return Candidate(DRAFTS[0], metadata=_usage(1, 640, 210))

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await asyncio.sleep(self.pause_s)
        at = DRAFTS.index(candidate.content)
        issues = [Issue(message, severity=_SEVERITIES[at], source="model:scripted") for message in _ISSUES[at]]
        return CritiqueResult(severity=_SEVERITIES[at], issues=issues, metadata=_usage(1, 910, 120))

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        await asyncio.sleep(self.pause_s)
        return Candidate(DRAFTS[DRAFTS.index(candidate.content) + 1], metadata=_usage(1, 1_120, 260))


class Wobble:
    """Ends as the prompt says: "plateau", "worse", "limit"; a number is the number of iterations."""

    async def generate(self, prompt: str, context: RunContext) -> str:
        return f"0 {'one two three four five six seven '}{prompt}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        index = int(candidate.content.split()[0])
        prompt = context.prompt
        severity = 0.9 - index * 0.005
        if prompt.startswith("plateau"):
            severity = (0.9, 0.5, 0.49, 0.49)[min(index, 3)]
        elif prompt.startswith("worse"):
            severity = (0.6, 0.4, 0.8, 0.9)[min(index, 3)]
        issues = [f"issue {index // 3} of line {index}", f"issue {index} is new"]
        return CritiqueResult(severity=severity, issues=issues, metadata=_usage(1, 300 + index, 90))

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        index = int(candidate.content.split()[0]) + 1
        words = " ".join(f"word{(index * 7 + place * place) % 97}" for place in range(60))
        return f"{index} {words}"


class Gate:
    """A critiquer that waits until it is let go; closed at first."""

    def __init__(self) -> None:
        self.open = asyncio.Event()

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await self.open.wait()
        return CritiqueResult(severity=0.1)


class Hostile:
    """Everything that it says is hostile."""

    async def generate(self, prompt: str, context: RunContext) -> str:
        return f"first {HOSTILE}"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        good = "second" in candidate.content
        issue = Issue(HOSTILE, source=HOSTILE, rule=HOSTILE, severity=0.9)
        return CritiqueResult(severity=0.1 if good else 0.9, issues=[] if good else [issue], feedback=HOSTILE)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return f"second {HOSTILE} is here"


async def _failing(candidate: Candidate, context: RunContext) -> CritiqueResult:
    raise RuntimeError(f"the judge fell ill {HOSTILE}")


def _said(request: CompletionRequest) -> str:
    return "\n".join(message.content for message in request.messages)


def _verdict(severity: float, feedback: str, *issues: str) -> str:
    found = [{"message": message, "severity": severity} for message in issues]
    return json.dumps({"severity": severity, "issues": found, "suggestions": [], "feedback": feedback})


def _strict(request: CompletionRequest) -> str:
    """Judge by a calendar without leap years, which is wrong."""
    if "29 days" in _said(request):
        return _verdict(0.9, "2023 is no leap year, so February has 28 days.", "the number of days is wrong: it is 28")
    return _verdict(0.0, "Right: 28 days.")


def _kind(request: CompletionRequest) -> str:
    return _verdict(0.1, "Short and clear.")


def _down(request: CompletionRequest) -> str:
    raise ModelUnavailableError("the provider answered with status 500: 'internal'", provider="scripted", model="down")


_INVOICE: Final[dict[str, Any]] = {
    "number": 12345678901234567890,
    "items": [{"name": "apple, [red]", "price": 0.50}, {"name": "pear", "price": 1}, {"name": "plum", "price": -2.0}],
}
_ITEM: Final = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "price": {"type": "number", "minimum": 0}},
    "required": ["name", "price"],
}
_BILL: Final = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "items": {"type": "array", "items": _ITEM}},
    "required": ["items"],
}


def _hostile(request: CompletionRequest) -> str:
    return HOSTILE if "JSON" not in _said(request) else _verdict(0.1, HOSTILE)


def modelled() -> dict[str, Pipeline]:
    """Return pipelines of models: one with a critic that is wrong, one whose critic is down, one that is hostile."""
    first = ScriptedModel(lambda _: "February 2023 has 29 days.", model="writer", base_url="http://127.0.0.1:1")
    second = ScriptedModel(lambda _: "February 2023 has 28 days.", model="reviser")
    strict, kind = ScriptedModel(_strict, model="strict"), ScriptedModel(_kind, model="kind")
    panel = PanelCritiquer([LLMCritiquer(strict), LLMCritiquer(kind)])
    typist = ScriptedModel(lambda _: json.dumps(_INVOICE), model="typist")
    fixer = ScriptedModel(lambda _: json.dumps({"items": [*_INVOICE["items"][:2], {"name": "plum", "price": 2.0}]}))
    down, evil = ScriptedModel(_down, model="down"), ScriptedModel(_hostile, model=HOSTILE)
    return {
        "calendar": Pipeline(LLMGenerator(first), panel, LLMReviser(second), name="calendar"),
        "down": Pipeline(
            LLMGenerator(first), LLMCritiquer(down), LLMReviser(second), config=LoopConfig(step_retries=1), name="down"
        ),
        "typed": Pipeline(LLMGenerator(typist), None, LLMReviser(fixer), output=_BILL, name="typed"),
        "evil": Pipeline(LLMGenerator(evil), LLMCritiquer(evil), LLMReviser(evil), name="evil"),
    }


def observed_things(*, pause_s: float = 0.0) -> dict[str, Pipeline | Graph]:
    """Return what the page is looked at with; to be called in the event loop of the server."""
    essay, wobble, gate, hostile = Essay(pause_s), Wobble(), Gate(), Hostile()
    long = LoopConfig(max_iterations=100, policy="documented", stop_rules=(), timeout_s=300.0)
    return {
        **modelled(),
        "essay": Pipeline(essay, essay, essay, config=LoopConfig(max_iterations=5), name="essay", reflector=True),
        "wobble": Pipeline(wobble, wobble, wobble, config=LoopConfig(max_iterations=6), name="wobble"),
        "long": Pipeline(wobble, wobble, wobble, config=long, name="long"),
        "waits": Pipeline(essay, gate, essay, name="waits"),
        "asks": Pipeline(
            essay, essay, essay, config=LoopConfig(max_iterations=4), name="asks", approve=lambda *_: SUSPEND
        ),
        "fails": Pipeline(essay, _failing, essay, config=LoopConfig(step_retries=1), name="fails"),
        "hostile": Pipeline(hostile, hostile, hostile, name="hostile", reflector=True),
        "letter": Graph(
            {
                "outline": LoopNode("Outline {topic}", critiquer=essay, generator=essay, reviser=essay),
                "facts": StepNode(_facts, inputs={"topic": "{topic}"}),
                "draft": LoopNode(
                    "Write it: {outline} {facts}",
                    critiquer=essay,
                    generator=essay,
                    reviser=essay,
                    config=LoopConfig(max_iterations=5),
                ),
                "sign_off": ApprovalNode("{draft}"),
            },
            inputs=["topic"],
            output="sign_off",
            name="letter",
        ),
    }


async def _facts(topic: str) -> str:
    return f"three facts about {topic}"
