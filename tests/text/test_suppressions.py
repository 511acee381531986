"""Suppressions that a revised text has and the text before it has not."""

from __future__ import annotations

import pytest

from jido_ai.text.suppressions import added_suppressions, suppressions_of

TESTS = "import pytest\nimport unittest\n\n\ndef test_a():\n    assert total() == 3\n"


def added(before: str, after: str) -> tuple[str, ...]:
    return added_suppressions(suppressions_of(before), after, before)


def with_line(line: str) -> str:
    return TESTS.replace("def test_a", f"{line}\ndef test_a")


@pytest.mark.parametrize(
    ("comment", "names"),
    [
        ("# noqa", ("noqa",)),
        ("#NOQA", ("noqa",)),
        ("# noqa: B006", ("noqa: B006",)),
        ("# noqa:B006,E501 since it is old", ("noqa: B006", "noqa: E501")),
        ("# why not  # noqa: B006", ("noqa: B006",)),
        ("# type: ignore", ("type: ignore",)),
        ("# type: ignore[arg-type]", ("type: ignore: arg-type",)),
        ("# pyright: ignore[reportCallIssue]", ("pyright: ignore: reportCallIssue",)),
        (
            "# pylint: disable=invalid-name, too-many-lines",
            ("pylint: disable: invalid-name", "pylint: disable: too-many-lines"),
        ),
        ("# pylint: skip-file", ("pylint: skip-file",)),
        ("# nosec", ("nosec",)),
        ("# nosec B101", ("nosec: B101",)),
        ("# ruff: noqa: B006", ("ruff: noqa: B006",)),
        ("# flake8: noqa", ("flake8: noqa",)),
        ("# mypy: ignore-errors", ("mypy: ignore-errors",)),
        ("# NOSONAR", ("nosonar",)),
        ("# isort: skip_file", ("isort: skip_file",)),
    ],
)
def test_a_comment_that_silences_a_tool_for_python_is_a_suppression(comment: str, names: tuple[str, ...]) -> None:
    assert added("x = 1\n", f"x = 1  {comment}\n") == names


@pytest.mark.parametrize(
    "text",
    [
        'x = "# noqa: B006"\n',
        '"""Use # noqa: B006 or # type: ignore."""\nx = 1\n',
        "x = 1  # there is no noqa here\n",
        "x = 1  # fmt: skip\n",
        "x = 1  # pragma: no cover\n",
        "x = 1  # skip the first, ignore the rest and disable nothing\n",
        "skip = xfail = pytest = 1\nskip(xfail)\n",
    ],
)
def test_a_text_or_comment_that_only_mentions_a_suppression_is_not_one(text: str) -> None:
    assert added("x = 1\n", text) == ()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("@pytest.mark.skip", "pytest.mark.skip"),
        ("@pytest.mark.skip(reason='flaky')", "pytest.mark.skip"),
        ("@pytest.mark.skipif(True, reason='x')", "pytest.mark.skipif"),
        ("@pytest.mark.xfail(strict=True)", "pytest.mark.xfail"),
        ("@unittest.skip('x')", "unittest.skip"),
        ("@unittest.expectedFailure", "unittest.expectedFailure"),
        ("pytestmark = pytest.mark.skip", "pytest.mark.skip"),
        ("pytest.skip('x', allow_module_level=True)", "pytest.skip"),
    ],
)
def test_a_test_that_is_skipped_or_expected_to_fail_is_a_suppression(line: str, name: str) -> None:
    assert added(TESTS, with_line(line)) == (name,)
    assert added(with_line(line), TESTS) == ()


