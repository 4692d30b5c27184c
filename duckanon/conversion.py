"""Hierarchies written in another form: a rule as a lookup table for some data, a table as YAML, and back."""

from pathlib import Path
from typing import Any

import yaml

from duckanon import destination
from duckanon.drafts import Drafts
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine, Form, Settings
from duckanon.errors import EngineError, HierarchyError, OutputError
from duckanon.hierarchy.listed import Levels, Table, Tree
from duckanon.hierarchy.spec import YAML, AnySpec, shared_content
from duckanon.hierarchy.table_file import is_header
from duckanon.inspection import Data, Opened, check_opened, open_hierarchy
from duckanon.observer import Observer, Silent
from duckanon.templates import Statement, render

_MOST_LINES = 100_000
_LARGEST = 1 << 20


def build(
    reference: str,
    data: Data | None,
    output: Path,
    *,
    overwrite: bool = False,
    settings: Settings | None = None,
    observer: Observer | None = None,
) -> int:
    """Writes a hierarchy as a lookup table, value, level 1, ..., top, a line a value; gives the number of lines.

    CSV with `;` and no header, as other tools read it, or Parquet. Without data only a hierarchy that
    lists its values can be built. Raises `HierarchyError` where it has faults.
    """
    observer = observer or Silent()
    form = _check_place(output, overwrite=overwrite)
    with DuckDBEngine(settings, observer) as engine:
        opened = open_hierarchy(engine, reference, data)
        check_opened(engine, opened)
        _tell_lost(opened.spec, observer)
        return _write(engine, opened, output, form, overwrite=overwrite)


def convert(
    source: str,
    output: Path,
    *,
    overwrite: bool = False,
    settings: Settings | None = None,
    observer: Observer | None = None,
) -> int:
    """Writes a hierarchy that lists its values as YAML, or as a value table in CSV or Parquet; gives the number of values.

    YAML gets the kind `levels`, where the table is one tree of groups, else a `table` of its lines:
    both give the same table back, in the same order.
    """
    observer = observer or Silent()
    is_yaml = output.suffix.casefold() in YAML
    form = _check_place(output, overwrite=overwrite, is_yaml=is_yaml)
    with DuckDBEngine(settings, observer) as engine:
        opened = open_hierarchy(engine, source, None)
        if not is_yaml:
            _tell_lost(opened.spec, observer)
            return _write(engine, opened, output, form, overwrite=overwrite)
        lines = engine.query(_lookup_table(opened))
        if len(lines) > _MOST_LINES:
            raise HierarchyError(
                f"hierarchy {source!r} has {len(lines):,} values, too many for YAML; keep it as a table, which jobs read as well"
            )
        text = _dumped(_levels(lines) or {"kind": "table", "rows": [list(line) for line in lines]}, opened.spec)
        if len(text) > _LARGEST:
            raise HierarchyError(
                f"hierarchy {source!r} would be more than 1 MiB of YAML; keep it as a table, which jobs read as well"
            )
        _publish_text(text, output, overwrite=overwrite)
        return len(lines)


def _check_place(output: Path, *, overwrite: bool, is_yaml: bool = False) -> Form:
    """The form of the file; raises `OutputError` where it cannot be written."""
    if is_yaml:
        place = destination.Destination(output, Form("csv"))
    else:
        place = destination.destination(str(output))
        if place.path is None or place.form.format not in ("csv", "parquet") or place.form.table is not None:
            raise OutputError(f"a hierarchy is written as .csv, .parquet or .yaml, not as {str(output)!r}")
    destination.check(place, overwrite=overwrite)
    return place.form


def _lookup_table(opened: Opened) -> Statement:
    return render("hierarchy/lookup_table", column=opened.column.name, height=opened.lookup.height)


def _write(engine: Engine, opened: Opened, output: Path, form: Form, *, overwrite: bool) -> int:
    table = _lookup_table(opened)
    if form.format == "csv":
        first = engine.query(render("hierarchy/first_value", column=opened.column.name))
        cells = [str(first[0][0])] if first else []
        # a table that begins like a header needs one
        form = Form("csv", ";", form.compression, header=is_header(cells, opened.column.name))
    with Drafts() as drafts:
        try:
            draft = drafts.of(output, overwrite=overwrite)
            written = engine.write(table, draft, form, stage="writing the lookup table")
        except EngineError as error:
            raise OutputError(f"output {str(output)!r} could not be written: {error}") from error
        drafts.publish()
    return written


def _publish_text(text: str, output: Path, *, overwrite: bool) -> None:
    with Drafts() as drafts:
        drafts.of(output, overwrite=overwrite).write_text(text, encoding="utf-8")
        drafts.publish()


def _tell_lost(spec: AnySpec, observer: Observer) -> None:
    """Warns of what a value table cannot hold."""
    if lost := list(shared_content(spec)):
        observer.warn(f"a value table holds labels only; {', '.join(lost)} of the hierarchy stays behind")


def _levels(lines: list[tuple[str | None, ...]]) -> dict[str, Any] | None:
    """The lines as groups and members, level by level; None where they are no tree of named groups, or out of its order."""
    if not lines or any(cell is None for line in lines for cell in line):
        return None
    levels: list[Any] = [[line[0] for line in lines]]
    if len(set(levels[0])) < len(lines):
        return None
    for below, above in zip(range(len(lines[0]) - 1), range(1, len(lines[0])), strict=True):
        parents: dict[str | None, str | None] = {}
        for line in lines:
            if parents.setdefault(line[below], line[above]) != line[above]:
                return None
        groups: dict[str | None, list[str | None]] = {}
        for member, label in parents.items():
            groups.setdefault(label, []).append(member)
        levels.append(groups)
    top = next(iter(levels[-1]))
    if len(levels[-1]) == 1 and "," not in str(top) and str(top).strip() == top != "":
        levels[-1] = top
    return {"kind": "levels", "levels": levels}


def _dumped(content: dict[str, Any], spec: AnySpec) -> str:
    shared = {key: value for key, value in shared_content(spec).items() if isinstance(spec, Table | Tree | Levels)}
    text: str = yaml.safe_dump({**content, **shared}, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    return text
