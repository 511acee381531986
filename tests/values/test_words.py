"""Words of any language."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from, text, tuples

from jido_ai.memory.index.similarity import jaccard
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry, all_words, extract_keywords

ALIKE = [
    ("请用中文总结这份季度报告", "请用中文总结这份年度报告"),
    ("四半期報告書を日本語で要約してください", "年次報告書を日本語で要約してください"),
    ("データベースの索引を作る", "ﾃﾞｰﾀﾍﾞｰｽの索引を作る"),
    ("สรุปรายงานประจำปีเป็นภาษาไทย", "สรุปรายงานประจำเดือนเป็นภาษาไทย"),
    ("សង្ខេបរបាយការណ៍ប្រចាំឆ្នាំ", "សង្ខេបរបាយការណ៍ប្រចាំខែ"),
    ("ສະຫຼຸບບົດລາຍງານປະຈໍາປີ", "ສະຫຼຸບບົດລາຍງານປະຈໍາເດືອນ"),
    ("နှစ်ပတ်လည်အစီရင်ခံစာကိုအကျဉ်းချုပ်ပါ", "လစဉ်အစီရင်ခံစာကိုအကျဉ်းချုပ်ပါ"),
]
SAME = [
    ("café crème", unicodedata.normalize("NFD", "café crème")),
    ("Việt Nam", unicodedata.normalize("NFD", "Việt Nam")),
    ("한국어 시험", unicodedata.normalize("NFD", "한국어 시험")),
    ("STRASSE", "straße"),
    ("ＡＢＣ　１２３", "abc 123"),
    ("ﬁle", "file"),
    ("co\u00adoperate", "cooperate"),
    ("zero\u200bwidth", "zerowidth"),
    ("\u202aabc\u202c d\u2060ef", "abc def"),
    ("ΟΔΟΣ", "οδος"),
    ("Ｃ＋＋", "c++"),
    ("می\u200cخواهم", "میخواهم"),
]
UNLIKE = [
    ("C++", "C#"),
    ("C", "C++"),
    ("F#", "F"),
    ("हिन्दी में लिखो", "हाथी को देखो"),
    ("தமிழ்", "தமிழர்"),
    ("机器学习", "天气预报"),
    ("東京の天気", "大阪へ旅行"),
    ("שָׁלוֹם", "שֶׁלֶג"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_texts_without_spaces_that_share_most_of_their_words_are_similar(one: str, other: str) -> None:
    assert jaccard(one, other) >= 0.4


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_spellings_of_one_text_have_the_same_words(one: str, other: str) -> None:
    assert extract_keywords(one) == extract_keywords(other)


POINTS = [*range(0x64B, 0x653), 0x670, *range(0x5B0, 0x5C8)]


@given(
    text("كتبمرحשלוםabc ", min_size=2),
    lists(tuples(integers(0, 20), sampled_from([chr(code) for code in POINTS]))),
)
def test_vowel_marks_and_points_do_not_separate_a_word_from_its_bare_form(
    bare: str, points: list[tuple[int, str]]
) -> None:
    pointed = bare
    for place, point in points:
        pointed = pointed[:place] + point + pointed[place:]
    assert extract_keywords(pointed) == extract_keywords(bare)


@given(text("検索あかกab1+#_- "))
def test_a_sign_alone_is_no_word_and_the_words_of_words_are_the_same(given: str) -> None:
    words = extract_keywords(given)
    assert all(any(map(str.isalnum, word)) or "_" in word for word in words)
    assert extract_keywords(" ".join(words)) == words


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_texts_about_different_subjects_share_no_word(one: str, other: str) -> None:
    assert extract_keywords(one).isdisjoint(extract_keywords(other))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("हिन्दी भाषा", {"हिन्दी", "भाषा"}),
        ("東京都", {"東京", "京都"}),
        ("日", {"日"}),
        ("Python3で書く", {"python3", "で書", "書く"}),
        ("C++で書く", {"c++", "で書", "書く"}),
        ("a+b, x++; issue #12", {"a", "b", "x++", "issue", "12"}),
        ("C++17 C#17", {"c++", "c#", "17"}),
        ("naïve_name-2", {"naïve_name", "2"}),
        ("don't", {"don", "t"}),
        ("กำ", {"กํา"}),
    ],
)
def test_all_words_of_a_text(given: str, words: set[str]) -> None:
    assert all_words(given) == words


@given(text())
def test_no_word_is_blank_and_the_case_does_not_matter(given: str) -> None:
    words = all_words(given)
    assert all(word.strip() for word in words)
    assert words == all_words(unicodedata.normalize("NFD", given))


@given(text(alphabet="ab1 _+#.C\n", max_size=40))
def test_an_ascii_text_has_the_same_words_beside_one_that_is_not(given: str) -> None:
    assert all_words(given + " é") == all_words(given) | {"é"}


async def test_a_lesson_in_chinese_is_found_for_a_similar_prompt() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        await memory.store(MemoryEntry("请用中文总结这份季度报告", "太长", "写三句话"))
        await memory.store(MemoryEntry("明天北京的天气怎么样", "没有日期", "写上日期"))
        found = await memory.retrieve_similar("请用中文总结这份年度报告")
    assert [scored.entry.correction for scored in found] == ["写三句话"]
