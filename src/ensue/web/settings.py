"""How the workbench is served."""

from __future__ import annotations

from dataclasses import dataclass

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
