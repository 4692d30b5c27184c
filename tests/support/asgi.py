"""Requests to an application in this process, without a server."""

import asyncio
import json
import threading
from collections.abc import Coroutine, Mapping, MutableMapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import unquote, urlencode

from starlette.types import ASGIApp


@dataclass(frozen=True)
class Answer:
    """A response; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """Sends requests on an event loop in a thread of its own, and keeps cookies."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._host = host
        self.cookies: dict[str, str] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """The result of a coroutine on the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    def close(self) -> None:
        """End the loop."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Answer:
        """The response to a request, whose headers replace the usual ones."""
        sent = {"host": self._host, "cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        sent |= {} if body is None else {"content-length": str(len(body))}
        sent |= {name.lower(): value for name, value in (headers or {}).items()}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": urlencode(query or {}).encode(),
            "headers": [(name.encode(), value.encode()) for name, value in sent.items() if value],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        return self.run(self._answered(scope, body or b""))  # type: ignore[no-any-return]

    async def _answered(self, scope: MutableMapping[str, Any], body: bytes) -> Answer:
        messages: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            messages.append(message)

        await self._app(scope, receive, send)
        headers = {name.decode().lower(): value.decode() for name, value in messages[0]["headers"]}
        self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(headers.get("set-cookie", "")).items()}
        return Answer(messages[0]["status"], headers, b"".join(message.get("body", b"") for message in messages[1:]))
