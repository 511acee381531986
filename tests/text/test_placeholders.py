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
def test_a_new_comment_in_place_of_code_is_a_placeholder(comment: str) -> None:
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
def test_a_comment_about_the_code_is_no_placeholder(comment: str) -> None:
    assert new_placeholder(CODE, f"{CODE}# {comment}\n", is_file=True) is None
    assert new_placeholder(SCRIPT, f"{SCRIPT}// {comment}\n", is_file=True) is None


def test_a_phrase_in_a_string_is_no_placeholder() -> None:
    assert new_placeholder(CODE, f'{CODE}NOTE = "# ... rest of the code unchanged ..."\n', is_file=True) is None


def test_a_repeated_phrase_is_a_placeholder() -> None:
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
def test_in_prose_a_line_in_brackets_or_dots_is_a_placeholder(line: str) -> None:
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
    ],
)
def test_in_prose_a_sentence_or_heading_is_no_placeholder(line: str) -> None:
    assert new_placeholder(PROSE, f"A text.\n\n{line}\n", is_file=False) is None


@pytest.mark.parametrize("body", ["pass", "...", '"""Return x."""', "raise NotImplementedError", '"""A."""\n    pass'])
def test_an_emptied_body_is_a_placeholder(body: str) -> None:
    assert new_placeholder(CODE, CODE.replace("return x", body), is_file=False) == "the empty body of 'one'"


def test_methods_and_classes_are_checked_too() -> None:
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
def test_a_body_that_is_new_or_did_nothing_before_is_no_placeholder(before: str, after: str) -> None:
    assert new_placeholder(before, after, is_file=True) is None


def test_a_statement_of_dots_among_others_is_a_placeholder() -> None:
    assert new_placeholder(CODE, "def one(x):\n    return x\n\n\n...\n", is_file=True) == "the placeholder '...'"
    after = CODE.replace("    y += 1\n", "    ...\n    y += 1\n")
    assert new_placeholder(CODE, after, is_file=True) == "the placeholder '...'"
    assert new_placeholder(after, after, is_file=True) is None


THREE = f"{CODE}\n\ndef three(z):\n    for i in z:\n        print(i)\n        yield i\n    yield from z\n"
PAGE = "<html>\n<p>One</p>\n<p>Two</p>\n<p>Three</p>\n</html>\n"
REMARKS = [
    "two and three stay the same",
    "Everything else unchanged",
    "(main part as it was)",
    "same implementation as before",
    "No changes below this line",
    "etc.",
    "The other functions do not change.",
    "-- snip --",
    "... existing loop ...",
    "... other components ...",
    "... the main loop",
    "keep the existing code",
    "Nothing else changes here",
]


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize("mark", ["# {}", "// {}", "/* {} */", "{{/* {} */}}", "<!-- {} -->", "% {}", ";; {}"])
def test_a_remark_that_code_stays_is_a_placeholder_where_code_is_lost(remark: str, mark: str) -> None:
    line = mark.format(remark)
    if mark[0] != "#":
        assert new_placeholder(PAGE, f"<html>\n<p>1</p>\n{line}\n</html>\n", is_file=True) is not None
        assert new_placeholder(PAGE + line, f"<html>\n<p>1</p>\n{line}\n</html>\n", is_file=True) is None
        return
    grown = "def one(x):\n    x += 1\n    x += 2\n    x += 3\n    x += 4\n    x += 5\n    return x\n"
    for shorter in (f"def one(x):\n    return 2 * x\n\n\n{line}\n", f"{line}\n{grown}", f"{grown}\n\n{line}\n"):
        assert new_placeholder(THREE, shorter, is_file=True) == f"the placeholder {line!r}"
    inside = THREE.replace("    for i in z:\n        print(i)\n        yield i\n", f"    {line}\n")
    assert new_placeholder(THREE, inside, is_file=True) == f"the placeholder {line!r}"
    assert new_placeholder(line + "\n" + THREE, inside, is_file=True) is None


@pytest.mark.parametrize("remark", ["... rest of the code unchanged ...", "...", "... other functions ..."])
def test_a_statement_that_is_only_such_a_remark_is_a_placeholder(remark: str) -> None:
    assert new_placeholder(THREE, f'def one(x):\n    return x\n\n\n"""{remark}"""\n', is_file=True) is not None
    assert new_placeholder(THREE, f'"""{remark}"""\n\n\ndef one(x):\n    return x\n', is_file=True) is not None


