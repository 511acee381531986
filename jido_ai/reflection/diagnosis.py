"""Diagnosis: the class of failure in a text, and a reflection from it without a model. Pure.

A text is read in three steps. First the exception named by the last traceback line decides; an unknown name is read by
the words in it. Then the words of the message, at word boundaries. Otherwise the class is unknown.

Source: the fallback table of HelixAgent's reflexion (SPEC H23 to H37), extended by Python's own errors, because
substrings misread them: every "Traceback" contains "race", every `NoneType` contains "type".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jido_ai.errors import ConfigurationError, describe
from jido_ai.values import ErrorClass, Outcome, Reflection

_READ_CHARS: Final = 20_000
"""Of a longer text only the end is read, where the last traceback line is."""


# -- the table -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The diagnosis of a class of failures.

    Attributes:
        confidence: in [0, 1], how likely the fix is to help.
    """

    root_cause: str
    problem: str
    fix: str
    confidence: float


DIAGNOSES: Final[Mapping[ErrorClass, Diagnosis]] = {
    ErrorClass.COMPILE: Diagnosis(
        "the code does not compile, or uses a name that is not defined there",
        "A syntax error or an undefined name stopped the program before it could do its work.",
        "Fix the syntax at the reported line; define, import or correct the spelling of the missing name.",
        0.6,
    ),
    ErrorClass.ASSERTION: Diagnosis(
        "the result differs from what a test expects",
        "A test compared the actual with the expected value, and they differ.",
        "Compare the expected and the actual value of the first failing test, and trace the code that produces it.",
        0.5,
    ),
    ErrorClass.TIMEOUT: Diagnosis(
        "it exceeded its time limit",
        "The time limit passed before the work was done.",
        "Look for a loop that does not end or an algorithm that is too slow, and bound every wait.",
        0.5,
    ),
    ErrorClass.NIL: Diagnosis(
        "a missing value was used",
        "Something was None (or a null pointer) where an object was needed.",
        "Find where the value is missing, and handle that case before it is used.",
        0.6,
    ),
    ErrorClass.INDEX: Diagnosis(
        "an index or a key does not exist",
        "A sequence or a mapping was accessed at a position or key that it does not have.",
        "Check the bounds: the empty case, the first, the last, and one past the last.",
        0.6,
    ),
    ErrorClass.PERMISSION: Diagnosis(
        "permission was denied",
        "Access was denied.",
        "Use a permitted location, account or operation; do not retry the same one.",
        0.4,
    ),
    ErrorClass.IMPORT: Diagnosis(
        "a module or a dependency is missing",
        "Something that the code imports could not be found or loaded.",
        "Import an installed module under its correct name, or do without it.",
        0.6,
    ),
    ErrorClass.TYPE: Diagnosis(
        "a value has the wrong type for the operation",
        "A value could not be used as, or converted to, the type that was needed.",
        "Check the actual type of each argument, and convert it or call a matching operation.",
        0.5,
    ),
    ErrorClass.CONCURRENCY: Diagnosis(
        "concurrent operations interfered with each other",
        "A deadlock, a race or a wrong use of the event loop.",
        "Let one owner change shared state, take locks in one order, and never block the loop.",
        0.4,
    ),
    ErrorClass.MEMORY: Diagnosis(
        "it ran out of memory or stack",
        "The memory or the stack was exhausted.",
        "Limit the recursion, buffer or list that grows; process the data in pieces.",
        0.4,
    ),
    ErrorClass.NETWORK: Diagnosis(
        "the remote host could not be reached",
        "A connection failed or broke.",
        "Check the address, set a timeout, and retry later rather than at once.",
        0.4,
    ),
    ErrorClass.LLM: Diagnosis(
        "the language model gave no answer, or not in the requested form",
        "The model was unreachable, refused, or its reply could not be parsed.",
        "Ask a shorter and simpler question, and show the form of the reply by an example.",
        0.4,
    ),
    ErrorClass.TOOL: Diagnosis(
        "a tool or a command failed",
        "A program that was called did not succeed.",
        "Read the tool's output, check its arguments and that it is installed, then call it correctly.",
        0.4,
    ),
    ErrorClass.VALIDATION: Diagnosis(
        "an input is invalid for the operation",
        "A value was rejected: out of range, malformed, or missing.",
        "Check the input against the requirements before it is used.",
        0.5,
    ),
    ErrorClass.UNKNOWN: Diagnosis(
        "the cause is unknown",
        "The attempt failed in a way that none of the known classes describes.",
        "Take smaller steps, check each, and look at the first unexpected result.",
        0.3,
    ),
}

_RANK: Final[Mapping[ErrorClass, int]] = {error_class: rank for rank, error_class in enumerate(DIAGNOSES)}
"""Of several classes the one with the lowest number decides."""

