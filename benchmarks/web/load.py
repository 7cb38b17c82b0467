"""A load generator: so many requests a second for one page, whether or not the answers keep up.

Each request has its moment, and its time is taken from then, so that a server that falls behind
shows it. Connections are kept and used again; there are as many as are needed at once.
`python -m benchmarks.web.load HOST PORT PATH TOKEN RATE SECONDS` prints what came of it as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter, deque
from dataclasses import dataclass, field

_PATIENCE = 30.0
"""Seconds that a request may take."""
_IDLE = 3.0
"""Seconds after which a connection is not used again: the server closes it after five."""
_END = b"</html>"

_Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(slots=True)
class Load:
    """Requests for a page, and what became of them."""

    host: str
    port: int
    request: bytes
    idle: deque[tuple[float, _Connection]] = field(default_factory=deque)
    """Since when, the longest first."""
    seconds: list[float] = field(default_factory=list)
    """Of those that were answered."""
    failures: Counter[str] = field(default_factory=Counter)
    n_connections: int = 0
    n_bytes: int = 0

    async def run(self, rate: int, seconds: float) -> None:
        """Send so many a second, for so many seconds, and wait for the last answers."""
        began = asyncio.get_running_loop().time()
        tasks = []
        for k in range(int(rate * seconds)):
            moment = began + k / rate
            await asyncio.sleep(moment - asyncio.get_running_loop().time())
            tasks.append(asyncio.create_task(self._ask(moment)))
        await asyncio.gather(*tasks)

    async def _ask(self, moment: float) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._answered()
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            self.failures[f"{type(error).__name__}: {error}"] += 1
        else:
            self.seconds.append(asyncio.get_running_loop().time() - moment)

    async def _answered(self) -> None:
        reader, writer = await self._connection()
        try:
            writer.write(self.request)
            head = await reader.readuntil(b"\r\n\r\n")
            status, headers = _parsed(head)
            body = await reader.readexactly(int(headers["content-length"]))
        except BaseException:
            writer.close()
            raise
        self.idle.append((asyncio.get_running_loop().time(), (reader, writer)))
        self.n_bytes += len(body)
        if status != "200" or not body.rstrip().endswith(_END):
            raise ValueError(f"status {status}, {len(body)} bytes")

    async def _connection(self) -> _Connection:
        """One that was used a moment ago, or a new one."""
        while self.idle and asyncio.get_running_loop().time() - self.idle[0][0] > _IDLE:
            self.idle.popleft()[1][1].close()
        if self.idle:
            return self.idle.pop()[1]
        self.n_connections += 1
        return await asyncio.open_connection(self.host, self.port, limit=1 << 20)


def _parsed(head: bytes) -> tuple[str, dict[str, str]]:
    first, *lines = head.decode("latin-1").splitlines()
    pairs = (line.partition(":") for line in lines if line)
    return first.split()[1], {name.lower(): value.strip() for name, _, value in pairs}


def _told(load: Load, took: float, cpu: float) -> dict[str, object]:
    return {
        "answered": len(load.seconds),
        "failures": dict(load.failures),
        "seconds": sorted(load.seconds),
        "took": took,
        "cpu": cpu,
        "connections": load.n_connections,
        "bytes": load.n_bytes,
    }


def main(host: str, port: str, path: str, token: str, rate: str, seconds: str) -> None:
    """Send the requests, and print what came of them."""
    head = (
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: text/html\r\n"
        f"Authorization: Bearer {token}\r\n\r\n"
    )
    load = Load(host, int(port), head.encode())
    began, worked = time.perf_counter(), time.process_time()
    asyncio.run(load.run(int(rate), float(seconds)))
    took, cpu = time.perf_counter() - began, time.process_time() - worked
    print(json.dumps(_told(load, took, cpu)))


if __name__ == "__main__":
    main(*sys.argv[1:])
