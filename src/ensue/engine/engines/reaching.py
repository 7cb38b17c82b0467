"""Reaching the scheduler of a cluster that runs already: its address, TLS, and who answers there."""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any

from ensue.errors import EngineError, SettingError

CONNECT = "ENSUE_CONNECT"
"""The variable that says how many seconds a scheduler and its workers have to answer."""

_PATIENCE = 10.0
"""The same, where nobody says."""
_ADDRESS = re.compile(
    r"(?:[^\s/:@?#\[\]]+|\[[0-9A-Fa-f:.]+(?:%\w+)?\]):(?P<port>[0-9]{1,5})", re.ASCII
)
"""A name, an IPv4 address or, in brackets, an IPv6 address, and a port."""
_LAST_PORT = 65_535
_CALLING = 0.9
"""The part of the time limit that may go by until somebody takes the call; the rest is to answer."""
_GRACE = 1.0
"""Seconds beyond the limit after which a question is given up that does not end by itself."""
_ELSE = "give the address that 'dask scheduler' prints, not that of a dashboard or a worker"


def time_limit() -> float:
    """How many seconds a scheduler and its workers have to answer.

    Raises:
        SettingError: the variable that says so holds no such number.
    """
    given = os.environ.get(CONNECT) or _PATIENCE
    with suppress(ValueError):
        limit = float(given)
        if 0 < limit < float("inf"):
            return limit
    raise SettingError(f"{CONNECT}={given!r} is no time limit", hint="a number of seconds, e.g. 30")


def check_address(address: str) -> None:
    """See that it is HOST:PORT; clients of Dask that find out later are loud when they end.

    Raises:
        SettingError: it is not.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) <= _LAST_PORT:
        raise SettingError(
            f"no address of a scheduler is like {address!r}",
            hint="--engine dask://HOST:PORT, an IPv6 address in brackets; the port is 8786 unless"
            " the scheduler says otherwise",
        )


def scheme() -> str:
    """TLS where the user's configuration of Dask has it; there is no other place for secrets."""
    from distributed.security import Security

    try:
        security: Any = Security()  # type: ignore[no-untyped-call]
        configured = security.get_connection_args("client")
    except (OSError, ValueError) as error:
        raise EngineError(
            f"Dask's configuration of TLS cannot be used: {error}",
            hint="see distributed.comm.tls in your Dask configuration",
        ) from None
    if not (security.require_encryption or configured["ssl_context"]):
        return "tcp"
    if not configured["ssl_context"]:
        raise EngineError(
            "Dask is configured to require encryption, and has no certificate",
            hint="set distributed.comm.tls.ca-file and distributed.comm.tls.client.cert",
        )
    return "tls"


def find_scheduler(url: str, limit: float) -> None:
    """See that a scheduler answers: a client waits forever for one that takes a call in silence.

    Raises:
        EngineError: nobody answers within so many seconds, or somebody else.
    """
    answer: Future[str] = Future()

    def ask() -> None:
        try:
            answer.set_result(asyncio.run(asyncio.wait_for(_kind_at(url, limit), limit)))
        except BaseException as error:
            answer.set_exception(error)

    # a thread that neither a loop of the caller's nor Ctrl-C has to wait for
    threading.Thread(target=ask, name="ensue-asking", daemon=True).start()
    try:
        with answering(url, limit):
            kind = answer.result(limit + _GRACE)
    except EngineError:
        raise
    except Exception as error:  # whatever comes of reading a foreign protocol
        raise EngineError(
            f"what answers at {url!r} is no scheduler ({type(error).__name__})", hint=_ELSE
        ) from None
    if kind != "Scheduler":
        raise EngineError(f"a {kind.lower()} of Dask is at {url!r}, not a scheduler", hint=_ELSE)


async def _kind_at(url: str, limit: float) -> str:
    """What a server of Dask says that it is."""
    from distributed.comm.core import connect
    from distributed.core import send_recv
    from distributed.security import Security

    security: Any = Security()  # type: ignore[no-untyped-call]
    secrets = security.get_connection_args("client")
    comm = await connect(url, timeout=_CALLING * limit, **secrets)  # type: ignore[no-untyped-call]
    try:
        return str((await send_recv(comm, op="identity"))["type"])
    finally:
        comm.abort()


@contextmanager
def answering(url: str, limit: float) -> Iterator[None]:
    """Say in our own words that nobody answers."""
    try:
        yield
    except OSError as error:
        reason = f": {_first_cause(error)}".removesuffix(": ")
        raise EngineError(
            f"no scheduler answers at {url!r} within {limit:g} s{reason}",
            hint="is 'dask scheduler' running there, with TLS if and only if Dask is configured for"
            f" it here? {CONNECT}=SECONDS waits longer",
        ) from None


def _first_cause(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return getattr(error, "strerror", None) or str(error)