_NO_FAILURE: Final = Diagnosis(
    "nothing failed",
    "The attempt succeeded.",
    "The approach worked: start with it for similar tasks.",
    0.3,
)


# -- names of exceptions ---------------------------------------------------------------------------

_NAMES: Final[Mapping[str, ErrorClass]] = {
    name: error_class
    for error_class, names in {
        ErrorClass.COMPILE: "SyntaxError IndentationError TabError NameError UnboundLocalError",
        ErrorClass.ASSERTION: "AssertionError Failed ComparisonFailure",
        ErrorClass.TIMEOUT: "TimeoutError TimeoutExpired timeout DeadlineExceeded",
        ErrorClass.INDEX: "IndexError KeyError LookupError StopIteration StopAsyncIteration",
        ErrorClass.PERMISSION: "PermissionError PermissionDenied Forbidden Unauthorized AccessDenied",
        ErrorClass.IMPORT: "ImportError ModuleNotFoundError PackageNotFoundError DistributionNotFound",
        ErrorClass.TYPE: "TypeError AttributeError UnicodeDecodeError UnicodeEncodeError UnicodeError InvalidOperation",
        ErrorClass.CONCURRENCY: (
            "BrokenBarrierError InvalidStateError CancelledError QueueEmpty QueueFull Empty Full BlockingIOError"
        ),
        ErrorClass.MEMORY: "MemoryError RecursionError BufferError",
        ErrorClass.TOOL: "CalledProcessError SubprocessError ToolError ToolNotFoundError ChildProcessError",
        ErrorClass.VALIDATION: (
            "ValueError ValidationError ConfigurationError ZeroDivisionError OverflowError FloatingPointError "
            "ArithmeticError JSONDecodeError FileNotFoundError FileExistsError IsADirectoryError NotADirectoryError "
            "EOFError UnsupportedOperation"
        ),
        ErrorClass.LLM: (
            "ModelError ParseError RateLimitError QuotaError ContextLengthError RefusalError TruncatedError ReplyError "
            "CircuitOpenError BadRequestError ModelNotFoundError ModelUnavailableError OutputParserException"
        ),
        ErrorClass.NETWORK: (
            "ConnectionError ConnectionRefusedError ConnectionResetError ConnectionAbortedError BrokenPipeError "
            "gaierror herror SSLError SSLCertVerificationError URLError HTTPError ConnectError ReadError WriteError "
            "RemoteProtocolError RemoteDisconnected IncompleteRead ClientConnectorError"
        ),
    }.items()
    for name in names.split()
}

# Words in a name that is not in the table: searched from its end, which gives the kind.
_NAME_PARTS: Final[tuple[tuple[str, ErrorClass], ...]] = (
    ("Timeout", ErrorClass.TIMEOUT),
    ("TimedOut", ErrorClass.TIMEOUT),
    ("Deadline", ErrorClass.TIMEOUT),
    ("Deadlock", ErrorClass.CONCURRENCY),
    ("Permission", ErrorClass.PERMISSION),
    ("Forbidden", ErrorClass.PERMISSION),
    ("Unauthorized", ErrorClass.PERMISSION),
    ("Denied", ErrorClass.PERMISSION),
    ("Authentication", ErrorClass.PERMISSION),
    ("Syntax", ErrorClass.COMPILE),
    ("Import", ErrorClass.IMPORT),
    ("Assertion", ErrorClass.ASSERTION),
    ("Validation", ErrorClass.VALIDATION),
    ("Configuration", ErrorClass.VALIDATION),
    ("Connection", ErrorClass.NETWORK),
    ("Network", ErrorClass.NETWORK),
    ("Memory", ErrorClass.MEMORY),
    ("Index", ErrorClass.INDEX),
    ("Type", ErrorClass.TYPE),
    ("Value", ErrorClass.VALIDATION),
    ("Tool", ErrorClass.TOOL),
)

# The name of an exception at the start of a line, with or without its module, as Python and pytest print it. pytest
# puts "E " before it, exception groups a tree of "|", a summary "FAILED path - ".
_GAP: Final = r"[^\S\n]"
"""Whitespace within a line. Matching across empty lines would take quadratic time."""
_RAISED: Final = re.compile(
    rf"^(?:E{_GAP}+|(?:{_GAP}|[|+\-])*+|"
    rf"(?:FAILED|ERROR){_GAP}+\S{{1,500}}(?:\[[^\]\n]{{0,500}}\])?{_GAP}+-{_GAP}+)?"
    r"(?:[A-Za-z_]\w*\.)*(?P<name>[A-Za-z_]\w*)(?::[ \t]*(?P<message>[^\n]*))?[ \t]*$",
    re.MULTILINE,
)
_IS_A_NAME: Final = re.compile(r"(?:Error|Exception|Warning|Timeout|Expired|Interrupt|Exit|Iteration|Group|Fault)$")
_FRAME: Final = re.compile(r"^[ |]* {4}\S.*\n\Z|^[ |]* {2}File .*\n\Z", re.MULTILINE)
"""The line before the last one of a traceback, whatever the name of the exception is."""
_NOT_THE_CAUSE: Final = re.compile(r"^(?:Base)?ExceptionGroup$")
_ASSERTED: Final = re.compile(
    rf"^E{_GAP}+(?:assert\b|AssertionError|Failed:)|^(?:FAILED{_GAP}.*-{_GAP})assert\b", re.MULTILINE
)
_LABEL: Final = re.compile(r"^\s*\[[^\]\n]{1,200}\]\s*")

