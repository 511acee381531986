"""Components that ask a language model: one writes, one judges by a checklist, one revises.

Here the model is scripted; replace it with a name such as "openai:gpt-4o-mini", "anthropic:claude-sonnet-4-5" or
"ollama:llama3.2".

$ python examples/06_llm_components.py
critique 0: severity 0.60, says how far in kilometres: 0.4
  not met: no unit
critique 1: severity 0.00, says how far in kilometres: 1.0
accepted: The moon is about 384,400 km away.
4 model calls: 1 to write, 2 to judge, 1 to revise
"""

from __future__ import annotations

import asyncio
import json

from jido_ai import Critiqued, LLMCritiquer, LLMGenerator, LLMReviser, Pipeline, RunStopped
from jido_ai.testing import ScriptedModel

CRITERIA = ["says how far in kilometres", "is one sentence"]


def verdicts(unit_severity: float) -> str:
    """Return a model's answer to a checklist: one verdict per criterion."""
    met = unit_severity == 0.0
    return json.dumps(
        {
            "verdicts": [
                {"criterion": 1, "met": met, "severity": unit_severity, "problem": "" if met else "no unit"},
                {"criterion": 2, "met": True, "severity": 0.0, "problem": ""},
            ],
            "suggestions": [],
            "feedback": "",
        }
    )


WRITER = ScriptedModel(["The moon is about 384,400 away.", "The moon is about 384,400 km away."])
JUDGE = ScriptedModel([verdicts(0.6), verdicts(0.0)])


async def main() -> None:
    pipeline = Pipeline(LLMGenerator(WRITER), LLMCritiquer(JUDGE, criteria=CRITERIA), LLMReviser(WRITER))
    async with pipeline:
        async for event in pipeline.stream("How far is the moon?"):
            match event:
                case Critiqued(iteration=iteration):
                    critique = iteration.critique
                    score = critique.criterion_scores[CRITERIA[0]]
                    print(f"critique {iteration.index}: severity {critique.severity:.2f}, {CRITERIA[0]}: {score:.1f}")
                    for issue in critique.issues:
                        print(f"  not met: {issue.message}")
                case RunStopped(result=result):
                    assert result.best_candidate is not None
                    print(f"{result.stop_reason.value}: {result.best_candidate.content}")
                    print(f"{result.usage.calls} model calls: 1 to write, 2 to judge, 1 to revise")
                case _:
                    pass


if __name__ == "__main__":
    asyncio.run(main())
