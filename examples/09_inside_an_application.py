"""Inside an application: a pipeline starts once, runs as long as the application, and serves many callers at once.

Failures stay with their caller: a component that crashes is restarted and called again, a caller that disconnects
cancels only its own run, and a run that is cancelled early returns its best candidate.

$ python examples/09_inside_an_application.py
reviser failed: lost the connection; retrying
anna: accepted, "a short answer."
ben: accepted, "a quick answer."
carl: disconnected, run cancelled
dora: cancelled, "a slow answer"
answers.reviser: running, restarts: 1
"""

from __future__ import annotations

import asyncio

from jido_ai import Candidate, ComponentRestarted, CritiqueResult, LoopConfig, Pipeline, RunContext, RunStopped
from jido_ai.actors import ActorSystem


async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    """Report a text that does not end with a full stop."""
    if "slow" in candidate.content and context.iteration:
        await asyncio.sleep(60)  # a model that takes its time
    is_whole = candidate.content.endswith(".")
    return CritiqueResult(severity=0.0 if is_whole else 0.6, issues=[] if is_whole else ["no full stop"])


class Reviser:
    """Adds the missing full stop. Its first call fails, as a network call may."""

    def __init__(self) -> None:
        self.calls = 0

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        self.calls += 1
        if self.calls == 1:
            raise RuntimeError("lost the connection")
        return f"{candidate.content}."


async def answer(pipeline: Pipeline, caller: str, draft: str) -> str:
    """Serve one caller, as a request handler would."""
    async for event in pipeline.stream("answer in a sentence", draft, run_id=caller):
        match event:
            case ComponentRestarted(component=component, error=error):
                print(f"{component} failed: {error}; retrying")
            case RunStopped(result=result):
                text = result.best_candidate.content if result.best_candidate else None
                return f'{caller}: {result.stop_reason.value}, "{text}"'
            case _:
                pass
    raise AssertionError("a stream ends with RunStopped")


async def main() -> None:
    async with (
        ActorSystem("application") as system,
        Pipeline(None, judge, Reviser(), system=system, name="answers", config=LoopConfig(timeout_s=30)) as pipeline,
    ):
        carl = asyncio.create_task(answer(pipeline, "carl", "a slow reply"))
        dora = asyncio.create_task(answer(pipeline, "dora", "a slow answer"))
        drafts = {"anna": "a short answer", "ben": "a quick answer"}
        for line in await asyncio.gather(*(answer(pipeline, *each) for each in drafts.items())):
            print(line)
        carl.cancel()  # the caller has disconnected
        await asyncio.wait({carl})
        print("carl: disconnected, run cancelled")
        await pipeline.cancel("dora")
        print(await dora)
        for node in pipeline.tree().walk():
            if node.restarts:
                print(f"{node.name}: {node.status}, restarts: {node.restarts}")


if __name__ == "__main__":
    asyncio.run(main())
