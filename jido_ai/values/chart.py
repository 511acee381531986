"""Line and bar charts as SVG, without a dependency; or drawn into axes of matplotlib that the caller made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

_WIDTH: Final = 560
_HEIGHT: Final = 300
_LEFT: Final = 60
_BOTTOM: Final = 50
_TOP: Final = 20
_RIGHT: Final = 20
_COLOURS: Final = ("#0b6e99", "#b4530a", "#2f7d32", "#7b3fa0", "#a02b2b", "#555555")
_ROW: Final = 34


class Chart:
    """A picture as SVG; notebooks show it."""

    @property
    def svg(self) -> str:
        """The picture."""
        raise NotImplementedError

    def save(self, path: str | Path) -> None:
        """Write the picture to a file."""
        Path(path).write_text(self.svg, "utf-8")

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True, slots=True)
class LineChart(Chart):
    """Values in [0, 1] over whole numbers from 1, a line for each name.

    Attributes:
        lines: name and values, in order.
        x, y: titles of the axes.
        threshold: a dashed line; None without one.
    """

    lines: Sequence[tuple[str, Sequence[float]]]
    x: str
    y: str
    threshold: float | None = None

    @property
    def svg(self) -> str:
        """The picture."""
        most = max([2, *(len(values) for _, values in self.lines)])
        wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

        def at(index: int, value: float) -> tuple[float, float]:
            return round(_LEFT + wide * index / (most - 1), 1), round(_TOP + high * (1.0 - value), 1)

        parts = [_axis(_LEFT, at(0, value)[1], f"{value:g}") for value in (0.0, 0.25, 0.5, 0.75, 1.0)]
        step = 1 + (most - 1) // 12
        parts += [_text(at(index, 0)[0], _HEIGHT - 30, str(index + 1), "middle") for index in range(0, most, step)]
        if self.threshold is not None:
            y = at(0, self.threshold)[1]
            parts.append(f'<path d="M{_LEFT} {y}H{_WIDTH - _RIGHT}" stroke="#888" stroke-dasharray="4 3"/>')
        for number, (name, values) in enumerate(self.lines):
            colour = _COLOURS[number % len(_COLOURS)]
            points = [at(index, value) for index, value in enumerate(values)]
            drawn = " ".join(f"{x},{y}" for x, y in points)
            parts.append(f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts += [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x, y in points]
            if len(self.lines) > 1:
                parts.append(_text(_WIDTH - _RIGHT - 4, _TOP + 14 + 16 * number, name, "end", colour))
        return _picture(_HEIGHT, self.x, self.y, parts)

    def draw(self, ax: Any) -> Any:
        """Draw into axes of matplotlib and return them."""
        for name, values in self.lines:
            ax.plot(range(1, len(values) + 1), list(values), marker="o", label=name)
        if self.threshold is not None:
            ax.axhline(self.threshold, linestyle="--", color="grey")
        ax.set(xlabel=self.x, ylabel=self.y, ylim=(0, 1))
        if len(self.lines) > 1:
            ax.legend()
        return ax


@dataclass(frozen=True, slots=True)
class Bar:
    """A share in [0, 1] with its interval."""

    name: str
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BarChart(Chart):
    """Shares with intervals, a bar for each name.

    Attributes:
        x: title of the axis.
    """

    bars: Sequence[Bar]
    x: str

    @property
    def svg(self) -> str:
        """The picture."""
        left = _LEFT + 100
        height = _TOP + _ROW * len(self.bars) + _BOTTOM

        def at(share: float) -> float:
            return round(left + (_WIDTH - left - _RIGHT) * share, 1)

        parts = [_text(at(n / 4), height - 30, f"{25 * n} %", "middle") for n in range(5)]
        for number, bar in enumerate(self.bars):
            y = _TOP + _ROW * number
            parts.append(_text(left - 8, y + 16, bar.name, "end"))
            width = at(bar.share) - left
            parts.append(f'<rect x="{left}" y="{y + 3}" width="{width:g}" height="18" fill="{_COLOURS[0]}"/>')
            parts.append(f'<path d="M{at(bar.low)} {y + 12}H{at(bar.high)}" stroke="#222" stroke-width="2"/>')
        return _picture(height, self.x, "", parts)

    def draw(self, ax: Any) -> Any:
        """Draw into axes of matplotlib and return them."""
        shares = [bar.share for bar in self.bars]
        errors = [[bar.share - bar.low for bar in self.bars], [bar.high - bar.share for bar in self.bars]]
        ax.barh([bar.name for bar in self.bars], shares, xerr=errors)
        ax.set(xlabel=self.x, xlim=(0, 1))
        ax.invert_yaxis()
        return ax


def _picture(height: int, x: str, y: str, parts: Sequence[str]) -> str:
    side = f'<text transform="translate(14 {height // 2}) rotate(-90)" text-anchor="middle">{escape(y)}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}"'
        ' font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        f"{''.join(parts)}{_text(_WIDTH // 2, height - 10, x, 'middle')}{side if y else ''}</svg>"
    )


def _axis(x: float, y: float, text: str) -> str:
    return f'<path d="M{x} {y}H{_WIDTH - _RIGHT}" stroke="#ddd"/>{_text(x - 8, y + 4, text, "end")}'


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#222") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
