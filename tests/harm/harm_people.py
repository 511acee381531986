"""Projects in which people have decided: by configuration, by comment, by where a file is, by a broken sample."""

from __future__ import annotations

from harm_project import Project

__all__ = ["PROJECTS"]

UNUSUAL = r"""
--- unusual.py
import os, sys
from math import *

l = lambda x: x == None


def size(items=[]):
    return len(items) if not items == None else -1
--- test_it.py
from pathlib import Path

import unusual

TEXT = Path(__file__).with_name("unusual.py").read_text()


def test_it_works():
    assert unusual.size([1]) == 1
    assert unusual.l(None)


def test_the_way_it_is_written_was_decided():
    assert TEXT.startswith("import os, sys\nfrom math import *\n")
    assert "l = lambda x: x == None\n" in TEXT
    assert "if not items == None else -1" in TEXT
"""

SAMPLE = r"""
--- check.py
import ast


def comparisons_with_none(source):
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
            found.append(node.lineno)
    return found
"""

PROJECTS = (
    Project(
        name="setup_cfg_tells_flake8_what_to_leave",
        tempts="E711",
        same=("unusual.py",),
        text=UNUSUAL
        + r"""
--- setup.cfg
[flake8]
max-line-length = 100
ignore = E401,E711,E731,E741,F401,F403,B006,I001,SIM,W,F,E
""",
    ),
    Project(
        name="tox_ini_tells_flake8_what_to_leave",
        tempts="E711",
        same=("unusual.py",),
        text=UNUSUAL
        + r"""
--- tox.ini
[tox]
envlist = py311

[flake8]
# decided in 2019
extend-ignore =
    E401, # two imports in a line
    E711,E731,E741
    F401,F403
    B,I,SIM
""",
    ),
    Project(
        name="a_flake8_file_leaves_one_file_alone",
        tempts="E711",
        same=("unusual.py",),
        text=UNUSUAL
        + r"""
--- .flake8
[flake8]
per-file-ignores =
    unusual.py: E401,E711,E731,E741,F401,F403,B006,I001,SIM201
""",
    ),
    Project(
        name="flake8_selects_little",
        tempts="E711",
        same=("unusual.py",),
        text=UNUSUAL
        + r"""
--- setup.cfg
[flake8]
select = E9,F63,F7,F82
""",
    ),
    Project(
        name="ruff_may_not_fix_what_it_finds",
        tempts="F401",
        same=("keep.py",),
        text=r"""
--- pyproject.toml
[tool.ruff.lint]
select = ["F", "I", "E"]
unfixable = ["F401", "F841", "I001", "E711"]
--- keep.py
import zlib
import json


def same(value):
    unused = 3
    return value == None
--- test_it.py
from pathlib import Path

import keep


def test_all_is_kept():
    assert "unused = 3" in Path(keep.__file__).read_text()
    assert keep.zlib.crc32(b"") == 0
    assert keep.json.dumps(keep.same(None)) == "true"
""",
    ),
    Project(
        name="ruff_leaves_some_files_to_themselves",
        tempts="F401",
        same=("old/keep.py", "samples/keep.py"),
        text=r"""
--- pyproject.toml
[tool.ruff]
extend-exclude = ["samples"]

[tool.ruff.lint]
select = ["F", "I"]

[tool.ruff.lint.per-file-ignores]
"old/*" = ["F401", "I001"]
--- old/__init__.py
--- old/keep.py
import zlib
import json
--- samples/__init__.py
--- samples/keep.py
import zlib
import json
--- test_it.py
import old.keep
import samples.keep


def test_the_names_are_there():
    assert old.keep.zlib is samples.keep.zlib
    assert old.keep.json is samples.keep.json
""",
    ),
    Project(
        name="comments_for_other_tools_stay",
        tempts="F401",
        same=("quiet.py", "silent.py"),
        text=r"""
--- quiet.py
import json  # noqa
import zlib  # noqa: F401
import os, sys  # noqa: E401, F401, I001
import abc  # pylint: disable=unused-import
import ast  # NOQA:F401


def same(value):
    return value == None  # noqa: E711 - a column


def close(call):
    try:
        call()
    except:  # noqa: B001,E722
        return 0
--- silent.py
# flake8: noqa
import json
import zlib
--- test_it.py
import quiet
import silent


def test_all_names_are_there():
    for name in ("json", "zlib", "os", "sys", "abc", "ast"):
        assert hasattr(quiet, name)
    assert silent.json is quiet.json
    assert silent.zlib is quiet.zlib


def test_an_exit_is_swallowed():
    assert quiet.close(exit) == 0
""",
    ),
    Project(
        name="isort_and_fmt_are_switched_off",
        tempts="",
        same=("ordered.py", "aligned.py"),
        text=r"""
--- z_first.py
import a_state

a_state.VALUES.append(1)
--- a_state.py
VALUES = []
--- b_second.py
from a_state import VALUES

COUNT = len(VALUES)
--- ordered.py
# isort: skip_file
import z_first
import b_second

COUNT = b_second.COUNT + len(z_first.__name__) * 0
--- aligned.py
# isort: off
import z_first
import b_second
# isort: on

# fmt: off
TABLE = [1,0,
         0,1]
# fmt: on
USED = z_first, b_second
--- test_it.py
import ordered


def test_the_order_is_kept():
    assert ordered.COUNT == 1
""",
    ),
    Project(
        name="a_sample_is_wrong_on_purpose",
        tempts="E711",
        same=("tests/data/none.py", "tests/data/style/E711.py"),
        tests="tests",
        text=SAMPLE
        + r"""
--- tests/data/none.py
def wrong(value):
    return value == None


def wrong_too(value, more=[]):
    return value == None
--- tests/data/style/E711.py
#: E711
if res == None:
    pass
#: Okay
if res is None:
    pass
--- tests/test_check.py
from pathlib import Path

from check import comparisons_with_none

DATA = Path(__file__).parent / "data"


def test_both_are_found():
    assert comparisons_with_none((DATA / "none.py").read_text()) == [2, 6]
    assert comparisons_with_none((DATA / "style" / "E711.py").read_text()) == [2]
""",
    ),
    Project(
        name="a_sample_does_not_parse_on_purpose",
        tempts="",
        same=("samples/broken.py", "samples/python2.py", "samples/tabs.py"),
        text=r"""
--- check.py
import ast


def parses(source):
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
--- samples/broken.py
def broken(:
    import os
    return f"nothing"
--- samples/python2.py
import os, sys
print "text"
--- samples/tabs.py
if True:
        x = 1
	y = 2
--- test_it.py
from pathlib import Path

from check import parses

SAMPLES = Path(__file__).parent / "samples"


def test_none_parses():
    assert not any(parses(path.read_text()) for path in SAMPLES.iterdir())
""",
    ),
    Project(
        name="a_golden_file_is_compared_line_by_line",
        tempts="F401",
        same=("fixtures/input.py", "fixtures/expected.py"),
        text=r"""
--- fixtures/input.py
import os
import sys
x = [ 1,2 ]
--- fixtures/expected.py
import os
import sys
x = [1, 2]
--- tidy.py
def tidy(text):
    return text.replace("[ ", "[").replace(" ]", "]").replace(",", ", ")
--- test_it.py
from pathlib import Path

from tidy import tidy

HERE = Path(__file__).parent / "fixtures"


def test_it_is_tidied():
    assert tidy((HERE / "input.py").read_text()) == (HERE / "expected.py").read_text()
    assert len((HERE / "input.py").read_text().splitlines()) == 3
""",
    ),
    Project(
        name="a_file_is_generated",
        tempts="F401",
        same=("table_pb2.py", "lexer.py"),
        text=r"""
--- table_pb2.py
# -*- coding: utf-8 -*-
# Generated by the protocol buffer compiler.  DO NOT EDIT!
import sys
import json
TABLE = {'a' : 1}
--- generate.py
def generate():
    return (
        "# -*- coding: utf-8 -*-\n"
        "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n"
        "import sys\nimport json\nTABLE = {'a' : 1}\n"
    )
--- lexer.py
# This file is automatically generated by make_lexer.py; do not edit it by hand.
import re, sys
STATES = dict(start=[])
--- test_it.py
from pathlib import Path

from generate import generate


def test_it_is_what_is_generated():
    assert Path(__file__).with_name("table_pb2.py").read_text() == generate()
    assert "import re, sys" in Path(__file__).with_name("lexer.py").read_text()
""",
    ),
    Project(
        name="other_peoples_code_is_bundled",
        tempts="F401",
        same=("pkg/_vendor/lib.py", "vendor/tool.py", "pkg/packages/thing/__init__.py", "third_party/x.py"),
        text=r"""
--- pkg/__init__.py
--- pkg/_vendor/__init__.py
--- pkg/_vendor/lib.py
import os
import json
def f(a = []): return a == None
--- pkg/packages/__init__.py
--- pkg/packages/thing/LICENSE
Copyright somebody else
--- pkg/packages/thing/__init__.py
import os
import json
NAME = f"thing"
--- vendor/tool.py
import os
import json
--- third_party/x.py
import os
import json
--- pkg/checksum.py
import zlib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def checksum(name):
    return zlib.crc32((ROOT / name).read_bytes())
--- test_it.py
from pkg.checksum import checksum


def test_bundled_files_are_as_they_came():
    assert checksum("pkg/_vendor/lib.py") == zlib_of("import os\nimport json\ndef f(a = []): return a == None\n")
    assert checksum("vendor/tool.py") == checksum("third_party/x.py") == zlib_of("import os\nimport json\n")
    assert checksum("pkg/packages/thing/__init__.py") == zlib_of('import os\nimport json\nNAME = f"thing"\n')


def zlib_of(text):
    import zlib

    return zlib.crc32(text.encode())
""",
    ),
    Project(
        name="a_line_number_is_written_in_a_test",
        tempts="I001",
        same=("fixtures/frames.py",),
        text=r"""
--- trace.py
import sys
import traceback
from pathlib import Path


def line_of(path):
    code = compile(Path(path).read_text(), str(path), "exec")
    try:
        exec(code, {})
    except ValueError:
        return traceback.extract_tb(sys.exc_info()[2])[-1].lineno
--- fixtures/frames.py
import sys
import os

from json import dumps



def fail():
    raise ValueError(os.sep)


fail()
--- test_it.py
from pathlib import Path

from trace import line_of


def test_the_line_is_told():
    assert line_of(Path(__file__).parent / "fixtures" / "frames.py") == 9
""",
    ),
    Project(
        name="a_module_is_for_another_system",
        tempts="F541",
        text=r"""
--- windows.py
import winreg

KEY = f"key"


def read():
    return winreg.OpenKey(None, KEY)
--- lib.py
def load():
    try:
        import windows
    except ImportError:
        return None
    return windows.read()
--- test_it.py
from lib import load


def test_there_is_no_registry_here():
    assert load() is None
""",
    ),
    Project(
        name="a_script_ends_the_program_when_it_is_imported",
        tempts="F541",
        text=r"""
--- bye.py
import sys

sys.exit(f"bye")
--- killed.py
import os

os._exit(0)
--- asks.py
NAME = input(f"name? ")
--- lib.py
def label():
    return f"good"
--- test_it.py
import lib


def test_it_is_good():
    assert lib.label() == "good"
""",
        mended={"lib.py": 'f"good"'},
    ),
    Project(
        name="a_script_runs_for_ever_when_it_is_imported",
        tempts="F541",
        text=r"""
--- serve.py
import time

while True:
    time.sleep(f"" or 0.1)
--- lib.py
def label():
    return f"good"
--- test_it.py
import lib


def test_it_is_good():
    assert lib.label() == "good"
""",
        mended={"lib.py": 'f"good"'},
    ),
    Project(
        name="a_module_writes_beside_itself_when_it_is_imported",
        tempts="F541",
        text=r"""
--- touch.py
from pathlib import Path

(Path(__file__).parent / "touched.txt").write_text(f"touched")
Path("touched_here.txt").write_text("touched")
--- lib.py
def label():
    return f"good"
--- test_it.py
import lib


def test_it_is_good():
    assert lib.label() == "good"
""",
        mended={"lib.py": 'f"good"'},
    ),
    Project(
        name="dead_code_is_kept_for_a_reason",
        tempts="F841",
        same=("keep.py",),
        text=r"""
--- keep.py
import weakref


def watch(make):
    thing = make()  # keep a reference: the library holds only a weak one
    weak = weakref.ref(thing)
    kept = thing
    del thing
    return weak() is not None
--- test_it.py
from keep import watch


class Thing:
    pass


def test_it_is_alive():
    assert watch(Thing)
""",
    ),
    Project(
        name="only_the_readme_says_what_is_public",
        tempts="F401",
        same=("easy/__init__.py", "easy/short.py"),
        text=r"""
--- README.md
# easy

    from easy import load
    from easy.short import quick
--- easy/__init__.py
from easy.main import load
--- easy/short.py
from easy.main import load as quick
from easy.main import save
--- easy/main.py
def load():
    return 1


def save():
    return 2
--- test_it.py
def test_the_readme_holds():
    from easy import load
    from easy.short import quick, save

    assert load() == quick() == 1
    assert save() == 2
""",
    ),
)