def test_skips_are_found_by_other_names_too() -> None:
    other = (
        "from pytest import mark as m, skip\n\n\n@m.xfail\ndef test_a(self):\n    skip('x')\n    self.skipTest('y')\n"
    )
    assert added(TESTS, other) == ("pytest.mark.xfail", "pytest.skip", "self.skipTest")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("// eslint-disable-next-line no-var\nvar x = 1;\n", "eslint-disable-next-line: no-var"),
        ("/* eslint-disable */\nvar x = 1;\n", "eslint-disable"),
        ("let x: number = y; // @ts-ignore\n", "@ts-ignore"),
        ("// @ts-expect-error: later\nlet x: number = y;\n", "@ts-expect-error: later"),
        ("// @ts-nocheck\nlet x = 2;\n", "@ts-nocheck"),
        ("/* @ts-nocheck */\nlet x: number = y;\n", "@ts-nocheck"),
        ("/* eslint no-var: 0 */\nvar x = 1;\n", "eslint: no-var"),
        ("/* eslint no-var: 'off', eqeqeq: 2 */\nvar x = 1;\n", "eslint: no-var"),
        ("# pyright: reportAny=false\nx = 1\n", "pyright: reportany= false"),
        ("-- sqlfluff:off\nSELECT 1\n", "sqlfluff: off"),
        ("it.todo('a')\n", "it.todo"),
        ("it.skip('a', f)\n", "it.skip"),
        ("xit('a', f)\n", "xit"),
        ("describe.only('a', f)\n", "describe.only"),
        ("it.only('adds', () => {});\n", "it.only"),
        ("test.skip('adds', () => {});\n", "test.skip"),
        ("xit('adds', () => {});\n", "xit"),
        ("f() //nolint:errcheck\n", "nolint: errcheck"),
        ('func TestA(t *testing.T) { t.Skip("x") }\n', "t.skip"),
        ("int x; // NOLINT(foo)\n", "nolint: foo"),
        ("puts 1 if x # rubocop:disable Style/If\nend\n", "rubocop: disable: Style/If"),
        ("# shellcheck disable=SC2086\necho $x\n", "shellcheck disable: SC2086"),
        ("#[allow(dead_code)]\nfn f() {}\n", "allow: dead_code"),
        ('@SuppressWarnings("unchecked")\nclass A {}\n', "@suppresswarnings: unchecked"),
        ("a: b: c # yamllint disable-line\n", "yamllint disable-line"),
        ("<!-- markdownlint-disable MD001 -->\n# Title here\n", "markdownlint-disable: MD001"),
        ("SELECT 1 x y -- noqa: L001\n", "noqa: L001"),
        ("```python\n@pytest.mark.xfail\ndef test_a(): ...\n```\n", "@pytest.mark.xfail"),
    ],
)
def test_suppressions_of_other_languages_are_known(text: str, name: str) -> None:
    assert added("let x = 1;\n", text) == (name,)
    assert added(text, text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "let s = '// @ts-ignore';\n",
        "Use `# noqa: B006` where a linter is wrong, and don't worry.\n",
        "// the linter is not disabled here\nlet x = 1;\n",
    ],
)
def test_strings_and_inline_code_of_other_texts_are_no_suppressions(text: str) -> None:
    assert added("let x = 1;\n", text) == ()


def test_a_moved_or_narrower_suppression_is_not_new_but_an_additional_or_wider_one_is() -> None:
    one = "x = 1  # noqa: E501\ny = 2\n"
    assert added(one, "y = 2\nx  =  1  # noqa: E501\n") == ()
    assert added(one, "x = 10  # noqa: E501\ny = 2\n") == ()
    assert added(one, "x = 1\ny = 2  # noqa: E501\n") == ("noqa: E501",)
    assert added("x = 1  # noqa\n", "x = 1  # noqa: E501, B006\n") == ()
    assert added("x = 1  # type: ignore\n", "x = 1  # type: ignore[misc]\n") == ()
    assert added(one, "x = 1  # noqa: E501\ny = 2  # noqa: E501\n") == ("noqa: E501",)
    assert added(one, "x = 1  # noqa: E501, B006\ny = 2\n") == ("noqa: B006",)
    assert added(one, "x = 1  # noqa\ny = 2\n") == ("noqa",)


