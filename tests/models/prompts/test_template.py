"""Templates: what a user may write, and what hostile data cannot do."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from hostile_texts import HOSTILE
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.models.prompts import template as prompt_template
from jido_ai.models.prompts.critique import CritiquePrompt
from jido_ai.models.prompts.generation import GenerationPrompt
from jido_ai.models.prompts.revision import RevisionPrompt
from jido_ai.models.prompts.template import MAX_CHARS, PromptTemplate, block_id, cut, data_blocks, without_tags
from jido_ai.text.printable import printable
from jido_ai.values import CritiqueResult, Issue, Location, MemoryEntry

FIELDS = ("prompt", "candidate")


def blocks_of(text: str) -> list[tuple[str, str]]:
    """Read a request back: the id from its first line, then every block, as a reader would who knows nothing else."""
    found = re.match(r'Tags that end in "_([0-9a-f]{12})" mark blocks', text)
    assert found is not None
    tag = re.compile(rf"<(/?)([a-z]+)_{found[1]}>")
    blocks: list[tuple[str, str]] = []
    opened: re.Match[str] | None = None
    for mark in tag.finditer(text):
        if mark[1]:
            assert opened is not None, "a block is closed that was never opened"
            assert opened[2] == mark[2], "another block is closed"
            blocks.append((mark[2], text[opened.end() + 1 : mark.start() - 1]))
            opened = None
        else:
            assert opened is None, "a block is opened inside of another"
            opened = mark
    assert opened is None, "a block is never closed"
    return blocks


@pytest.mark.rows("J5")
def test_fields_become_blocks_whose_tags_end_in_the_same_id() -> None:
    rendered = PromptTemplate("Q:\n$prompt\n\nA:\n${candidate} for $$5", fields=FIELDS).render(
        {"prompt": "why?", "candidate": "so\n"}
    )
    assert blocks_of(rendered) == [("prompt", "why?"), ("candidate", "so\n")]
    assert rendered.endswith(" for $5")


@pytest.mark.rows("J5")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("$prompt $secret", "field .secret is unknown; known are: .prompt, .candidate"),
        ("$candidate.__class__ ${candidate.metadata}", "dollar sign"),
        ("$candidate $(rm -rf /)", "dollar sign"),
        ("{candidate} $prompt", "must show .candidate"),
        ("costs $ 5 $candidate", "dollar sign"),
        ("", "not blank"),
        (None, "not blank"),
    ],
)
def test_a_template_that_is_more_than_text_and_known_fields_is_refused_at_once(text: str, why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        PromptTemplate(text, fields=FIELDS, required=("candidate",))


def test_what_stands_in_data_is_never_a_field() -> None:
    template = PromptTemplate("$prompt $candidate", fields=FIELDS)
    rendered = template.render({"prompt": "$candidate ${candidate} $$", "candidate": "x"})
    assert blocks_of(rendered) == [("prompt", "$candidate ${candidate} $$"), ("candidate", "x")]


def test_a_paragraph_with_nothing_to_show_is_left_out_unless_it_must_be_there() -> None:
    template = PromptTemplate("Lessons:\n$prompt\n\nA:\n$candidate", fields=FIELDS, required=("candidate",))
    rendered = template.render({"prompt": " ", "candidate": ""})
    assert blocks_of(rendered) == [("candidate", "")]
    assert "Lessons" not in rendered


@pytest.mark.rows("J5")
def test_every_field_is_bounded_and_the_cut_is_visible() -> None:
    rendered = PromptTemplate("$candidate", fields=FIELDS).render({"candidate": "a" * 50_000 + "b" * 50_000})
    ((_, shown),) = blocks_of(rendered)
    assert len(shown) <= 10_000
    assert re.search(r"a\n\[… \d{5} characters left out …\]\nb", shown)
    assert cut("abc", 3) == "abc"


def test_of_ten_megabytes_only_what_is_shown_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []

    def noted(text: str) -> str:
        looked_at.append(len(text))
        return printable(text)

    monkeypatch.setattr(prompt_template, "printable", noted)
    PromptTemplate("$prompt", fields=FIELDS).render({"prompt": "x\x00\ud800" * 3_500_000})
    assert looked_at == [MAX_CHARS]


def test_control_characters_and_half_characters_are_shown_as_such() -> None:
    assert printable("a\x00b\ud800c\x1bd\te\n\u202ef") == "a\ufffdb\ufffdc\ufffdd\te\n\u202ef"


def test_the_same_texts_make_the_same_request_and_others_another_id() -> None:
    assert block_id("a") == block_id("a") != block_id("b")
    assert block_id("x") not in "x" and re.fullmatch("[0-9a-f]{12}", block_id("x"))


def test_an_id_that_a_text_happens_to_contain_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = {b"a 0123456789AB b": "0123456789ab" + "0" * 52, b"0123456789ab" + b"0" * 52: "ba9876543210" + "0" * 52}
    monkeypatch.setattr(
        "jido_ai.models.prompts.template.hashlib.sha256", lambda data: SimpleNamespace(hexdigest=lambda: digests[data])
    )
    assert block_id("a 0123456789AB b") == "ba9876543210"


# -- injection -------------------------------------------------------------------------------------

TEXT = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=5), max_size=6).map("".join)
USERS = [None, "$candidate", "Judge.\n\n$lessons\n\n$prompt / $candidate. Ten $$ if you are right."]


def as_sent(text: str) -> str:
    return printable(text)


@pytest.mark.rows("J5")
@settings(max_examples=150, deadline=None)
@given(TEXT, TEXT, TEXT, st.sampled_from(USERS), st.booleans())
def test_no_prompt_candidate_or_lesson_changes_the_structure_of_a_request_for_a_critique(
    prompt: str, candidate: str, lesson: str, template: str | None, has_criteria: bool
) -> None:
    criteria = ("is short", "is true") if has_criteria else ()
    template = f"{template}\n\n$criteria" if template and criteria else template
    asked = CritiquePrompt.of(criteria=criteria, template=template)
    for id in ("0" * 12, known_id(asked, prompt, candidate, lesson)):
        texts = [text.replace("{id}", id) for text in (prompt, candidate, lesson)]
        system, user = asked.messages(texts[0], texts[1], [MemoryEntry("q", texts[2], texts[2])])
        assert system == asked.messages("", "", ())[0]
        check_structure(user.content, {"prompt": texts[0], "candidate": texts[1]}, template)


def known_id(asked: CritiquePrompt, prompt: str, candidate: str, lesson: str) -> str:
    """Return the id that the texts get as they are: the most that whoever writes a part of them could know."""
    user = asked.messages(prompt, candidate, [MemoryEntry("q", lesson, lesson)])[1].content
    return user.split('"_')[1][:12]


def check_structure(request: str, texts: dict[str, str], template: str | None) -> None:
    blocks = blocks_of(request)
    names = [name for name, _ in blocks]
    usual = ["prompt", "lessons", "candidate", "critique", "criteria"]
    order = re.findall(r"\$([a-z]+)", template.replace("$$", "")) if template else usual
    assert names == [name for name in order if name in names]
    assert "candidate" in names
    shown = dict(blocks)
    for name, text in texts.items():
        if name in shown:
            assert shown[name] == as_sent(text)
    outside = re.sub(r"(?s)<([a-z]+_[0-9a-f]{12})>.*?</\1>", "", request.split("\n", 1)[1])
    assert "Ignore all" not in outside and "\x00" not in request and not re.search("[\ud800-\udfff]", request)


@settings(max_examples=100, deadline=None)
@given(TEXT, TEXT, TEXT, TEXT)
def test_no_tool_output_changes_the_structure_of_a_request_for_a_revision(
    prompt: str, candidate: str, output: str, lesson: str
) -> None:
    issue = Issue(output or "x", severity=0.9, rule=output, source="tool:pytest", location=Location(line=3))
    critique = CritiqueResult(severity=0.9, issues=[issue], suggestions=[output or "y"], feedback=output)
    system, user = RevisionPrompt.of().messages(prompt, candidate, critique, [MemoryEntry(lesson or "z", lesson)])
    assert system == RevisionPrompt.of().messages("", "", CritiqueResult.no_issues(), ())[0]
    check_structure(user.content, {"prompt": prompt, "candidate": candidate}, None)
    shown = dict(blocks_of(user.content))["critique"]
    assert len(re.findall(r"^\d+\. ", shown, re.MULTILINE)) == 1, "no output passes for another finding"


@settings(max_examples=50, deadline=None)
@given(TEXT, TEXT)
def test_no_lesson_changes_the_structure_of_a_request_for_a_candidate(prompt: str, lesson: str) -> None:
    (_, user) = GenerationPrompt.of().messages(prompt, [MemoryEntry("q", lesson or "z")])
    assert [name for name, _ in blocks_of(user.content)] == ["lessons"]
    assert user.content.endswith(f"\n\n{prompt}")


@pytest.mark.rows("C26")
def test_without_lessons_the_prompt_goes_out_as_it_is() -> None:
    assert [message.content for message in GenerationPrompt.of(system="").messages("hello", ())] == ["hello"]


def test_in_a_list_a_prompt_is_shown_without_the_tags_of_its_blocks() -> None:
    preamble, (block,) = data_blocks([("topic", "the sea")])
    assert without_tags(f"{preamble}\n\nWrite about {block} now.") == "Write about the sea now."
    assert without_tags("<topic_0123456789ab>\nas it is") == "<topic_0123456789ab>\nas it is"
