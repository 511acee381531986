"""Lines and server-sent events, assembled from chunks of bytes. Pure."""

from __future__ import annotations

from typing import Final

_FIELDS: Final = (b"data:", b"event:", b"id:", b"retry:", b":")


def is_event_stream(body: bytes) -> bool:
    """True if a whole body is server-sent events, as some servers send unasked."""
    return body.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(_FIELDS)


class LineDecoder:
    """Splits a stream of bytes into lines; a line ends with LF, CR LF or CR.

    A chunk may end inside a character, so only whole lines are decoded.

    Raises (from `feed` and `finish`):
        UnicodeDecodeError: a line is not UTF-8.
    """

    def __init__(self) -> None:
        self._begun: list[bytes] = []
        self._after_cr = False

    def feed(self, chunk: bytes) -> list[str]:
        """Add a chunk and return the lines that are now complete, without line ends."""
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")  # the second half of a CR LF
        if b"\r" in chunk:
            self._after_cr = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *whole, rest = chunk.split(b"\n")
        if whole:
            whole[0] = b"".join([*self._begun, whole[0]])
            self._begun.clear()
        if rest:
            self._begun.append(rest)
        return [line.decode("utf-8") for line in whole]

    def finish(self) -> list[str]:
        """Return the last line if it has no line end."""
        rest = b"".join(self._begun)
        self._begun.clear()
        return [rest.decode("utf-8")] if rest else []


class EventDecoder:
    """Extracts the data of server-sent events; comments, names, ids and events without data are ignored.

    Source: WHATWG HTML, 9.2.6, except that an event without a final blank line counts: its reader decides whether the
    data is complete.
    """

    def __init__(self) -> None:
        self._lines = LineDecoder()
        self._data: list[str] = []
        self._is_first = True

    def feed(self, chunk: bytes) -> list[str]:
        """Add a chunk and return the data of the events that are now complete."""
        return self._events(self._lines.feed(chunk))

    def finish(self) -> list[str]:
        """Return the data of the last event if no blank line follows it."""
        return self._events([*self._lines.finish(), ""])

    def _events(self, lines: list[str]) -> list[str]:
        events: list[str] = []
        for line in lines:
            if self._is_first:
                line = line.removeprefix("\ufeff")  # noqa: PLW2901 - a byte order mark is not part of the line
                self._is_first = False
            name, _, value = line.partition(":")
            if not line and self._data:
                events.append("\n".join(self._data))
                self._data.clear()
            elif name == "data":
                self._data.append(value.removeprefix(" "))
        return events
