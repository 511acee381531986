#!/usr/bin/env bash
# smolagents 1.26.0: code that an agent writes is run by LocalPythonExecutor, an interpreter of its own. A decorator
# on a function, or staticmethod on a method, is read and has no effect: no error, another result than Python's.
# Guess: applied, or refused like yield and nonlocal are.
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
def louder(function):
    def wrapped():
        return function() + "!"
    return wrapped

@louder
def greet():
    return "hello"

greet()
"""))
print(run("""
class Rate:
    @staticmethod
    def double(value):
        return value

type(Rate().double(21)) is int
"""))
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="hello
False"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
