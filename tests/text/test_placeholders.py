"""Placeholders: what a revision writes where it leaves text out."""

from __future__ import annotations

import pytest

from jido_ai.text.placeholders import new_placeholder

CODE = "def one(x):\n    return x\n\n\ndef two(y):\n    y += 1\n    return y\n"
SCRIPT = "function f() { return 1; }\n"
PROSE = "A long text about it all.\n"


@pytest.mark.parametrize(
    "comment",
    [
        "... rest of the code remains unchanged ...",
        "Rest of the file unchanged",
        "... existing code ...",
        "existing code here",
        "... other methods",
        "... (unchanged)",
        "(same as before)",
        "The remaining functions stay the same.",
        "TODO: implement the rest",
        "your code here",
        "code omitted for brevity",
        "...",
    ],
)
def test_a_new_comment_that_stands_for_code_is_a_placeholder(comment: str) -> None:
    said = f"the placeholder '# {comment}'"
    assert new_placeholder(CODE, f"{CODE}# {comment}\n", is_file=False) == said
    assert new_placeholder(f"{CODE}# {comment}\n", f"x = 1\n# {comment}\n", is_file=True) is None
    assert new_placeholder(SCRIPT, f"{SCRIPT}// {comment}\n", is_file=True) == said.replace("#", "//")
    assert new_placeholder(SCRIPT, f"{SCRIPT}/* {comment} */\n", is_file=True) is not None


@pytest.mark.parametrize(
    "comment",
    [
        "the rest is handled by the caller",
        "TODO: implement caching later",
        "returns the rest of the list",
        "keep the other items",
        "same as before_save",
        "the same list is used below by one and two",
    ],
)
def test_a_comment_about_the_code_is_none(comment: str) -> None:
    assert new_placeholder(CODE, f"{CODE}# {comment}\n", is_file=True) is None
    assert new_placeholder(SCRIPT, f"{SCRIPT}// {comment}\n", is_file=True) is None


def test_a_phrase_in_a_string_is_none() -> None:
    assert new_placeholder(CODE, f'{CODE}NOTE = "# ... rest of the code unchanged ..."\n', is_file=True) is None


def test_one_more_of_a_phrase_that_was_there_is_a_placeholder() -> None:
    line = "# ... existing code ...\n"
    assert new_placeholder(CODE + line, line + CODE + line, is_file=True) is not None


@pytest.mark.parametrize(
    "line",
    [
        "[rest of the text unchanged]",
        "[The rest of the essay remains the same.]",
        "*[Remaining paragraphs unchanged]*",
        "... (rest of the article unchanged)",
        "<!-- rest of the document unchanged -->",
        "[Rest of the story]",
    ],
)
def test_in_a_text_for_readers_a_line_in_brackets_or_dots_is_a_placeholder(line: str) -> None:
    assert new_placeholder(PROSE, f"A text.\n\n{line}\n", is_file=False) == f"the placeholder {line!r}"
    assert new_placeholder(f"{PROSE}{line}\n", f"A text.\n\n{line}\n", is_file=False) is None


@pytest.mark.parametrize(
    "line",
    [
        "The rest of the code remains unchanged.",
        "# The rest of the story remains the same",
        "He said ... and the rest is history.",
        "... other people say so.",
        "(the rest is silence)",
        "[...]",
    ],
)
def test_in_a_text_for_readers_a_sentence_or_heading_is_none(line: str) -> None:
    assert new_placeholder(PROSE, f"A text.\n\n{line}\n", is_file=False) is None


@pytest.mark.parametrize("body", ["pass", "...", '"""Return x."""', "raise NotImplementedError", '"""A."""\n    pass'])
def test_a_body_that_was_real_and_does_nothing_is_a_placeholder(body: str) -> None:
    assert new_placeholder(CODE, CODE.replace("return x", body), is_file=False) == "the empty body of 'one'"


def test_methods_and_classes_are_looked_at_too() -> None:
    before = "class A:\n    def f(self):\n        return 1\n\n    async def g(self):\n        return 2\n"
    assert new_placeholder(before, before.replace("return 2", "..."), is_file=True) == "the empty body of 'A.g'"
    assert new_placeholder(before, "class A: ...\n", is_file=True) == "the empty body of 'A'"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f():\n    pass\n", "def f():\n    ...\n"),
        ("def f():\n    return None\n", "def f():\n    pass\n"),
        ('def f():\n    print("debug")\n', "def f():\n    pass\n"),
        (CODE, "def two(y):\n    return y + 1\n"),
        ("class E(Exception):\n    pass\n", 'class E(Exception):\n    """An error."""\n'),
        (CODE, CODE + "\n\ndef three():\n    raise NotImplementedError\n"),
    ],
)
def test_a_body_that_did_nothing_before_or_is_new_is_none(before: str, after: str) -> None:
    assert new_placeholder(before, after, is_file=True) is None


def test_a_statement_of_dots_among_others_is_a_placeholder() -> None:
    assert new_placeholder(CODE, "def one(x):\n    return x\n\n\n...\n", is_file=True) == "the placeholder '...'"
    after = CODE.replace("    y += 1\n", "    ...\n    y += 1\n")
    assert new_placeholder(CODE, after, is_file=True) == "the placeholder '...'"
    assert new_placeholder(after, after, is_file=True) is None
