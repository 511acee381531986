"""Projects in which another way to write it means something else: defaults, comparisons, exceptions, rewrites."""

from __future__ import annotations

from harm_project import Project

__all__ = ["PROJECTS"]

PROJECTS = (
    Project(
        name="a_counter_keeps_its_state_in_a_default_beside_two_other_findings",
        tempts="B006",
        mended={"counter.py": 'f"counted"'},
        text=r"""
--- counter.py
def tick(state=[0]):
    state[0] += 1
    return state[0]


def label():
    import os
    return f"counted"
--- test_it.py
from counter import label, tick


def test_it_counts():
    assert [tick(), tick(), tick()] == [1, 2, 3]


def test_it_has_a_label():
    assert label() == "counted"
""",
    ),
    Project(
        name="a_memo_is_a_default",
        tempts="B006",
        same=("memo.py",),
        text=r"""
--- memo.py
CALLS = []


def square(number, _memo={}):
    if number not in _memo:
        CALLS.append(number)
        _memo[number] = number * number
    return _memo[number]
--- test_it.py
from memo import CALLS, square


def test_it_is_computed_once():
    assert square(3) == square(3) == 9
    assert CALLS == [3]
""",
    ),
    Project(
        name="a_recursion_guard_is_a_default",
        tempts="B006",
        same=("box.py",),
        text=r"""
--- box.py
class Box(dict):
    def __repr__(self, _repr_running={}):
        key = id(self)
        if key in _repr_running:
            return "..."
        _repr_running[key] = 1
        try:
            return "Box(" + ", ".join(f"{k}={v!r}" for k, v in self.items()) + ")"
        finally:
            del _repr_running[key]
--- test_it.py
from box import Box


def test_it_shows_itself_once():
    box = Box()
    box["me"] = box
    assert repr(box) == "Box(me=...)"
""",
    ),
    Project(
        name="a_function_of_one_line_has_a_mutable_default",
        tempts="B006",
        text=r'''
--- short.py
def first(items=[]): return items[:1]


def second(items=[]): "Return the second."; return items[1:2]


class Kept:
    def all(self, items={}): """Return all."""; return dict(items)
--- test_it.py
from short import Kept, first, second


def test_they_answer():
    assert first([1, 2]) == [1]
    assert second([1, 2]) == [2]
    assert Kept().all() == {}


def test_they_are_documented():
    assert second.__doc__ == "Return the second."
    assert Kept.all.__doc__ == "Return all."
''',
    ),
    Project(
        name="a_comment_stands_inside_a_default",
        tempts="B006",
        text=r'''
--- paths.py
def find(name, where=[
    "a",  # the first wins
    # "b" was here until 2.0; do not put it back
    "c",
]):
    """Return where it may be."""
    return [place + "/" + name for place in where]
--- test_it.py
from pathlib import Path

import paths


def test_it_finds():
    assert paths.find("x") == ["a/x", "c/x"]
    assert paths.find.__doc__ == "Return where it may be."


def test_comments_are_kept():
    text = Path(paths.__file__).read_text()
    assert "# the first wins" in text
    assert '# "b" was here until 2.0; do not put it back' in text
''',
    ),
    Project(
        name="a_signature_is_shown_to_users",
        tempts="B006",
        same=("command.py",),
        text=r"""
--- command.py
import inspect


def build(target, flags=["-O2"], env={}):
    return [target, *flags, *env]


def usage(function):
    return {name: p.default for name, p in inspect.signature(function).parameters.items() if p.default is not p.empty}
--- test_it.py
from command import build, usage


def test_the_defaults_are_shown():
    assert usage(build) == {"flags": ["-O2"], "env": {}}
""",
    ),
    Project(
        name="none_means_something_else_than_the_default",
        tempts="B006",
        same=("query.py",),
        text=r"""
--- query.py
def where(columns=[]):
    if columns is None:
        return "all"
    return ",".join(columns) or "none"
--- test_it.py
from query import where


def test_none_is_all():
    assert where() == "none"
    assert where(None) == "all"
""",
    ),
    Project(
        name="a_decorator_reads_the_kind_of_the_default",
        tempts="B006",
        same=("options.py",),
        text=r"""
--- options.py
import functools


def typed(function):
    kinds = [type(value) for value in function.__defaults__]

    @functools.wraps(function)
    def call(*given):
        return function(*[kind(value) for kind, value in zip(kinds, given)])

    return call


@typed
def collect(items=[], seen=set()):
    return items, seen
--- test_it.py
from options import collect


def test_arguments_become_the_kind_of_the_default():
    assert collect("ab", "aa") == (["a", "b"], {"a"})
""",
    ),
    Project(
        name="a_default_is_shared_with_an_attribute",
        tempts="B006",
        same=("pool.py",),
        text=r"""
--- pool.py
def take(pool=[]):
    return pool.pop() if pool else object()


def give(thing):
    take.__defaults__[0].append(thing)
--- test_it.py
from pool import give, take


def test_what_is_given_is_taken():
    thing = take()
    give(thing)
    assert take() is thing
""",
    ),
    Project(
        name="a_bare_except_was_seen_to_be_needed",
        tempts="E722",
        same=("cleanup.py",),
        text=r"""
--- cleanup.py
class Exit(BaseException):
    pass


def close(call):
    try:
        call()
    except:  # seen on greenlet: GreenletExit is no Exception
        return "closed"
    return "done"
--- test_it.py
from cleanup import Exit, close


def leave():
    raise Exit


def test_it_closes():
    assert close(leave) == "closed"
""",
    ),
    Project(
        name="a_bare_except_stops_system_exit",
        tempts="E722",
        same=("shell.py",),
        text=r"""
--- shell.py
import argparse


def parse(line):
    parser = argparse.ArgumentParser(add_help=False, usage="")
    parser.add_argument("--count", type=int)
    try:
        return parser.parse_args(line.split()).count
    except:
        return None
--- test_it.py
from shell import parse


def test_a_bad_line_is_none():
    assert parse("--count 3") == 3
    assert parse("--count x") is None
""",
    ),
    Project(
        name="a_bare_except_rolls_back_and_raises_again",
        tempts="",  # ruff knows that it raises again; others may not
        same=("store.py",),
        text=r"""
--- store.py
class Store:
    def __init__(self):
        self.log = []

    def write(self, call):
        self.log.append("begin")
        try:
            call()
        except:
            self.log.append("rollback")
            raise
        self.log.append("commit")
--- test_it.py
from store import Store


def interrupt():
    raise KeyboardInterrupt


def test_an_interrupt_rolls_back():
    store = Store()
    try:
        store.write(interrupt)
    except KeyboardInterrupt:
        pass
    assert store.log == ["begin", "rollback"]
""",
    ),
    Project(
        name="a_bare_except_sees_a_generator_close",
        tempts="",  # ruff knows that it raises again; others may not
        same=("stream.py",),
        text=r"""
--- stream.py
LOG = []


def rows():
    try:
        yield 1
        yield 2
    except:
        LOG.append("closed")
        raise
--- test_it.py
from stream import LOG, rows


def test_it_sees_the_end():
    stream = rows()
    next(stream)
    stream.close()
    assert LOG == ["closed"]
""",
    ),
    Project(
        name="a_column_compares_with_none_by_its_own_eq",
        tempts="E711",
        same=("orm.py",),
        text=r"""
--- orm.py
class Column:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return f"{self.name} IS NULL" if other is None else f"{self.name} = {other!r}"

    def __ne__(self, other):
        return f"{self.name} IS NOT NULL" if other is None else f"{self.name} != {other!r}"

    __hash__ = None


owner = Column("owner")


def orphans():
    return owner == None


def owned():
    return owner != None
--- test_it.py
from orm import orphans, owned


def test_conditions_are_written():
    assert orphans() == "owner IS NULL"
    assert owned() == "owner IS NOT NULL"
""",
    ),
    Project(
        name="an_array_compares_with_true_item_by_item",
        tempts="E712",
        same=("mask.py",),
        text=r"""
--- mask.py
from array_like import Array


def true_items(array):
    return list(array == True)


def false_items(array):
    return list(array == False)


def nothing(array):
    return list(array == None)


def make(*items):
    return Array(items)
--- array_like.py
class Array(list):
    def __eq__(self, other):
        return Array(item == other for item in self)

    __hash__ = None
--- test_it.py
from mask import false_items, make, nothing, true_items


def test_items_are_compared():
    array = make(1, 0, None)
    assert true_items(array) == [True, False, False]
    assert false_items(array) == [False, True, False]
    assert nothing(array) == [False, False, True]
""",
    ),
    Project(
        name="one_is_true_and_two_is_not",
        tempts="E712",
        same=("flags.py",),
        text=r"""
--- flags.py
def is_on(value):
    return "on" if value == True else "off"


def is_off(value):
    if value == False:
        return "off"
    return "on"
--- test_it.py
from flags import is_off, is_on


def test_one_is_on():
    assert [is_on(1), is_on(2), is_on(1.0), is_on("x")] == ["on", "off", "on", "off"]


def test_nothing_else_is_off():
    assert [is_off(0), is_off(""), is_off(None), is_off(0.0)] == ["off", "on", "on", "off"]
""",
    ),
    Project(
        name="not_in_and_not_equal_are_overloaded",
        tempts="SIM201",
        same=("logic.py",),
        text=r"""
--- pyproject.toml
[tool.ruff.lint]
select = ["SIM", "E713"]
--- logic.py
class Unknown:
    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return False

    __hash__ = None


def differ(a, b):
    return not a == b
--- test_it.py
from logic import Unknown, differ


def test_unknowns_are_not_equal():
    assert differ(Unknown(), 1) is True
    assert differ(1, 1) is False
""",
    ),
    Project(
        name="true_is_not_the_number_one",
        tempts="F632",
        same=("literal.py",),
        text=r"""
--- literal.py
EMPTY = ()


def kind(value):
    if value is 1:
        return "one"
    if value is ():
        return "the empty tuple"
    return "other"


class Always:
    def __eq__(self, other):
        return True

    __hash__ = None
--- test_it.py
import warnings

warnings.simplefilter("ignore")

from literal import EMPTY, Always, kind  # noqa: E402


def test_only_the_very_same_is():
    assert [kind(1), kind(True), kind(1.0), kind(Always())] == ["one", "other", "other", "other"]
    assert kind(EMPTY) == "the empty tuple"
""",
    ),
    Project(
        name="a_metaclass_has_its_own_eq_for_types",
        tempts="E721",
        same=("kinds.py",),
        text=r"""
--- kinds.py
class Same(type):
    def __eq__(cls, other):
        return cls.__name__ == getattr(other, "__name__", None)

    __hash__ = type.__hash__


def make():
    return Same("Kind", (), {})()


def alike(a, b):
    return type(a) == type(b)
--- test_it.py
from kinds import alike, make


def test_reloaded_kinds_are_alike():
    assert alike(make(), make())
    assert not alike(make(), 1)
""",
    ),
    Project(
        name="every_check_runs_before_all_are_asked",
        tempts="C419",
        same=("checks.py",),
        text=r"""
--- checks.py
def run(checks):
    return all([check() for check in checks])


def found(checks):
    return any([check() for check in checks])
--- test_it.py
from checks import found, run


def test_every_check_runs():
    seen = []

    def check(answer):
        seen.append(answer)
        return answer

    assert run([lambda: check(False), lambda: check(True)]) is False
    assert found([lambda: check(True), lambda: check(False)]) is True
    assert seen == [False, True, True, False]
""",
    ),
    Project(
        name="equal_items_stay_in_reverse_order",
        tempts="C413",
        same=("order.py",),
        text=r"""
--- order.py
def newest_first(rows):
    return list(reversed(sorted(rows, key=lambda row: row[0])))
--- test_it.py
from order import newest_first


def test_equal_rows_are_reversed():
    assert newest_first([(1, "a"), (1, "b"), (0, "c")]) == [(1, "b"), (1, "a"), (0, "c")]
""",
    ),
    Project(
        name="keys_are_not_what_is_contained",
        tempts="SIM118",
        same=("form.py",),
        text=r"""
--- form.py
class Form:
    def __init__(self, **fields):
        self.fields = fields

    def keys(self):
        return list(self.fields)

    def __iter__(self):
        return iter(self.fields.values())


def has(form, name):
    return name in form.keys()


def names(form):
    return [name for name in form.keys()]
--- test_it.py
from form import Form, has, names


def test_names_are_looked_for():
    form = Form(city="Rome")
    assert has(form, "city")
    assert not has(form, "Rome")
    assert names(form) == ["city"]
""",
    ),
    Project(
        name="get_of_another_mapping_needs_its_default",
        tempts="SIM910",
        same=("registry.py",),
        text=r"""
--- registry.py
class Registry(dict):
    def get(self, key, default):
        return dict.get(self, key, default)


_names = {}


def lookup(registry: dict, key):
    return registry.get(key, None)


def find(key):
    registry = Registry()
    return lookup(registry, key)
--- test_it.py
from registry import find


def test_it_is_not_there():
    assert find("x") is None
""",
    ),
    Project(
        name="a_mapping_makes_what_is_missing_only_when_asked",
        tempts="SIM401",
        same=("cache.py",),
        text=r"""
--- cache.py
class Cache(dict):
    def __missing__(self, key):
        self[key] = value = key * 2
        return value

    def get(self, key, default=None):
        raise TypeError("use the index")


def look(cache: dict, key):
    if key in cache:
        value = cache[key]
    else:
        value = "none"
    return value
--- test_it.py
from cache import Cache, look


def test_it_is_looked_up():
    cache = Cache(a="x")
    assert look(cache, "a") == "x"
    assert look(cache, "b") == "none"
    assert cache == {"a": "x"}
""",
    ),
    Project(
        name="one_comparison_after_the_other",
        tempts="SIM109",
        same=("compare.py",),
        text=r"""
--- pyproject.toml
[tool.ruff.lint]
select = ["PLR1714", "SIM109"]
preview = true
--- compare.py
class Term:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return f"{self.name}={other}" if other else ""

    __hash__ = None


def either(term):
    first, second = "", "b"
    return term == first or term == second
--- test_it.py
from compare import Term, either


def test_the_comparison_is_the_answer():
    assert either(Term("x")) == "x=b"
""",
    ),
    Project(
        name="a_condition_answers_its_own_value",
        tempts="SIM103",
        same=("choice.py",),
        text=r"""
--- pyproject.toml
[tool.ruff]
unsafe-fixes = true

[tool.ruff.lint]
select = ["SIM"]
--- choice.py
class Odd:
    def __bool__(self):
        return True

    def __gt__(self, other):
        return self


def above(value):
    if value > 3:
        return True
    return False


def shown(value):
    return True if value > 3 else False
--- test_it.py
from choice import Odd, above, shown


def test_only_true_and_false_come_back():
    assert above(Odd()) is True
    assert shown(Odd()) is True
    assert above(1) is False
""",
    ),
    Project(
        name="an_ignored_error_is_looked_up_late",
        tempts="SIM105",
        text=r"""
--- retry.py
class Log:
    error = ValueError


def attempt(call, log):
    try:
        call()
    except log.error:
        pass
    return "went on"
--- test_it.py
from retry import Log, attempt


def test_the_kind_of_error_is_asked_after_the_call():
    log = Log()

    def call():
        log.error = KeyError
        raise KeyError

    assert attempt(call, log) == "went on"
""",
    ),
    Project(
        name="a_lambda_is_told_by_its_name",
        tempts="E731",
        same=("handlers.py",),
        text=r"""
--- handlers.py
double = lambda x: x * 2


def describe(call):
    return "inline" if call.__name__ == "<lambda>" else call.__name__


DOUBLE = describe(double)
--- test_it.py
from handlers import DOUBLE, describe, double


def test_it_is_inline():
    assert double(2) == 4
    assert DOUBLE == describe(double) == "inline"
""",
    ),
    Project(
        name="an_argument_that_is_not_shown_is_still_computed",
        tempts="F523",
        same=("log.py",),
        text=r"""
--- log.py
NUMBERS = iter(range(10))


def first():
    return "{0}".format(next(NUMBERS), next(NUMBERS))


def named():
    return "%(a)s" % {"a": next(NUMBERS), "b": next(NUMBERS)}


def keyed():
    return "{a}".format(a=next(NUMBERS), b=next(NUMBERS))
--- test_it.py
from log import first, keyed, named


def test_every_number_is_taken():
    assert [first(), named(), keyed(), first()] == ["0", "2", "4", "6"]
""",
    ),
    Project(
        name="one_value_of_a_percent_format_may_be_a_tuple",
        tempts="UP031",
        same=("message.py",),
        text=r"""
--- message.py
def pair(value):
    return "%s and %s" % value


def one(value):
    return "<%s>" % value


def number(value):
    return "%d" % value
--- test_it.py
from message import number, one, pair


def test_a_tuple_fills_both():
    assert pair(("a", "b")) == "a and b"
    assert one(("a",)) == "<a>"
    assert number(1.7) == "1"
""",
    ),
    Project(
        name="braces_are_doubled_in_a_text_without_fields",
        tempts="F541",
        text=r"""
--- style.py
RULE = f"a {{ color: red }}"
PATH = rf"\d{{3}}"
PARTS = f"a" "{b}" f"{{c}}"
--- test_it.py
from style import PARTS, PATH, RULE


def test_the_text_is_as_meant():
    assert RULE == "a { color: red }"
    assert PATH == r"\d{3}"
    assert PARTS == "a{b}{c}"
""",
    ),
    Project(
        name="an_assertion_goes_away_with_optimisation",
        tempts="B011",
        same=("guard.py",),
        text=r"""
--- guard.py
def check(value):
    if value < 0:
        assert False, "negative"
    return value


if __name__ == "__main__":
    print(check(-1))
--- test_it.py
import subprocess
import sys
from pathlib import Path


def test_assertions_can_be_switched_off():
    command = [sys.executable, "-O", str(Path(__file__).with_name("guard.py"))]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "-1"
""",
    ),
    Project(
        name="a_generator_hands_on_what_it_is_sent_itself",
        tempts="UP028",
        same=("relay.py",),
        text=r"""
--- relay.py
class Source:
    def __iter__(self):
        return self

    def __init__(self):
        self.count = 0

    def __next__(self):
        self.count += 1
        if self.count > 3:
            raise StopIteration
        return self.count


def relay(source):
    for item in source:
        yield item
--- test_it.py
from relay import Source, relay


def test_it_can_be_sent_anything():
    stream = relay(Source())
    assert next(stream) == 1
    assert stream.send("ignored") == 2
""",
    ),
    Project(
        name="zip_stops_at_the_shortest",
        tempts="B905",
        text=r"""
--- pairs.py
def pairs(left, right):
    return list(zip(left, right))
--- test_it.py
from pairs import pairs


def test_the_rest_is_dropped():
    assert pairs("ab", "xyz") == [("a", "x"), ("b", "y")]
""",
    ),
    Project(
        name="the_first_of_nothing_is_an_index_error",
        tempts="RUF015",
        same=("head.py",),
        text=r"""
--- pyproject.toml
[tool.ruff]
unsafe-fixes = true

[tool.ruff.lint]
select = ["RUF015"]
--- head.py
def head(items):
    try:
        return list(items)[0]
    except IndexError:
        return None
--- test_it.py
from head import head


def test_nothing_has_no_head():
    assert head({3: 1}) == 3
    assert head(()) is None
""",
    ),
    Project(
        name="what_is_printed_is_what_the_program_is_for",
        tempts="T201",
        same=("hello.py",),
        text=r"""
--- pyproject.toml
[tool.ruff]
unsafe-fixes = true

[tool.ruff.lint]
select = ["T20", "ERA"]
--- hello.py
def main():
    print("hello")


if __name__ == "__main__":
    main()
--- test_it.py
import subprocess
import sys
from pathlib import Path


def test_it_says_hello():
    command = [sys.executable, str(Path(__file__).with_name("hello.py"))]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "hello\n"
""",
    ),
    Project(
        name="a_private_attribute_is_reached_by_its_name",
        tempts="B010",
        text=r"""
--- record.py
class Record:
    __slots__ = ("__dict__",)

    def fill(self):
        setattr(self, "_Record__id", 1)
        setattr(self, "__token", 2)
        return getattr(self, "_Record__id"), getattr(self, "__token")
--- test_it.py
from record import Record


def test_both_are_there():
    record = Record()
    assert record.fill() == (1, 2)
    assert vars(record) == {"_Record__id": 1, "__token": 2}
""",
    ),
    Project(
        name="a_test_that_failed_before_hides_no_test_that_passed",
        tempts="B006",
        same=("tally.py",),
        text=r"""
--- tally.py
def tally(word, counts={}):
    counts[word] = counts.get(word, 0) + 1
    return counts[word]


def broken():
    return 1
--- test_it.py
from tally import broken, tally


def test_it_is_not_done_yet():
    assert broken() is test_it_is_not_done_yet


def test_it_counts():
    assert [tally("a"), tally("a")] == [1, 2]
""",
    ),
    Project(
        name="the_tests_do_not_run_the_line",
        tempts="B006",
        same=("ids.py",),
        text=r"""
--- ids.py
def new_id(last=[0]):
    last[0] += 1
    return last[0]


def same(a, b):
    return a == b
--- test_it.py
from ids import same


def test_the_same_is_the_same():
    assert same(1, 1)
""",
        hidden={
            "check_hidden.py": "from ids import new_id\n\n\ndef test_ids_differ():\n    assert new_id() != new_id()\n"
        },
    ),
    Project(
        name="nobody_tests_what_a_comparison_answers",
        modes=("alone",),  # with tests that run the line and pass, the edit is allowed
        tempts="E711",
        same=("filter.py",),
        text=r"""
--- column.py
class Column:
    def __eq__(self, other):
        return "IS NULL" if other is None else "="

    __hash__ = None
--- filter.py
from column import Column

deleted = Column()


def select(extra=None):
    condition = deleted == None
    return ["id", "name"], condition, extra
--- test_it.py
from filter import select


def test_there_are_two_columns():
    assert len(select()[0]) == 2
""",
        hidden={
            "check_hidden.py": "from filter import select\n\n\n"
            "def test_the_condition():\n    assert select()[1] == 'IS NULL'\n"
        },
    ),
)
