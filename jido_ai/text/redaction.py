"""Redaction: mask secrets in text before it is stored. Pure.

Secrets are replaced by `[redacted]`; names stay ("password=[redacted]"), so that a lesson remains readable. Redacting
twice changes nothing. A secret without a known form or name cannot be recognised.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, Literal, cast

from jido_ai.text.pieces import PIECE, no_turn, pieces

RedactLevel = Literal["secrets", "all", "none"]
MASK: Final = "[redacted]"

_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?"
    r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
_TOKEN: Final = re.compile(
    r"""(?<![A-Za-z0-9])(?:
        (?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA|ANVA|AIPA)[A-Z0-9]{16}   # AWS ids
      | gh[pousr]_[A-Za-z0-9]{20,}+ | github_pat_\w{20,}+                   # GitHub
      | glpat-[\w-]{16,}+                                                   # GitLab
      | sk-[\w-]{16,}+                                                      # OpenAI, Anthropic and their like
      | [srp]k_(?:live|test)_[A-Za-z0-9]{10,}+                              # Stripe
      | xox[abeoprs]-[\w-]{10,}+                                            # Slack
      | AIza[\w-]{30,}+ | ya29\.[\w-]{20,}+                                 # Google
      | hf_[A-Za-z0-9]{20,}+ | npm_[A-Za-z0-9]{30,}+ | pypi-[\w-]{40,}+
      | eyJ[\w-]{6,}+\.[\w-]{6,}+\.[\w-]{4,}+                               # JSON web tokens
    )+""",
    re.VERBOSE,
)
_IDS: Final = ("akia", "asia", "abia", "acca", "agpa", "aida", "aroa", "anpa", "anva", "aipa", "aiza")
_GITHUB: Final = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")
_STRIPE: Final = ("k_live_", "k_test_")
_UNDERSCORED: Final = ("github_pat_", "hf_", "npm_")
_HYPHENED: Final = ("glpat-", "sk-", "xox", "pypi-")
_DOTTED: Final = ("ya29.", "eyj")
_TOKEN_HINTS: Final = (*_IDS, *_GITHUB, *_STRIPE, *_UNDERSCORED, *_HYPHENED, *_DOTTED)
_ASSIGNED_HINTS: Final = ("passw", "passphrase", "pwd", "secret", "credential", "token", "key")
_NAMES: Final = (
    r"passw(?:or)?d|passphrase|pwd|secret|credentials?|token|"
    r"(?:api|access|account|auth|client|encryption|private|secret|signing)[_-]?(?:key|secret)"
)
_NAME: Final = re.compile(rf"(?:{_NAMES})$", re.IGNORECASE)
_ASSIGNED: Final = re.compile(
    rf"""((?:{_NAMES})\\?["']?[ \t]{{0,8}}(?:=>|:=|={{1,3}}|:)[ \t]{{0,8}})  # the name stays
    (?:
        (\\?["'])(?!\[redacted\]|[<${{%*])((?:(?!\2).)+)(\2|(?=\n|\Z))       # a quoted value, but no placeholder
      # or a bare one, but no expression and no mere dots
      | (?!\.{{2,}}+(?![^\s;,.)\]]))
        (?!(?:str|int|bool|bytes|float|object|any|none|null|true|false|optional|os|self|settings|config|env)\b)
        (?P<bare>[^\s"'`,;&|<>(){{}}\[\]$%*=\\][^\s"'`,;&|<>(){{}}\[\]]{{2,}}+)(?![(\[])
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_AUTHORIZATION: Final = re.compile(
    r"""(authorization\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\\?["']?(?:[a-z]{1,20}[ \t]+)?+
      | \bbearer[ \t]+(?=[^\s"']{0,200}\d))
    [\w.~+/=-]{6,}+""",
    re.VERBOSE | re.IGNORECASE,
)
_URL_PASSWORD: Final = re.compile(r"(://[^\s/:@]{0,200}:)(?!\[redacted\])[^\s/@]{1,200}(?=@)")
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}+@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,}")
_ADDRESS: Final = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)|(?=:{0,2}[0-9a-fA-F])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:]))"
)
_LINE_END: Final = re.compile(r"\n")


