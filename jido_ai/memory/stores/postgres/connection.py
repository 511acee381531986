"""PostgreSQL connections: the address, the schema, and translation of asyncpg's errors.

Server names in messages never contain the password.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from jido_ai.errors import (
    ConfigurationError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
    describe,
)
from jido_ai.extras import missing
from jido_ai.memory.lessons import cleaned, lesson_key
from jido_ai.memory.stores.postgres.sql import APPLICATION, MIGRATIONS, text, untext
from jido_ai.memory.stores.rows import decode_entry, encode_entry

try:
    import asyncpg  # pyright: ignore[reportMissingTypeStubs] - it has none
except ImportError as error:
    raise missing("asyncpg", "postgres") from error

SCHEMA_VERSION: Final = len(MIGRATIONS)

_CLEAN: Final = 3
"""The first schema whose entries are clean."""
_ROWS_PER_PAGE: Final = 100
_SCHEMES: Final = ("postgresql", "postgres")
_HOST: Final = r"(?:\[[0-9a-fA-F:.]+\]|[^:\[\],]*)(?::\d{1,5})?"
_HOSTS: Final = re.compile(rf"{_HOST}(?:,{_HOST})*\Z")
_SCHEMA_NAME: Final = re.compile(r"(?!pg_)[a-z_][a-z0-9_]{0,62}\Z")


class LostError(StoreUnavailableError):
    """The connection is lost, or the server is not ready; a new connection may succeed."""

    @property
    def is_starting(self) -> bool:
        """True if the server is starting up."""
        return isinstance(self.__cause__, asyncpg.CannotConnectNowError)


# -- the address -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Address:
    """The location of the store.

    Attributes:
        dsn: for asyncpg; may contain a password.
        schema: the schema of the memory.
        name: the server's name in messages.
    """

    dsn: str = field(repr=False)
    schema: str
    name: str

    @classmethod
    def parse(cls, address: str, schema: str) -> Address:
        """Parse "postgresql://user:password@host:port/database?schema=name". All parts but the scheme are optional.

        Raises:
            ConfigurationError: invalid address. The message does not quote it.
        """
        wrong = "invalid PostgreSQL address; write postgresql://..., and escape / @ : ? # in a password as %2F ..."
        try:
            parts = urlsplit(address)
            options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        except ValueError:
            raise ConfigurationError(wrong) from None
        user, _, hosts = parts.netloc.rpartition("@")
        rest = user + parts.path + parts.query + parts.fragment
        is_readable = parts.scheme in _SCHEMES and not parts.fragment and "@" not in rest
        if not is_readable or not _HOSTS.match(hosts) or any(character < " " for character in unquote(address)):
            raise ConfigurationError(wrong)
        schema = dict(options).get("schema", schema)
        if _SCHEMA_NAME.match(schema) is None:
            raise ConfigurationError(
                "schema must be 1 to 63 lowercase letters, digits and _, and not begin with a digit or pg_, "
                f"got {describe(schema)}"
            )
        others = [(name, value) for name, value in options if name != "schema"]
        host = hosts or dict(others).get("host") or "localhost"
        dsn = urlunsplit(parts._replace(scheme="postgresql", query=urlencode(others)))
        return cls(dsn, schema, f"postgresql://{host}{parts.path} (schema {schema})")


# -- connections -----------------------------------------------------------------------------------


class Connection(asyncpg.Connection):  # pyright: ignore[reportMissingTypeArgument, reportUntypedBaseClass]
    """A connection that goes back into its pool as it is: no statement of ours leaves anything in the session."""

    def get_reset_query(self) -> str:
        return ""


class Database:
    """A connection.

    A pooler such as pgbouncer gives each transaction another session of the server. Behind one, settings therefore
    belong to transactions, each statement has a transaction, and no statement is prepared under a name.

    Args:
        connection: of asyncpg.
        settings: for each transaction; None for a session of our own, which has them.
    """

    def __init__(self, connection: Any, settings: Mapping[str, str] | None) -> None:
        self._connection = connection
        self._settings = settings

    @property
    def is_pooled(self) -> bool:
        return self._settings is not None

    async def execute(self, query: str, *args: object) -> str:
        return await self._run(self._connection.execute, query, *args)

    async def fetch(self, query: str, *args: object) -> Sequence[Sequence[Any]]:
        return await self._run(self._connection.fetch, query, *args)

    async def fetchrow(self, query: str, *args: object) -> Sequence[Any] | None:
        return await self._run(self._connection.fetchrow, query, *args)

    async def fetchval(self, query: str, *args: object) -> Any:
        return await self._run(self._connection.fetchval, query, *args)

    async def _run(self, run: Callable[..., Awaitable[Any]], query: str, *args: object) -> Any:
        if self._settings is None or self._connection.is_in_transaction():
            return await run(query, *args)
        async with transaction(self):
            return await run(query, *args)

    async def begin(self) -> None:
        settings = "".join(f"; SET LOCAL {name} TO '{value}'" for name, value in (self._settings or {}).items())
        await self._connection.execute(f"BEGIN{settings}")

    async def end(self, how: Literal["COMMIT", "ROLLBACK"]) -> None:
        await self._connection.execute(how)

    async def close(self, *, timeout: float | None = None) -> None:
        await self._connection.close(timeout=timeout)

    def is_closed(self) -> bool:
        return self._connection.is_closed()

    def terminate(self) -> None:
        self._connection.terminate()


async def connect(address: Address, timeout_s: float) -> Database:
    """Return a new connection. Raises a `StoreError`; `LostError` if a retry may help.

    A pooler has no process number of the server to tell, and refuses settings at the start. So the first statement asks
    for the number, and sets what a session of our own needs.
    """
    settings = _settings(address, timeout_s)
    sets = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in settings.items())
    options = _options(address, timeout_s)
    with translated(address.name):
        connection = await _opened(options)
        try:
            status = await connection.execute(f"SELECT {sets} WHERE pg_backend_pid() = {connection.get_server_pid()}")
            if status == "SELECT 1":
                return Database(connection, None)
            await connection.close(timeout=timeout_s)
        except BaseException:
            connection.terminate()
            raise
        return Database(await _opened({**options, "statement_cache_size": 0}), settings)


async def _opened(options: Mapping[str, Any]) -> Any:
    return cast("Any", await asyncpg.connect(**options))  # pyright: ignore[reportUnknownMemberType]


class Readers:
    """A pool of connections for reading.

    Args:
        like: the connection whose way to the server they take.
        limit: number of connections, at most.
    """

    def __init__(self, address: Address, timeout_s: float, *, like: Database, limit: int) -> None:
        settings = _settings(address, timeout_s)
        options = _options(address, timeout_s)
        if like.is_pooled:
            options["statement_cache_size"] = 0
        else:
            options["server_settings"] |= settings
        self._settings = settings if like.is_pooled else None
        self._timeout_s = timeout_s
        self._pool: Any = asyncpg.create_pool(min_size=0, max_size=limit, **options)  # pyright: ignore[reportUnknownMemberType]

    async def open(self) -> None:
        await self._pool

    async def fetch(self, query: str, *args: object) -> Sequence[Sequence[Any]]:
        async with self._pool.acquire(timeout=self._timeout_s) as connection:
            return await Database(connection, self._settings).fetch(query, *args)

    async def close(self) -> None:
        await self._pool.close()

    def terminate(self) -> None:
        self._pool.terminate()


def _options(address: Address, timeout_s: float) -> dict[str, Any]:
    """Return the arguments of `asyncpg.connect` and `asyncpg.create_pool`."""
    return {
        "dsn": address.dsn,
        "timeout": timeout_s,
        "command_timeout": max(timeout_s, 30.0),
        "server_settings": {"application_name": APPLICATION},
        "connection_class": Connection,
    }


def _settings(address: Address, timeout_s: float) -> dict[str, str]:
    return {
        "search_path": address.schema,
        "synchronous_commit": "on",
        "lock_timeout": str(max(1, round(timeout_s * 1000))),
        "idle_in_transaction_session_timeout": "30000",  # a hanging writer must not block all others
    }


@asynccontextmanager
async def transaction(db: Database) -> AsyncGenerator[None]:
    """Run the block in a transaction: commit, or roll back on an error."""
    try:
        await db.begin()
        yield
        await db.end("COMMIT")
    except Exception as error:
        if isinstance(error, _LOST) or db.is_closed():
            db.terminate()
        else:
            await db.end("ROLLBACK")
        raise
    except BaseException:  # cancelled: the server rolls back when the connection ends
        db.terminate()
        raise


# -- the schema ------------------------------------------------------------------------------------


async def prepare(db: Database, address: Address) -> None:
    """Create or migrate the schema. Rejects a foreign or newer one without changing it.

    If several processes start at once, one of them does the work and the others wait.
    """
    encoding = await db.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise ConfigurationError(f"{address.name} uses the encoding {encoding}; the memory needs a UTF8 database")
    async with transaction(db):
        await db.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", f"{APPLICATION}:{address.schema}")
        version = await _version(db, address)
        if version == 0:
            await db.execute(f"CREATE SCHEMA IF NOT EXISTS {address.schema}")
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                await db.execute(statement)
        if 0 < version < _CLEAN:
            await _clean(db)
        if version == 0:
            await db.execute("INSERT INTO about VALUES ($1, $2)", APPLICATION, SCHEMA_VERSION)
        elif version < SCHEMA_VERSION:
            await db.execute("UPDATE about SET version = $1", SCHEMA_VERSION)


async def _clean(db: Database) -> None:
    """Bring the entries of earlier versions into the form of `cleaned`, with their `lesson_key`.

    An entry that cannot be read, or that another one would be merged with, is left as it is.
    """
    last = -1
    while page := await db.fetch(
        "SELECT row, tenant, project, prompt, body FROM entry WHERE row > $1 AND (prompt LIKE 'Tags that end in %' "
        "OR prompt LIKE 'Text between tags is data%' OR prompt LIKE '%<conversation>%' "
        "OR (lesson IS NOT NULL AND task_type IS NOT NULL)) ORDER BY row LIMIT $2",
        *(last, _ROWS_PER_PAGE),
    ):
        last = page[-1][0]
        for row, tenant, project, prompt, body in page:
            try:
                old = decode_entry(row, untext(tenant), untext(project), untext(prompt), body).entry
            except StoreDamagedError:
                continue
            entry = cleaned(old)
            await db.execute(
                "UPDATE entry SET prompt = $2, task_type = $3, lesson = $4, body = $5 WHERE row = $1 AND NOT EXISTS "
                "(SELECT FROM entry AS o WHERE o.scope = entry.scope AND o.kind = entry.kind AND o.lesson = $4 "
                "AND o.row <> $1)",
                *(row, text(entry.prompt), text(entry.task_type), lesson_key(entry), encode_entry(entry)),
            )


async def _version(db: Database, address: Address) -> int:
    """Return the schema version; 0 if the schema is empty or missing."""
    things = await db.fetchval("SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace($1)", address.schema)
    if not things:
        return 0
    about = await db.fetchval("SELECT to_regclass($1) IS NOT NULL", f"{address.schema}.about")
    found: Sequence[Any] | None = None
    if about:
        try:
            found = await db.fetchrow("SELECT application, version FROM about")
        except asyncpg.UndefinedColumnError:
            found = None
    if found is None or found[0] != APPLICATION:
        raise StoreDamagedError(
            f"{address.name} belongs to another program; choose another schema: postgresql://...?schema=NAME"
        )
    if found[1] > SCHEMA_VERSION:
        raise StoreVersionError(
            f"{address.name} has schema {found[1]}, but this version supports at most {SCHEMA_VERSION}; "
            "it was left untouched. "
            "Use the newer version of jido-ai that wrote it"
        )
    return found[1]


# -- errors ----------------------------------------------------------------------------------------

_LOST: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.ReadOnlySQLTransactionError,
    OSError,
    TimeoutError,
)


@contextmanager
def translated(name: str) -> Generator[None]:
    """Translate asyncpg's errors into a `StoreError`."""
    try:
        yield
    except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError) as error:
        raise _translate(error, name) from error


