"""Projects in which a name that looks unused is used: from another file, by a text, or by what its import does."""

from __future__ import annotations

from harm_project import Project

__all__ = ["PROJECTS"]

PROJECTS = (
    Project(
        name="a_compat_module_imports_a_name_for_its_neighbour",
        tempts="F401",
        same=("pkg/compat.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/compat.py
from json import dumps

VERSION = 3
--- pkg/user.py
from pkg.compat import dumps


def write(value):
    return dumps(value)
--- test_it.py
from pkg.user import write


def test_it_writes():
    assert write([1]) == "[1]"
""",
    ),
    Project(
        name="a_compat_module_holds_nothing_but_an_import",
        tempts="F401",
        same=("pkg/compat.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/compat.py
import json
--- pkg/user.py
from .compat import json


def write(value):
    return json.dumps(value)
--- test_it.py
from pkg.user import write


def test_it_writes():
    assert write([1]) == "[1]"
""",
    ),
    Project(
        name="a_compat_module_hands_on_a_bundled_package",
        tempts="F401",
        same=("pkg/compat.py", "pkg/packages/__init__.py", "pkg/packages/detect/__init__.py"),
        text=r'''
--- pkg/__init__.py
from .models import guess
--- pkg/compat.py
"""Names that differ between Pythons."""

from .packages import detect

import sys

is_py3 = sys.version_info[0] == 3

if is_py3:
    from urllib.parse import quote, urlencode
    text_type = str
--- pkg/models.py
from .compat import detect, quote, text_type


def guess(data):
    return detect.detect(data), quote(text_type("a b"))
--- pkg/packages/__init__.py
from . import detect
--- pkg/packages/detect/__init__.py
def detect(data):
    return "ascii"
--- test_it.py
import pkg


def test_it_guesses():
    assert pkg.guess(b"") == ("ascii", "a%20b")
''',
    ),
    Project(
        name="a_package_re_exports_under_a_comment_that_says_so",
        tempts="F401",
        same=("pkg/__init__.py", "pkg/api.py"),
        text=r'''
--- pkg/__init__.py
"""A package."""

# Public names, kept for those who import them from here.
from .api import run, stop
--- pkg/api.py
"""The old place of these names."""

# backwards compatibility: imported here since 1.0
from .core import run, stop
--- pkg/core.py
def run():
    return 1


def stop():
    return 0
--- test_it.py
import pkg
import pkg.api


def test_the_names_are_public():
    assert pkg.run() == pkg.api.run() == 1
    assert pkg.stop() == pkg.api.stop() == 0
''',
    ),
    Project(
        name="a_probe_for_an_optional_module_imports_it_only_to_see",
        tempts="F401",
        same=("features.py",),
        text=r"""
--- features.py
try:
    import module_that_nobody_has
except ImportError:
    HAS_IT = False
else:
    HAS_IT = True
--- test_it.py
import features


def test_it_is_not_there():
    assert features.HAS_IT is False
""",
    ),
    Project(
        name="a_fallback_import_is_taken_by_others",
        tempts="F401",
        same=("pkg/backport.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/backport.py
try:
    from module_that_nobody_has import OrderedDict
except ImportError:
    from collections import OrderedDict
--- pkg/user.py
from pkg import backport

EMPTY = backport.OrderedDict()
--- test_it.py
from pkg.user import EMPTY


def test_it_is_empty():
    assert len(EMPTY) == 0
""",
    ),
    Project(
        name="a_lazy_import_names_it_in_a_string",
        tempts="F401",
        same=("pkg/impl.py",),
        text=r"""
--- pkg/__init__.py
from importlib import import_module

_WHERE = {"decode": "pkg.impl", "encode": "pkg.impl"}


def __getattr__(name):
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(name)
--- pkg/impl.py
from json import loads as decode

from json import dumps as encode

READY = True
--- test_it.py
import pkg


def test_names_are_found_lazily():
    assert pkg.decode(pkg.encode([1])) == [1]
""",
    ),
    Project(
        name="a_star_import_takes_it_through_the_package",
        tempts="F401",
        same=("pkg/base.py",),
        text=r"""
--- pkg/__init__.py
from .base import *  # noqa: F403
--- pkg/base.py
from math import floor, sqrt

HALF = 0.5
--- pkg/shapes.py
from pkg import *  # noqa: F403


def side(area):
    return floor(sqrt(area)) + HALF  # noqa: F405
--- test_it.py
from pkg.shapes import side


def test_it_measures():
    assert side(16) == 4.5
""",
    ),
    Project(
        name="all_is_computed_from_the_globals",
        tempts="F401",
        same=("pkg/__init__.py",),
        text=r"""
--- pkg/__init__.py
from .core import first, second

__all__ = [name for name in globals() if not name.startswith("_") and name != "core"]
--- pkg/core.py
first, second = 1, 2
--- test_it.py
import pkg


def test_all_has_both():
    assert sorted(pkg.__all__) == ["first", "second"]
""",
    ),
    Project(
        name="all_is_extended_by_a_name_of_the_caller",
        tempts="F401",
        same=("pkg/names.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/names.py
from pkg.core import first, second

__all__ = []
__all__.extend(["fir" + "st", "sec" + "ond"])
--- pkg/core.py
first, second = 1, 2
--- test_it.py
def test_a_star_import_has_both():
    names = {}
    exec("from pkg.names import *", names)
    assert (names["first"], names["second"]) == (1, 2)
""",
    ),
    Project(
        name="a_test_patches_it_by_its_path",
        tempts="F401",
        same=("pkg/client.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/client.py
import socket
import time


def now():
    return time.time()
--- test_it.py
from unittest import mock

from pkg import client


def test_nothing_is_opened():
    with mock.patch("pkg.client.socket") as patched, mock.patch.object(client, "time") as clock:
        clock.time.return_value = 7
        assert client.now() == 7
    assert not patched.called
""",
    ),
    Project(
        name="plugins_register_by_being_imported",
        tempts="F401",
        same=("app.py",),
        text=r"""
--- registry.py
PLUGINS = []
--- plugin_a.py
from registry import PLUGINS

PLUGINS.append("a")
--- plugin_b.py
import registry

registry.PLUGINS.append("b")
--- app.py
import plugin_a
import plugin_b
from registry import PLUGINS


def names():
    return sorted(PLUGINS)
--- test_it.py
import app


def test_both_are_registered():
    assert app.names() == ["a", "b"]
""",
    ),
    Project(
        name="an_import_inside_a_function_registers_handlers",
        tempts="F401",
        same=("app/__init__.py",),
        text=r"""
--- app/__init__.py
HANDLERS = {}


def create_app():
    from app import views

    return HANDLERS
--- app/views.py
from app import HANDLERS

HANDLERS["/"] = "index"
--- test_it.py
from app import create_app


def test_the_view_is_there():
    assert create_app() == {"/": "index"}
""",
    ),
    Project(
        name="an_import_patches_the_library",
        tempts="F401",
        same=("main.py",),
        text=r"""
--- library.py
def greet():
    return "hello"
--- patches.py
import library

library.greet = lambda: "patched"
--- main.py
import patches
import library


def run():
    return library.greet()
--- test_it.py
import main


def test_the_patch_is_there():
    assert main.run() == "patched"
""",
    ),
    Project(
        name="type_comments_use_the_typing_import",
        tempts="F401",
        same=("pkg.py",),
        text=r"""
--- pkg.py
from typing import Dict, List, Optional


def count(words, start=None):
    # type: (List[str], Optional[int]) -> Dict[str, int]
    counts = {}  # type: Dict[str, int]
    for word in words:
        counts[word] = counts.get(word, start or 0) + 1
    return counts
--- test_it.py
import ast
from pathlib import Path

import pkg


def test_type_comments_can_be_resolved():
    source = Path(pkg.__file__).read_text()
    (function,) = [n for n in ast.parse(source, type_comments=True).body if isinstance(n, ast.FunctionDef)]
    signature = ast.parse(function.type_comment, mode="func_type")
    for node in [*signature.argtypes, signature.returns]:
        eval(compile(ast.Expression(node), "", "eval"), vars(pkg))
    assert pkg.count(["a", "a"]) == {"a": 2}
""",
    ),
    Project(
        name="a_doctest_uses_the_import",
        tempts="F401",
        same=("shapes.py",),
        text=r'''
--- shapes.py
import math


def double(number):
    """Return twice the number.

    >>> double(math.floor(2.5))
    4
    """
    return 2 * number
--- test_it.py
import doctest

import shapes


def test_the_examples_hold():
    result = doctest.testmod(shapes)
    assert (result.failed, result.attempted) == (0, 1)
''',
    ),
    Project(
        name="an_annotation_in_a_string_of_another_file_names_it",
        tempts="F401",
        same=("pkg/models.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/models.py
from decimal import Decimal
from fractions import Fraction


def field(kind):
    return kind


class Price:
    amount = field("Decimal")
    share = field("Fraction")
--- pkg/resolve.py
import sys


def kind_of(cls, name):
    return eval(getattr(cls, name), vars(sys.modules[cls.__module__]))
--- test_it.py
from decimal import Decimal
from fractions import Fraction

from pkg.models import Price
from pkg.resolve import kind_of


def test_kinds_are_resolved_where_the_class_is():
    assert kind_of(Price, "amount") is Decimal
    assert kind_of(Price, "share") is Fraction
""",
    ),
    Project(
        name="get_type_hints_of_a_subclass_elsewhere_needs_the_name",
        tempts="F401",
        same=("pkg/base.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/base.py
from datetime import date


class Base:
    pass


def annotate(cls, **kinds):
    cls.__annotations__ = kinds
    cls.__module__ = __name__
    return cls
--- pkg/event.py
from typing import get_type_hints

from pkg.base import Base, annotate


class Event(Base):
    pass


annotate(Event, when="date")


def kinds():
    return get_type_hints(Event)
--- test_it.py
from datetime import date

from pkg.event import kinds


def test_hints_are_resolved():
    assert kinds() == {"when": date}
""",
    ),
    Project(
        name="an_expression_in_a_string_needs_the_name",
        tempts="F401",
        same=("formula.py",),
        text=r"""
--- formula.py
from math import ceil, floor


def compute(expression, x):
    return eval(expression, globals(), {"x": x})
--- test_it.py
from formula import compute


def test_functions_can_be_named():
    assert compute("floor(x) + ceil(x)", 1.5) == 3
""",
    ),
    Project(
        name="an_annotation_is_read_at_run_time_though_type_checking_would_do",
        tempts="TC003",
        same=("model.py",),
        text=r"""
--- pyproject.toml
[tool.ruff]
unsafe-fixes = true

[tool.ruff.lint]
select = ["TC"]
--- model.py
from __future__ import annotations

from decimal import Decimal
from typing import get_type_hints


class Price:
    amount: Decimal


def kinds():
    return get_type_hints(Price)
--- test_it.py
from decimal import Decimal

from model import kinds


def test_hints_are_resolved():
    assert kinds() == {"amount": Decimal}
""",
    ),
    Project(
        name="old_pickles_name_the_old_place",
        tempts="F401",
        same=("pkg/old.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/old.py
from pkg.new import Point
--- pkg/new.py
class Point:
    x = 1
--- test_it.py
import pickle

OLD = b"cpkg.old\nPoint\n."


def test_old_pickles_can_be_read():
    assert pickle.loads(OLD).x == 1
""",
    ),
    Project(
        name="an_entry_point_of_the_project_names_it",
        tempts="F401",
        same=("pkg/cli.py",),
        text=r"""
--- pyproject.toml
[project]
name = "thing"
version = "1"

[project.scripts]
thing = "pkg.cli:main"
--- pkg/__init__.py
--- pkg/cli.py
from pkg.run import main
--- pkg/run.py
def main():
    return 0
--- test_it.py
import importlib
import tomllib
from pathlib import Path


def test_the_script_can_be_started():
    project = tomllib.loads((Path(__file__).parent / "pyproject.toml").read_text())
    module, _, name = project["project"]["scripts"]["thing"].partition(":")
    assert getattr(importlib.import_module(module), name)() == 0
""",
    ),
    Project(
        name="a_settings_file_names_it",
        tempts="F401",
        same=("pkg/hooks.py",),
        text=r"""
--- settings.json
{"on_start": "pkg.hooks.prepare"}
--- pkg/__init__.py
--- pkg/hooks.py
from pkg.work import prepare

ENABLED = True
--- pkg/work.py
def prepare():
    return "ready"
--- test_it.py
import importlib
import json
from pathlib import Path


def test_the_hook_is_found():
    path = json.loads((Path(__file__).parent / "settings.json").read_text())["on_start"]
    module, _, name = path.rpartition(".")
    assert getattr(importlib.import_module(module), name)() == "ready"
""",
    ),
    Project(
        name="a_conftest_imports_its_fixtures",
        tempts="F401",
        same=("conftest.py",),
        needs_pytest=True,
        text=r"""
--- conftest.py
from shared_fixtures import account
--- shared_fixtures.py
import pytest


@pytest.fixture
def account():
    return {"owner": "me"}
--- test_it.py
def test_the_fixture_is_there(account):
    assert account["owner"] == "me"
""",
    ),
    Project(
        name="a_package_imports_a_submodule_so_that_others_need_not",
        tempts="F401",
        same=("pkg/core.py",),
        text=r"""
--- pkg/__init__.py
from . import core
--- pkg/core.py
import pkg.extra.tools

READY = True
--- pkg/extra/__init__.py
--- pkg/extra/tools.py
def use():
    return "used"
--- test_it.py
import pkg


def test_the_submodule_is_there():
    assert pkg.extra.tools.use() == "used"
""",
    ),
    Project(
        name="a_future_import_is_handed_on",
        tempts="UP010",
        same=("pkg/compat.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/compat.py
from __future__ import division, print_function

TEXT = "text"
--- pkg/user.py
from pkg.compat import TEXT, division

FLAGS = division.compiler_flag if TEXT else 0
--- test_it.py
from pkg.user import FLAGS


def test_the_flag_is_known():
    assert FLAGS
""",
    ),
    Project(
        name="a_name_is_taken_from_the_module_by_attribute",
        tempts="F401",
        same=("pkg/compat.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/compat.py
from io import BytesIO, StringIO

PY3 = True
--- pkg/user.py
import pkg.compat as c


def buffers():
    return c.BytesIO(), vars(c)["StringIO"]()
--- test_it.py
from pkg.user import buffers


def test_there_are_two():
    assert len(buffers()) == 2
""",
    ),
    Project(
        name="a_variable_keeps_an_object_alive",
        tempts="F841",
        same=("guard.py",),
        text=r"""
--- guard.py
HELD = []


class Guard:
    def __init__(self):
        HELD.append(self.__class__.__name__)

    def __del__(self):
        HELD.pop()


def held():
    guard = Guard()
    return list(HELD)
--- test_it.py
from guard import HELD, held


def test_it_is_held_to_the_end():
    assert held() == ["Guard"]
    assert HELD == []
""",
    ),
    Project(
        name="a_template_reads_the_variables_of_its_caller",
        tempts="F841",
        same=("page.py",),
        text=r"""
--- template.py
import sys


def render(text):
    return text.format(**sys._getframe(1).f_locals)
--- page.py
from template import render


def page():
    title = "Home"
    count = len(title)
    return render("{title}: {count}")
--- test_it.py
from page import page


def test_the_variables_are_seen():
    assert page() == "Home: 4"
""",
    ),
    Project(
        name="a_loop_variable_of_a_module_is_imported_by_another",
        tempts="B007",
        same=("versions.py",),
        text=r"""
--- versions.py
COUNT = 0
for latest in ("1.0", "2.0"):
    COUNT += 1
--- user.py
from versions import latest

TEXT = "v" + latest
--- test_it.py
from user import TEXT


def test_it_is_the_last():
    assert TEXT == "v2.0"
""",
    ),
    Project(
        name="an_import_is_unused_where_a_redefinition_follows",
        tempts="F811",
        same=("pkg/quick.py",),
        text=r"""
--- pkg/__init__.py
--- pkg/slow.py
from pkg import log


def work():
    return "slow"


log.SEEN.append("slow")
--- pkg/log.py
SEEN = []
--- pkg/quick.py
from pkg.slow import work


def work():
    return "quick"
--- test_it.py
from pkg import log, quick


def test_the_import_was_seen():
    assert quick.work() == "quick"
    assert log.SEEN == ["slow"]
""",
    ),
)
