"""The server: its settings, where it may listen, its log, and a graceful end."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ensue.errors import OutputError, SettingError

if TYPE_CHECKING:
    from ensue.workbench import Workbench

# How the workbench is served.

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names of this machine for itself."""
_IN_BRACKETS = "[::1]"
"""How requests call it by the last one."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How the workbench is served."""

    has_accounts: bool = True
    """Whether people sign in; else whoever comes is the only person, and has to come by loopback."""
    is_secure: bool = False
    """Whether it is reached by HTTPS alone, so that cookies go no other way."""
    hosts: tuple[str, ...] = ()
    """Names under which it is reached; any where there is none. Without accounts loopback's as well."""
    proxies: tuple[str, ...] = ()
    """Addresses, or networks, of proxies that are believed to say where requests come from."""
    recognizers: tuple[str, ...] = ()
    """Recognizers that can be tried; all installed ones where there is none."""

    @property
    def allowed_hosts(self) -> tuple[str, ...]:
        """Names that a request may call us by."""
        return self.hosts if self.has_accounts else (*LOOPBACK, _IN_BRACKETS, *self.hosts)


# Serving the workbench: where it may listen, its log, and a graceful end.

_GRACE = 20
"""Seconds that requests get to end when the server is told to."""
_BACKLOG = 256


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where the workbench listens."""

    host: str = "127.0.0.1"
    port: int = 8700
    """0 takes any that is free."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine gets there."""
        if self.host in LOOPBACK:
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def check_listen_address(place: ListenAddress, settings: WebSettings) -> None:
    """See that nobody gets in who should not.

    Raises:
        SettingError: others could reach a workbench without accounts, or a proxy is no address.
    """
    for each in settings.proxies:
        try:
            ipaddress.ip_network(each)
        except ValueError:
            raise SettingError(
                "no-address-proxy",
                f"{each!r} is no address of a proxy",
                hint="e.g. 127.0.0.1, or 10.0.0.0/8",
            ) from None
    if not settings.has_accounts and not place.is_loopback:
        raise SettingError(
            "without-accounts-let-everybody",
            f"without accounts {place.host!r} would let everybody in",
            hint="serve with --accounts, or on 127.0.0.1",
        )


def serve(
    workbench: Workbench,
    settings: WebSettings,
    place: ListenAddress,
    *,
    on_ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve until told to end; requests that were begun are finished, and new ones refused.

    Args:
        workbench: What is shown.
        settings: How.
        place: Where to listen.
        on_ready: Is told the address, once it listens.

    Raises:
        SettingError: as `check_listen_address` raises it.
        OutputError: the address is taken, or not ours.
    """
    import uvicorn

    from ensue.web.app import create_app

    check_listen_address(place, settings)
    listening = _socket(place)
    port = listening.getsockname()[1]
    config = uvicorn.Config(
        create_app(workbench, _called(settings, place)),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
        backlog=_BACKLOG,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
    )
    server = uvicorn.Server(config)
    shown = f"[{place.host}]" if ":" in place.host else place.host
    with listening:
        threading.Thread(
            target=_tell_ready,
            args=(server, lambda: on_ready(f"http://{shown}:{port}/")),
            daemon=True,
        ).start()
        server.run(sockets=[listening])


def _called(settings: WebSettings, place: ListenAddress) -> WebSettings:
    """The settings, with the address itself among the names that it is called by without accounts."""
    if settings.has_accounts:
        return settings
    return replace(settings, hosts=(*settings.hosts, place.host))


def _tell_ready(server: object, tell: Callable[[], None]) -> None:
    """Tell once the server has started; it does not say so by itself."""
    waiting = threading.Event()
    while not getattr(server, "started", False):
        if getattr(server, "should_exit", False):
            return
        waiting.wait(0.02)
    tell()


def _socket(place: ListenAddress) -> socket.socket:
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((place.host, place.port))
    except OSError as error:
        made.close()
        raise OutputError(
            "cannot-listen",
            f"cannot listen on {place.host}:{place.port}: {error.strerror or error}",
            hint="--port 0 takes any that is free",
        ) from None
    return made
