"""Projects that declare an old Python, or in which the order of imports is part of the program."""

from __future__ import annotations

from harm_project import Project

__all__ = ["PROJECTS"]

# What every Python since 2.7 can read; a fix for a newer one is tempting in each line.
OLD_TEXT = r"""
--- old.py
class Base(object):
    def name(self):
        return "base"


class Child(Base):
    def name(self):
        return "{0}-{1}".format("child", super(Child, self).name())


def label(name, count):
    return "{}: {}".format(name, count) + " %s" % (name,)
--- test_it.py
import ast
from pathlib import Path

import old


def test_it_labels():
    assert old.label("a", 1) == "a: 1 a"
    assert old.Child().name() == "child-base"


def test_no_f_string_is_written():
    tree = ast.parse(Path(old.__file__).read_text())
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
"""

PROJECTS = (
    Project(
        name="setup_py_declares_python_3_5",
        tempts="UP032",
        text=OLD_TEXT
        + r"""
--- setup.py
from setuptools import setup

setup(name="old", version="1", py_modules=["old"], python_requires=">=3.5")
""",
    ),
    Project(
        name="setup_cfg_declares_python_2_7",
        tempts="UP008",
        same=("old.py",),
        text=OLD_TEXT
        + r"""
--- setup.cfg
[metadata]
name = old
version = 1

[options]
py_modules = old
python_requires = >=2.7,!=3.0.*,!=3.1.*
--- setup.py
from setuptools import setup

setup()
""",
    ),
    Project(
        name="only_the_classifiers_tell_python_2",
        tempts="UP004",
        same=("old.py",),
        text=OLD_TEXT
        + r"""
--- setup.py
import io

from setuptools import setup

CLASSIFIERS = [
    "Programming Language :: Python :: 2",
    "Programming Language :: Python :: 2.7",
    "Programming Language :: Python :: 3",
]

if __name__ == "__main__":
    setup(name="old", version="1", py_modules=["old"], classifiers=CLASSIFIERS)
""",
    ),
    Project(
        name="only_tox_tells_python_3_5",
        tempts="UP032",
        text=OLD_TEXT
        + r"""
--- tox.ini
[tox]
envlist = py35,py36,py{37,38}

[testenv]
commands = pytest
""",
    ),
    Project(
        name="a_poetry_project_declares_python_3_5",
        tempts="UP032",
        text=OLD_TEXT
        + r"""
--- pyproject.toml
[tool.poetry]
name = "old"
version = "1"

[tool.poetry.dependencies]
python = "^3.5"
""",
    ),
    Project(
        name="a_timeout_of_a_socket_is_its_own_before_3_10",
        tempts="UP041",
        same=("net.py",),
        text=r"""
--- pyproject.toml
[project]
name = "net"
version = "1"
requires-python = ">=3.8"
--- net.py
import asyncio
import socket


def read(call):
    try:
        return call()
    except socket.timeout:
        return None


async def wait(call):
    try:
        return await call()
    except asyncio.TimeoutError:
        return None
--- test_it.py
import socket
from pathlib import Path

import net


def test_a_timeout_is_none():
    def late():
        raise socket.timeout

    assert net.read(late) is None
    assert "except socket.timeout:" in Path(net.__file__).read_text()
""",
    ),
    Project(
        name="a_timeout_of_a_socket_in_a_setup_py_of_3_6",
        tempts="UP041",
        same=("net.py",),
        text=r"""
--- setup.py
import setuptools

REQUIRES = ">=3.6"
setuptools.setup(name="net", version="1", py_modules=["net"], python_requires=REQUIRES)
--- net.py
import socket


def read(call):
    try:
        return call()
    except (socket.timeout, ValueError):
        return None
--- test_it.py
from pathlib import Path

import net


def test_the_name_is_kept():
    assert net.read(int) == 0
    assert "socket.timeout" in Path(net.__file__).read_text()
""",
    ),
    Project(
        name="half_a_modernisation_of_types_fails_at_run_time",
        tempts="UP006",
        same=("schema.py",),
        text=r"""
--- pyproject.toml
[project]
name = "schema"
version = "1"
requires-python = ">=3.8"
--- schema.py
from __future__ import annotations

from typing import Dict, List, Optional, get_type_hints


class Order:
    items: List[int]
    names: Dict[str, str]
    owner: Optional[str]


def kinds():
    return get_type_hints(Order)


Items = List[int]
--- test_it.py
import re
from pathlib import Path

import schema


def test_the_types_are_those_of_3_8():
    assert list(schema.kinds()) == ["items", "names", "owner"]
    source = Path(schema.__file__).read_text()
    assert not re.search(r"\b(list|dict)\[|\| None", source)
""",
    ),
    Project(
        name="a_constant_of_3_11_is_not_there_on_3_8",
        tempts="UP017",
        same=("clock.py",),
        text=r"""
--- pyproject.toml
[project]
name = "clock"
version = "1"
requires-python = ">=3.8"

[tool.ruff.lint]
select = ["UP", "F"]
--- clock.py
import datetime as dt
import functools


@functools.lru_cache(maxsize=None)
def zone():
    return dt.timezone.utc
--- test_it.py
from pathlib import Path

import clock


def test_names_of_3_8_are_used():
    source = Path(clock.__file__).read_text()
    assert clock.zone().utcoffset(None).total_seconds() == 0
    assert "dt.UTC" not in source
    assert "functools.cache" not in source.replace("lru_cache", "")
""",
    ),
    Project(
        name="a_branch_for_an_old_python_is_still_needed",
        tempts="UP036",
        same=("compat.py",),
        text=r"""
--- setup.py
from setuptools import setup

setup(name="compat", version="1", py_modules=["compat"], python_requires=">=2.7")
--- compat.py
import sys

if sys.version_info[0] >= 3:
    text = str
else:
    text = unicode  # noqa: F821

if sys.version_info < (3, 0):
    from io import open
--- test_it.py
from pathlib import Path

import compat


def test_both_branches_are_there():
    source = Path(compat.__file__).read_text()
    assert compat.text is str
    assert "unicode" in source
    assert "from io import open" in source
""",
    ),
    Project(
        name="a_future_import_means_something_on_python_2",
        tempts="UP010",
        same=("ratio.py",),
        text=r"""
--- setup.cfg
[metadata]
name = ratio
classifiers =
    Programming Language :: Python :: 2.7
    Programming Language :: Python :: 3
--- ratio.py
# -*- coding: utf-8 -*-
from __future__ import absolute_import, division, print_function, unicode_literals

NAME = u"Größe"


def ratio(a, b):
    return a / b
--- test_it.py
from pathlib import Path

import ratio


def test_the_first_lines_are_kept():
    lines = Path(ratio.__file__).read_text("utf-8").splitlines()
    assert ratio.ratio(1, 2) == 0.5
    assert lines[0] == "# -*- coding: utf-8 -*-"
    assert "division" in lines[1]
""",
    ),
    Project(
        name="an_import_stands_below_the_path_it_needs",
        tempts="I001",
        text=r"""
--- lib/helper.py
def help_me():
    return "helped"
--- run.py
import os
import sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
import helper
import abc


def main():
    return helper.help_me(), abc.__name__
--- test_it.py
from run import main


def test_it_is_found():
    assert main() == ("helped", "abc")
""",
    ),
    Project(
        name="an_import_sets_the_path_for_the_next",
        tempts="I001",
        same=("run.py",),
        text=r"""
--- lib/a_helper.py
def help_me():
    return "helped"
--- z_paths.py
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
--- run.py
import z_paths
import a_helper


def main():
    return a_helper.help_me(), z_paths.__name__
--- test_it.py
from run import main


def test_it_is_found():
    assert main() == ("helped", "z_paths")
""",
    ),
    Project(
        name="imports_of_a_package_are_in_the_order_of_need",
        tempts="I001",
        same=("graph/__init__.py",),
        text=r"""
--- graph/__init__.py
from graph.zeta import *
from graph.base import Graph
from graph.algorithms import *
from graph import convert
--- graph/zeta.py
LIMIT = 3
--- graph/base.py
from graph import LIMIT


class Graph:
    limit = LIMIT
--- graph/algorithms.py
import graph

EMPTY = graph.Graph()
--- graph/convert.py
from graph import EMPTY

SAME = EMPTY
--- test_it.py
import graph


def test_it_imports():
    assert graph.convert.SAME.limit == 3
""",
    ),
    Project(
        name="one_import_patches_what_the_next_takes",
        tempts="I001",
        same=("main.py",),
        text=r"""
--- worker.py
import library

sleep = library.sleep
--- library.py
def sleep():
    return "blocks"
--- zz_monkey.py
import library

library.sleep = lambda: "yields"
--- main.py
import zz_monkey
import worker


def run():
    return worker.sleep(), zz_monkey.__name__
--- test_it.py
from main import run


def test_the_patch_is_first():
    assert run()[0] == "yields"
""",
    ),
    Project(
        name="the_last_star_import_wins",
        tempts="I001",
        same=("names.py",),
        text=r"""
--- z_defaults.py
COLOUR = "grey"
SIZE = 1
--- a_theme.py
COLOUR = "red"
--- names.py
from z_defaults import *
from a_theme import *
--- test_it.py
import names


def test_the_theme_wins():
    assert (names.COLOUR, names.SIZE) == ("red", 1)
""",
    ),
    Project(
        name="a_name_is_imported_twice_and_the_second_wins",
        tempts="I001",
        text=r"""
--- choose.py
from pathlib import PurePath as Place
from collections import OrderedDict as Place


def make():
    return Place(a=1)
--- test_it.py
from choose import make


def test_it_is_a_mapping():
    assert make() == {"a": 1}
""",
    ),
    Project(
        name="a_backend_is_chosen_before_it_is_used",
        tempts="E402",
        text=r"""
--- backend.py
CHOSEN = []


def use(name):
    CHOSEN.append(name)
--- drawing.py
from backend import CHOSEN

BACKEND = CHOSEN[-1] if CHOSEN else "window"
--- plot.py
import backend
backend.use("file")
import drawing
import os


def where():
    return drawing.BACKEND, os.sep
--- test_it.py
from plot import where


def test_it_draws_to_a_file():
    assert where()[0] == "file"
""",
    ),
)
