"""The server of a studio: its routes, its address, and when it ends."""

import asyncio
import socket
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import PurePosixPath
from types import FrameType
from typing import Any

import uvicorn
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from duckanon.errors import DuckanonError, internal_error
from duckanon.job.options import Run
from duckanon.job.prepare import Prepared
from duckanon.reports.html.shell import libraries
from duckanon.studio import analysis, hierarchies, release
from duckanon.studio.security import Guard, body
from duckanon.studio.session import Lifetime, Studio
from duckanon.studio.state import StaleEdit

_ADDRESS = "127.0.0.1"
_TYPES = {".js": "text/javascript", ".css": "text/css"}
SECTIONS = {
    "table": "Table",
    "hierarchies": "Hierarchies",
    "requirements": "Requirements",
    "lattice": "Lattice",
    "rows": "Before and after",
    "run": "Run",
}
"""The sections of the page: the name of the module and the title."""


def serve(prepared: Prepared, run: Run, announce: Callable[[str], None], note: Callable[[str], None]) -> None:
    """Serve the studio of an input until its last page is closed.

    `announce` gets the address with the token when it can be opened, `note` a line for the terminal after each run.

    Raises `KeyboardInterrupt` after a signal, and the error of an input that cannot be opened.
    """
    studio = Studio(prepared, run, note)
    try:
        with socket.create_server((_ADDRESS, 0)) as listening:
            asyncio.run(_served(studio, listening, announce))
    finally:
        studio.close()
    if studio.failure is not None:
        raise studio.failure


async def _served(studio: Studio, listening: socket.socket, announce: Callable[[str], None]) -> None:
    port = listening.getsockname()[1]
    guard = Guard(application(studio), port)
    # no log: a traceback may quote values of a person
    config = uvicorn.Config(
        guard, log_config=None, log_level="critical", access_log=False, lifespan="off", timeout_graceful_shutdown=5
    )
    server = _Server(config, studio)
    lifetime = Lifetime(studio, server.end)
    opening = asyncio.create_task(lifetime.open())
    announce(f"http://{_ADDRESS}:{port}/?token={guard.token}")
    await server.serve([listening])
    del opening


class _Server(uvicorn.Server):
    """Ends the streams of the pages before it stops, because an open stream would keep it waiting."""

    def __init__(self, config: uvicorn.Config, studio: Studio) -> None:
        super().__init__(config)
        self._studio = studio

    def end(self) -> None:
        self.should_exit = True
        self._studio.end_streams()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._studio.stop()


def application(studio: Studio) -> Starlette:
    """The application of a studio, without its guard."""
    routes = [
        Route("/", _page),
        Route("/favicon.ico", _no_icon),
        Route("/static/{path:path}", _static),
        Route("/api/state", _state),
        Route("/api/events", _events),
        Route("/api/edit", _edit, methods=["POST"]),
        Route("/api/undo", _undo, methods=["POST"]),
        Route("/api/redo", _redo, methods=["POST"]),
        *release.ROUTES,
        *hierarchies.ROUTES,
        *analysis.ROUTES,
    ]
    app = Starlette(routes=routes, exception_handlers={404: _absent, DuckanonError: _refused, Exception: _failed})
    app.state.studio = studio
    return app


async def _page(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    shown = {name: title for name, title in SECTIONS.items() if f"modules/{name}.js" in pages()}
    styles = sorted(name for name in pages() if name.endswith(".css") and name != "studio.css")
    template = Environment(loader=PackageLoader("duckanon", "studio/pages"), autoescape=True, undefined=StrictUndefined)
    text = template.get_template("studio.html").render(name=studio.prepared.source.name, sections=shown, styles=styles)
    return HTMLResponse(text)


async def _no_icon(request: Request) -> Response:  # noqa: ARG001
    return Response(status_code=204)


async def _static(request: Request) -> Response:
    path = request.path_params["path"]
    if path == "vega.js":
        return Response(libraries(), media_type="text/javascript")
    if path not in pages():
        return await _absent(request, None)
    return Response(pages()[path], media_type=_TYPES[PurePosixPath(path).suffix])


@cache
def pages() -> dict[str, str]:
    """The scripts and styles of the page, by their path. Nothing else is served from disk."""
    folder = resources.files("duckanon.studio").joinpath("pages")
    files = [("", file) for file in folder.iterdir()] + [("modules/", file) for file in folder.joinpath("modules").iterdir()]
    return {
        f"{above}{file.name}": file.read_text(encoding="utf-8")
        for above, file in files
        if PurePosixPath(file.name).suffix in _TYPES
    }


async def _state(request: Request) -> Response:
    return JSONResponse(request.app.state.studio.state.document())


async def _events(request: Request) -> Response:
    return StreamingResponse(request.app.state.studio.events(), media_type="text/event-stream")


async def _edit(request: Request) -> Response:
    content = await body(request, revision=int, job=dict, what=str)
    return _changed(
        request, lambda state: state.edit(content["revision"], content["job"], content["what"], str(content.get("merge") or ""))
    )


async def _undo(request: Request) -> Response:
    content = await body(request, revision=int)
    return _changed(request, lambda state: state.undo(content["revision"]))


async def _redo(request: Request) -> Response:
    content = await body(request, revision=int)
    return _changed(request, lambda state: state.redo(content["revision"]))


def _changed(request: Request, change: Callable[[Any], None]) -> Response:
    studio: Studio = request.app.state.studio
    try:
        change(studio.state)
    except StaleEdit as error:
        return JSONResponse({"error": str(error), "state": studio.state.document()}, 409)
    studio.publish("state", {"revision": studio.state.revision})
    return JSONResponse(studio.state.document())


async def _absent(request: Request, error: Exception | None) -> Response:  # noqa: ARG001
    return JSONResponse({"error": f"the studio has no page {request.url.path!r}"}, 404)


async def _refused(request: Request, error: Exception) -> Response:  # noqa: ARG001
    return JSONResponse({"error": str(error)}, 422)


async def _failed(request: Request, error: Exception) -> Response:  # noqa: ARG001
    return JSONResponse({"error": internal_error(error)}, 500)
