"""Placeholders: phrases and empty bodies that stand for text which a revision left out. Pure."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from jido_ai.text.comments import comments_of, program_of
from jido_ai.text.printable import clip

__all__ = ["new_placeholder"]

_LONGEST: Final = 300
"""Characters of a comment that can be a placeholder; longer ones are prose."""
_SHOWN: Final = 80
_THING: Final = (
    r"(?:(?:source|original|existing|previous|your|other|remaining)\s+)*"
    r"(?:code|file|text|function|class|method|module|script|implementation|program|body|logic|definition|import|test|case"
    r"|line|part|section|chapter|paragraph|content|document|article|essay|story|answer|response|list|item|table|query"
    r"|config(?:uration)?|field|propert(?:y|ie)|helper|step|entr(?:y|ie)|stuff)s?"
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
    | \b(?:code|implementation|details?|content|text|methods?|functions?|lines?)\s+(?:is\s+|are\s+)?
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
    """
    old, new = program_of(before), program_of(after)
    had = Counter(map(_normal, _phrases(before, is_python=old is not None, is_code=True)))
    for phrase in _phrases(after, is_python=new is not None, is_code=is_file or new is not None):
        if not had[_normal(phrase)]:
            return f"the placeholder {clip(' '.join(phrase.split()), _SHOWN)!r}"
        had[_normal(phrase)] -= 1
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
    """Tell whether a comment or a line stands for text that was left out.

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


# -- bodies ----------------------------------------------------------------------------------------


def _emptied(old: ast.Module, new: ast.Module) -> str | None:
    """Return the name of a function or class that had a body and has none; None if there is no such one."""
    before, after = _bodies(old), _bodies(new)
    for name, were_real in before.items():
        are_real = after.get(name, [])
        if sum(are_real) < sum(were_real) and are_real.count(False) > were_real.count(False):
            return name
    return None


def _bodies(tree: ast.Module) -> dict[str, list[bool]]:
    """Return, for each function and class, by its name, whether it has a real body, in order."""
    found: dict[str, list[bool]] = {}
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, path = stack.pop()
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                inner = f"{path}.{child.name}" if path else child.name
                found.setdefault(inner, []).append(not _is_empty(child.body))
            if not isinstance(child, ast.expr):
                stack.append((child, inner))
    return found


def _is_empty(body: Iterable[ast.stmt]) -> bool:
    """Tell whether a body does nothing: `pass`, `...`, text, an empty return, printing, or NotImplementedError."""
    return all(_does_nothing(step) for step in body)


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
    """Return how many statements `...` stand among others, or outside of functions and classes."""
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
