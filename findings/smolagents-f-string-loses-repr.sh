#!/usr/bin/env bash
# smolagents 1.26.0, LocalPythonExecutor: the conversion !r in an f-string has no effect, while format specifications
# work. Text and number look alike in what the agent prints to see what it has. Guess: quotes around the text.
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
value = "007"
f"{value!r} {value:>5}"
"""))
print(f"{'007'!r} {'007':>5}")
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="007   007
'007'   007"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
