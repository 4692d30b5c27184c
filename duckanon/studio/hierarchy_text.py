"""Import and export of hierarchies as CSV and YAML text."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duckanon import yaml_file
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.engine.templates import render
from duckanon.errors import DuckanonError, HierarchyError
from duckanon.hierarchy.base import ListedHierarchy, Spec
from duckanon.hierarchy.checks import queried
from duckanon.hierarchy.conversion import as_yaml, levels_of, lookup_table, write_table
from duckanon.hierarchy.inspection import check_opened, opened_on
from duckanon.hierarchy.kinds.table import Table
from duckanon.hierarchy.lookup import drop_lookup
from duckanon.hierarchy.spec import YAML, content_of, load
from duckanon.hierarchy.table_source import opened

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
    lines = [list(line) for line in engine.query(render("studio/listed_lines", column=column.name))]
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
