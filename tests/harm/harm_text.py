"""Projects in which bytes matter: encodings, line ends, form feeds, escapes, white space, odd files, data files."""

from __future__ import annotations

import os
from pathlib import Path

from harm_project import Project

__all__ = ["PROJECTS"]


def _odd_places(directory: Path) -> None:
    """Make a link to itself, a link to nothing, a pipe and a directory nobody may read."""
    (directory / "loop").symlink_to(directory / "loop")
    (directory / "gone.py").symlink_to(directory / "not_there.py")
    os.mkfifo(directory / "pipe.py")
    (directory / "closed").mkdir()
    (directory / "closed" / "inside.py").write_text("x = 1\n")
    (directory / "closed").chmod(0)


def _no_reading(directory: Path) -> None:
    (directory / "secret.py").chmod(0)


SAME_TEXT = r"""
--- test_it.py
import good


def test_it_is_good():
    assert good.label() == "good"
--- good.py
def label():
    return f"good"
"""

PROJECTS = (
    Project(
        name="a_latin_1_file_says_so",
        tempts="F541",
        text=r"""
--- good.py
def label():
    return f"good"
--- test_it.py
from pathlib import Path

import good
import old


def test_it_is_still_latin_1():
    data = Path(old.__file__).read_bytes()
    assert old.NAME == "Gr\u00f6\u00dfe"
    assert data.startswith(b"# -*- coding: latin-1 -*-\n")
    assert b"Gr\xf6\xdfe" in data
    assert good.label() == "good"
""",
        raw={"old.py": b'# -*- coding: latin-1 -*-\nNAME = "Gr\xf6\xdfe"\nTEXT = f"text"\n'},
        mended={"good.py": 'f"good"'},
    ),
    Project(
        name="one_file_is_not_utf_8_and_does_not_say_so",
        tempts="",
        text=SAME_TEXT,
        raw={"bad.py": b'NAME = "Gr\xf6\xdfe"\n'},
        same=("bad.py",),
        mended={"good.py": 'f"good"'},
    ),
    Project(
        name="one_file_is_binary_and_one_is_blank",
        tempts="",
        text=SAME_TEXT,
        raw={"data.py": b"\x00\x01\x02", "blank.py": b"\n\n", "empty.py": b"", "spaces.py": b"   \n\t\n"},
        same=("data.py", "blank.py", "empty.py", "spaces.py"),
        mended={"good.py": 'f"good"'},
    ),
    Project(
        name="an_empty_file_is_named",
        tempts="",
        text=SAME_TEXT,
        raw={"empty.py": b""},
        same=("empty.py",),
        targets=("empty.py", "good.py"),
        mended={"good.py": 'f"good"'},
    ),
    Project(
        name="a_byte_order_mark_stays",
        tempts="F541",
        text=r"""
--- test_it.py
from pathlib import Path

import marked


def test_the_mark_is_there_once():
    assert marked.TEXT == "text"
    assert Path(marked.__file__).read_bytes().count(b"\xef\xbb\xbf") == 1
    assert Path(marked.__file__).read_bytes().startswith(b"\xef\xbb\xbf")
""",
        raw={"marked.py": b'\xef\xbb\xbfimport os\n\nTEXT = f"text"\nSEP = os.sep\n'},
        mended={"marked.py": 'f"text"'},
    ),
    Project(
        name="line_ends_of_windows_stay",
        tempts="F541",
        text=r"""
--- test_it.py
from pathlib import Path

import ends


def test_no_line_ends_otherwise():
    data = Path(ends.__file__).read_bytes()
    assert ends.join([1]) == "1"
    assert data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
""",
        raw={
            "ends.py": b"import sys\r\nimport os\r\n\r\n\r\ndef join(items=[], unused=[]):\r\n"
            b'    """Join.\r\n\r\n    More.\r\n    """\r\n    text = f""\r\n'
            b"    return text + os.sep.join(map(str, items)) + sys.prefix[:0]\r\n"
        },
        mended={"ends.py": 'f""'},
    ),
    Project(
        name="line_ends_are_mixed_on_purpose",
        tempts="W291",
        text=r"""
--- test_it.py
import linecache

import mixed


def test_the_text_is_as_it_was():
    assert mixed.TEXT == "a \nb\t\n  \nc"
    assert linecache.getlines(mixed.__file__)
""",
        raw={"mixed.py": b'TEXT = """a \r\nb\t\n  \r\nc"""\n'},
    ),
    Project(
        name="a_form_feed_parts_the_file",
        tempts="I001",
        text=r"""
--- test_it.py
from pathlib import Path

import parted


def test_it_is_still_parted():
    assert parted.where()
    assert Path(parted.__file__).read_bytes().count(b"\x0c") == 2
""",
        raw={
            "parted.py": b'"""Two parts."""\n\x0c\nimport sys\nimport os\n\x0c\n\n'
            b"def where():\n    return sys.prefix + os.sep\n"
        },
    ),
    Project(
        name="the_first_line_is_blank",
        tempts="I001",
        text=r"""
--- test_it.py
from pathlib import Path

import late


def test_lines_keep_their_numbers():
    assert Path(late.__file__).read_bytes().startswith(b"\n")
    assert late.where.__code__.co_firstlineno == 7
""",
        raw={"late.py": b"\nimport sys\nimport os\n\n\n\ndef where():\n    return sys.prefix + os.sep\n"},
    ),
    Project(
        name="white_space_in_a_text_is_text",
        tempts="W291",
        same=("letter.py",),
        text=r"""
--- test_it.py
import letter


def test_the_letter_is_as_it_was_written():
    assert letter.TEXT == "Dear you,  \n   \n\tyours\n"
    assert letter.write.__doc__ == "First.  \n    \n    Last.\n    "
""",
        raw={
            "letter.py": b'TEXT = """Dear you,  \n   \n\tyours\n"""\n\n\n'
            b'def write():\n    """First.  \n    \n    Last.\n    """\n'
        },
    ),
    Project(
        name="the_last_line_has_no_end",
        tempts="W292",
        text=r"""
--- test_it.py
import subprocess
import sys
from pathlib import Path


def test_it_still_runs():
    command = [sys.executable, str(Path(__file__).with_name("last.py"))]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "last\\\n"
""",
        raw={"last.py": b"import sys\nsys.stdout.write(f'last\\\\\\n')"},
    ),
    Project(
        name="an_invalid_escape_stands_beside_a_valid_one",
        tempts="W605",
        text=r"""
--- test_it.py
import warnings

warnings.simplefilter("ignore")

import escapes  # noqa: E402


def test_the_texts_are_as_they_were():
    assert escapes.BOTH == "\\d\n"
    assert escapes.BYTES == b"\\d\t\\w"
    assert escapes.FORMAT == "\\d1\n"
    assert escapes.PLAIN == "\\d+\\.\\d"
    assert escapes.QUOTED == "\\'\\d\""
    assert escapes.table.__doc__ == "A \\| B\n    \\d \t"
    assert escapes.JOINED == "\\da\tb\\w"
""",
        raw={
            "escapes.py": b'BOTH = "\\d\\n"\nBYTES = b"\\d\\t\\w"\nX = 1\nFORMAT = f"\\d{X}\\n"\nPLAIN = "\\d+\\.\\d"\n'
            b'QUOTED = "\\\\\'\\d\\""\nJOINED = "\\da" "\\tb\\w"\n\n\n'
            b'def table():\n    """A \\| B\n    \\d \\t"""\n'
        },
    ),
    Project(
        name="a_statement_goes_on_after_a_backslash",
        tempts="E703",
        text=r"""
--- test_it.py
import lines


def test_it_sums():
    assert lines.total() == 6
    assert lines.FIRST + lines.SECOND == 3
""",
        raw={
            "lines.py": b"import os, \\\n    sys\nFIRST = 1; SECOND = 2;\n\n\ndef total():\n"
            b"    value = 1 + \\\n        2 + \\\n        3 ;\n    assert os and sys\n    return value\n"
        },
    ),
    Project(
        name="names_of_files_are_odd",
        tempts="F541",
        text=r"""
--- -x.py
TEXT = f"text"
--- two words.py
TEXT = f"text"
--- --apply.py
TEXT = f"text"
--- größe.py
TEXT = f"text"
--- a[1]{b}*?.py
TEXT = f"text"
--- test_it.py
import runpy
from pathlib import Path


def test_each_runs():
    here = Path(__file__).parent
    for name in ("-x.py", "two words.py", "--apply.py", "größe.py", "a[1]{b}*?.py"):
        assert runpy.run_path(str(here / name))["TEXT"] == "text"
""",
        same=("-x.py",),
        mended={"two words.py": 'f"text"', "größe.py": 'f"text"'},
    ),
    Project(
        name="a_name_has_a_line_end_in_it",
        text=SAME_TEXT,
        raw={"a\nb.py": b'TEXT = f"text"\n'},
        same=("a\nb.py",),
        mended={"good.py": 'f"good"'},
    ),
    Project(
        name="a_tree_has_loops_pipes_and_closed_doors",
        text=SAME_TEXT,
        prepare=_odd_places,
        mended={"good.py": 'f"good"'},
    ),
    Project(
        name="one_file_may_not_be_read",
        text=SAME_TEXT,
        raw={"secret.py": b"VALUE = 1\n"},
        prepare=_no_reading,
        same=("secret.py",),
        mended={"good.py": 'f"good"'},
    ),
    Project(
        name="json_has_comments",
        same=("tsconfig.json",),
        targets=(".", "tsconfig.json"),
        text=r"""
--- tsconfig.json
{
  // strict on purpose
  "compilerOptions": {
    "strict": true, /* never off */
    "paths": {"@/*": ["src/*"]},
  },
}
--- lib.py
READY = True
--- test_it.py
from pathlib import Path

import lib


def test_comments_are_kept():
    text = (Path(__file__).parent / "tsconfig.json").read_text()
    assert lib.READY
    assert "// strict on purpose" in text
    assert "/* never off */" in text
""",
    ),
    Project(
        name="json_has_a_key_twice_and_its_reader_wants_both",
        same=("data.json",),
        targets=(".", "data.json"),
        text=r"""
--- data.json
{"host": "a", "host": "b", "ports": [1, 2,  3], "empty": {}}
--- read.py
import json


def hosts(text):
    pairs = json.loads(text, object_pairs_hook=list)
    return [value for key, value in pairs if key == "host"]
--- test_it.py
from pathlib import Path

from read import hosts


def test_both_are_read():
    assert hosts((Path(__file__).parent / "data.json").read_text()) == ["a", "b"]
""",
    ),
    Project(
        name="json_is_broken_because_a_test_wants_it_so",
        modes=("tested",),  # who names a broken file, and no tests, wants it mended
        same=("tests_data/broken.json", "tests_data/nan.json"),
        targets=(".", "tests_data/broken.json", "tests_data/nan.json"),
        text=r"""
--- tests_data/broken.json
{"a": 1, "b": }
--- tests_data/nan.json
{"a": NaN, 'b': 1,}
--- load.py
import json


def load(text):
    try:
        return json.loads(text)
    except ValueError:
        return None
--- test_it.py
from pathlib import Path

from load import load


def test_broken_files_are_none():
    here = Path(__file__).parent / "tests_data"
    assert [load(path.read_text()) for path in sorted(here.iterdir())] == [None, None]
""",
    ),
    Project(
        name="white_space_of_markdown_yaml_and_toml_is_read",
        same=("page.md", "config.yaml", "config.toml", "notes.txt"),
        targets=(".", "page.md", "config.yaml", "config.toml", "notes.txt"),
        text=r"""
--- page.py
from pathlib import Path

HERE = Path(__file__).parent


def read(name):
    return (HERE / name).read_bytes()
--- test_it.py
import hashlib

from page import read


def test_every_file_is_as_it_was():
    assert read("page.md").count(b"  \n") == 2
    assert read("config.yaml") == b"on: yes\nport: 0o14   # octal\ntext: |\n  a  \n  b\n"
    assert read("config.toml").endswith(b"b = 1 # last\n")
    assert hashlib.md5(read("notes.txt")).hexdigest() == hashlib.md5(b"the end\n").hexdigest()
""",
        raw={
            "page.md": b"# Poem\nfirst  \nsecond  \n\n* one\n- two\n\n\n\n```python\nx=1\n```\n",
            "config.yaml": b"on: yes\nport: 0o14   # octal\ntext: |\n  a  \n  b\n",
            "config.toml": b"a=1\nb = 1 # last\n",
            "notes.txt": b"the end\n",
        },
    ),
)