# -- messages of exceptions that more than one thing raises ----------------------------------------

_NONE: Final = re.compile(r"\bNoneType\b")
_NONE_USED: Final = re.compile(r"'NoneType' object\b")
"""Python's phrases about None, for texts that lost the exception's name."""
_SAID: Final[tuple[tuple[re.Pattern[str], ErrorClass], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), error_class)
    for pattern, error_class in (
        (r"dead-?lock|event loop|\bthreads?\b|\bcoroutine\b|attached to a different loop|another task|\block\b",
         ErrorClass.CONCURRENCY),
        (r"changed size during iteration|mutated during iteration", ErrorClass.CONCURRENCY),
        (r"time[ds]?[ -]?out\b|deadline", ErrorClass.TIMEOUT),
        (r"permission denied|operation not permitted|read-only file system", ErrorClass.PERMISSION),
        (r"cannot allocate|out of memory|no space left|recursion depth", ErrorClass.MEMORY),
        (r"connection|network is unreachable|no route to host|name or service not known|temporary failure in name",
         ErrorClass.NETWORK),
        (r"no such file|is a directory|file exists", ErrorClass.VALIDATION),
    )
)  # fmt: skip
_ASKS_ITS_MESSAGE: Final = frozenset({"RuntimeError", "OSError", "IOError", "Exception", "BaseException", "error"})
_CONVERSION: Final = re.compile(r"invalid literal for|could not convert|not convertible|cannot convert", re.IGNORECASE)
_UNPACKING: Final = re.compile(r"values to unpack", re.IGNORECASE)


# -- words -----------------------------------------------------------------------------------------

_WHOLE: Final = frozenset({"got", "race", "type", "cast", "oom"})  # otherwise "forgot", "traceback", "room" would match


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(
        "|".join(rf"\b{re.escape(word)}" + (r"\b" if word in _WHOLE else "") for word in words.split(", "))
    )


_WORDS: Final[tuple[tuple[ErrorClass, re.Pattern[str]], ...]] = tuple(
    (error_class, _pattern(words))
    for error_class, words in (
        (ErrorClass.TYPE, "type mismatch, mismatched type, cannot convert, can't convert, could not convert"),
        (ErrorClass.COMPILE, "compile, compilation, syntax, unexpected, undefined, cannot find, undeclared"),
        (ErrorClass.ASSERTION, "test fail, assert, expected, got, mismatch, not equal"),
        (ErrorClass.TIMEOUT, "timeout, deadline, timed out, context deadline exceeded"),
        (ErrorClass.NIL, "nil pointer, null pointer, segmentation fault, nil dereference"),
        (ErrorClass.INDEX, "index out of range, out of bounds, array index, slice bounds"),
        (ErrorClass.PERMISSION, "permission, denied, forbidden, unauthorized"),
        (ErrorClass.IMPORT, "import, module, package, dependency"),
        (ErrorClass.TYPE, "type, conversion, cast, incompatible"),
        (ErrorClass.CONCURRENCY, "deadlock, goroutine, race, concurrent"),
        (ErrorClass.MEMORY, "memory, allocation, oom, out of memory"),
        (ErrorClass.NETWORK, "connection, network, unreachable, socket, dns"),
        (ErrorClass.LLM, "llm, language model, rate limit, context length, tokens"),
        (ErrorClass.TOOL, "tool, command, exit status, exit code, exited with"),
        (ErrorClass.VALIDATION, "invalid, validation, required field, out of range"),
    )
)


# -- reading ---------------------------------------------------------------------------------------


def classify_error(text: str) -> ErrorClass:
    """Return the class of failure in `text`: a traceback, a tool's report, or a plain message.

    A label in brackets before it ("[test_x] ...") is ignored. Of a text longer than 20,000 characters only the end is
    read. A blank text is `ErrorClass.UNKNOWN`.

    Raises:
        ConfigurationError: `text` is not a str.
    """
    if not isinstance(text, str):
        raise ConfigurationError(f"classify_error reads a str, got {describe(text)}")
    read = _LABEL.sub("", text[-_READ_CHARS:])
    raised = _raised(read)
    if raised is None:
        if _ASSERTED.search(read):
            return ErrorClass.ASSERTION
        return ErrorClass.NIL if _NONE_USED.search(read) else _by_words(read)
    name, message = raised
    return _by_name(name, message) or _by_words(message)


