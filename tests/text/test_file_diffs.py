"""Diffs as the formatter prints them."""

import pytest

from jido_ai.text.file_diffs import diffs_by_file, patched

A = "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n-x=1\n+x = 1\n y = 2\n\n"
B = "--- b.py\n+++ b.py\n@@ -1,3 +1,1 @@\n--- old\n-++ old\n y = 2\n\n"


def test_a_diff_is_split_by_file():
    assert diffs_by_file(A + B) == {"a.py": A, "b.py": B}
    assert diffs_by_file("") == {}


def test_a_removed_line_that_looks_like_a_header_stays_in_its_file():
    assert patched("-- old\n++ old\ny = 2\n", diffs_by_file(B + A)["b.py"]) == "y = 2\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_stay(end):
    diff = f"--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n-x=1{end}+x = 1{end} y = 2{end}\n"
    assert patched(f"x=1{end}y = 2{end}", diff) == f"x = 1{end}y = 2{end}"


def test_a_last_line_without_an_end_gets_one():
    diff = "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x = 1\n\\ No newline at end of file\n+x = 1\n\n"
    assert patched("x = 1", diff) == "x = 1\n"


def test_several_hunks_are_applied():
    text = "".join(f"line{n}\n" for n in range(1, 21))
    diff = "--- a\n+++ a\n@@ -1,2 +1,1 @@\n-line1\n line2\n@@ -19,2 +18,3 @@\n line19\n+more\n line20\n"
    assert patched(text, diff) == text.removeprefix("line1\n").replace("line20", "more\nline20")


def test_an_empty_diff_changes_nothing():
    assert patched("x=1", "") == "x=1"


@pytest.mark.parametrize("diff", [A.replace("-x=1", "-z=1"), A.replace("-1,2", "-1,9"), A.replace("@@ -1,2", "@@ -x")])
def test_a_diff_that_does_not_fit_is_refused(diff):
    with pytest.raises(ValueError, match=r"fit|hunk"):
        patched("x=1\ny = 2\n", diff)


def test_other_text_is_refused():
    with pytest.raises(ValueError, match="not a line of a diff"):
        diffs_by_file("warning: something\n" + A)
