#!/usr/bin/env bash
# smolagents 1.26.0, LocalPythonExecutor: a function without a return statement gives the value of its last
# expression, not None. A test such as `if validate(x) is None` takes the other branch. Guess: None.
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


print(run("""
def note(items):
    items.append("seen")
    len(items)

note([])
"""))
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="1"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
