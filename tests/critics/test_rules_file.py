"""Rules of texts in TOML: what a file may say, and what is refused with its place."""

from __future__ import annotations

import pytest

from jido_ai.critics.rules_file import read_rules
from jido_ai.errors import ConfigurationError


def test_every_kind_of_rule_accepts_name_message_severity_and_kind() -> None:
    said = 'name = "n"\nmessage = "m"\nseverity = 0.5\nkind = "k"\n'
    checks = ('must_match = "a"', 'must_not_match = "a"', 'of = "words"\nat_most = 4')
    rules = read_rules("".join(f"[[rules]]\n{check}\n{said}" for check in checks), "r.toml")
    assert [rule.name for rule in rules] == ["n", "n", "n"]
    assert {(rule.told["message"], rule.told["severity"], rule.told["kind"]) for rule in rules} == {("m", 0.5, "k")}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ('must_match = "a"\nat_most = 3', 'at_most goes with the key "of", not with must_match'),
        ('must_match = "a"\nseverity = "high"', "severity must be a number, got 'high'"),
        ('must_match = "a"\nseverity = true', "severity must be a number, got True"),
        ('must_match = "a"\nmessage = 3', "message must be a string, got 3"),
        ('of = "words"\nat_most = 3.5', "at_most must be a whole number, got 3.5"),
        ('of = "pages"\nat_most = 3', 'of must be "characters", "words" or "lines"'),
        ('must_match = "a"\nmesage = "m"', "unknown key 'mesage'; did you mean 'message'?"),
        ('must_match = "("', "not a regular expression"),
        ("severity = 0.3", "needs exactly one of must_match, must_not_match and of"),
    ],
)
def test_a_wrong_rule_is_refused_with_its_place_and_the_reason(rule: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_rules(f"[[rules]]\n{rule}\n", "r.toml")
    assert str(caught.value).startswith("r.toml: rules[0]: ")
    assert said in str(caught.value)
