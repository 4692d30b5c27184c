"""Hierarchies written in another form: a rule as a lookup table for some data, a table as YAML, and back."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from duckanon import yaml_file
from duckanon.dataset import destination
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine, Form, Settings
from duckanon.engine.staging import Drafts
from duckanon.engine.templates import Statement, render
from duckanon.errors import EngineError, HierarchyError, OutputError
from duckanon.hierarchy import sets
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.build import create_lookup, drop_lookup
from duckanon.hierarchy.inspection import Data, OpenedHierarchy, check_opened, open_hierarchy
from duckanon.hierarchy.kinds.levels import Levels
from duckanon.hierarchy.kinds.table import Table
from duckanon.hierarchy.kinds.tree import HierarchyTree
from duckanon.hierarchy.spec import YAML, load, shared_content
from duckanon.hierarchy.table_file import is_header
from duckanon.observers import Observer, Silent

_MOST_LINES = 100_000
_LARGEST = 1 << 20
_READ_BACK = "written"


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
    form = check_place(output, (".csv", ".parquet"), overwrite=overwrite)
    with DuckDBEngine(settings, observer) as engine:
        opened = open_hierarchy(engine, reference, data)
        check_opened(engine, opened)
        _tell_lost(opened.spec, observer)
        return _write_table(engine, opened, output, form, overwrite=overwrite)


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
    both give the same table back, in the same order. What was written is read back before it gets its name.
    """
    observer = observer or Silent()
    form = check_place(output, (".yaml", ".csv", ".parquet"), overwrite=overwrite)
    spec = load(sets.find_file(source, Path()))
    if not spec.is_listing:
        raise HierarchyError(
            f"hierarchy {source!r} is of kind {spec.kind}, a rule for whatever values there are; "
            "duckanon hierarchy build makes a table of it for some data"
        )
    with DuckDBEngine(settings, observer) as engine:
        opened = open_hierarchy(engine, source, None)
        if output.suffix.casefold() not in YAML:
            _tell_lost(spec, observer)
            return _write_table(engine, opened, output, form, overwrite=overwrite)
        lines = engine.query(_lookup_table(opened))
        text = _as_yaml(lines, opened)
        with Drafts(engine.scratch) as drafts:
            draft = drafts.write(output, text, overwrite=overwrite)
            _check_read_back(engine, opened, load(draft), output)
            drafts.publish()
        return len(lines)


def check_place(output: Path, endings: tuple[str, ...], *, overwrite: bool) -> Form:
    """The form of the file; raises `OutputError` where it cannot be written."""
    ending = output.suffix.casefold()
    if (".yaml" if ending in YAML else ending) not in endings:
        raise OutputError(
            f"output {str(output)!r} does not end in {', '.join(endings[:-1] or endings)}{f' or {endings[-1]}' if len(endings) > 1 else ''}; name it so"
        )
    form = Form("parquet") if ending == ".parquet" else Form("csv", ";")
    destination.check(destination.Destination(output, form), overwrite=overwrite)
    return form


def _lookup_table(opened: OpenedHierarchy) -> Statement:
    return render("hierarchy/lookup_table", column=opened.column.name, height=opened.lookup.height)


def _write_table(engine: Engine, opened: OpenedHierarchy, output: Path, form: Form, *, overwrite: bool) -> int:
    if form.format == "csv":
        first = engine.query(render("hierarchy/first_value", column=opened.column.name))
        # a table that begins as a header does needs one
        form = replace(form, header=bool(first) and is_header([str(first[0][0])], opened.column.name))
    with Drafts(engine.scratch) as drafts:
        draft = drafts.of(output, overwrite=overwrite)
        try:
            written = engine.write(_lookup_table(opened), draft, form, stage="writing the lookup table")
        except EngineError as error:
            raise OutputError(f"output {str(output)!r} could not be written: {error}") from error
        _check_read_back(engine, opened, Table(file=draft), output)
        drafts.publish()
    return written


def _check_read_back(engine: Engine, opened: OpenedHierarchy, spec: Spec, output: Path) -> None:
    """Raises `OutputError` where what was written does not give the same table."""
    column = Column(_READ_BACK, "VARCHAR")
    try:
        lookup = spec.lookup(engine, column)
        create_lookup(engine, column, lookup)
        same = lookup.height == opened.lookup.height and not engine.query(
            render("hierarchy/table_differences", column=opened.column.name, other=_READ_BACK, height=lookup.height)
        )
        drop_lookup(engine, column)
    except HierarchyError:
        same = False
    if not same:
        raise OutputError(
            f"output {str(output)!r} would not give the same table when read: it holds characters or places that the form cannot keep; "
            "write .parquet, which keeps all"
        )


def _tell_lost(spec: Spec, observer: Observer) -> None:
    """Warns of what a value table cannot hold."""
    if lost := list(shared_content(spec)):
        observer.warn(f"a value table holds labels only; {', '.join(lost)} of the hierarchy stays behind")


def _as_yaml(lines: list[tuple[str | None, ...]], opened: OpenedHierarchy) -> str:
    too_large = (
        f"hierarchy {opened.name!r} would be more than YAML is read of ({len(lines):,} values); "
        "keep it as a table, which jobs read as well"
    )
    if len(lines) > _MOST_LINES:
        raise HierarchyError(too_large)
    content = _levels(lines) or {"kind": "table", "rows": [list(line) for line in lines]}
    if isinstance(opened.spec, Table | HierarchyTree | Levels):
        content |= shared_content(opened.spec)
    is_plain = all(cell is None or cell.isprintable() for line in lines for cell in line)
    text = yaml_file.dumps(content, is_plain=is_plain)
    if len(text.encode()) > _LARGEST:
        raise HierarchyError(too_large)
    return text


def _levels(lines: list[tuple[str | None, ...]]) -> dict[str, Any] | None:
    """The lines as groups and members, level by level; None where they are no tree of named groups."""
    if not lines or any(cell is None for line in lines for cell in line):
        return None
    values = [line[0] for line in lines]
    if len(set(values)) < len(lines):
        return None
    levels: list[Any] = [values]
    for below in range(len(lines[0]) - 1):
        parents: dict[str | None, str | None] = {}
        for line in lines:
            if parents.setdefault(line[below], line[below + 1]) != line[below + 1]:
                return None
        groups: dict[str | None, list[str | None]] = {}
        for member, label in parents.items():
            groups.setdefault(label, []).append(member)
        levels.append(groups)
    top = str(next(iter(levels[-1])))
    if len(levels[-1]) == 1 and "," not in top and top.strip() == top != "":
        levels[-1] = top
    return {"kind": "levels", "levels": levels}
