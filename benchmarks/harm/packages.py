"""The packages that `run.py` improves: real source distributions, old and new, by name and version.

Chosen for what careless fixes break in them: re-exports, compatibility modules, caches in defaults, order of imports,
old Pythons, bundled code. All tests named here run without a network in about a minute or less.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PACKAGES", "Package"]


@dataclass(frozen=True, kw_only=True)
class Package:
    """One source distribution.

    Attributes:
        name, version: as the package index knows them.
        tests: what pytest is given, from the root of the distribution; () when it has no tests that run offline.
        source: the folder that holds the modules.
        requires: what its tests need besides pytest.
        declares: the oldest Python of each line that it declares, such as ("2.7", "3.6").
        newest: the newest Python on which it works, where that is not the one that runs this.
        options: more arguments of pytest.
    """

    name: str
    version: str
    tests: tuple[str, ...] = ("tests",)
    source: str = "."
    requires: tuple[str, ...] = ()
    declares: tuple[str, ...] = ("3.7",)
    newest: str = ""
    options: tuple[str, ...] = ()


PACKAGES = (
    # Old ones, most for Python 2 as well.
    Package(name="requests", version="2.8.0", tests=(), declares=("2.7", "3.3"), newest="3.9"),
    Package(
        name="networkx",
        version="2.5",
        tests=("networkx/classes/tests", "networkx/utils/tests", "networkx/generators/tests/test_classic.py"),
        declares=("3.6",),
        newest="3.9",
    ),
    Package(name="six", version="1.16.0", tests=("test_six.py",), declares=("2.7", "3.3")),
    Package(
        name="simplejson",
        version="3.17.6",
        tests=("simplejson/tests",),
        declares=("2.7", "3.3"),
        options=("--ignore=setup.py",),
    ),
    Package(name="chardet", version="3.0.4", tests=("test.py",), requires=("hypothesis",), declares=("2.7", "3.4")),
    Package(name="idna", version="2.10", declares=("2.7", "3.4"), options=("--ignore=tests/test_idna_uts46.py",)),
    Package(
        name="urllib3",
        version="1.26.18",
        tests=("test/test_util.py", "test/test_retry.py", "test/test_collections.py", "test/test_fields.py"),
        source="src",
        requires=("mock", "tornado<6.3", "trustme", "python-dateutil"),
        declares=("2.7", "3.6"),
    ),
    Package(
        name="bottle", version="0.12.25", tests=("test",), declares=("2.7", "3.3"), options=("-k", "not server")
    ),
    Package(name="peewee", version="3.14.10", tests=(), declares=("2.7", "3.4")),
    Package(
        name="docutils",
        version="0.16",
        tests=("test/test_utils.py", "test/test_nodes.py", "test/test_settings.py", "test/test_statemachine.py"),
        declares=("2.7", "3.5"),
        newest="3.9",
    ),
    Package(name="sortedcontainers", version="2.4.0", tests=(), declares=("2.7", "3.5")),
    Package(name="wcwidth", version="0.2.6", declares=("2.7", "3.4")),
    Package(name="cachetools", version="4.2.4", source="src", declares=("3.5",)),
    Package(name="toolz", version="0.11.2", tests=("toolz/tests",), declares=("3.5",), newest="3.10"),
    Package(name="boltons", version="21.0.0", tests=(), declares=("2.7", "3.4"), newest="3.10"),
    Package(name="tabulate", version="0.8.10", tests=("test",), declares=("2.7", "3.5")),
    Package(
        name="pyparsing", version="2.4.7", tests=("simple_unit_tests.py",), declares=("2.7", "3.3")
    ),
    Package(name="pycodestyle", version="2.8.0", tests=("testsuite/test_api.py",), declares=("2.7", "3.5")),
    Package(name="parso", version="0.8.3", tests=("test",), declares=("3.6",)),
    Package(name="jinja2", version="2.11.3", source="src", declares=("2.7", "3.5"), newest="3.9"),
    Package(name="markupsafe", version="1.1.1", source="src", declares=("2.7", "3.4"), newest="3.9"),
    # Newer ones.
    Package(name="attrs", version="22.2.0", source="src", requires=("hypothesis", "cloudpickle"), declares=("3.6",)),
    Package(name="click", version="8.1.7", source="src", declares=("3.7",)),
    Package(name="itsdangerous", version="2.1.2", source="src", requires=("freezegun",), declares=("3.7",)),
    Package(
        name="werkzeug",
        version="2.2.3",
        tests=("tests/test_http.py", "tests/test_datastructures.py", "tests/test_routing.py", "tests/test_utils.py"),
        source="src",
        requires=("ephemeral-port-reserve", "pytest-timeout", "pytest-xprocess"),
        declares=("3.7",),
    ),
    Package(name="more-itertools", version="9.1.0", declares=("3.7",)),
    Package(
        name="packaging",
        version="23.0",
        requires=("pretend",),
        declares=("3.7",),
        options=("--ignore=tests/test_manylinux.py",),
    ),
    Package(name="pluggy", version="1.2.0", tests=("testing",), source="src", declares=("3.7",)),
    Package(name="tomli", version="2.0.1", source="src", declares=("3.7",)),
    Package(
        name="marshmallow", version="3.19.0", source="src", requires=("pytz", "simplejson"), declares=("3.7",)
    ),
    Package(name="jsonschema", version="4.17.3", tests=("jsonschema/tests/test_validators.py",), declares=("3.7",)),
    Package(name="python-dateutil", version="2.8.2", tests=("dateutil/test",), requires=("freezegun", "hypothesis"),
            declares=("2.7", "3.3")),
)  # fmt: skip
