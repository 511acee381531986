#!/usr/bin/env bash
# smolagents 1.26.0, LocalPythonExecutor: a lambda made in a loop keeps the value that the variable had then (Python:
# the last one), and a default argument that is a list is made anew at each call (Python: once). Code that is right in
# one is wrong in the other. Guess: Python's rules.
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
steps = [lambda: number for number in range(3)]
[step() for step in steps]
"""))
print(run("""
def seen(item, so_far=[]):
    so_far.append(item)
    return len(so_far)

seen("a")
seen("b")
"""))
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="[0, 1, 2]
1"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