_SAYS: Final = re.compile(
    r"are|cannot|did|does|empty|expected|expired|found|had|has|have|incorrect|invalid|may|might|missing|must|not|"
    r"required|should|that|the|these|this|too|unexpected|unknown|unset|was|were|will|wrong|your",
    re.IGNORECASE,
)
_PARSER: Final = re.compile(
    r"\b(?:bad|current|expected|illegal|invalid|last|next|previous|unexpected|unknown|unrecogni[sz]ed)[ \t]+\Z",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(r"[ \t]+['\"(]?[^\W\d_]{2}")
_LONGEST_WORD: Final = 14
_LONGEST_CAPITALS: Final = 10
_BEFORE: Final = 30


def _is_prose(found: re.Match[str]) -> bool:
    """True if the text after "password: " or "token: " is a word of a sentence, not a value.

    Such as a word that describes the name, as in "password: must have a digit"; or, after a token, letters of one case
    in the message of a parser, or with the rest of a sentence after them. After "=", with a digit, or if long, it is
    always a value.
    """
    bare, named = cast("str | None", found["bare"]), cast("str", found[1])
    if bare is None or not named.endswith((": ", ":\t")):
        return False
    word = bare.rstrip(".:!?")
    if _SAYS.fullmatch(word):
        return True
    if not word.isalpha() or not named.lower().startswith("token"):
        return False
    if not (word.islower() or word.istitle()) and not (word.isupper() and len(word) <= _LONGEST_CAPITALS):
        return False
    start, text = found.start(), found.string
    goes_on = word == bare and _GOES_ON.match(text, found.end()) is not None
    return len(word) <= _LONGEST_WORD and (goes_on or _PARSER.search(text[max(0, start - _BEFORE) : start]) is not None)


def _mask_assigned(found: re.Match[str]) -> str:
    if _is_prose(found):
        return found[0]
    return f"{found[1]}{found[2] or ''}{MASK}{found[4] or ''}"


_RULES: Final[tuple[tuple[re.Pattern[str], tuple[str, ...], str | Callable[[re.Match[str]], str]], ...]] = (
    (_TOKEN, _TOKEN_HINTS, MASK),
    (_URL_PASSWORD, ("://",), rf"\1{MASK}"),
    (_AUTHORIZATION, ("authorization", "bearer"), rf"\1{MASK}"),
    (_ASSIGNED, _ASSIGNED_HINTS, _mask_assigned),
)
"""Pattern, hints of which one must occur in the lower-cased text (ten times faster to check), replacement."""


_GATES: Final = (
    ("-", ("-----begin", *_HYPHENED)),
    ("_", _UNDERSCORED),
    (".", _DOTTED),
    ("@", ("://",)),
    (":", ("authorization",)),
    ("=", ("authorization",)),
    ("", ("bearer",)),
)
"""What the text must contain (case-sensitive) for the hints after it to be checked."""
_SIGNS: Final = (
    ("gh", re.compile(r"gh[pousr]_")),
    ("k_", re.compile(r"k_(?:live|test)_")),
    ("A", re.compile(r"A(?:[A-Z]{3}[A-Z0-9]{16}|Iza)")),
)
"""The same for several hints with one beginning: a pattern of them takes no longer than each of them."""
_MAY_BE_ASSIGNED: Final = re.compile(rf"(?:{_NAMES})[\\tn\"' \t]{{0,40}}[:=]")
"""A name and what may stand between it and its value, in a text or, with escapes, in the JSON of a text."""


def may_need_redaction(text: str, level: RedactLevel = "secrets") -> bool:
    """Return False if `redact` would change neither `text` nor any part of it; faster than redacting.

    Given the JSON of a value, on one line and with all characters as they are: False if `redact_values` would not
    change the value.
    """
    if level != "secrets":
        return level == "all"
    lowered = text.casefold()
    for character, hints in _GATES:
        if character in text:
            for hint in hints:  # any() takes three times as long, and every insert gets here
                if hint in lowered:
                    return True
    for character, sign in _SIGNS:
        if character in text and sign.search(text):
            return True
    if ":" in text or "=" in text:
        named = lowered.replace("tokens", "\0s")  # as in the names of usage, which are in most lines and name no secret
        for hint in _ASSIGNED_HINTS:
            if hint in named:
                return _MAY_BE_ASSIGNED.search(named) is not None
    return False


def redact(text: str, level: RedactLevel = "secrets") -> str:
    """Return `text` with secrets masked.

    Args:
        level: "secrets" masks private keys, well-known token shapes, passwords in addresses, values of
            Authorization headers, and values of names such as password, token or api_key; "all" also e-mail
            addresses and private IP addresses; "none" masks nothing.
    """
    return _redact(text, level, no_turn)


def _redact(text: str, level: RedactLevel, others_turn: Callable[[], None]) -> str:
    if level == "none":
        return text
    if "-----BEGIN" in text:
        text = _PRIVATE_KEY.sub(MASK, text)
    if len(text) <= PIECE:
        return _redact_piece(text, level)
    masked: list[str] = []
    is_masked = False
    for piece in pieces(text, cut=_LINE_END):
        others_turn()
        masked.append(_redact_piece(piece, level))
        is_masked = is_masked or masked[-1] != piece
    return "".join(masked) if is_masked else text  # to put a long one together takes as long as to read some pieces


def redact_values(
    values: Mapping[str, object], level: RedactLevel = "secrets", others_turn: Callable[[], None] = no_turn
) -> dict[str, object]:
    """Return a copy of JSON-like `values` with all texts redacted, including names, and the values of names such as
    "password" masked. Of names that become equal, the last one stays. `others_turn` is called often."""
    return {
        _redacted_name(name, level): MASK
        if level != "none" and isinstance(value, str) and value and _NAME.search(name)
        else _redact_value(value, level, others_turn)
        for name, value in values.items()
    }


def _redacted_name(name: str, level: RedactLevel) -> str:
    return _remembered(name, level) if len(name) <= _LONGEST_NAME else redact(name, level)


_LONGEST_NAME: Final = 64
_remembered: Final = lru_cache(maxsize=1024)(redact)
"""Names come again and again."""


def _redact_value(value: object, level: RedactLevel, others_turn: Callable[[], None]) -> object:
    if isinstance(value, str):
        return _redact(value, level, others_turn)
    if isinstance(value, list):
        return [_redact_value(item, level, others_turn) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return redact_values(cast("dict[str, object]", value), level, others_turn)
    return value


def _redact_piece(text: str, level: RedactLevel) -> str:
    lowered = text.casefold()
    for pattern, hints, replacement in _RULES:
        for hint in hints:
            if hint in lowered:
                text = pattern.sub(replacement, text)
                break
    if level == "all":
        text = _EMAIL.sub(MASK, text)
        text = _ADDRESS.sub(lambda found: MASK if _is_private(found[0]) else found[0], text)
    return text


def _is_private(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_private
    except ValueError:  # it only looked like one: a time of day, a version
        return False
