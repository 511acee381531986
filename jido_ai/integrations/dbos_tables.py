"""Tables of jido_ai beside those of DBOS, in PostgreSQL or a file. It blocks."""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportArgumentType=false, reportOptionalMemberAccess=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
import sqlalchemy.exc
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from jido_ai.integrations.dbos_engine import postgres_engine, translated, translating
from jido_ai.integrations.dbos_orders import QueueAddress

_TRIES: Final = 5
_POSTGRES_NOW: Final = "extract(epoch from clock_timestamp())"
_SQLITE_NOW: Final = "((julianday('now') - 2440587.5) * 86400.0)"


class Tables:
    """A connection to the database of either kind. All methods raise `StoreUnavailableError`.

    Attributes:
        meta: takes the tables.
        now: expression of the database's time, in seconds since 1970.
        insert: builds an INSERT that knows ON CONFLICT.
    """

    def __init__(self, place: QueueAddress) -> None:
        self._place = place
        is_file = place.schema is None
        options: dict[str, Any] = {"pool_size": 1, "max_overflow": 1}
        options["isolation_level"] = "AUTOCOMMIT"  # each change is one statement
        self._engine = (
            sa.create_engine(place.url, connect_args={"timeout": 5.0}, **options)
            if is_file
            else postgres_engine(place, **options)
        )
        self.now: Any = sa.literal_column(_SQLITE_NOW if is_file else _POSTGRES_NOW, sa.Float)
        self.insert: Any = sqlite_insert if is_file else pg_insert
        self.meta = sa.MetaData(schema=place.schema)

    def create(self) -> None:
        """Make the tables if they are not there. Several processes may do so at once."""
        for tries in range(_TRIES):
            try:
                self.meta.create_all(self._engine)
                return
            except sqlalchemy.exc.SQLAlchemyError as error:
                if tries == _TRIES - 1:
                    raise translated(error, self._place) from error

    def exists(self) -> bool:
        """Tell whether tables were made; those that newer versions have may be missing."""
        with translating(self._place):
            there = sa.inspect(self._engine)
            return any(there.has_table(table.name, schema=self._place.schema) for table in self.meta.sorted_tables)

    def run(self, statement: Any) -> int:
        """Carry out a statement that writes; return the number of rows that it changed."""
        with translating(self._place), self._engine.connect() as connection:
            return connection.execute(statement).rowcount

    def read(self, query: Any) -> Sequence[Any]:
        """Return the rows of a query."""
        with translating(self._place), self._engine.connect() as connection:
            return connection.execute(query).fetchall()

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()
