"""Separates a reasoning model's thoughts from its reply, where the server leaves them in the text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_ATTRIBUTES: Final = r"""(?:\s+[\w-]{1,40}\s*=\s*(?:"[^"<>]{0,200}"|'[^'<>]{0,200}'|[^\s"'<>]{1,200})){0,9}"""
_OPENING: Final = re.compile(
    rf"<(?:think|thinking|thought){_ATTRIBUTES}\s*>|\[THINK\]|<\|channel>thought\b", re.IGNORECASE
)
_BEFORE: Final = re.compile(r"[\s\ufeff]*")
_CLOSING: Final = re.compile(r"</(?:think|thinking|thought)\s*>|\[/THINK\]|<channel\|>", re.IGNORECASE)
_SENTENCE: Final = re.compile(r" (?:is|marks|opens|begins|starts|wraps|tags?|elements?|blocks?|and </\w+>)(?!\w)")
"""What follows a tag that is the subject of a sentence."""
_HEAD: Final = r"[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,80})?<\|message\|>"
"""What follows the name of a channel: perhaps a recipient and a format."""
_CHANNEL: Final = re.compile(
    rf"\s*(?:<\|start\|>\s*assistant\s*)?(?:<\|channel\|>\s*(\w+){_HEAD}|(?:analysis|commentary)<\|message\|>)"
)
"""The head of the first message."""
_FINAL: Final = re.compile(rf"<\|channel\|>\s*final\b{_HEAD}")
_MESSAGE_END: Final = re.compile(r"<\|(?:end|return|call|start)\|>")
_START: Final = "<|start|>assistant"
_SPACE: Final = re.compile(r"\s*\n|[ \t]+")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_ENDS_A_SENTENCE: Final = re.compile(r"""[^\W\d_].{0,999}?[.!?)\]}"']\s*\Z""")
_ANSWER: Final = re.compile(r"\s*[{\[]|[^\s.,;:!?`'\")\]<]|[ \t]+[A-Z0-9*#`\"]")
_JSON: Final = re.compile(r"\s*[{\[]")
_MOST_TAGS: Final = 20
_MOST_BLOCKS: Final = 20


def without_thoughts(text: str) -> tuple[str, str]:
    """Return the reply in a text, and the thoughts before it; without thoughts, the text itself and "".

    Thoughts are, at the beginning of a text, everything from `<think>`, `<thinking>`, `[THINK]` and similar tags to the
    closing tag, or to the end if there is none; and the channels of gpt-oss but the final one. Some chat templates
    open the tag in the prompt: then all before a closing tag that has no opening one, stands between a sentence and
    the answer, and not in code, quotes or JSON. Such a tag that ends the last line of a text leaves the text as the
    reply. A text that only mentions a tag has no thoughts. A file that itself begins with such tags loses them.
    """
    channels = _channels(text)
    if channels is not None:
        return channels
    if _opening(text):
        return _after_blocks(text)
    for closing in _lone_closings(text):
        if _is_between(text, closing.start(), closing.end()):
            reply, before = text[closing.end() :], text[: closing.start()]
            if not reply.strip() and before.rpartition("\n")[2].strip():
                return before.rstrip(), ""
            return _trimmed(reply), before.strip()
    return text, ""


def _channels(text: str) -> tuple[str, str] | None:
    """Return reply and thoughts of a text in channels; None for any other text."""
    if "<|message|>" not in text:
        return None
    head = _CHANNEL.match(text)
    final = head if head is not None and head[1] == "final" else _FINAL.search(text)
    if final is None:
        return None if head is None else ("", text)
    is_opened = head is not None or text[: final.start()].rstrip().endswith(_START)  # or the prompt opened the first
    if not is_opened or (head is None and _is_in_code(text, final.start())):
        return None
    end = _MESSAGE_END.search(text, final.end())
    reply = text[final.end() : end.start() if end else len(text)]
    return _trimmed(reply), text[: final.start()].strip()


def _after_blocks(text: str) -> tuple[str, str]:
    """Return reply and thoughts of a text that begins with an opening tag."""
    thoughts: list[str] = []
    for _ in range(_MOST_BLOCKS):
        if opening := _opening(text):
            text = text[opening.end() :]
            closings = list(_limited(_CLOSING.finditer(text)))
            free = (one for one in closings if not _is_quoted(text, one.start(), one.end()))
            closing = next(free, closings[0] if closings else None)
            thought = text[: closing.start() if closing else len(text)].strip()
            thoughts += [thought] if thought else []
            text = _trimmed(text[closing.end() :]) if closing else ""
        elif leftover := _CLOSING.match(text):  # of a block inside of a block
            text = _trimmed(text[leftover.end() :])
        else:
            break
    return text, "\n\n".join(thoughts)


def _opening(text: str) -> re.Match[str] | None:
    """Return the tag that a text begins with; None for any other text, or a sentence about the tag."""
    before = _BEFORE.match(text)
    tag = _OPENING.match(text, before.end() if before else 0)
    return None if tag is None or _SENTENCE.match(text, tag.end()) else tag


def _lone_closings(text: str) -> Iterator[re.Match[str]]:
    """Yield the closing tags before which no tag is opened, outside of code."""
    closings = list(_limited(_CLOSING.finditer(text)))
    if not closings:
        return
    openings = _limited(_OPENING.finditer(text))
    opened = next((one.start() for one in openings if not _is_quoted(text, one.start(), one.end())), len(text))
    for closing in closings:
        if closing.start() < opened and not _is_quoted(text, closing.start(), closing.end()):
            yield closing


def _limited(found: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    return (one for one, _ in zip(found, range(_MOST_TAGS), strict=False))


def _is_between(text: str, start: int, end: int) -> bool:
    """True if a closing tag separates thoughts from an answer, rather than being part of a sentence."""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    stop = text.find("\n", end)
    rest = text[end : len(text) if stop < 0 else stop]
    is_attached = bool(line) and not line[-1].isspace()
    is_after_sentence = bool(_ENDS_A_SENTENCE.search(line[-1000:]))
    if _is_in_json_string(text, start):
        return False
    if not rest.strip():
        return not line.strip() or is_attached or is_after_sentence
    if not line.strip() or is_after_sentence:
        return bool(_ANSWER.match(rest))
    return bool(_JSON.match(rest))


def _is_quoted(text: str, start: int, end: int) -> bool:
    """True if a tag is in code or between quotation marks."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return (bool(before) and before in "`'\"" and before == after) or _is_in_code(text, start)


def _is_in_code(text: str, start: int) -> bool:
    """True if a place is in a fenced block, or between backticks on its line."""
    fence = ""
    *lines, line = text[:start].split("\n")
    for one in lines:
        mark = _FENCE.match(one)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and one.strip() == mark[1]:
            fence = ""
    rest = text[start:].partition("\n")[0]
    return bool(fence) or (line.count("`") % 2 == 1 and "`" in rest)


def _is_in_json_string(text: str, start: int) -> bool:
    """True if a place is between the quotation marks of an object that begins before it."""
    first = text.find("{", 0, start)
    return first >= 0 and re.sub(r"\\.", "", text[first:start], flags=re.DOTALL).count('"') % 2 == 1


def _trimmed(reply: str) -> str:
    """Return the reply without the blank lines before it; a first line keeps its indentation."""
    space = _SPACE.match(reply)
    return reply[space.end() :] if space else reply
