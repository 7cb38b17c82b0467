"""Asking the application for a page in this process, without a network and a client between."""

from __future__ import annotations

from typing import Any

from ensue.web import WebSettings, create_app
from ensue.web.boards import Boards
from ensue.workbench import Person, Workbench
from ensue.workbench.accounts import add_token


class Asker:
    """Somebody who asks, with a token."""

    def __init__(self, workbench: Workbench, person: Person) -> None:
        self._app = create_app(workbench, WebSettings(has_accounts=True))
        self._token = add_token(workbench, person, "benchmark")

    async def get(self, path: str, *, forgetful: bool = False) -> bytes:
        """A page; as if no board had been shown before, if the application is to be forgetful."""
        if forgetful:
            self._app.state.boards = Boards()
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._app(self._scope(path), receive, send)
        assert sent[0]["status"] == 200, sent
        return b"".join(each.get("body", b"") for each in sent)

    def _scope(self, path: str) -> dict[str, Any]:
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [
                (b"host", b"127.0.0.1"),
                (b"authorization", f"Bearer {self._token}".encode()),
            ],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
