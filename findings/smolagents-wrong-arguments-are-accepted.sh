#!/usr/bin/env bash
# smolagents 1.26.0, LocalPythonExecutor: functions that the code defines take any arguments. A missing one, one too
# many, an unknown name and a value given twice are no TypeError; the function runs. Guess: TypeError, which the agent
# would read and mend.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "smolagents==1.26.0" 2>/dev/null
cat > "$folder/program.py" <<'PY'
from smolagents.local_python_executor import LocalPythonExecutor


def run(code):
    executor = LocalPythonExecutor(additional_authorized_imports=[])
    executor.send_tools({})
    return executor(code).output


for call in ("total()", "total(1, 2)", "total(1, currency=2)"):
    print(run(f"""
def total(price):
    return "ran"

{call}
"""))
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="ran
ran
ran"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