@pytest.mark.parametrize(
    "remark",
    [
        "other fields are left unchanged",
        "Lines skipped by the reader",
        "the remaining items are the same",
        "the other entries stay as they were",
        "Everything else unchanged",
    ],
)
def test_a_remark_beside_complete_code_is_no_placeholder(remark: str) -> None:
    longer = THREE.replace("    return x\n", f"    # {remark}\n    x = x or 1\n    return 2 * x\n")
    assert new_placeholder(THREE, longer, is_file=True) is None
    assert new_placeholder(THREE, f"# {remark}\n{THREE}", is_file=False) is None
    moved = f"# {remark}\n{THREE[len(CODE) :]}\n\n{CODE}"
    assert new_placeholder(THREE, moved, is_file=True) is None
    assert new_placeholder(PAGE, PAGE.replace("One", f"1 <!-- {remark} -->"), is_file=True) is None


@pytest.mark.parametrize(
    "remark",
    ["(see original for the rest)", "three: same code", "everything below stays put", "[...]", "the others go here"],
)
def test_a_short_remark_about_other_code_is_a_placeholder_where_much_code_is_lost(remark: str) -> None:
    shorter = "def one(x):\n    return 2 * x\n"
    assert new_placeholder(THREE, f"{shorter}\n\n# {remark}\n", is_file=True) == f"the placeholder '# {remark}'"
    assert new_placeholder(PAGE, f"<html>\n<!-- {remark} -->\n</html>\n", is_file=True) is not None
    assert new_placeholder(THREE, THREE.replace("    yield from z\n", f"    # {remark}\n"), is_file=True) is None
    assert (
        new_placeholder(THREE, f"{shorter}    # {remark}, but for all the callers that ask for it\n", is_file=True)
        is None
    )


def test_a_remark_behind_code_on_its_line_is_no_placeholder() -> None:
    shorter = THREE.replace("        print(i)\n        yield i\n", "        yield i  # same order as before\n")
    assert new_placeholder(THREE, shorter, is_file=True) is None


@pytest.mark.parametrize("line", ["*On the same ideas as before the war*", "**Everything else**", "[a link](http://x)"])
def test_emphasis_and_links_of_a_shorter_text_are_no_placeholders(line: str) -> None:
    assert new_placeholder(LETTER, f"Dear all,\n\nfirst.\n\n{line}\n", is_file=False) is None


LETTER = "Dear all,\n\nthe first paragraph tells much.\n\nThe second one tells a little more of it all.\n\nYours\n"


@pytest.mark.parametrize(
    "line",
    [
        "[rest of the letter unchanged]",
        "*The rest of the letter remains unchanged.*",
        "_The other paragraphs do not change._",
        "**[Second paragraph as before]**",
        "[Second paragraph as before]",
        "(ending as it was)",
        "[...]",
        "...",
    ],
)
def test_in_shortened_prose_a_remark_on_its_own_line_is_a_placeholder(line: str) -> None:
    assert new_placeholder(LETTER, f"Dear all,\n\nfirst.\n\n{line}\n", is_file=False) == f"the placeholder {line!r}"
    assert new_placeholder(f"{LETTER}{line}\n", f"Dear all,\n\n{line}\n", is_file=False) is None
    if "rest of" not in line:
        assert new_placeholder(LETTER, f"{LETTER}{line}\n", is_file=False) is None


@pytest.mark.parametrize(
    "line", ["[insert improved paragraph here]", "[Your closing words here]", "**[Add text here]**"]
)
def test_a_text_to_be_inserted_is_a_placeholder_at_any_length(line: str) -> None:
    assert new_placeholder(LETTER, f"{LETTER}{line}\n", is_file=False) == f"the placeholder {line!r}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("class E(Exception):\n    x = 1\n", "class E(Exception):\n    pass\n"),
        ("class A:\n    x = 1\n    y = 2\n    z = 3\n", "class A:\n    x = 1\n"),
        (
            "class P(Protocol):\n    def f(self):\n        return 1\n",
            "class P(Protocol):\n    def f(self): ...\n",
        ),
        (
            "class P:\n    @abc.abstractmethod\n    def f(self):\n        return 1\n",
            "class P:\n    @abc.abstractmethod\n    def f(self): ...\n",
        ),
        ("def cb(x):\n    y = x\n    return None\n", "def cb(x):\n    return None\n"),
        ("def cb(x):\n    if x:\n        return\n    return None\n", "def cb(x):\n    return None\n"),
    ],
)
def test_a_body_that_may_be_empty_is_no_placeholder(before: str, after: str) -> None:
    assert new_placeholder(before, after, is_file=True) is None


def test_a_lost_body_is_a_placeholder_beside_bodies_that_may_be_empty() -> None:
    fields = "class A:\n    x = 1\n    y = 2\n"
    assert new_placeholder(fields, "class A: ...\n", is_file=True) == "the empty body of 'A'"
    assert new_placeholder(CODE, CODE.replace("return x", "return None"), is_file=True) == "the empty body of 'one'"
    early = "def cb(x):\n    print(x, y)\n    return None\n\n\ndef f():\n    return cb\n"
    assert new_placeholder(
        early.replace("print", "put"), early.replace("print(x, y)\n    return None", "pass"), is_file=True
    )
