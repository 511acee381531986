"""Unified diffs: as git, diff and difflib write them, and as git and patch read them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.improve.hunks import LineEdit, joined, placed_edits, rendered
from jido_ai.improve.patches import FilePatch, diff_header, parse_patch, patch_of_texts
from jido_ai.text.change import lines_of

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d\r", "", "é\udcff", "- x", "+ y", "@@ -1 +1 @@"]), max_size=30).map(
    "\n".join
)
ENDS = st.sampled_from(["", "\n"])


def edits_of(patch: FilePatch, text: str) -> list[LineEdit]:
    return [edit for hunk in patch.hunks for edit in placed_edits(hunk, lines_of(text))]


def only(text: str) -> FilePatch:
    (patch,) = parse_patch(text)
    return patch


@given(TEXTS, TEXTS, ENDS, ENDS)
def test_all_edits_of_a_patch_make_the_text_that_it_was_made_from(old: str, new: str, end: str, last: str) -> None:
    old, new = old + end, new + last
    for patch in parse_patch(patch_of_texts("f.py", old, new)):
        assert joined(old, edits_of(patch, old)) == new


@given(TEXTS, TEXTS, st.sets(st.integers(0, 30)))
def test_any_part_of_the_edits_is_a_patch_that_makes_the_same_text(old: str, new: str, numbers: set[int]) -> None:
    old, new = f"{old}\n", f"{new}\n"
    for patch in parse_patch(patch_of_texts("f.py", old, new)):
        edits = edits_of(patch, old)
        chosen = [edit for place, edit in enumerate(edits) if place in numbers]
        others = [edit for edit in edits if edit not in chosen]
        part = joined(old, chosen)
        for again in parse_patch(rendered("f.py", old, chosen, others)):
            assert joined(old, edits_of(again, old)) == part
        assert joined(old, [*others, *chosen]) == new


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("first", [False, True])
def test_git_applies_the_other_edits_alone_and_after_the_first(tmp_path: Path, first: bool) -> None:
    old = "".join(f"line {number}\n" for number in range(40))
    new = old.replace("line 0\n", "zero\n").replace("line 3\n", "").replace("line 5\n", "five\nmore\n")
    new = new.replace("line 20\n", "twenty\n").replace("line 22\n", "22\n").replace("line 39\n", "end\n")
    edits = edits_of(only(patch_of_texts("f.txt", old, new)), old)
    one, other = edits[::2], edits[1::2]
    (tmp_path / "f.txt").write_text(old)
    wanted = joined(old, edits if first else other)
    for chosen, rest in ([(one, other)] if first else []) + [(other, one)]:
        patch = rendered("f.txt", old, chosen, rest)
        subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=tmp_path, check=True)
    assert (tmp_path / "f.txt").read_text() == wanted


@pytest.mark.parametrize(
    ("head", "paths"),
    [
        ("--- a/x.py\n+++ b/x.py\n", ("x.py", "x.py")),
        ("--- x.py\n+++ x.py\n", ("x.py", "x.py")),
        ("--- a/x.py\n+++ a/x.py\n", ("a/x.py", "a/x.py")),
        ("--- old/p/x.py\t2026-01-01 00:00:00\n+++ new/p/x.py\t2026-01-02 00:00:00\n", ("p/x.py", "p/x.py")),
        ("diff --git a/a b/x.py b/a b/x.py\n--- a/a b/x.py\t\n+++ b/a b/x.py\t\n", ("a b/x.py", "a b/x.py")),
        ('--- "a/caf\\303\\251.py"\n+++ "b/caf\\303\\251.py"\n', ("café.py", "café.py")),
        ("--- /dev/null\n+++ b/x.py\n", (None, "x.py")),
        ("--- a/x.py\n+++ /dev/null\n", ("x.py", None)),
        ("--- i/x.py\n+++ w/x.py\n", ("x.py", "x.py")),
        ("diff --git x.py x.py\nindex 1..2 100644\n--- x.py\n+++ x.py\n", ("x.py", "x.py")),
        ("--- a/../x.py\n+++ b/../x.py\n", ("../x.py", "../x.py")),
    ],
)
def test_the_names_of_a_file_lose_the_prefixes_and_quotes_of_the_tool(
    head: str, paths: tuple[str | None, str | None]
) -> None:
    patch = only(f"{head}@@ -1 +1 @@\n-a\n+b\n")
    assert (patch.old, patch.new) == paths


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_every_name_is_read_as_it_was_written(name: str) -> None:
    patch = only(diff_header(name, name) + "@@ -1 +1 @@\n-a\n+b\n")
    assert (patch.old, patch.new) == (name, name)


def test_renames_modes_and_binary_files_are_read() -> None:
    rename, mode, binary, empty = parse_patch(
        "diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py\n"
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
        "diff --git a/p.png b/p.png\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZ\n\nliteral 0\nHcmV\n\n"
        "diff --git a/e.py b/e.py\nnew file mode 100644\nindex 0000000..e69de29\n"
    )
    assert (rename.old, rename.new) == ("x.py", "y.py")
    assert (mode.path, mode.old_mode, mode.new_mode) == ("run.sh", "100644", "100755")
    assert (binary.path, binary.is_binary) == ("p.png", True)
    assert (empty.old, empty.new) == (None, "e.py")


def test_a_mail_around_the_diffs_is_passed_over() -> None:
    mail = "From: A\nSubject: [PATCH] x\n\n---\n x.py | 2 +-\n\n"
    assert only(f"{mail}--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n-- \n2.40.1\n").path == "x.py"


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_patch_without_text_has_no_files(text: str) -> None:
    assert parse_patch(text) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello\n", "no unified diff"),
        ("--- a/x.py\n+++ b/x.py\n", "expected a hunk"),
        ("--- a/x.py\n+++ b/x.py\n@@ -1,3 +1 @@\n-a\n", "line 5 of the patch: the hunk is cut off"),
        ("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\nhello\n", "line 4 of the patch"),
        ("@@ -1 +1 @@\n-a\n+b\n", "line 1 of the patch: a hunk without the names"),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "both names are /dev/null"),
    ],
)
def test_a_text_that_is_no_whole_patch_is_refused_with_the_line(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        parse_patch(text)


# -- places ----------------------------------------------------------------------------------------


def placed(hunk: str, text: str) -> str:
    patch = only(f"--- a/x\n+++ b/x\n{hunk}")
    return joined(text, edits_of(patch, text))


def test_a_hunk_whose_line_numbers_are_off_is_found_where_its_lines_are() -> None:
    assert placed("@@ -7,2 +7,2 @@\n b\n-c\n+C\n", "a\nb\nc\n") == "a\nb\nC\n"


@pytest.mark.parametrize(
    ("hunk", "text", "said"),
    [
        ("@@ -1,2 +1,2 @@\n x\n-c\n+C\n", "a\nb\nc\n", "line 1 should be 'x', and the file has 'a'"),
        ("@@ -2 +2 @@\n-a\n+b\n", "a\nb\na\n", "2 other places"),
        ("@@ -1 +1 @@\n-a\n+b\n", "a\r\nb\r\n", "line ends differ"),
        ("@@ -9 +9 @@\n-z\n+b\n", "a\n", "the file ends before"),
        ("@@ -5,0 +6 @@\n+b\n", "a\n", "the file has 1 lines"),
        ("@@ -1,0 +2 @@\n+b\n", "a", "last line without an end"),
        ("@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "a\nc\n", "a line without an end within the file"),
    ],
)
def test_a_hunk_that_fits_nowhere_is_refused_with_the_reason(hunk: str, text: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        placed(hunk, text)


def test_a_hunk_that_overlaps_the_one_before_is_refused() -> None:
    one = only("--- a/x\n+++ b/x\n@@ -2 +2 @@\n-b\n+B\n")
    with pytest.raises(ConfigurationError, match="overlaps"):
        placed_edits(one.hunks[0], lines_of("a\nb\n"), after=2)


def test_line_ends_and_a_missing_last_one_are_kept() -> None:
    old, new = "a\r\nb\r\nc", "a\r\nB\r\nc\r\nd"
    assert placed(patch_of_texts("x", old, new).partition("+++ b/x\n")[2], old) == new
