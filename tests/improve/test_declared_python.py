"""The oldest Python that a project declares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from, text

from jido_ai.improve.declared_python import DeclaredPython, declared_python


def minimum(**files: str) -> tuple[int, int] | None:
    names = {"pyproject": "pyproject.toml", "cfg": "setup.cfg", "setup": "setup.py", "tox": "tox.ini"}
    found = declared_python({names[name]: text for name, text in files.items()})
    return found and found.minimum


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        (">=3.8", (3, 8)),
        (">= 3.8", (3, 8)),
        (">=3.8,<4", (3, 8)),
        ("<4,>=3.8", (3, 8)),
        (">=3.8.1", (3, 8)),
        (">3.7", (3, 7)),
        (">=3", (3, 0)),
        ("~=3.6", (3, 6)),
        ("~=3.6.2", (3, 6)),
        ("==3.*", (3, 0)),
        ("==3.9.*", (3, 9)),
        ("===3.9", (3, 9)),
        (">=3.10", (3, 10)),
        (">=2.7", (2, 7)),
        (">=2.7, !=3.0.*, !=3.1.*, !=3.2.*", (2, 7)),
        (">=3.0, !=3.0.*, !=3.1.*", (3, 2)),
        (">=2.6,!=2.6.*", (2, 7)),
        (">=2.7,!=2.7.*", (3, 0)),
        (">=3.6,!=3.6.1", (3, 6)),
        ("^3.7", (3, 7)),
        ("^3.7.2", (3, 7)),
        ("~3.6", (3, 6)),
        ("3.8.*", (3, 8)),
        ("^2.7 || ^3.6", (2, 7)),
        ("~2.7 || >=3.5", (2, 7)),
        (">=3.8 <4", (3, 8)),
        (">=3.6,>=3.7", (3, 7)),
        ("<4", None),
        ("!=3.5", None),
        ("*", None),
        ("", None),
        ("whatever", None),
        (">=3.8rc1", (3, 8)),
    ],
)
def test_a_specifier_has_a_lower_bound(specifier: str, expected: tuple[int, int] | None) -> None:
    assert minimum(pyproject=f'[project]\nrequires-python = "{specifier}"\n') == expected
    assert minimum(pyproject=f'[tool.poetry.dependencies]\npython = "{specifier}"\n') == expected
    assert minimum(cfg=f"[options]\npython_requires = {specifier}\n") == expected
    assert minimum(setup=f"setup(python_requires={specifier!r})\n") == expected


@pytest.mark.parametrize(
    "source",
    [
        'from setuptools import setup\nsetup(name="a", python_requires=">=3.5")\n',
        'REQUIRED = ">=3.5"\nsetuptools.setup(python_requires=REQUIRED)\n',
        'MIN: str = "3.5"\nsetup(python_requires=">=" + MIN)\n',
        'MIN = (3, 5)\nsetup(python_requires=">={}.{}".format(*MIN))\n',
        'MIN = (3, 5)\nsetup(python_requires=">=%d.%d" % MIN)\n',
        'MIN = "3.5"\nsetup(python_requires=f">={MIN}")\n',
        'MIN = ["3", "5"]\nsetup(python_requires=">=" + ".".join(MIN))\n',
        'options = dict(python_requires=">=3.5")\nsetup(**options)\n',
        'options = {"python_requires": ">=3.5"}\nsetup(**options)\n',
        'options = {}\noptions["python_requires"] = ">=3.5"\nsetup(**options)\n',
        'about = {"python": ">=3.5"}\nsetup(python_requires=about["python"])\n',
        'if True:\n    setup(python_requires=(">=3.5"\n        ", <4"))\n',
        'print "old"\nsetup(python_requires=">=3.5")\n',
        '\ufeffsetup(python_requires=">=3.5")\n',
        'setup(python_requires=", ".join([">=3.5", "<4"]))\n',
    ],
)
def test_setup_py_is_read_and_not_run(source: str) -> None:
    assert declared_python({"setup.py": source}) == DeclaredPython((3, 5), "setup.py: python_requires")


@pytest.mark.parametrize(
    "source",
    [
        "setup(python_requires=read('python'))\n",
        "A = A\nsetup(python_requires=A)\n",
        "setup(python_requires=1)\n",
        "setup(python_requires='>={}'.format(sys.version))\n",
        "# python_requires\n",
        "raise SystemExit\n",
    ],
)
def test_values_that_only_running_setup_py_would_show_are_unknown(source: str) -> None:
    assert declared_python({"setup.py": source}) is None


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["3.6", "3.7", "3"], (3, 6)),
        (["3.10", "3.9"], (3, 9)),
        (["2", "2.7", "3.6"], (2, 7)),
        (["2.6", "3.6"], (2, 6)),
        (["2", "3.6"], (2, 7)),
        (["3"], (3, 0)),
        (["3 :: Only", "3.8"], (3, 8)),
        (["Implementation :: CPython"], None),
    ],
)
def test_the_oldest_of_several_classifiers_counts(names: list[str], expected: tuple[int, int] | None) -> None:
    lines = [f"Programming Language :: Python :: {name}" for name in names]
    listed = "".join(f"    {line!r},\n" for line in lines)
    indented = "".join(f"    {line}\n" for line in lines)
    assert minimum(setup=f"setup(classifiers=[\n{listed}])\n") == expected
    assert minimum(setup=f"setup(classifiers='''\n{indented}'''.split('\\n'))\n") == expected
    assert minimum(setup=f"print 'old'\nsetup(classifiers=[\n{listed}])\n") == expected
    assert minimum(cfg=f"[metadata]\nclassifiers =\n{indented}") == expected
    assert minimum(cfg=f"[metadata]\nclassifier =\n{indented}") == expected
    assert minimum(pyproject=f"[project]\nclassifiers = [\n{listed}]\n") == expected
    assert minimum(pyproject=f"[tool.poetry]\nclassifiers = [\n{listed}]\n") == expected


@pytest.mark.parametrize(
    ("envlist", "expected"),
    [
        ("py27, py36, pypy", (2, 7)),
        ("py36,py310", (3, 6)),
        ("py310", (3, 10)),
        ("py3.9,py3.10", (3, 9)),
        ("py{38,39}", (3, 8)),
        ("py{38,310}-django{32,40}, lint", (3, 8)),
        ("{py37,py38}-x", (3, 7)),
        ("py3{9,10,11}", (3, 9)),
        ("py3{9-12}", (3, 9)),
        ("\n    py35\n    # py27\n    docs", (3, 5)),
        ("pypy27, py36", (3, 6)),
        ("py2, py36", (2, 7)),
        ("lint, docs, mypy", None),
    ],
)
def test_the_oldest_environment_of_tox_counts(envlist: str, expected: tuple[int, int] | None) -> None:
    assert minimum(tox=f"[tox]\nenvlist = {envlist}\n") == expected
    assert minimum(cfg=f"[tox:tox]\nenvlist = {envlist}\n") == expected
    assert minimum(pyproject=f'[tool.tox]\nlegacy_tox_ini = """\n[tox]\nenvlist = {envlist}\n"""\n') == expected


def test_a_requirement_comes_before_classifiers_and_these_before_tox() -> None:
    tox = "[tox]\nenvlist = py26\n"
    classifiers = "[metadata]\nclassifiers =\n    Programming Language :: Python :: 2.7\n"
    assert minimum(tox=tox) == (2, 6)
    assert minimum(tox=tox, cfg=classifiers) == (2, 7)
    assert minimum(tox=tox, cfg=classifiers, setup="setup(python_requires='>=3.6')\n") == (3, 6)
    assert minimum(setup="setup(python_requires='>=3.6')\n", pyproject='[project]\nrequires-python = ">=3.7"\n') == (
        3,
        7,
    )
    assert minimum(setup="setup(python_requires='>=3.6')\n", pyproject="[build-system]\nrequires = []\n") == (3, 6)


def test_the_source_is_named() -> None:
    found = declared_python({"pyproject.toml": '[project]\nrequires-python = ">=3.7"\n'})
    assert found == DeclaredPython((3, 7), "pyproject.toml: requires-python")
    assert declared_python({"tox.ini": "[tox]\nenvlist = py36\n"}) == DeclaredPython((3, 6), "tox.ini: envlist")


@pytest.mark.parametrize(
    "broken", ["[project\n", "a = b", "\x00", "[project]\nrequires-python = 3\n", "[tool]\npoetry = 1\n"]
)
def test_files_that_do_not_parse_declare_nothing(broken: str) -> None:
    assert declared_python(dict.fromkeys(("pyproject.toml", "setup.cfg", "setup.py", "tox.ini"), broken)) is None


def test_a_project_without_files_declares_no_python() -> None:
    assert declared_python({}) is None
    assert declared_python({".python-version": "3.8", "noxfile.py": "python=['3.8']"}) is None


@given(sampled_from(["pyproject.toml", "setup.cfg", "setup.py", "tox.ini"]), text(max_size=100))
def test_any_text_can_be_read(name: str, body: str) -> None:
    for source in (
        body,
        f"[tox]\nenvlist = py{{{body}",
        f"setup(python_requires={body!r})",
        f"[options]\npython_requires={body}",
    ):
        found = declared_python({name: source})
        assert found is None or found.minimum >= (0, 0)


@given(integers(2, 3), integers(0, 20), integers(0, 20))
def test_the_bound_is_the_larger_of_two(major: int, one: int, other: int) -> None:
    expected = (major, max(one, other))
    assert minimum(cfg=f"[options]\npython_requires = >={major}.{one}, >={major}.{other}\n") == expected
