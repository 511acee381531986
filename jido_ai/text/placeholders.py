"""Placeholders: phrases and empty bodies in place of text that a revision left out. Pure."""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from jido_ai.text.comments import comments_of, program_of
from jido_ai.text.printable import clip
from jido_ai.text.python_tree import is_text

_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_INTERFACES: Final = ("Protocol", "abstractmethod", "overload")
_LONGEST: Final = 300
"""Characters of a comment that can be a placeholder; longer ones are prose."""
_SHOWN: Final = 80
_THING: Final = (
    r"(?:(?:source|original|existing|previous|your|other|remaining)\s+)*"
    r"(?:code|file|text|function|class|method|module|script|implementation|program|body|logic|definition|import|test|case"
    r"|part|section|chapter|paragraph|content|document|article|essay|story|answer|response|config(?:uration)?|helper)s?"
)
_SAME: Final = (
    r"(?:(?:is|are|stays?|remains?|remaining|left|goes|go|continues?|be|kept|keep)\s+)*"
    r"(?:the\s+same|same|unchanged|not\s+changed|unmodified|untouched|identical|as\s+(?:is|before|above|it\s+(?:is|was))"
    r"|as\s+in\s+the\s+original|omitted|left\s+out|unaltered|intact|(?:here|follows|below)\W*$)"
)
_PHRASE: Final = re.compile(
    rf"""\b(?:the\s+)?(?:rest|remainder)\s+(?:of\s+)?(?:(?:the|this|your|that|my|our|its)\s+)?{_THING}\s+{_SAME}\b
    | \b(?:the\s+)?(?:rest|remainder|remaining)\s+{_SAME}\b
    | \b(?:existing|previous|original|remaining|unchanged|other|old)\s+{_THING}\s+{_SAME}\b
    | \b(?:code|implementation|details?|content|text|methods?|functions?)\s+(?:is\s+|are\s+)?
      (?:omitted|elided|truncated|skipped|left\s+out)\b
    | \b(?:omitted|truncated|shortened|elided|skipped)\s+for\s+(?:brevity|clarity|space)\b
    | \b(?:your|add|insert|put)\s+(?:your\s+|the\s+)?(?:code|implementation|logic|text)\s+(?:goes\s+)?here\b
    | \b(?:implementation|code|logic|body|text)\s+goes\s+here\b
    | \b(?:todo|fixme)\b\W*(?:implement|add|complete|write|fill\s+in|finish|keep|copy)\s+(?:the\s+|all\s+)?
      (?:rest|remainder|remaining|missing|others?)\b
    | \b(?:todo|fixme)\b\W*(?:implement|fill\s+in|complete|finish)
      (?:\s+(?:this|me|it|here|(?:the\s+)?{_THING}))?\W*$ """,
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE: Final = re.compile(
    rf"""\W*(?:\(?(?:same|exactly|unchanged|as)\s+(?:as\s+)?(?:before|above|in\s+the\s+original|the\s+original|original)
      (?:\s+{_THING})? | unchanged | no\s+changes?(?:\s+(?:here|below|needed|from\s+here))?
      | (?:the\s+)?(?:rest|remainder)(?:\s+of\s+(?:the|this|your|that|my|our)\s+{_THING})? )\W*""",
    re.VERBOSE | re.IGNORECASE,
)
_AFTER_DOTS: Final = re.compile(
    rf"""\W*(?:(?:the|all|your|and|with|same|more|keep|plus|previous|unchanged)\s+)*
    (?:(?:rest|remainder|remaining|other|others|existing|previous|original|unchanged|same|omitted|continues?|as\s+before)
      (?:\s+of)?(?:\s+(?:the|this|your|that|my|our))?(?:\s+{_THING})?(?:\s+{_SAME})?
      | more\s+{_THING} | {_THING}\s+{_SAME})\W*""",
    re.VERBOSE | re.IGNORECASE,
)
_STAYS: Final = re.compile(
    r"""\b(?:unchanged|unmodified|untouched|unaltered|intact|omitted|elided|snip(?:ped)?)\b
    | \b(?:no|not|nothing|never|n't|don't|doesn't|didn't)\s+(?:\w+\s+){0,3}?chang(?:e|es|ed)\b
    | \bas\s+(?:before|above)\b(?!\s+\w) | \bas\s+(?:is|in\s+the\s+original|(?:it|they)\s+(?:is|are|was|were))\b
    | \b(?:stay|remain|keep|kept|be|is|are)s?\s+(?:exactly\s+)?(?:the\s+same|identical|in\s+place|as)\b
    | ^\W*keep\s+(?:(?:the|all)\s+)*(?:existing|rest|remaining|original)\b
    | ^\W*(?:(?:the|your)\s+)?(?:existing|remaining)\s+\w+(?:\s+here)?\W*$
    | ^\W*(?:(?:and\s+)?(?:etc|so\s+on|so\s+forth)|(?:the\s+)?rest(?:\s+of\s+(?:the\s+)?\w+)?)\W*$ """,
    re.VERBOSE | re.IGNORECASE,
)
_MAY_STAY: Final = re.compile(
    r"\b(?:rest|remainder|others?|same|remain\w*|existing|everything|stays?|original|identical|elsewhere)\b|\bhere\W*$"
    r"|^\W*(?:\.\.\.|\u2026|\u22ee)\W*$",
    re.IGNORECASE,
)
"""Words of a remark that may be about other text: enough where much is gone."""
_MOST_WORDS: Final = 8
_MUCH: Final = 2 / 3
"""Much of the code is gone if less than this share of its lines is left."""
_INSERT: Final = re.compile(r"\W*(?:insert|add|put|place|paste|your)\b.*\bhere\W*", re.IGNORECASE)
_MARKED_LINE: Final = re.compile(
    r"[ \t>#-]*([*_]{0,3}[\[(<{].*[\])>}][*_]{0,3}|([*_]{1,3})\S.*\S\2|[.\u2026]{1,3}.*)[ \t]*"
)
_LINE_COMMENT: Final = re.compile(r"^[ \t]*(?:%|;|'[ \t]|\(\*|\{-|REM\b)[^\n]*$", re.MULTILINE)
_CLEARLY: Final = 0.8
"""A text for readers became clearly shorter if less than this share of its length is left."""
_DOTS: Final = ("...", "\u2026")
_BRACKETED: Final = re.compile(r"[ \t>*_#-]*[\[(<{](?P<inside>[^\]\n]*)[\])>}][ \t.*_]*")
_MARKS: Final = re.compile(r"^(?:#+|//+|/\*+|<!--|--)|(?:\*/|-->)$")
_BARE_LINE: Final = re.compile(r"^[ \t]*(?:\[|\(|<|\.\.\.|\u2026|\*\*?\[)[^\n]*$", re.MULTILINE)


def new_placeholder(before: str, after: str, *, is_file: bool) -> str | None:
    """Return, in words, a placeholder of the new text that the old one has not; None if there is none.

    Placeholders are comments such as "... rest of the code unchanged ...", lines such as "[rest of the text
    unchanged]", a statement `...` among others, and functions and classes with a body that became only `pass`, `...`, a
    docstring or `raise NotImplementedError`. In a text that is neither Python nor a file, only phrases between dots or
    brackets, or in comments with unmistakable marks, count: a sentence may say that the rest is unchanged.

    Any other remark that something stays as it was, such as "# two and three stay the same", is one if the text lost
    code; in a text for readers, if it is a line in brackets, emphasis or dots, and the text
    became clearly shorter.
    """
    old, new = program_of(before), program_of(after)
    had = Counter(map(_normal, _phrases(before, is_python=old is not None, is_code=True)))
    for phrase in _phrases(after, is_python=new is not None, is_code=is_file or new is not None):
        if not had[_normal(phrase)]:
            return f"the placeholder {clip(' '.join(phrase.split()), _SHOWN)!r}"
        had[_normal(phrase)] -= 1
    if (remark := _remark(before, after, old, new, is_code=is_file or new is not None)) is not None:
        return f"the placeholder {clip(' '.join(remark.split()), _SHOWN)!r}"
    if new is None:
        return None
    if old is not None and (name := _emptied(old, new)) is not None:
        return f"the empty body of {name!r}"
    is_more = _dots(new) > (before.count("...") if old is None else _dots(old))
    return "the placeholder '...'" if is_more else None


def _normal(phrase: str) -> str:
    return " ".join(re.findall(r"\w+", phrase.casefold()))


# -- phrases ---------------------------------------------------------------------------------------


def _phrases(text: str, *, is_python: bool, is_code: bool) -> Iterator[str]:
    for comment in comments_of(text, is_python=is_python):
        is_sure = is_code or not comment.startswith("#")  # or else it may be a heading
        for line in comment.splitlines() if len(comment) > _LONGEST else [comment]:
            said = _MARKS.sub("", line.strip()).strip()
            if len(line) <= _LONGEST and ((is_code and said in _DOTS) or _stands_for_text(said, is_sure=is_sure)):
                yield line.strip()
    if is_python:
        return
    for found in _BARE_LINE.finditer(text):
        line = found[0].strip()
        if len(line) <= _LONGEST and _stands_for_text(line, is_sure=False):
            yield line


def _stands_for_text(said: str, *, is_sure: bool) -> bool:
    """Tell whether a comment or a line replaces text that was left out.

    Args:
        is_sure: the phrase is enough; otherwise it must be between dots or brackets.
    """
    if said.startswith(_DOTS) or said.endswith(_DOTS):
        inside = said.strip(".\u2026 \t()[]")
        return bool(_PHRASE.search(inside) or _WHOLE.fullmatch(inside) or _AFTER_DOTS.fullmatch(inside))
    if (bracketed := _BRACKETED.fullmatch(said)) is not None:
        said, is_sure = bracketed["inside"].strip(".\u2026 "), True
        if _AFTER_DOTS.fullmatch(said):
            return True
    return is_sure and bool(_PHRASE.search(said) or _WHOLE.fullmatch(said))


# -- remarks beside a loss -------------------------------------------------------------------------


def _remark(before: str, after: str, old: ast.Module | None, new: ast.Module | None, *, is_code: bool) -> str | None:
    """Return a new remark such as "rest unchanged" if that rest is gone; None otherwise."""
    if is_code:
        had = Counter(_code_remarks(before, old))
        found = list((Counter(_code_remarks(after, new)) - had).elements())
        if not found:
            return None
        lines, left = _code_lines(before, old), _code_lines(after, new)
        if len(left) >= _MUCH * len(lines):
            found = [one for one in found if _is_sure(one)]
        return found[0] if found and _lost_code(lines, left) else None
    found = list((Counter(_prose_remarks(after)) - Counter(_prose_remarks(before))).elements())
    is_shorter = len(after.strip()) - sum(map(len, found)) < _CLEARLY * len(before.strip())
    return next((line for line in found if is_shorter or _INSERT.fullmatch(line)), None)


def _code_remarks(text: str, tree: ast.Module | None) -> Iterator[str]:
    comments = comments_of(text, is_python=tree is not None)
    comments += _LINE_COMMENT.findall(text) if tree is None else _text_statements(tree)
    lines = {line.strip() for line in text.splitlines()}
    for comment in map(str.strip, comments):
        is_beside_code = comment.startswith(("#", "//")) and comment not in lines
        if not is_beside_code and len(comment) <= _LONGEST and (_is_sure(comment) or _may_stay(comment)):
            yield comment


def _is_sure(comment: str) -> bool:
    said = _said(comment)
    return said.startswith(_DOTS) or _STAYS.search(said) is not None


def _may_stay(comment: str) -> bool:
    said = _said(comment)
    return len(said.split()) <= _MOST_WORDS and _MAY_STAY.search(said) is not None


def _said(comment: str) -> str:
    return _MARKS.sub("", comment).strip("%;'(*){-} \t\n")


def _text_statements(tree: ast.Module) -> Iterator[str]:
    """Yield the statements that are only text and either begin with dots or are no docstring."""
    docstrings = {node.body[0] for node in ast.walk(tree) if isinstance(node, ast.Module | _Definition)}
    for node in ast.walk(tree):
        match node:
            case ast.Expr(ast.Constant(str(text))) if node not in docstrings or text.strip().startswith(_DOTS):
                yield text
            case _:
                pass


def _prose_remarks(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if len(line) <= _LONGEST and (found := _MARKED_LINE.fullmatch(line)):
            inside = found[1].strip("*_[](){}<>!- \t")
            if not inside.strip(".\u2026 ") or _STAYS.search(inside) or ("[" in line and _INSERT.fullmatch(inside)):
                yield line.strip()


def _code_lines(text: str, tree: ast.Module | None) -> list[str]:
    """Return the first line of each statement of a Python text; of any other, the lines that are no comments."""
    if tree is not None:
        lines = re.split(r"\r\n|\r|\n", text)
        starts = {
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass) and not is_text(node)
        }
        return [lines[start - 1].strip() for start in sorted(starts)]
    for comment in comments_of(text, is_python=False):
        text = text.replace(comment, "", 1)
    return [line.strip() for line in _LINE_COMMENT.sub("", text).splitlines() if line.strip(" \t{}")]


def _lost_code(before: list[str], after: list[str]) -> bool:
    """Tell whether lines are gone that were neither replaced nor moved."""
    gone = Counter(before) - Counter(after)
    steps = difflib.SequenceMatcher(None, before, after).get_opcodes()
    return any(
        sum(line in gone for line in before[start:end]) > new_end - new_start
        for _, start, end, new_start, new_end in steps
    )


# -- bodies ----------------------------------------------------------------------------------------


def _emptied(old: ast.Module, new: ast.Module) -> str | None:
    """Return the name of a function or class that had a body and has none; None if there is no such one."""
    before, after = _definitions(old), _definitions(new)
    for name, nodes in before.items():
        were_real = [_had_body(node) for node in nodes]
        may_return = any(map(_returns_none, nodes))
        are_real = [not _is_empty(node) or (may_return and _returns_none(node)) for node in after.get(name, [])]
        if sum(are_real) < sum(were_real) and are_real.count(False) > were_real.count(False):
            return name
    return None


def _definitions(tree: ast.Module) -> dict[str, list[_Definition]]:
    """Return the functions and classes by name, in order, without those whose body is meant to be empty."""
    found: dict[str, list[_Definition]] = {}
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, path = stack.pop()
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, _Definition):
                if _is_interface(child):
                    continue
                inner = f"{path}.{child.name}" if path else child.name
                found.setdefault(inner, []).append(child)
            if not isinstance(child, ast.expr):
                stack.append((child, inner))
    return found


