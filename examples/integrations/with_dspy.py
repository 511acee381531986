"""Run a DSPy module again until its prediction is accepted.

$ python examples/integrations/with_dspy.py
answer: Supervisors are a good idea, useful.
"""

import dspy
from dspy.utils.dummies import DummyLM

from jido_ai import Candidate, CritiqueResult, RunContext
from jido_ai.integrations.dspy import ReflectiveModule

drafts = ["Supervisors are a very good idea, really useful.", "Supervisors are a good idea, useful."]
lm = DummyLM([{"answer": draft} for draft in drafts])  # your own model


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    answer = candidate.value.answer  # the text of the candidate, here; candidate.value is the dspy.Prediction
    issues = [f"{word!r} says nothing" for word in ("very", "really") if word in answer]
    return CritiqueResult(severity=0.4 * len(issues), issues=issues)


dspy.configure(lm=lm)
writer = ReflectiveModule(dspy.Predict("task -> answer"), critiquer=judge)
print("answer:", writer(task="Praise supervisors.").answer)
