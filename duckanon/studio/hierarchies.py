"""Routes of the hierarchy wizard; import and export of hierarchies as CSV and YAML text."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from duckanon import yaml_file
from duckanon.dataset.names import find_column
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.engine.templates import render
from duckanon.errors import DuckanonError, HierarchyError, JobError
from duckanon.hierarchy.base import ListedHierarchy, Spec
from duckanon.hierarchy.checks import queried
from duckanon.hierarchy.conversion import as_yaml, levels_of, lookup_table, write_table
from duckanon.hierarchy.inspection import check_opened, opened_on
from duckanon.hierarchy.kinds.table import Table
from duckanon.hierarchy.lookup import drop_lookup, opened
from duckanon.hierarchy.spec import YAML, content_of, load
from duckanon.job.resolve import missing_rule
from duckanon.studio.security import body
from duckanon.studio.session import Studio
from duckanon.studio.state import checked
from duckanon.studio.wizard import Content, Wizard, described, has_file, preview, spec_of

_LARGEST = 1 << 20
"""The size of a job file, in which the hierarchy has to have room."""
_TABLES = (".csv", ".txt", ".tsv")
_UNNAMED = re.compile(r"[^\w.-]+")


def imported(column: Column, name: str, text: str) -> dict[str, Any]:
    """The content of a CSV or YAML file for a column, by its text; raises `HierarchyError`, which names the file as `name`.

    A table becomes its rows, child,parent pairs become a tree.
    """
    suffix = Path(name).suffix.casefold()
    if suffix not in (*YAML, *_TABLES):
        raise HierarchyError(f"{name!r} ends in none of {', '.join((*YAML, *_TABLES))}; choose a CSV or YAML file")
    if len(text) > _LARGEST:
        raise HierarchyError(f"{name!r} is larger than 1 MiB; keep it as a file, and name it under 'File or bundled hierarchy'")
    with DuckDBEngine() as engine:
        path = engine.scratch.path / f"imported{suffix}"
        path.write_text(text, encoding="utf-8", newline="")
        try:
            spec = load(path)
            content = _rows(engine, column, path) if isinstance(spec, Table) and spec.file == path else content_of(spec)
        except DuckanonError as error:
            raise HierarchyError(*(line.replace(str(path), name) for line in error.lines)) from error
    if "file" in content:
        raise HierarchyError(f"{name!r} only names the file {Path(content['file']).name!r}; import that file")
    if len(yaml_file.dumps(content).encode()) > _LARGEST:
        raise HierarchyError(
            f"{name!r} is too large for a job file, more than 1 MiB; keep it as a file, and name it under 'File or bundled hierarchy'"
        )
    return content


def _rows(engine: Engine, column: Column, path: Path) -> dict[str, Any]:
    """The lines of a CSV file as the content of a table or a tree."""
    cells, _ = opened(engine, column, path, [])
    lines = [list(line) for line in engine.query(render("dataset/copy", relation=f"listed_{column.name}"))]
    if len(cells) == 2 and queried(engine, "inner_parents", column, cells=cells):
        return {"kind": "tree", "pairs": lines}
    return {"kind": "table", "rows": lines}


def exported(engine: Engine, column: Column, spec: Spec, form: str) -> dict[str, str]:
    """The `name` and `text` of a file with a hierarchy: `yaml`, or `csv` with its labels for the values of the data.

    Raises `HierarchyError` if the hierarchy has faults, `OutputError` if the format cannot store its labels.
    """
    name = f"{_UNNAMED.sub('_', column.name).strip('_') or 'hierarchy'}.{form}"
    if form == "yaml" and not (isinstance(spec, ListedHierarchy) and spec.file is not None):
        return {"name": name, "text": _yaml(content_of(spec))}
    try:
        hierarchy = opened_on(engine, column.name, spec, None, column)
        check_opened(engine, hierarchy)
        if form == "yaml":
            return {"name": name, "text": as_yaml(engine.query(lookup_table(hierarchy)), hierarchy)}
        path = engine.scratch.path / name
        write_table(engine, hierarchy, path, Form("csv", ";"), overwrite=True)
        with path.open(encoding="utf-8", newline="") as file:
            text = file.read()
        path.unlink()
        return {"name": name, "text": text}
    finally:
        drop_lookup(engine, column)


def grouped(engine: Engine, column: Column, spec: Spec) -> dict[str, Any]:
    """The labels of a hierarchy for the values of the data, as the content of kind `levels`; raises `HierarchyError` if they are no tree."""
    try:
        hierarchy = opened_on(engine, column.name, spec, None, column)
        check_opened(engine, hierarchy)
        content = levels_of(engine.query(lookup_table(hierarchy)))
    finally:
        drop_lookup(engine, column)
    if content is None:
        raise HierarchyError("its labels do not form groups of groups with a name each; edit it as a table")
    return content


def _yaml(content: Mapping[str, Any]) -> str:
    return yaml_file.dumps(content, is_plain=_is_printable(content))


def _is_printable(part: Any) -> bool:
    match part:
        case dict():
            return all(_is_printable(item) for pair in part.items() for item in pair)
        case list():
            return all(map(_is_printable, part))
        case str():
            return part.isprintable()
    return True


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
    content = await _on_values(request, column, lambda engine: grouped(engine, column, spec))
    return JSONResponse({"content": content})


async def _import(request: Request) -> Response:
    fields = await body(request, column=str, name=str, text=str)
    column = _named(request, fields["column"])
    content = imported(column, fields["name"], fields["text"])
    return JSONResponse({"content": content})


async def _export(request: Request) -> Response:
    fields = await body(request, column=str, format=str)
    if fields["format"] not in _FORMS:
        raise JobError(f"the format {fields['format']!r} is unknown; use {' or '.join(_FORMS)}")
    column, content = _named(request, fields["column"]), _content(fields)
    spec = spec_of(content)

    def work(engine: DuckDBEngine) -> dict[str, str]:
        return exported(engine, column, spec, fields["format"])

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
