"""The text of a revision as it is taken from what a model wrote."""

from __future__ import annotations

import json

import pytest

from jido_ai.errors import ParseError
from jido_ai.models.prompts.revision import as_revised, read_edits, read_revision
from jido_ai.values import Candidate

CODE = "def one(x):\n    return x\n\n\ndef two(y):\n    y += 1\n    return y\n"
GOES_ON = "# ... rest of the code remains unchanged ..."


def whole(text: str) -> str:
    return json.dumps({"improved_response": text, "changes_made": [], "parts_preserved": []})


def edit(old: str, new: str) -> str:
    return json.dumps({"edits": [{"search": old, "replace": new}], "changes_made": [], "parts_preserved": []})


def test_the_tag_of_the_candidate_around_a_reply_is_removed() -> None:
    assert as_revised("<candidate>\napple, pear\n</candidate>\n", "apple", is_file=False) == "apple, pear"
    assert as_revised("<candidate_2>apple, pear</candidate_2>", "apple", is_file=False) == "apple, pear"
    for reply in ("<candidate>apple", "<candidate>a</candidate> and <candidate>b</candidate>x", "<em>apple</em>"):
        assert as_revised(reply, "apple", is_file=False) == reply
    assert (
        as_revised("<candidate>b</candidate>", "<candidate>a</candidate>", is_file=False) == "<candidate>b</candidate>"
    )


def test_prose_around_the_fence_of_a_source_file_is_removed() -> None:
    reply = f"Here is the improved version:\n```python\n{CODE}```\nI hope it helps."
    assert as_revised(reply, "x = 1\n", is_file=True) == CODE
    assert as_revised(reply, "Some text\n", is_file=False) == f"{reply}\n"
    assert as_revised(reply, "```\nx = 1\n```\n", is_file=True) == f"{reply}\n"
    assert as_revised(f"{reply}\n```\nother\n```", "x = 1\n", is_file=True).startswith("Here is")


@pytest.mark.parametrize(
    "reply",
    [
        "```python\nx = 2\n```",
        "~~~python\nx = 2\n~~~\n",
        "~~~\nx = 2\n~~~",
        "````\nx = 2\n````",
        "\ufeff```\nx = 2\n```",
        "\n  ```python\n  x = 2\n  ```\n",
    ],
)
@pytest.mark.parametrize("is_file", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("old_end", ["\n", "\r\n"])
def test_a_fence_around_the_whole_text_is_removed_in_any_form(
    reply: str, is_file: bool, end: str, old_end: str
) -> None:
    assert as_revised(reply.replace("\n", end), f"x = 1{old_end}", is_file=is_file) == f"x = 2{old_end}"


@pytest.mark.parametrize("reply", ["```python\nx = 2\n", "x = 2\n```\n", "~~~\r\nx = 2\r\n", "x = 2\r\n~~~"])
def test_half_a_fence_is_no_part_of_a_source_file(reply: str) -> None:
    assert as_revised(reply, "x = 1\n", is_file=True) == "x = 2\n"
    assert as_revised(reply, "Some text\n", is_file=False) != "x = 2\n"


@pytest.mark.parametrize("other", ["bash\npip install x", "diff\n-x = 1\n+x = 2", "text\n1"])
@pytest.mark.parametrize("is_first", [True, False])
def test_the_fence_marked_as_python_of_two_is_the_python_file(other: str, is_first: bool) -> None:
    blocks = [f"```{other}\n```\n", "```python\nx = 2\n```\n"]
    reply = "So:\n" + "and\n".join(blocks if is_first else reversed(blocks))
    assert as_revised(reply, "x = 1\n", is_file=True) == "x = 2\n"
    assert as_revised(reply, "int x;\n", is_file=True) == reply
    twice = f"{blocks[1]}then\n{blocks[1]}"
    assert as_revised(twice, "x = 1\n", is_file=True) == twice


@pytest.mark.parametrize("reply", ["```diff\n-x = 1\n+x = 2\n```", "So:\n~~~ patch\n-x = 1\n+x = 2\n~~~\nDone"])
def test_a_fenced_diff_is_no_source_file(reply: str) -> None:
    with pytest.raises(ParseError, match=r"^the revised text is a diff; give the whole text"):
        as_revised(reply, "x = 1\n", is_file=True)
    patch = "@@ -1 +1 @@\n-x = 1\n+x = 3\n"
    assert as_revised(reply, patch, is_file=True) == "-x = 1\n+x = 2\n"


def test_a_placeholder_is_an_unreadable_reply_in_words_that_a_model_can_act_on() -> None:
    text = f"def uno(): ...\n\n{GOES_ON}\n"
    with pytest.raises(ParseError, match=rf"^the revised text has the placeholder '{GOES_ON}'; give the whole text"):
        as_revised(text, CODE, is_file=False)
    with pytest.raises(ParseError, match="the empty body of 'one'; give the whole text"):
        as_revised(CODE.replace("return x", "pass"), CODE, is_file=False)
    with pytest.raises(ParseError, match=r"rest of the text unchanged\]'"):
        as_revised("A text.\n\n[rest of the text unchanged]", "A long text.", is_file=False)
    assert as_revised(text, f"{CODE}{GOES_ON}\ndef uno(): ...\n", is_file=False) == text


def test_both_forms_of_a_reply_are_read_in_this_way() -> None:
    crlf = Candidate(CODE.replace("\n", "\r\n"))
    revision, _ = read_revision(whole(CODE.replace("return x", "return 2 * x")), crlf, is_file=True)
    assert revision.improved_response == crlf.content.replace("return x", "return 2 * x")
    revision, _ = read_edits(edit("return x", "x = 2 * x\n    return x"), crlf)
    assert revision.improved_response == crlf.content.replace("return x", "x = 2 * x\r\n    return x")
    for read, reply in (
        (read_revision, whole(CODE.replace("    return x\n", f"    {GOES_ON}\n    return 1\n"))),
        (read_edits, edit("return x", "pass")),
        (read_edits, edit("    y += 1\n", f"    {GOES_ON}\n")),
    ):
        with pytest.raises(ParseError, match="the revised text has"):
            read(reply, Candidate(CODE))
