"""Pictures of graphs: text, Mermaid and SVG, coloured by a run when one is given. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Final
from xml.sax.saxutils import escape

from jido_ai.errors import ConfigurationError, describe
from jido_ai.graph.picture_layout import Arrow, Layout, NodeBox, layout_of
from jido_ai.graph.plan import Plan, PlanNode
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.text.printable import printable

_MARKS: Final = {"done": "✓", "failed": "✗", "waiting": "…", "skipped": "–", "not_reached": "·"}


def draw(plan: Plan, form: str, result: GraphResult | None = None) -> str:
    """Return the picture of a plan.

    Args:
        form: "text", "mermaid" or "svg".
        result: colours the nodes by what became of them.

    Raises:
        ConfigurationError: the form is unknown.
    """
    draws: Mapping[str, Callable[[Plan, GraphResult | None], str]] = {"text": _text, "mermaid": _mermaid, "svg": _svg}
    if form not in draws:
        raise ConfigurationError(f"the form of a picture is {', '.join(draws)}; got {describe(form)}")
    return draws[form](plan, result)


def _kind(node: PlanNode) -> str:
    if node.each is None:
        return node.kind
    return f"map of {node.each.kind}s"


def _state(result: NodeResult | None) -> str:
    """Return the outcome of a node for its box: state and score, or the number of finished items."""
    if result is None:
        return ""
    if result.items:
        done = sum(item.status == "done" for item in result.items)
        return f"{done} of {len(result.items)} done"
    score = "" if result.score is None else f" {result.score:.2f}"
    return f"{result.status.replace('_', ' ')}{score}"


# -- text ------------------------------------------------------------------------------------------


def _text(plan: Plan, result: GraphResult | None) -> str:
    """Draw one line for each node in an order in which it can run, with what it waits for."""
    arrows: dict[str, list[Arrow]] = {}
    for arrow, _ in layout_of(plan).ways:
        arrows.setdefault(arrow.target, []).append(arrow)
    width = max(len(name) for name in (*plan.names, *plan.inputs))
    lines = [f"  {name:<{width}}  input" for name in plan.inputs]
    for node in plan.nodes:
        of = None if result is None else result.nodes.get(node.name)
        mark = " " if of is None else _MARKS[of.status]
        came = ", ".join(_in_words(arrow) for arrow in arrows.get(node.name, ()))
        line = f"{mark} {node.name:<{width}}  {_kind(node)}"
        line += f" <- {came}" if came else ""
        line += "  [output]" if plan.nodes[plan.output] is node else ""
        line += f"  ({_state(of)})" if of is not None else ""
        lines.append(line)
    return printable("\n".join(lines)) + "\n"


def _in_words(arrow: Arrow) -> str:
    match arrow.kind:
        case "input":
            return f"{arrow.source}.{arrow.label}" if arrow.label else arrow.source
        case "choice":
            return f"{arrow.source} if {arrow.label}" if arrow.label != "else" else f"{arrow.source} else"
        case "fallback":
            return f"{arrow.source} if it fails"
        case _:
            return f"after {arrow.source}"


# -- Mermaid ---------------------------------------------------------------------------------------

_SHAPES: Final = {
    "loop": ("([", "])"),
    "choice": ("{", "}"),
    "check": ("{{", "}}"),
    "map": ("[[", "]]"),
    "graph": ("[[", "]]"),
    "approval": ("[/", "/]"),
    "step": ("[", "]"),
}
_MERMAID_COLOURS: Final = {
    "done": "fill:#dff3e4,stroke:#2b8a3e,color:#123",
    "failed": "fill:#fde2e1,stroke:#c92a2a,color:#311",
    "waiting": "fill:#fff3d6,stroke:#b7791f,color:#321",
    "skipped": "fill:#f1f3f5,stroke:#adb5bd,color:#868e96",
    "not_reached": "fill:#fff,stroke:#ced4da,color:#868e96",
}
_MERMAID_ARROWS: Final = {"input": "-->", "choice": "==>", "after": "-.->", "fallback": "-.->"}


def _mermaid(plan: Plan, result: GraphResult | None) -> str:
    ids = {name: f"n{number}" for number, name in enumerate((*plan.inputs, *plan.names))}
    lines = ["flowchart LR"]
    lines += [f"  {ids[name]}>{_quoted(name)}]" for name in plan.inputs]
    for node in plan.nodes:
        of = None if result is None else result.nodes.get(node.name)
        words = [node.name, _kind(node), *([_state(of)] if of is not None else [])]
        left, right = _SHAPES[node.kind]
        state = "" if of is None else f":::{of.status}"
        lines.append(f"  {ids[node.name]}{left}{_quoted('<br/>'.join(words))}{right}{state}")
    for arrow, _ in layout_of(plan).ways:
        label = "if it fails" if arrow.kind == "fallback" else arrow.label
        middle = f"|{_quoted(label)}|" if label else ""
        lines.append(f"  {ids[arrow.source]} {_MERMAID_ARROWS[arrow.kind]}{middle} {ids[arrow.target]}")
    if result is not None:
        lines += [f"  classDef {state} {colours}" for state, colours in _MERMAID_COLOURS.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    safe = printable(text).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    return '"' + safe.replace("&lt;br/&gt;", "<br/>").replace("\n", " ") + '"'


# -- SVG -------------------------------------------------------------------------------------------

_WIDTH: Final = 168
_HEIGHT: Final = 56
_GAP: Final = 104
_ROW: Final = 92
_EDGE: Final = 28
_MOST_CHARS: Final = 21
_MOST_LABEL: Final = 18
_STYLE: Final = """
.picture { --paper: #ffffff; --ink: #1c2430; --soft: #667085; --line: #98a2b3; --box: #f8fafc; --rim: #cbd5e1;
  --done: #12855b; --done-box: #e7f7ef; --failed: #c4372f; --failed-box: #fdecea; --waiting: #a86a09;
  --waiting-box: #fff5df; --quiet: #b6bfcc; font-family: ui-sans-serif, system-ui, "Segoe UI", Helvetica, sans-serif; }
@media (prefers-color-scheme: dark) { .picture { --paper: #10151d; --ink: #e7ecf3; --soft: #94a1b5; --line: #64748b;
  --box: #18202b; --rim: #34404f; --done: #4cc38a; --done-box: #12291f; --failed: #f1746c; --failed-box: #331a1a;
  --waiting: #e5ad4b; --waiting-box: #30260f; --quiet: #455163; } }
.paper { fill: var(--paper); }
.box { fill: var(--box); stroke: var(--rim); stroke-width: 1.2; }
.done .box { fill: var(--done-box); stroke: var(--done); } .done .state { fill: var(--done); }
.failed .box { fill: var(--failed-box); stroke: var(--failed); } .failed .state { fill: var(--failed); }
.waiting .box { fill: var(--waiting-box); stroke: var(--waiting); } .waiting .state { fill: var(--waiting); }
.skipped, .not_reached { opacity: 0.55; } .skipped .box, .not_reached .box { stroke-dasharray: 4 3; }
.output .box { stroke-width: 2.4; } .input .box { fill: none; stroke: var(--quiet); }
.name { fill: var(--ink); font-size: 14px; font-weight: 600; } .kind { fill: var(--soft); font-size: 11.5px; }
.state { fill: var(--soft); font-size: 11.5px; font-weight: 600; text-anchor: end; }
.arrow { fill: none; stroke: var(--line); stroke-width: 1.4; } .after { stroke-dasharray: 5 4; }
.fallback { stroke-dasharray: 2 4; } .choice { stroke-width: 2; } .head { fill: var(--line); }
.label { fill: var(--soft); font-size: 11px; text-anchor: middle; paint-order: stroke; stroke: var(--paper);
  stroke-width: 5px; stroke-linejoin: round; }
""".strip()


def _svg(plan: Plan, result: GraphResult | None) -> str:
    layout = layout_of(plan)
    width = 2 * _EDGE + layout.layers * _WIDTH + (layout.layers - 1) * _GAP
    height = 2 * _EDGE + (layout.rows - 1) * _ROW + _HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'class="picture" role="img">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
        'markerUnits="userSpaceOnUse" orient="auto"><path class="head" d="M0 0 L8 4 L0 8 z"/></marker></defs>',
        f'<rect class="paper" width="{width}" height="{height}" rx="10"/>',
        *(_curve(arrow, way) for arrow, way in layout.ways),
        *_boxes(plan, layout, result),
        *(_label(arrow, way) for arrow, way in layout.ways),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _boxes(plan: Plan, layout: Layout, result: GraphResult | None) -> list[str]:
    boxes = [_box(layout.places[name], "input", "input", "") for name in plan.inputs]
    for node in plan.nodes:
        of = None if result is None else result.nodes.get(node.name)
        classes = " ".join(
            ["node", *([of.status] if of else []), *(["output"] if node is plan.nodes[plan.output] else [])]
        )
        boxes.append(_box(layout.places[node.name], _kind(node), classes, _state(of)))
    return boxes


def _corner(place: NodeBox) -> tuple[float, float]:
    return _EDGE + place.layer * (_WIDTH + _GAP), _EDGE + place.row * _ROW


def _box(place: NodeBox, kind: str, classes: str, state: str) -> str:
    x, y = _corner(place)
    radius = _HEIGHT / 2 if classes == "input" else 9
    return (
        f'<g class="{classes}"><title>{_escaped(place.name)}: {_escaped(kind)} {_escaped(state)}</title>'
        f'<rect class="box" x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="{radius:g}"/>'
        f'<text class="name" x="{x + 16:g}" y="{y + 24:g}">{_escaped(_cut(place.name, _MOST_CHARS))}</text>'
        f'<text class="kind" x="{x + 16:g}" y="{y + 42:g}">{_escaped(kind.removeprefix("map of "))}</text>'
        f'<text class="state" x="{x + _WIDTH - 14:g}" y="{y + 42:g}">{_escaped(state.removesuffix(" done"))}</text></g>'
    )


def _curve(arrow: Arrow, way: tuple[NodeBox, ...]) -> str:
    points = _points(way)
    x, y = points[0]
    path = [f"M{x:g} {y:g}"]
    for (x, y), (to_x, to_y) in itertools.pairwise(points):
        bend = (to_x - x) / 2
        path.append(f"C{x + bend:g} {y:g} {to_x - bend:g} {to_y:g} {to_x:g} {to_y:g}")
    return f'<path class="arrow {arrow.kind}" d="{" ".join(path)}" marker-end="url(#head)"/>'


def _points(way: tuple[NodeBox, ...]) -> list[tuple[float, float]]:
    """Return where a curve goes: out of the right side, through the middle of the places it passes, into the left."""
    points: list[tuple[float, float]] = []
    for number, place in enumerate(way):
        x, y = _corner(place)
        middle = y + _HEIGHT / 2
        if number > 0:
            points.append((x - (2 if number == len(way) - 1 else 0), middle))
        if number < len(way) - 1:
            points.append((x + _WIDTH, middle))
    return points


def _label(arrow: Arrow, way: tuple[NodeBox, ...]) -> str:
    text = "if it fails" if arrow.kind == "fallback" else arrow.label
    if not text:
        return ""
    (x, y), (to_x, to_y) = _points(way)[-2:]
    share = 0.5
    place = f'x="{x + share * (to_x - x):g}" y="{y + share * (to_y - y) - 5:g}"'
    return f'<text class="label" {place}><title>{_escaped(text)}</title>{_escaped(_cut(text, _MOST_LABEL))}</text>'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _escaped(text: str) -> str:
    return escape(printable(text), {'"': "&quot;"})
