"""Calls that a typed answer takes, for 12 kinds of types at 6 kinds of servers; the table of the page on typed answers.

`python tests/models/typed_table.py` renews the table; `test_typed_table.py` fails when that was forgotten.
"""

from __future__ import annotations

import asyncio
import enum
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field, TypeAdapter
from typing_extensions import TypedDict

ROOT: Final = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from model_servers.typed_server import KINDS, Kind, TypedServer  # noqa: E402 - where it is a program

from jido_ai import reflect  # noqa: E402
from jido_ai.models import CompatibleModel, OpenAIModel  # noqa: E402

PAGE: Final = ROOT / "docs" / "how-to" / "typed-answers.md"
BEGIN: Final = "<!-- made by tests/models/typed_table.py -->"
END: Final = "<!-- end -->"


class Item(BaseModel):
    name: str
    price: float


class Person(BaseModel):
    name: str
    nickname: str | None = None
    age: int = 0


class Order(BaseModel):
    customer: Person
    item: Item


class Cat(BaseModel):
    kind: Literal["cat"]
    name: str


class Dog(BaseModel):
    kind: Literal["dog"]
    barks: bool


class Home(BaseModel):
    pet: Cat | Dog = Field(discriminator="kind")


class Size(enum.Enum):
    SMALL = "S"
    LARGE = "L"


class Shirt(BaseModel):
    size: Size
    colour: Literal["red", "blue"]


class Stock(BaseModel):
    counts: dict[str, int]


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


class Code(BaseModel):
    pin: Annotated[str, Field(pattern=r"^\d{4}$", max_length=4)]
    share: Annotated[float, Field(ge=0, le=1)]
    tags: Annotated[list[str], Field(min_length=1, max_length=3)]


@dataclass
class Meeting:
    day: str
    people: list[str]


class Weather(TypedDict):
    city: str
    celsius: int


TYPES: Final[Mapping[str, Sequence[tuple[Any, Any]]]] = {
    "flat object": [(Item, {"name": "pen", "price": 2.5})],
    "object in an object": [
        (Order, {"customer": {"name": "Ada", "nickname": "A", "age": 7}, "item": {"name": "pen", "price": 2.5}})
    ],
    "lists in an object": [
        (Meeting, {"day": "Monday", "people": ["Ada", "Ben"]}),
        (TypeAdapter(dict[Literal["rows"], list[Item]]).json_schema(), {"rows": [{"name": "pen", "price": 2.5}]}),
    ],
    "optional fields": [(Person, {"name": "Ada"}), (Person, {"name": "Ada", "age": 7})],
    "union with `str`": [(Cat | str, {"kind": "cat", "name": "Tom"}), (Cat | str, "no cat at all")],
    "discriminated union": [
        (Home, {"pet": {"kind": "dog", "barks": True}}),
        (Annotated[Cat | Dog, Field(discriminator="kind")], {"kind": "cat", "name": "Tom"}),
    ],
    "enum, `Literal`": [(Shirt, {"size": "L", "colour": "blue"}), (Literal["yes", "no"], "yes")],
    "`dict`": [(Stock, {"counts": {"pen": 3, "ink": 1}}), (dict[str, int], {"pen": 3})],
    "recursive": [(Tree, {"name": "a", "children": [{"name": "b", "children": []}]})],
    "dataclass, `TypedDict`": [
        (Meeting, {"day": "Monday", "people": ["Ada"]}),
        (Weather, {"city": "Oslo", "celsius": -4}),
    ],
    "bounds and patterns": [(Code, {"pin": "0042", "share": 0.5, "tags": ["a"]})],
    "list or number alone": [(list[Item], [{"name": "pen", "price": 2.5}]), (int, 42)],
}


async def asked(kind: Kind, output: Any, value: Any) -> tuple[list[int], bool]:
    """Return the requests of a first and a second answer, and whether both were right."""
    wanted = value if isinstance(output, dict) else TypeAdapter(output).validate_python(value)
    counts: list[int] = []
    at = OpenAIModel if kind == "strict" else CompatibleModel
    with TypedServer(kind, value) as server:
        async with at("m", base_url=server.base_url(), api_key="k") as model:
            found: list[object] = []
            for _ in range(2):
                before = len(server.requests)
                result: Any = await reflect("Say what is there.", output=output, generator=model)
                found.append(result.output)
                counts.append(len(server.requests) - before)
        assert not server.impossible, server.impossible
    return counts, found == [wanted, wanted]


async def cell(kind: Kind, cases: Sequence[tuple[Any, Any]]) -> str:
    """Return what the worst of the types needs, in words."""
    found = [await asked(kind, output, value) for output, value in cases]
    if not all(right for _, right in found):
        return "wrong"
    first, second = (max(counts[index] for counts, _ in found) for index in (0, 1))
    return str(first) if first == second else f"{first}, then {second}"


def cell_in(page: str, name: str, kind: Kind) -> str:
    """Return what the table of a page says."""
    rows = [[one.strip() for one in line.split("|")[1:-1]] for line in page.partition(BEGIN)[2].splitlines()]
    return {row[0]: row[1:] for row in rows if row}[name][list(KINDS).index(kind)]


async def table() -> str:
    lines = ["| type | " + " | ".join(KINDS.values()) + " |", "|---|" + "---|" * len(KINDS)]
    for name, cases in TYPES.items():
        lines.append(f"| {name} | " + " | ".join([await cell(kind, cases) for kind in KINDS]) + " |")
    return "\n".join(lines)


def with_table(page: str, made: str) -> str:
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8"), asyncio.run(table())), "utf-8")