def _raised(text: str) -> tuple[str, str] | None:
    """Return the name and message of the last exception that a line of `text` names; None if there is none."""
    found: tuple[str, str] | None = None
    has_frames = "Traceback (most recent call last)" in text
    for match in _RAISED.finditer(text):
        name = match["name"]
        is_one = name in _NAMES or name in _ASKS_ITS_MESSAGE or _IS_A_NAME.search(name)
        if name[0].islower() and match["message"] is None:
            is_one = False  # a lone word on its line
        if not is_one and has_frames:
            is_one = _FRAME.search(text, text.rfind("\n", 0, max(0, match.start() - 1)) + 1, match.start())
        if is_one and not _NOT_THE_CAUSE.match(name):
            found = name, match["message"] or ""
    return found


def _by_name(name: str, message: str) -> ErrorClass | None:
    """Return the class from an exception's name, and from its message where needed; None if neither decides."""
    if name in ("TypeError", "AttributeError") and _NONE.search(message):
        return ErrorClass.NIL
    if name == "ValueError" and _CONVERSION.search(message):
        return ErrorClass.TYPE
    if name == "ValueError" and _UNPACKING.search(message):
        return ErrorClass.INDEX
    if name in _ASKS_ITS_MESSAGE:
        return next((said for pattern, said in _SAID if pattern.search(message)), None)
    if name in _NAMES:
        return _NAMES[name]
    return next((part_class for part, part_class in _NAME_PARTS if part in name), None)


def _by_words(text: str) -> ErrorClass:
    lowered = text.lower()
    return next((error_class for error_class, words in _WORDS if words.search(lowered)), ErrorClass.UNKNOWN)


# -- the reflection --------------------------------------------------------------------------------

_SHOWN_CHARS: Final = 500
_WEARIER: Final = 0.9


def diagnose(errors: Sequence[str], priors: Sequence[Reflection] = (), outcome: Outcome | None = None) -> Reflection:
    """Return the reflection that the error texts of an attempt allow without a model; never fails.

    Each text is classified separately, and the class that comes first in `DIAGNOSES` decides, whatever the order of
    the texts (SPEC H23); of texts without a known class, the outcome of an attempt that timed out does. The first text
    of the class is quoted in the lesson; one of an unknown class is the lesson. With priors, the lesson calls the
    newest one insufficient, without its words, which are in `metadata["insufficient"]`; the confidence is multiplied by
    0.9, once, however many there are (SPEC H36).

    Args:
        errors: error texts, the most significant first; may be empty. A single text is one issue: of several
            exceptions in it the last decides.
        priors: earlier reflections on the same task, oldest first.
        outcome: outcome of the attempt. A success without errors is not called a failure, nor its priors insufficient.
    """
    classes = [classify_error(error) for error in errors]
    error_class = min(classes, key=_RANK.__getitem__, default=ErrorClass.UNKNOWN)
    first = classes.index(error_class) if classes else 0
    if error_class is ErrorClass.UNKNOWN and outcome is Outcome.TIMEOUT:
        error_class = ErrorClass.TIMEOUT
    has_failed = bool(errors) or outcome is not Outcome.SUCCESS
    diagnosis = DIAGNOSES[error_class] if has_failed else _NO_FAILURE
    said = next((line for error in errors[first:] if (line := _last_line(error))), "")
    lesson, confidence, metadata = diagnosis.fix, diagnosis.confidence, {}
    if said:
        lesson = said if error_class is ErrorClass.UNKNOWN else f"{lesson} What was found: {said}"
    if priors and has_failed:
        lesson = f"{lesson} The earlier advice was not enough: try something else."
        confidence *= _WEARIER
        metadata = {"insufficient": _clipped(priors[-1].lesson)}
    return Reflection(
        lesson,
        root_cause=diagnosis.root_cause,
        problem=f"{diagnosis.problem} The error says: {said}" if said else diagnosis.problem,
        confidence=confidence,
        tags=(error_class.value,),
        error_class=error_class,
        source="fallback",
        metadata=metadata,
    )


def _last_line(text: str) -> str:
    """Return the most significant line: the exception's, else the last one that is not blank."""
    raised = _raised(text[-_READ_CHARS:])
    if raised is not None:
        return _clipped(": ".join(part for part in raised if part))
    lines = text.strip().splitlines()
    return _clipped(lines[-1].strip()) if lines else ""


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
