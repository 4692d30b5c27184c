"""Refused requests: each is refused for one reason, and succeeds without it."""

import json
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from duckanon.studio.security import LARGEST_BODY
from tests.support.studio import PORT, PROVEN, LocalStudio, serving


@pytest.fixture
def closed(people: Path) -> Iterator[LocalStudio]:
    """A studio whose token was not used yet."""
    with LocalStudio(people) as opened:
        yield opened


PATHS = ["/", "/api/state", "/api/events", "/api/table/rows", "/static/studio.css", "/static/vega.js", "/report", "/nothing"]


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_served_without_the_session(closed: LocalStudio, path: str) -> None:
    response = closed.client.request("GET", path)
    assert response.status == 403
    assert "disease" not in response.text


def test_a_wrong_token_opens_nothing_and_leaves_the_right_one_valid(closed: LocalStudio) -> None:
    assert closed.guard.token is not None
    for token in ("", "x", closed.guard.token[:-1], closed.guard.token + "x", "ä"):
        response = closed.client.request("GET", "/", query={"token": token or ""})
        assert response.status == 403
        assert "set-cookie" not in response.headers
    assert closed.client.request("GET", "/api/state").status == 403
    assert closed.enter().get("/api/state")["status"] == "ready"


def test_the_token_works_once(closed: LocalStudio) -> None:
    token = closed.guard.token
    closed.enter()
    closed.client.cookies.clear()
    assert closed.client.request("GET", "/", query={"token": token or ""}).status == 403
    assert closed.client.request("GET", "/api/state").status == 403


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(closed: LocalStudio) -> None:
    response = closed.client.request("GET", "/", query={"token": closed.guard.token or ""})
    attributes = response.headers["set-cookie"].lower()
    assert f"duckanon-{PORT}=" in attributes
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip() for part in attributes.split(";")}


def test_a_wrong_cookie_is_refused(closed: LocalStudio) -> None:
    closed.client.cookies[f"duckanon-{PORT}"] = "guess"
    assert closed.client.request("GET", "/api/state").status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", f"127.0.0.1.evil.example:{PORT}", ""]
)
def test_another_host_is_refused(studio: LocalStudio, host: str) -> None:
    """As a page sends it whose name was rebound to the loopback address."""
    assert studio.client.request("GET", "/api/state", headers={"Host": host}).status == 421


@pytest.mark.parametrize("name", ["localhost", "[::1]"])
def test_the_other_names_of_this_machine_are_accepted(studio: LocalStudio, name: str) -> None:
    assert studio.client.request("GET", "/api/state", headers={"Host": f"{name}:{PORT}"}).status == 200


BODY = {"revision": 1}


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        f"http://127.0.0.1:{PORT + 1}",
        f"https://127.0.0.1:{PORT}",
        f"http://localhost:{PORT}",
        None,
    ],
)
def test_a_change_from_another_origin_is_refused(studio: LocalStudio, origin: str | None) -> None:
    assert studio.send("/api/undo", BODY, Origin=origin).status == 403
    assert studio.send("/api/undo", BODY).status == 200


@pytest.mark.parametrize("value", [None, "other"])
def test_a_change_without_the_header_of_the_page_is_refused(studio: LocalStudio, value: str | None) -> None:
    assert studio.send("/api/undo", BODY, X_Duckanon=value).status == 403


@pytest.mark.parametrize(("site", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)])
def test_a_page_of_another_site_cannot_even_read(studio: LocalStudio, site: str, status: int) -> None:
    assert studio.client.request("GET", "/api/state", headers={"Sec-Fetch-Site": site}).status == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_change_nothing(studio: LocalStudio, method: str) -> None:
    before = studio.get("/api/state")
    body = json.dumps({**before, "what": "x"}).encode()
    assert studio.client.request(method, "/api/edit", headers=PROVEN, body=body).status == 405
    assert studio.get("/api/state") == before


OUTSIDE = [
    "/static/../server.py",
    "/static/%2e%2e/server.py",
    "/static/..%2fserver.py",
    "/static/modules/../../server.py",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/static/studio.html",
    "/static/",
    "/static/modules",
    "/static/studio.css%00",
    "/static/..\\server.py",
]


def test_only_scripts_and_styles_of_the_page_are_served(people: Path) -> None:
    """By a real server, with paths that most clients tidy up."""
    with serving(people.parent, people) as running:
        address = urlsplit(running.address)
        with closing(HTTPConnection(address.netloc)) as connection:
            connection.request("GET", f"{address.path}?{address.query}")
            cookie = connection.getresponse().headers["set-cookie"].partition(";")[0]
        served = {}
        for path in [*OUTSIDE, "/static/studio.css"]:
            with closing(HTTPConnection(address.netloc)) as connection:
                connection.putrequest("GET", path, skip_host=True)
                connection.putheader("Host", address.netloc)
                connection.putheader("Cookie", cookie)
                connection.endheaders()
                response = connection.getresponse()
                served[path] = (response.status, b"duckanon" in response.read())
        assert served.pop("/static/studio.css")[0] == 200
        assert set(served.values()) <= {(400, False), (404, False)}


def test_a_large_body_is_refused_before_it_is_read(studio: LocalStudio) -> None:
    assert studio.send("/api/edit", {}, Content_Length=str(LARGEST_BODY + 1)).status == 413


def test_a_body_of_unknown_length_is_refused(studio: LocalStudio) -> None:
    assert studio.client.request("POST", "/api/edit", headers={**PROVEN, "Transfer-Encoding": "chunked"}).status == 411


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b'{"revision": "1"}', b'{"revision": true}', b"null"]
)
def test_a_body_that_is_no_request_is_refused_in_a_line(studio: LocalStudio, content: bytes) -> None:
    response = studio.send("/api/edit", content)
    assert response.status == 422
    assert "\n" not in response.json()["error"]


def test_every_answer_has_the_headers_that_protect_it(studio: LocalStudio) -> None:
    for path in ("/", "/api/state", "/static/studio.css", "/nothing"):
        headers = studio.client.request("GET", path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


def test_the_server_listens_on_the_loopback_address_alone(people: Path) -> None:
    with serving(people.parent, people) as running:
        port = urlsplit(running.address).port
        listening = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        places = {fields[1] for fields in listening if fields[1].endswith(f":{port:04X}") and fields[3] == "0A"}
        assert places == {f"0100007F:{port:04X}"}
        assert f":{port:04X} " not in Path("/proc/net/tcp6").read_text()