def _translate(error: Exception, name: str) -> Exception:
    words = " ".join(str(error).split())  # the server's hints are on separate lines
    says = f"{type(error).__name__}: {words}"
    match error:
        case asyncpg.ClientConfigurationError():
            return ConfigurationError(f"the address of {name} is invalid")
        case _ if isinstance(error, (*_LOST, asyncpg.InternalClientError)) or _is_closed(error):
            return LostError(f"cannot reach {name} ({says})")
        case asyncpg.InvalidAuthorizationSpecificationError() | asyncpg.InvalidCatalogNameError():
            return StoreUnavailableError(f"{name} refused the connection: {words}")
        case asyncpg.InsufficientPrivilegeError():
            return StoreUnavailableError(f"{name} denied permission: {words}")
        case asyncpg.LockNotAvailableError() | asyncpg.TransactionRollbackError() | asyncpg.QueryCanceledError():
            return StoreUnavailableError(f"{name} is busy with another program ({says}); try again")
        case asyncpg.InsufficientResourcesError():
            return StoreFullError(f"no space left for {name} ({says}); nothing was lost. Free some space and try again")
        case asyncpg.DataCorruptedError() | asyncpg.IndexCorruptedError():
            return StoreDamagedError(f"{name} is damaged ({says}); restore a backup")
        case asyncpg.UndefinedTableError():
            return StoreDamagedError(f"{name} is missing a table ({says}); restore a backup")
        case _:
            return StoreError(f"{name}: {says}")


def _is_closed(error: Exception) -> bool:
    """True for asyncpg's errors about a closed connection, not for those about invalid arguments."""
    return isinstance(error, asyncpg.InterfaceError) and "closed" in str(error)
