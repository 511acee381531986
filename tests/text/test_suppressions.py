"""Suppressions that a revised text has and the text before it has not."""

from __future__ import annotations

import pytest

from jido_ai.text.suppressions import added_suppressions, suppressions_of

TESTS = "import pytest\nimport unittest\n\n\ndef test_a():\n    assert total() == 3\n"


def added(before: str, after: str) -> tuple[str, ...]:
    return added_suppressions(suppressions_of(before), suppressions_of(after))


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
def test_a_text_or_comment_that_only_mentions_one_is_none(text: str) -> None:
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
def test_strings_and_inline_code_of_other_texts_are_none(text: str) -> None:
    assert added("let x = 1;\n", text) == ()


def test_one_that_moves_or_becomes_narrower_is_not_new_but_one_more_or_a_wider_one_is() -> None:
    one = "x = 1  # noqa: E501\ny = 2\n"
    assert added(one, "x = 1\ny = 2  # noqa: E501\n") == ()
    assert added("x = 1  # noqa\n", "x = 1  # noqa: E501, B006\n") == ()
    assert added("x = 1  # type: ignore\n", "x = 1  # type: ignore[misc]\n") == ()
    assert added(one, "x = 1  # noqa: E501\ny = 2  # noqa: E501\n") == ("noqa: E501",)
    assert added(one, "x = 1  # noqa: E501, B006\ny = 2\n") == ("noqa: B006",)
    assert added(one, "x = 1  # noqa\ny = 2\n") == ("noqa",)


def test_a_skipped_doctest_is_a_suppression() -> None:
    before = 'def f():\n    """\n    >>> f()\n    1\n    """\n'
    assert added(before, before.replace(">>> f()", ">>> f()  # doctest: +SKIP")) == ("doctest: +SKIP",)
