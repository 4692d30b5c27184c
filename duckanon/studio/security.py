"""Access to the studio: a one-time token, a session cookie, the name of the host, the origin; the headers of every answer, and the content of a request."""

import json
import secrets
from collections.abc import Iterable, Mapping
from hmac import compare_digest
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duckanon.errors import JobError

HEADER, CLIENT = "x-duckanon", "studio"
"""A header that a form of another page cannot send."""
LARGEST_BODY = 16 << 20
"""Bytes; an uploaded hierarchy of a million lines is smaller."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
REPORT_POLICY = "sandbox allow-scripts; frame-ancestors 'none'"
"""A report names its own scripts; as a page of no origin it cannot call the studio."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# a redirect would be a request that another page began, for which browsers keep the cookie back
_ENTRANCE = '<!doctype html><html lang="en"><title>duckanon studio</title><meta http-equiv="refresh" content="0;url=/"><a href="/">Open the studio</a>'


class Guard:
    """Lets a request through to the application if it comes from the page that this server gave to the holder of the token."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
        # browsers send a cookie to every port of a host: two studios must not replace each other's
        self._cookie = f"duckanon-{port}"
        self._session = secrets.token_urlsafe(32)
        self.token: str | None = secrets.token_urlsafe(32)
        """The token of the first visit; None once it is used."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._answer(scope)
        await (self._app if answer is None else answer)(scope, receive, send_guarded)

    def _answer(self, scope: Scope) -> Response | None:
        """The answer to a request that the application does not see; None if it may see it."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if headers.getlist("host") != [host] or host not in self._hosts:
            return _refused(421, f"this is the studio at {self._hosts[0]}; open the address that the terminal shows")
        if (
            scope["method"] == "GET"
            and scope["path"] == "/"
            and (tokens := parse_qs(scope["query_string"].decode("latin-1")).get("token"))
        ):
            return self._entered(tokens)
        cookie = cookie_parser(headers.get("cookie", "")).get(self._cookie, "")
        if not compare_digest(cookie.encode(), self._session.encode()):
            return _refused(
                403, "the studio was not opened by its address in the terminal; start `duckanon studio` again to get a new one"
            )
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return _refused(403, "another page sent this request")
        if scope["method"] in ("GET", "HEAD"):
            return None
        if headers.get("origin") != f"http://{host}" or headers.get(HEADER) != CLIENT:
            return _refused(403, "another page sent this request")
        length = headers.get("content-length", "")
        if not length.isdecimal():
            return _refused(411, "the request has no content length")
        if int(length) > LARGEST_BODY:
            return _refused(413, f"the request is larger than {LARGEST_BODY >> 20} MB")
        return None

    def _entered(self, tokens: Iterable[str]) -> Response:
        """The session for the token, which works once."""
        if self.token is None or not any(compare_digest(token.encode(), self.token.encode()) for token in tokens):
            return _refused(403, "the address is wrong or was used before; start `duckanon studio` again to get a new one")
        self.token = None
        response = HTMLResponse(_ENTRANCE)
        response.set_cookie(self._cookie, self._session, path="/", httponly=True, samesite="strict")
        return response


def _refused(status: int, reason: str) -> Response:
    return Response(json.dumps({"error": reason}), status, media_type="application/json")


async def body(request: Request, **keys: type) -> Mapping[str, Any]:
    """The JSON mapping of a request, which has these keys with values of these types; raises `JobError`."""
    try:
        content = json.loads(await request.body())
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise JobError("the request is not a JSON mapping")
    for key, kind in keys.items():
        if not isinstance(content.get(key), kind) or (kind is int and isinstance(content[key], bool)):
            raise JobError(f"the request has no {key!r}, or not one of type {kind.__name__}")
    return content
