"""Whether an import that a linter calls unused is needed by the rest of the project."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import dictionaries, integers, sampled_from, text

from jido_ai.improve.project_names import ProjectNames

PACKAGE = {"pkg/__init__.py": "", "tests/test_it.py": "import pkg\n"}


def reason(source: str, name: str = "os", row: int = 1, path: str = "pkg/_mod.py", **others: str) -> str | None:
    """Return the reason for an import in a private module; other files are named by their paths, "__" for "/"."""
    files = {one.replace("__SL__", "/").replace("__DOT__", "."): text for one, text in others.items()}
    return ProjectNames({**PACKAGE, **files, path: source}).reason_to_keep(path, name, row)


def with_other(
    other: str, path: str = "pkg/other.py", source: str = "import os\nx = 1\n", name: str = "os"
) -> str | None:
    return ProjectNames({**PACKAGE, "pkg/_mod.py": source, path: other}).reason_to_keep("pkg/_mod.py", name, 1)


# -- what may go -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "name", "row"),
    [
        ("import os\nx = 1\n", "os", 1),
        ("import os.path\nx = 1\n", "os", 1),
        ("import os, sys\nx = sys.path\n", "os", 1),
        ("import json as js\nx = 1\n", "js", 1),
        ("from collections import OrderedDict\nx = 1\n", "OrderedDict", 1),
        ("from typing import (\n    Dict,\n    List,\n)\nx: List = []\n", "Dict", 2),
        ("from .base import A, B\nx = A\n", "B", 1),
        ("from requests import Session, Request\nx = Session()\n", "Request", 1),
        ("def f():\n    import os\n    return 1\n", "os", 2),
        ("# Standard library\nimport os\nx = 1\n", "os", 2),
        ("# third-party imports\nimport sys\nimport os\nx = sys\n", "os", 3),
        (
            "#!/usr/bin/python\n# Copyright: you may keep and use this, see the API, public licence\nimport os\nx=1\n",
            "os",
            3,
        ),
        ("__all__ = ['x']\nimport os\nx = 1\n", "os", 2),
        ('"""Paths of the os."""\nimport os\nx = "os"\n', "os", 2),
        ("import logging.handlers\nx = 1\n", "logging", 1),
    ],
)
def test_an_import_of_a_private_module_that_nothing_needs_may_go(source: str, name: str, row: int) -> None:
    assert reason(source, name, row) is None


def test_a_plain_import_of_the_standard_library_is_no_interface_of_a_public_module() -> None:
    assert reason("import os\nx = 1\n", path="pkg/mod.py") is None


@pytest.mark.parametrize(
    "path", ["script.py", "tests/test_a.py", "pkg/_private/mod.py", "_pkg/mod.py", "examples/a.py"]
)
def test_a_module_that_no_other_imports_has_no_interface(path: str) -> None:
    packages = {"pkg/_private/__init__.py": "", "_pkg/__init__.py": "", "tests/__init__.py": "", "setup.py": "setup()"}
    files = {**PACKAGE, **packages, path: "from json import dumps\nx = 1\n"}
    assert ProjectNames(files).reason_to_keep(path, "dumps", 1) is None


def test_dunder_all_defines_the_interface() -> None:
    listed = reason("from json import dumps\n__all__ = ['x']\nx = 1\n", "dumps", path="pkg/mod.py")
    assert listed is not None
    assert "others may import it" in listed
    assert reason("from json import dumps\nx = 1\n", "dumps", path="pkg/mod.py") is not None


# -- what the file itself shows --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "name", "row", "word"),
    [
        ("from __future__ import division\n", "division", 1, "__future__"),
        ("import os as os\n", "os", 1, "exports"),
        ("from json import dumps as dumps\n", "dumps", 1, "exports"),
        ("try:\n    import os\nexcept ImportError:\n    os = None\n", "os", 2, "conditional"),
        ("import sys\nif sys.platform == 'x':\n    import os\n", "os", 3, "conditional"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\n", "os", 3, "conditional"),
        ("def f():\n    try:\n        import os\n    except ImportError:\n        pass\n", "os", 3, "conditional"),
        ("with x:\n    import os\n", "os", 2, "conditional"),
        ("class A:\n    import os\n", "os", 2, "class"),
        ("import os\n__all__ = ['os']\n", "os", 1, "__all__"),
        ("import os\n__all__ = ('x', 'os')\n", "os", 1, "__all__"),
        ("import os\n__all__ = []\n__all__ += ['os']\n", "os", 1, "__all__"),
        ("import os\n__all__ = []\n__all__.extend(['os'])\n", "os", 1, "__all__"),
        ("import os\n__all__ = []\n__all__.append('os')\n", "os", 1, "__all__"),
        ("import os\n__all__ = 'x os'.split()\n", "os", 1, "__all__"),
        ("import os\n__all__: list[str] = ['os']\n", "os", 1, "__all__"),
        ("import os\n__all__ = [n for n in dir() if n[0] != '_']\n", "os", 1, "computed"),
        ("import os\nfrom .a import *\nfrom . import a\n__all__ = a.__all__ + ['x']\n", "os", 1, "computed"),
        ("from typing import Dict\nx = {}  # type: Dict[str, int]\n", "Dict", 1, "type comment"),
        ("from typing import Dict\ndef f(a):\n    # type: (Dict) -> None\n    pass\n", "Dict", 1, "type comment"),
        ("from a import A, B\nB\ndef f(x: 'A'): pass\n", "A", 1, "quotes"),
        ("from a import A, B\nB\ndef f(x) -> 'list[A]': pass\n", "A", 1, "quotes"),
        ("from a import A, B\nB\nx: 'A' = 1\n", "A", 1, "quotes"),
        ("from a import A, B\nB\nX = Optional['A']\n", "A", 1, "quotes"),
        ("from a import A, B\nB\ny = cast('A', x)\n", "A", 1, "quotes"),
        ("from a import A, B\nB\nT = TypeVar('T', bound='A')\n", "A", 1, "quotes"),
        ('def f():\n    """\n    >>> os.getcwd()\n    """\nimport os\n', "os", 5, "doctest"),
        ("import os\nx = globals()[y]\n", "os", 1, "globals"),
        ("import os\nx = eval(y)\n", "os", 1, "eval"),
        ("import os\nexec(y)\n", "os", 1, "exec"),
        ("import os\nx = '%(os)s' % vars()\n", "os", 1, "vars"),
        ("import os, sys\nx = getattr(sys.modules[__name__], y)\n", "os", 1, "sys.modules"),
        ("import os\nx = getattr(y, 'os')\n", "os", 1, "getattr"),
        ("def f():\n    global os\n    import os\n", "os", 3, "global"),
        ("import os  # noqa\n", "os", 1, "comment"),
        ("import os  # for users of this module\n", "os", 1, "comment"),
        ("from json import (\n    dumps,  # re-exported\n)\n", "dumps", 2, "comment"),
        ("x = 1\n# re-exported for compatibility\nimport os\n", "os", 3, "comment"),
        ("x = 1\n# somebody wants this\nimport os\n", "os", 3, "comment"),
        ("x = 1\n# Backwards compatibility\nimport sys\nimport os\n", "os", 4, "comment"),
        ("x = 1\n# Names that others import from here: public API\n\nimport os\n", "os", 4, "comment"),
        ("# flake8: noqa\nx = 1\n\n\nimport os\n", "os", 5, "comment"),
        ("# ruff: noqa: F401\nx = 1\n\n\nimport os\n", "os", 5, "comment"),
        ("# pylint: disable=unused-import\nx = 1\n\n\nimport os\n", "os", 5, "comment"),
        ("# isort: off\nimport os\n", "os", 2, "comment"),
        ('"""Kept for backwards compatibility."""\nx = 1\nimport os\n', "os", 3, "docstring"),
        ('"""Things."""\nfrom json import dumps\nimport os\n', "os", 3, "interface"),
        ("import os\nx =\n", "os", 1, "parse"),
        ("x = 1\n", "os", 1, "no import"),
        ("import os\n", "os", 2, "no import"),
        ("from a import *\n", "*", 1, "everything"),
    ],
)
def test_an_import_stays_if_its_own_file_gives_a_reason(source: str, name: str, row: int, word: str) -> None:
    assert word in (reason(source, name, row) or "")


@pytest.mark.parametrize(
    "path",
    ["pkg/__init__.py", "pkg/_compat.py", "pkg/compat.py", "pkg/py3k.py", "pkg/_six.py", "pkg/compat/_x.py", "six.py",
     "pkg/_py2.py", "pkg/_compat_py3.py", "pkg/pycompat.py", "pkg/moves.py", "tests/conftest.py", "pkg/_backports.py"],
)  # fmt: skip
def test_imports_of_packages_and_compatibility_modules_stay(path: str) -> None:
    assert reason("import os\nx = 1\n", path=path) is not None


def test_fixtures_and_tests_that_are_imported_for_the_runner_stay() -> None:
    fixture = "from helpers import client, B\nB\ndef test_a(client): pass\n"
    assert "runner" in (reason(fixture, "client", path="tests/test_a.py") or "")
    assert "runner" in (reason("from a import B, TestA\nB\n", "TestA", path="tests/test_a.py") or "")


# -- what importing does ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import readline\nx = 1\n", "readline"),
        ("import rlcompleter\nx = 1\n", "rlcompleter"),
        ("import this\nx = 1\n", "this"),
        ("import encodings.idna\nx = 1\n", "encodings"),
        ("import multiprocessing\nx = 1\n", "multiprocessing"),
        ("import _strptime\nx = 1\n", "_strptime"),
        ("import requests\nx = 1\n", "requests"),
        ("import requests.adapters\nx = 1\n", "requests"),
        ("from requests import Session\nx = 1\n", "Session"),
        ("from mpl_toolkits.mplot3d import Axes3D\nx = 1\n", "Axes3D"),
        ("from sqlalchemy import orm, Column\nx = Column\n", "orm"),
        ("from . import plugins\nx = 1\n", "plugins"),
        ("from .plugins import Plugin\nx = 1\n", "Plugin"),
        ("import pkg.plugins\nx = 1\n", "pkg"),
        ("from . import A, plugins\nx = A\n", "plugins"),
        ("import urllib2\nx = 1\n", "urllib2"),
        ("import local\nx = 1\n", "local"),
    ],
)
def test_an_import_that_may_do_something_stays(source: str, name: str) -> None:
    files = {**PACKAGE, "pkg/plugins.py": "register()\n", "pkg/_mod.py": source}
    assert "effects" in (ProjectNames(files).reason_to_keep("pkg/_mod.py", name, 1) or "")


def test_a_module_of_the_project_that_is_named_as_one_of_the_standard_library_may_do_something() -> None:
    files = {"json.py": "register()\n", "tool.py": "import json\nx = 1\n"}
    assert "effects" in (ProjectNames(files).reason_to_keep("tool.py", "json", 1) or "")


def test_an_import_that_loads_a_submodule_for_others_stays() -> None:
    assert "elsewhere" in (
        with_other("import logging\nlogging.handlers\n", source="import logging.handlers\nx = 1\n", name="logging")
        or ""
    )
    assert "elsewhere" in (
        with_other(
            "import logging\nlogging.handlers\n", source="from logging import handlers\nx = 1\n", name="handlers"
        )
        or ""
    )
    assert with_other("import json\njson.dumps\n", source="from json import dumps\nx = 1\n", name="dumps") is None


# -- other files -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("tests/test_a.py", "from pkg._mod import os\n"),
        ("pkg/user.py", "from ._mod import x, os as system\n"),
        ("pkg/user.py", "from . _mod import os\n"),
        ("pkg/sub/user.py", "from .._mod import (\n    x,  # one (of two)\n    os,\n)\n"),
        ("pkg/user.py", "from ._mod import x, \\\n    os\n"),
        ("pkg/user.py", "def f():\n    from pkg._mod import os\n"),
        ("pkg/user.py", "from ._mod import *\n"),
        ("pkg/__init__.py", "from ._mod import *\n"),
        ("pkg/user.py", "from pkg._mod import *\nprint os\n"),
        ("pkg/old.py", "from _mod import os\n"),
        ("pkg/user.py", "import pkg._mod as m\nm.os.getcwd()\n"),
        ("pkg/user.py", "import pkg._mod\npkg._mod.os\n"),
        ("pkg/user.py", "import pkg\npkg._mod.os\n"),
        ("pkg/user.py", "import pkg as p\np._mod.os\n"),
        ("pkg/user.py", "from pkg import _mod\n_mod.os\n"),
        ("pkg/user.py", "from pkg import _mod as m\nm.os\n"),
        ("pkg/user.py", "from . import _mod as m\nm.os\n"),
        ("pkg/user.py", "from . import _mod as m\nfor one in (m, n):\n    one.os\n"),
        ("pkg/user.py", "from . import _mod as m\nfor one in (m, n):\n    getattr(one, 'os')\n"),
        ("tests/test_a.py", "import pkg._mod as m\nmonkeypatch.setattr(m, 'os', 1)\n"),
        ("tests/test_a.py", "patch('pkg._mod.os')\n"),
        ("tests/test_a.py", "patch('pkg._mod.os.getcwd')\n"),
        ("tests/test_a.py", "run('from pkg._mod import os')\n"),
        ("tests/test_a.py", "run('import a\\nfrom pkg._mod import os\\n')\n"),
        ("tests/test_a.py", "m = importlib.import_module('pkg._mod')\nm.os\n"),
        ("pkg/__init__.py", "TABLE = {'os': '._mod'}\ndef __getattr__(name): ...\n"),
        ("pkg/__init__.py", "TABLE = {'_mod': ['os', 'x']}\n"),
        ("pkg/old.py", "import _mod\nprint _mod.os\n"),
        ("pkg/old.py", "import pkg._mod as m\nprint m.os\n"),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    a = pkg._mod:os\n"),
        ("pyproject.toml", '[project.scripts]\na = "pkg._mod:os"\n'),
        ("docs/api.rst", ".. autofunction:: pkg._mod.os\n"),
        ("docs/api.rst", ".. module:: pkg._mod\n\n.. autofunction:: os\n"),
        ("README.md", "    from pkg._mod import os\n"),
        ("pkg/_mod.pyi", "import os as os\n"),
        ("pkg/_mod.pyi", "os: Any\n"),
    ],
)
def test_an_import_that_another_file_uses_stays(path: str, other: str) -> None:
    kept = with_other(other, path)
    assert kept
    assert path in kept or "stub" in kept


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("pkg/user.py", "import os\nos.getcwd()\n"),
        ("pkg/user.py", "from ._mod import x\nimport os\nos.getcwd()\n"),
        ("pkg/user.py", "from . import _mod\n_mod.x\nimport os\n"),
        ("pkg/user.py", "from ._other import os\n"),
        ("other/user.py", "from ._mod import os\n"),
        ("pkg/user.py", "from other._mod import os\n"),
        ("pkg/user.py", "import other\nother._mod.os\n"),
        ("pkg/user.py", "x = 'os'\n"),
        ("docs/api.rst", "The _mod module does not need the os.\n"),
        ("docs/api.rst", "other._mod.os\n"),
        ("pkg/_mod.pyi", "import os\nx: int\n"),
    ],
)
def test_other_uses_of_the_same_word_keep_no_import(path: str, other: str) -> None:
    assert with_other(other, path) is None


def test_a_star_import_carries_only_what_all_names() -> None:
    star = "from ._mod import *\n"
    assert with_other(star, "pkg/__init__.py", "import os\n__all__ = ['x']\nx = 1\n") is None
    assert with_other(star, "pkg/__init__.py", "import os as _os\nx = 1\n", "_os") is None


def test_a_module_below_src_is_found_by_its_package() -> None:
    files = {
        "src/pkg/__init__.py": "",
        "src/pkg/_mod.py": "import os\nx = 1\n",
        "tests/test_a.py": "from pkg._mod import os\n",
    }
    assert "test_a" in (ProjectNames(files).reason_to_keep("src/pkg/_mod.py", "os", 1) or "")


def test_a_single_module_that_is_distributed_has_an_interface() -> None:
    files = {"bottle.py": "from json import dumps\nx = 1\n", "setup.py": "setup(py_modules=['bottle'])\n"}
    assert "public" in (ProjectNames(files).reason_to_keep("bottle.py", "dumps", 1) or "")


def test_imports_of_an_unknown_file_stay() -> None:
    assert ProjectNames({}).reason_to_keep("a.py", "os", 1) is not None


def test_repeated_questions_get_the_same_answer() -> None:
    files = {**PACKAGE, "pkg/_mod.py": "import os\nimport sys\nx = 1\n", "pkg/user.py": "from ._mod import sys\n"}
    names = ProjectNames(files)
    for _ in range(2):
        assert names.reason_to_keep("pkg/_mod.py", "os", 1) is None
        assert "user" in (names.reason_to_keep("pkg/_mod.py", "sys", 2) or "")


@given(dictionaries(sampled_from(["a.py", "p/b.py", "c.rst"]), text(max_size=80)), integers(-1, 3))
def test_any_files_can_be_asked_about(files: dict[str, str], row: int) -> None:
    for path, source in files.items():
        assert (
            ProjectNames({**files, "d.py": "import os\n"}).reason_to_keep(path, "os", row) is not None or "os" in source
        )


HOSTILE = ["from" + " " * 50_000, "from a import (" * 3_000, "a" * 100_000 + "._mod.os", "from . import x \\\n" * 3_000]


@pytest.mark.parametrize("other", HOSTILE, ids=range(len(HOSTILE)))
def test_long_runs_of_anything_are_read_in_one_go(other: str) -> None:
    assert isinstance(with_other(other), str | None)


def test_a_name_of_the_future_is_offered_to_nobody() -> None:
    names = ProjectNames({"p/__init__.py": "from __future__ import absolute_import\nfrom os import path\n"})
    assert [names.is_offered("p/__init__.py", name) for name in ("absolute_import", "path")] == [False, True]
