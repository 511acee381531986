"""The form of a file that a revision keeps."""

from __future__ import annotations

import pytest

from jido_ai.text.file_form import in_form_of, without_prose

SPDX = "# SPDX-License-Identifier: MIT\n"


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("x = 1\r\ny = 1\r\n", "x = 2\ny = 1\n", "x = 2\r\ny = 1\r\n"),
        ("x = 1\r\ny = 1\r\n", "x = 2\r\ny = 1", "x = 2\r\ny = 1\r\n"),
        ("x = 1\ny = 1\n", "x = 2\r\ny = 1\r\n", "x = 2\ny = 1\n"),
        ("x = 1\ry = 1\r", "x = 2\ny = 1\n", "x = 2\ry = 1\r"),
        ("a\r\nb\nc\r\n", "a\nb\nd\n", "a\r\nb\nd\n"),
        ("x = 1", "x = 2\n", "x = 2\n"),
    ],
)
def test_the_line_ends_of_the_old_text_are_kept(old: str, new: str, kept: str) -> None:
    assert in_form_of(old, new, is_file=False) == kept


def test_a_byte_order_mark_is_restored_and_never_added() -> None:
    assert in_form_of("\ufeffx = 1\n", "x = 2\n", is_file=False) == "\ufeffx = 2\n"
    assert in_form_of("\ufeffx = 1\n", "\ufeffx = 2\n", is_file=False) == "\ufeffx = 2\n"
    assert in_form_of("x = 1\n", "\ufeffx = 2\n", is_file=False) == "x = 2\n"


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("#!/bin/sh\necho 1\n", "echo 2\n", "#!/bin/sh\necho 2\n"),
        ("#!/bin/sh\necho 1\n", "#!/bin/bash\necho 2\n", "#!/bin/bash\necho 2\n"),
        ("# -*- coding: latin-1 -*-\nx = 1\n", "x = 2\n", "# -*- coding: latin-1 -*-\nx = 2\n"),
        ("#!/bin/x\n# coding: latin-1\nx = 1\n", "#!/bin/x\nx = 2\n", "#!/bin/x\n# coding: latin-1\nx = 2\n"),
        ("#!/bin/x\n# coding: latin-1\nx = 1\n", "x = 2\n", "#!/bin/x\n# coding: latin-1\nx = 2\n"),
    ],
)
def test_shebang_and_coding_line_are_restored_unless_they_were_changed(old: str, new: str, kept: str) -> None:
    assert in_form_of(old, new, is_file=True) == kept


NOTICE = "# Copyright 2024 Somebody\n# All rights reserved\n"
C_NOTICE = "/*\n * Licensed under the Apache License\n */\n"


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        (f"{SPDX}x = 1\n", "x = 2\n", f"{SPDX}x = 2\n"),
        (f"{SPDX}\nx = 1\n", "x = 2\n", f"{SPDX}\nx = 2\n"),
        (f"#!/bin/x\n{NOTICE}\nx = 1\n", "x = 2\n", f"#!/bin/x\n{NOTICE}\nx = 2\n"),
        (f"{NOTICE}{SPDX}\nx = 1\n", f"{NOTICE}\nx = 2\n", f"{NOTICE}{SPDX}\nx = 2\n"),
        (f"{C_NOTICE}int x;\n", "int y;\n", f"{C_NOTICE}int y;\n"),
        (f"{NOTICE}x = 1\n", f"{NOTICE.replace('2024', '2026')}x = 2\n", f"{NOTICE.replace('2024', '2026')}x = 2\n"),
        ("# About this file\nx = 1\n", "x = 2\n", "x = 2\n"),
        (f"x = 1\n{NOTICE}", "x = 2\n", "x = 2\n"),
    ],
)
def test_a_licence_header_is_restored_unless_it_was_changed(old: str, new: str, kept: str) -> None:
    assert in_form_of(old, new, is_file=True) == kept


def test_in_prose_a_heading_is_no_licence_but_an_spdx_line_is() -> None:
    assert in_form_of("# Licence of the project\n\nText\n", "# Terms\n\nText\n", is_file=False) == "# Terms\n\nText\n"
    assert in_form_of(f"{SPDX}Text\n", "Better\n", is_file=False) == f"{SPDX}Better\n"


def test_all_parts_of_the_form_are_restored_together() -> None:
    old = f"\ufeff#!/bin/x\n# coding: utf-8\n{SPDX}x = 1\n".replace("\n", "\r\n")
    assert in_form_of(old, "x = 2", is_file=True) == old.replace("1", "2")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Here it is:\n```python\nx = 1\n```\nHope it helps", "x = 1\n"),
        ("```\nx = 1\n```\nI renamed y.", "x = 1\n"),
        ("First:\n```\na\n```\nthen:\n```\nb\n```\n", None),
        ('"""Doc:\n```\nx\n```\n"""\nX = 1\n', None),
        ("Here:\n```python\nx = 1\n", None),
        ("Here:\n~~~python\nx = 1\n~~~\nDone", "x = 1\n"),
        ("Here:\n````python\nx = 1\n````\n", "x = 1\n"),
        ("1. So:\n   ```python\n   if x:\n       y = 1\n   ```\n", "if x:\n    y = 1\n"),
        ("/* a\n~~~~\nb\n~~~~\n*/\nint x;\n", None),
        ("```python\nx = 1\n", "x = 1\n"),
        ("````\nx = 1", "x = 1"),
        ("x = 1\n```\n", "x = 1\n"),
        ("x = 1\n~~~", "x = 1\n"),
    ],
)
def test_the_only_fence_in_prose_holds_the_text(text: str, kept: str | None) -> None:
    assert without_prose(text) == (text if kept is None else kept)
