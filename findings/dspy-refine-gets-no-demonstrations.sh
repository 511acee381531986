#!/usr/bin/env bash
# dspy 3.4.1: BootstrapFewShot compiles a module that is wrapped in Refine without an error, and leaves it
# without a demonstration; the same module alone gets them. Refine runs copies, whose calls name no predictor of the student.
# Guess: the predictor inside gets the demonstrations of the runs that the metric accepts, or compile says that it cannot.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "dspy==3.4.1" 2>/dev/null
cat > "$folder/program.py" <<'PY'
import os

os.environ["DSPY_CACHEDIR"] = os.path.join(os.path.dirname(__file__), "cache")
import dspy
from dspy.utils.dummies import DummyLM

dspy.configure(lm=DummyLM([{"answer": "yes"}] * 50))
examples = [dspy.Example(question=f"Is {n} a number?", answer="yes").with_inputs("question") for n in range(3)]


def right(example, prediction, trace=None):
    return prediction.answer == example.answer


def compiled(module):
    return dspy.BootstrapFewShot(metric=right, max_labeled_demos=0).compile(module, trainset=examples)


plain = compiled(dspy.Predict("question -> answer"))
refined = compiled(
    dspy.Refine(module=dspy.Predict("question -> answer"), N=2, reward_fn=lambda args, prediction: 1.0, threshold=1.0)
)
for name, module in (("alone", plain), ("in Refine", refined)):
    print(name, [len(predictor.demos) for _, predictor in module.named_predictors()])
print("answers:", refined(question="Is 7 a number?").answer)
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null | tail -3)
expected="alone [3]
in Refine [0]
answers: yes"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
