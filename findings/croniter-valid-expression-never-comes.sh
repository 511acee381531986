#!/usr/bin/env bash
# croniter 7.0.0: is_valid is true for a date that no year has, 30 February; only get_next raises. match tells that
# half past the minute is the minute itself.
# Guess: an expression without a date is not valid; 00:00:30 is no match for 0 0 * * *.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "croniter==7.0.0" 2>/dev/null
cat > "$folder/program.py" <<'PY'
from datetime import datetime

from croniter import CroniterBadDateError, croniter

print(croniter.is_valid("0 0 30 2 *"), croniter.is_valid("0 0 32 1 *"))
try:
    print(croniter("0 0 30 2 *", datetime(2026, 1, 1)).get_next(datetime))
except CroniterBadDateError as error:
    print(type(error).__name__)
print(croniter.match("0 0 * * *", datetime(2026, 11, 1, 0, 0, 30)))
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="True False
CroniterBadDateError
True"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
