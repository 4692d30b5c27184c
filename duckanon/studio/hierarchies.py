"""Routes of the hierarchy wizard."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from duckanon.dataset.names import find_column
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from duckanon.errors import DuckanonError, HierarchyError, JobError
from duckanon.hierarchy.spec import content_of
from duckanon.job.resolve import missing_rule
from duckanon.studio import hierarchy_text
from duckanon.studio.body import body
from duckanon.studio.session import Studio
from duckanon.studio.state import checked
from duckanon.studio.wizard import Content, Wizard, described, has_file, preview, spec_of

T = TypeVar("T")

_FORMS = ("csv", "yaml")


async def _column(request: Request) -> Response:
    column = _named(request, request.query_params.get("column", ""))
    document = await _on_values(request, column, lambda engine: described(engine, column))
    studio: Studio = request.app.state.studio
    current = studio.state.job.get("columns", {}).get(column.name, {}).get("hierarchy")
    return JSONResponse(document | _resolved(current))


def _resolved(current: Content | None) -> dict[str, Any]:
    """The hierarchy of the job: its `content` if it is not kept in a file, and why it cannot be read, if so."""
    if current is None:
        return {"content": None, "fault": None}
    try:
        spec = spec_of(current)
    except DuckanonError as error:
        return {"content": None, "fault": str(error)}
    return {"content": None if has_file(spec) else content_of(spec), "fault": None}


async def _preview(request: Request) -> Response:
    fields = await body(request, column=str)
    column, content = _named(request, fields["column"]), _content(fields)
    text = str(fields.get("text") or "")
    topped = _topped(content)
    return JSONResponse(await _on_values(request, column, lambda engine: preview(engine, column, content, text), topped=topped))


async def _resolve(request: Request) -> Response:
    """The content of a file or a bundled hierarchy, to be changed on the page."""
    fields = await body(request, column=str, content=str)
    _named(request, fields["column"])
    spec = spec_of(fields["content"])
    return JSONResponse({"content": fields["content"] if has_file(spec) else content_of(spec)})


async def _groups(request: Request) -> Response:
    fields = await body(request, column=str)
    column, spec = _named(request, fields["column"]), spec_of(_content(fields))
    content = await _on_values(request, column, lambda engine: hierarchy_text.grouped(engine, column, spec))
    return JSONResponse({"content": content})


async def _import(request: Request) -> Response:
    fields = await body(request, column=str, name=str, text=str)
    column = _named(request, fields["column"])
    content = hierarchy_text.imported(column, fields["name"], fields["text"])
    return JSONResponse({"content": content})


async def _export(request: Request) -> Response:
    fields = await body(request, column=str, format=str)
    if fields["format"] not in _FORMS:
        raise JobError(f"the format {fields['format']!r} is unknown; use {' or '.join(_FORMS)}")
    column, content = _named(request, fields["column"]), _content(fields)
    spec = spec_of(content)

    def work(engine: DuckDBEngine) -> dict[str, str]:
        return hierarchy_text.exported(engine, column, spec, fields["format"])

    return JSONResponse(await _on_values(request, column, work, topped=_topped(content)))


async def _on_values(request: Request, column: Column, work: Callable[[DuckDBEngine], T], *, topped: bool = False) -> T:
    """The result of `work` on the values of a column, which are read if the wizard does not have them yet."""
    studio: Studio = request.app.state.studio
    wizard = _wizard(request)
    rule = missing_rule(checked(studio.state.job))
    if wizard.needs(column, rule):
        studio.files.check()
        await studio.in_engine(lambda engine: wizard.store(engine, column, rule))
    return await wizard.run(column, work, topped=topped)


def _wizard(request: Request) -> Wizard:
    state = request.app.state
    if not hasattr(state, "wizard"):
        studio: Studio = state.studio
        state.wizard = Wizard(studio.run.settings)
        studio.at_end.append(state.wizard.close)
    wizard: Wizard = state.wizard
    return wizard


def _named(request: Request, name: str) -> Column:
    studio: Studio = request.app.state.studio
    column = find_column(studio.columns, name, "column")
    if column.is_nested or column.type == "BLOB":
        raise JobError(f"column {name!r} is {column.type}, which no hierarchy generalizes")
    return column


def _content(fields: Mapping[str, Any]) -> Content:
    content = fields.get("content")
    if not isinstance(content, dict | str):
        raise HierarchyError("the request has no hierarchy under 'content'")
    return content


def _topped(content: Content) -> bool:
    """Whether missing values generalize to the top."""
    if isinstance(content, str):
        try:
            return spec_of(content).missing == "top"
        except DuckanonError:
            # the preview reports it
            return False
    return content.get("missing") == "top"


ROUTES = [
    Route("/api/hierarchy", _column),
    Route("/api/hierarchy/preview", _preview, methods=["POST"]),
    Route("/api/hierarchy/resolve", _resolve, methods=["POST"]),
    Route("/api/hierarchy/groups", _groups, methods=["POST"]),
    Route("/api/hierarchy/import", _import, methods=["POST"]),
    Route("/api/hierarchy/export", _export, methods=["POST"]),
]