def test_a_skipped_doctest_is_a_suppression() -> None:
    before = 'def f():\n    """\n    >>> f()\n    1\n    """\n'
    assert added(before, before.replace(">>> f()", ">>> f()  # doctest: +SKIP")) == ("doctest: +SKIP",)


DEF = "def one(x=[]):\n    return x\n"


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (f"y = 1  # noqa\n{DEF}", f"y = 1\n{DEF.replace(':', ':  # noqa', 1)}", ("noqa",)),
        (f"y = 1  # noqa\n{DEF}", f"y = 1\n{DEF.replace('[]):', '[], *a):  # noqa', 1)}", ("noqa",)),
        (f"import a  # noqa: B006\n{DEF}", DEF.replace(":", ":  # noqa: B006", 1), ("noqa: B006",)),
        (f"import a  # noqa\n{DEF}", DEF.replace(":", ":  # noqa: B006", 1), ("noqa: B006",)),
        ("@m.skip\ndef a(): x\n\n@n\ndef b(): y\n", "def a(): x\n\n@m.skip\n@n\ndef b(): y\n", ("pytest.mark.skip",)),
        ("it.skip('a', f)\nit('b', f)\n", "it('a', f)\nit.skip('b', f)\n", ("it.skip",)),
        ("let a;\n// @ts-ignore\nlet b;\nlet c;\n", "let a;\nlet b;\n// @ts-ignore\nlet c;\n", ("@ts-ignore",)),
        (
            "fn z() {}\n#[allow(x)]\nfn a() {}\nfn b() {}\n",
            "fn z() {}\nfn a() {}\n#[allow(x)]\nfn b() {}\n",
            ("allow: x",),
        ),
        ("let a; // @ts-ignore\nlet b;\n", "// @ts-ignore\nlet a;\nlet b;\n", ("@ts-ignore",)),
    ],
)
def test_a_suppression_moved_to_other_code_is_new(before: str, after: str, names: tuple[str, ...]) -> None:
    head = "from pytest import mark as m\n" if "m.skip" in before else ""
    assert added(head + before, head + after) == names


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = f(1)  # noqa\n", "# why\n\nx = f(1, 2)  # noqa\n"),
        ("import b\n# ruff: noqa\nimport c\nx = 1\n", "import b\n# ruff: noqa\nimport a\nimport c\n"),
        ("# mypy: ignore-errors\nimport b\nimport c\n", "# mypy: ignore-errors\nimport c\n"),
        ("let a;\n/* eslint-disable */\nlet b;\nlet c;\n", "let a;\n/* eslint-disable */\nlet c;\n"),
        ("it.skip('a', f)\nit('b', f)\n", "it('b', f)\nit.skip('a', f)\n"),
        ("let a;\n// @ts-ignore\nlet b;\n", "let a;\n\n// @ts-ignore\nlet b = 1;\n"),
        ("# only see noqa docs\nx = 1\n", "# only see noqa: docs and type: ignore\nx = 2\n"),
        ("s = 'a'\r\nx = 1  # noqa\r\n", "s = 'b'\nx = 1  # noqa\n"),
        (
            "def f(\n    a,\n):  # type: ignore\n    ...\n\ndef g(\n):\n    ...\n",
            "def f(\n    a,\n) -> int:  # type: ignore\n    ...\n\ndef g(\n):\n    ...\n",
        ),
        ("x = f(1)  # noqa\ny = 3\nx = f(1)\n", "x = f(2)  # noqa\ny = 3\nx = f(1)\n"),
        ("x = g(1)  # noqa\nprint()\nx = f(2)\n", "x = f(2)  # noqa\nprint()\nx = f(2)\n"),
        ("x = f('{}'.format(\n    a))  # noqa\nx = 1\n)\n", "x = f(f'{\n    a}')  # noqa\nx = 1\n)\n"),
    ],
)
def test_a_suppression_that_stays_while_the_text_changes_is_not_new(before: str, after: str) -> None:
    assert added(before, after) == ()