def _is_interface(node: _Definition) -> bool:
    """Tell whether a class is a protocol, or a function abstract or an overload."""
    nodes = node.bases if isinstance(node, ast.ClassDef) else node.decorator_list
    names = [one.value if isinstance(one, ast.Subscript) else one for one in nodes]
    return any(
        (name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")) in _INTERFACES for name in names
    )


def _returns_none(node: _Definition) -> bool:
    """Tell whether a function ends with a return of None, and returns nothing else."""
    returned = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
    is_none = all(one is None or (isinstance(one, ast.Constant) and one.value is None) for one in returned)
    return is_none and isinstance(node.body[-1], ast.Return)


def _had_body(node: _Definition) -> bool:
    """Tell whether a body may not become empty; a class may lose its only statement if it defines nothing."""
    doing = [step for step in node.body if not _does_nothing(step)]
    return len(doing) > isinstance(node, ast.ClassDef) or any(isinstance(step, _Definition) for step in doing)


def _is_empty(node: _Definition) -> bool:
    """Tell whether a body does nothing: `pass`, `...`, text, an empty return, printing, or NotImplementedError."""
    return all(map(_does_nothing, node.body))


def _does_nothing(step: ast.stmt) -> bool:
    match step:
        case ast.Pass() | ast.Expr(ast.Constant()) | ast.Return(None | ast.Constant(None)):
            return True
        case ast.Expr(ast.Call(ast.Name("print"))):
            return True
        case ast.Raise(ast.Name("NotImplementedError") | ast.Call(ast.Name("NotImplementedError"))):
            return True
        case _:
            return False


def _dots(tree: ast.Module) -> int:
    """Return the number of `...` statements beside others, or outside of functions and classes."""
    bodies = [tree.body]
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body: list[ast.stmt] = getattr(node, "body", [])
            bodies += [body] if len(body) > 1 else []
    return sum(
        isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant) and step.value.value is Ellipsis
        for body in bodies
        for step in body
    )
