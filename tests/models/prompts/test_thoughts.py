"""Thoughts of a reasoning model, and texts that only look like them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis.strategies import lists, sampled_from, text

from jido_ai.models.prompts.thoughts import without_thoughts

FINAL = "<|end|><|start|>assistant<|channel|>final<|message|>"
JSON = '{"severity": 0.1, "issues": []}'


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("<think>\nlet me see\n</think>\n\nThe answer is 4.", "The answer is 4."),
        ("<thinking>hm</thinking>4", "4"),
        (" \n<THINK>hm</THINK> 4", "4"),
        ("<think>hm</thinking>4", "4"),
        ("[THINK]hm[/THINK]4", "4"),
        ("<|channel>thought\nhm<channel|>4", "4"),
        ('<think>maybe {"severity": 0.9, "issues": ["bad"]} no</think>' + JSON, JSON),
        ("<think>one</think>\n<think>two</think>4", "4"),
        ("<think><think>one</think></think>4", "4"),
        ("<think>it ends with `</think>`, I think</think>4", "4"),
        ("<think>```\n</think>\n```\nfine</think>4", "4"),
        ("<think>```\nan open fence</think>4", "4"),
        ("<think></think>\n\n    return 4\n", "    return 4\n"),
        ("<think></think>4", "4"),
        ("<think>\n\n</think>\n\n4", "4"),
        ("[THINK][/THINK]4", "4"),
        ('<think duration="3">\nx</think>4', "4"),
        ("<THINK a='1' b=2>x</THINK>4", "4"),
        ("\ufeff<think>x</think>4", "4"),
        (" \ufeff\n<think>x</think>4", "4"),
        ("<think>a</think>The tag is `</think>`.", "The tag is `</think>`."),
    ],
)
def test_text_between_tags_at_the_beginning_is_not_part_of_the_reply(said: str, reply: str) -> None:
    assert without_thoughts(said)[0] == reply


@pytest.mark.parametrize("said", ["<think>let me see", "<think>\nlet me\n\nsee", "<thinking> and then", "[THINK]hm"])
def test_thoughts_without_an_end_leave_no_reply(said: str) -> None:
    reply, thoughts = without_thoughts(said)
    assert reply == ""
    assert thoughts


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("Let me see.\n</think>\n\nThe answer is 4.", "The answer is 4."),
        ("2 and 2 are 4.</think>The answer is 4.", "The answer is 4."),
        ("2 and 2 are 4. </think>\n4", "4"),
        ('maybe {"severity": 0.9, "issues": ["bad"]} no</think>' + JSON, JSON),
        (f"maybe no.</think>\n{JSON}", JSON),
        (f"maybe no </think> {JSON}", JSON),
        ("hm\n</thinking>4", "4"),
        ("</think>\n\n4", "4"),
        ("The user asks for `<think>`.\n</think>\n\nfine", "fine"),
        ("They say `</think>` here.\n</think>\n\nfine", "fine"),
        ("all thoughts\n</think>", ""),
        ("4</think>", "4"),
        ("2 and 2:\n4</think>\n", "2 and 2:\n4"),
        ("It is 4. </thinking>", "It is 4."),
    ],
)
def test_a_prompt_may_have_opened_the_tag(said: str, reply: str) -> None:
    assert without_thoughts(said)[0] == reply


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        (f"<|channel|>analysis<|message|>2 + 2{FINAL}4", "4"),
        (f"<|channel|>analysis<|message|>2 + 2{FINAL}4<|return|>", "4"),
        ("<|channel|>analysis<|message|>2 + 2<|channel|>final<|message|>4", "4"),
        (f"<|start|>assistant<|channel|>analysis<|message|>2 + 2{FINAL}4", "4"),
        (f"analysis<|message|>2 + 2{FINAL}4", "4"),
        (f"2 + 2{FINAL}4", "4"),
        ("<|channel|>final<|message|>4", "4"),
        (f"<|channel|>commentary to=user<|message|>hm{FINAL}4", "4"),
        (f"<|channel|>analysis<|message|>hm{FINAL}".replace("final", "final <|constrain|>json") + JSON, JSON),
        ("<|channel|>analysis<|message|>2 + 2", ""),
    ],
)
def test_only_the_final_channel_is_the_reply(said: str, reply: str) -> None:
    assert without_thoughts(said)[0] == reply


@pytest.mark.parametrize(
    "said",
    [
        "",
        "4",
        "The tag <think> opens the thoughts, and </think> closes them.",
        "`<think>` is a tag.",
        "<think> is a tag.",
        "<think> and </think> are tags.",
        "</think> is a tag.",
        "Close them with </think>.",
        "Close them with </think>\nand go on.",
        "It opens.\n</think> closes it.",
        "Write `</think>`\n",
        '"</think>"\n',
        "(see </think>)\n",
        "- </think>\n- <br>",
        "1. </think>\nis the end",
        "| </think> | the end |",
        "```html\n<think>\nhm\n</think>\n```",
        "~~~\n</think>\n~~~\nis the end",
        "Use:\n```\n</think>\n```\nat the end.",
        "<p><think>hm</think></p>",
        "4 <think>was that right?</think>",
        'text.split("</think>")[1]',
        "END = '</think>'\n",
        're.compile(r"<think>.*?</think>")\n',
        "# all up to </think>\nx = 1\n",
        r'{"improved_response": "hm.\n</think>\nfine"}',
        '{"improved_response": "It ends.</think>Then"}',
        'Here: {"improved_response": "It ends.\n</think>\nThen"}',
        "Its head is `<|channel|>final<|message|>`.",
        f"```\n2 + 2{FINAL}4\n```\nis the form.",
        "analysis of the message",
        "analysis begins with <|message|>.",
        "final answers follow <|message|> in the final channel",
    ],
)
def test_a_text_that_only_mentions_a_tag_is_unchanged(said: str) -> None:
    assert without_thoughts(said) == (said, "")


def test_thoughts_are_separated_and_kept_in_order() -> None:
    assert without_thoughts("<think> one </think><think>two</think>4") == ("4", "one\n\ntwo")
    assert without_thoughts("one\n</think>\n4") == ("4", "one")


PIECES = [
    "<think>",
    "</think>",
    "<|channel|>",
    "analysis",
    "final",
    "<|message|>",
    "`",
    "```",
    '"',
    "{",
    "\n",
    " ",
    "a.",
]


@given(lists(sampled_from(PIECES) | text(max_size=5), max_size=30).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_reply_is_a_part_of_the_text(said: str) -> None:
    reply, _ = without_thoughts(said)
    assert reply in said
