#!/usr/bin/env bash
# SQLAlchemy 2.1.9: None in a column of type JSON is written as the JSON text null. It comes back as None, and neither
# is_(None) nor == None finds it; a row in which the column was left out is found.
# Guess: None is NULL, as in every other type.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/v"
"$folder/v/bin/pip" install -q --disable-pip-version-check "SQLAlchemy==2.1.9" 2>/dev/null
cat > "$folder/program.py" <<'PY'
import sqlalchemy as sa

engine, meta = sa.create_engine("sqlite://"), sa.MetaData()
table = sa.Table("t", meta, sa.Column("id", sa.Integer), sa.Column("note", sa.JSON), sa.Column("text", sa.Text))
meta.create_all(engine)
with engine.begin() as db:
    db.execute(table.insert(), [{"id": 1, "note": None, "text": None}])
    db.execute(table.insert(), [{"id": 2, "text": None}])
    print([row.note for row in db.execute(sa.select(table).order_by(table.c.id))])
    for column in (table.c.note, table.c.text):
        print([row.id for row in db.execute(sa.select(table).where(column.is_(None)).order_by(table.c.id))])
PY
seen=$("$folder/v/bin/python" "$folder/program.py" 2>/dev/null)
expected="[None, None]
[2]
[1, 2]"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "this has changed"; exit 1; }
