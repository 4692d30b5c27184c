"""Conversion of hierarchies: build a rule as a lookup table for given data, write a table as YAML, and back."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from duckanon import yaml_file
from duckanon.dataset import destination
from duckanon.dataset.location import STANDARD_INPUT, locate
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine, Form, Settings
from duckanon.engine.scratch import OWNER_ONLY
from duckanon.engine.staging import StagedFiles
from duckanon.engine.templates import Statement, render
from duckanon.errors import EngineError, HierarchyError, OutputError
from duckanon.hierarchy import sets
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.inspection import Data, OpenedHierarchy, check_opened, open_hierarchy, read_column
from duckanon.hierarchy.kinds.levels import Levels
from duckanon.hierarchy.kinds.table import Table
from duckanon.hierarchy.kinds.tree import HierarchyTree
from duckanon.hierarchy.lookup import CountedValues, counted_values, create_lookup, drop_lookup, is_header
from duckanon.hierarchy.spec import YAML, files_of, load, shared_content
from duckanon.hierarchy.suggest import Suggestion, suggest
from duckanon.observers import Caution, Observer, Silent

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
    """Write a hierarchy as a lookup table with one line per value (value, level 1, ..., top) and return the number of lines.

    The format is Parquet, or CSV with `;` and no header, which other tools can read. Without data, only a hierarchy that
    lists its values can be built. Raises `HierarchyError` if the hierarchy has faults.
    """
    observer = observer or Silent()
    form = check_place(output, (".csv", ".parquet"), overwrite=overwrite)
    _check_unread(output, reference, data)
    with DuckDBEngine(settings, observer) as engine:
        opened = open_hierarchy(engine, reference, data)
        check_opened(engine, opened)
        _warn_of_lost_keys(opened.spec, observer)
        return write_table(engine, opened, output, form, overwrite=overwrite, is_private=data is not None)


def convert(
    source: str,
    output: Path,
    *,
    overwrite: bool = False,
    settings: Settings | None = None,
    observer: Observer | None = None,
) -> int:
    """Write a hierarchy that lists its values as YAML, or as a value table in CSV or Parquet; return the number of values.

    In YAML, a table that forms a tree of groups becomes the kind `levels`; any other becomes a `table` of its lines.
    Both give the same table in the same order when read. The output is read back and compared before it is published.
    """
    observer = observer or Silent()
    form = check_place(output, (".yaml", ".csv", ".parquet"), overwrite=overwrite)
    spec = load(sets.find_file(source, Path()))
    if not spec.is_listing:
        raise HierarchyError(
            f"hierarchy {source!r} is of kind {spec.kind}, a rule without a list of values; "
            "use duckanon hierarchy build to make a table of it for given data"
        )
    with DuckDBEngine(settings, observer) as engine:
        opened = open_hierarchy(engine, source, None)
        if output.suffix.casefold() not in YAML:
            _warn_of_lost_keys(spec, observer)
            return write_table(engine, opened, output, form, overwrite=overwrite)
        lines = engine.query(lookup_table(opened))
        text = as_yaml(lines, opened)
        with StagedFiles(engine.scratch) as staged:
            staged_file = staged.write(output, text, overwrite=overwrite)
            _check_read_back(engine, opened, load(staged_file), output)
            staged.publish()
        return len(lines)


def suggested(
    data: Data, output: Path | None = None, *, overwrite: bool = False, observer: Observer | None = None
) -> tuple[Column, CountedValues, Suggestion]:
    """Suggest a hierarchy for a column and write it as YAML if there is an output; returns it with the column and its counts."""
    with DuckDBEngine(observer=observer or Silent()) as engine:
        column = read_column(engine, data)
        suggestion = suggest(engine, column)
        if output is not None:
            check_place(output, (".yaml",), overwrite=overwrite)
            with StagedFiles(engine.scratch) as staged:
                staged.write(output, yaml_file.dumps(suggestion.content), overwrite=overwrite, is_private=True)
                staged.publish()
        return column, counted_values(engine, column), suggestion


def _check_unread(output: Path, reference: str, data: Data | None) -> None:
    """Raise `OutputError` if the output would replace the hierarchy or the data."""
    if not output.exists():
        return
    if output.resolve() in {path.resolve() for path in files_of(Path(reference))}:
        raise OutputError(f"output {str(output)!r} is the hierarchy itself; name another file")
    if data is not None and data.source != STANDARD_INPUT and locate(data.source).covers(output):
        raise OutputError(f"output {str(output)!r} is the data itself; name another file")


def check_place(output: Path, endings: tuple[str, ...], *, overwrite: bool) -> Form:
    """The form of the file. Raises `OutputError` if it cannot be written."""
    ending = output.suffix.casefold()
    if (".yaml" if ending in YAML else ending) not in endings:
        raise OutputError(
            f"output {str(output)!r} does not end in {', '.join(endings[:-1] or endings)}{f' or {endings[-1]}' if len(endings) > 1 else ''}; name a file with such an ending"
        )
    form = Form("parquet") if ending == ".parquet" else Form("csv", ";")
    destination.check(destination.Destination(output, form), overwrite=overwrite)
    return form


def lookup_table(opened: OpenedHierarchy, most: int | None = None) -> Statement:
    """The statement of the lookup table of an opened hierarchy: value, level 1, ..., top; with `most`, of its first lines."""
    return render("hierarchy/lookup_table", column=opened.column.name, height=opened.lookup.height, most=most)


def write_table(
    engine: Engine, opened: OpenedHierarchy, output: Path, form: Form, *, overwrite: bool, is_private: bool = False
) -> int:
    """Write the lookup table of a checked hierarchy, read it back, and return the number of its lines; raises `OutputError`.

    `is_private`: the table has values of data, so that only its owner may read it.
    """
    if form.format == "csv":
        first = engine.query(lookup_table(opened, most=1))
        # a table whose first line could be mistaken for a header needs a header
        form = replace(form, header=bool(first) and is_header([str(first[0][0])], opened.column.name))
    with StagedFiles(engine.scratch) as staged:
        staged_file = staged.of(output, overwrite=overwrite)
        try:
            written = engine.write(lookup_table(opened), staged_file, form, stage="writing the lookup table")
        except EngineError as error:
            raise OutputError(f"output {str(output)!r} could not be written: {error}") from error
        if is_private:
            staged_file.chmod(OWNER_ONLY)
        _check_read_back(engine, opened, Table(file=staged_file), output)
        staged.publish()
    return written


def _check_read_back(engine: Engine, opened: OpenedHierarchy, spec: Spec, output: Path) -> None:
    """Raise `OutputError` if the written file does not give the same table."""
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
            f"output {str(output)!r} would give another table when read: the format cannot store some of its characters or empty entries; "
            "write .parquet, which can store all of them"
        )


def _warn_of_lost_keys(spec: Spec, observer: Observer) -> None:
    """Warn about properties that a value table cannot store."""
    if lost := list(shared_content(spec)):
        observer.warn(
            Caution("unwritten-keys", f"a value table stores labels only; {', '.join(lost)} of the hierarchy is not written")
        )


def as_yaml(lines: list[tuple[str | None, ...]], opened: OpenedHierarchy) -> str:
    """The lines of an opened hierarchy as YAML, with the keys that they cannot store; raises `HierarchyError` if they are too many."""
    too_large = (
        f"hierarchy {opened.name!r} has {len(lines):,} values, too many for YAML; keep it as a table, which jobs can read too"
    )
    if len(lines) > _MOST_LINES:
        raise HierarchyError(too_large)
    content = levels_of(lines) or {"kind": "table", "rows": [list(line) for line in lines]}
    if isinstance(opened.spec, Table | HierarchyTree | Levels):
        content |= shared_content(opened.spec)
    is_plain = all(cell is None or cell.isprintable() for line in lines for cell in line)
    text = yaml_file.dumps(content, is_plain=is_plain)
    if len(text.encode()) > _LARGEST:
        raise HierarchyError(too_large)
    return text


def levels_of(lines: list[tuple[str | None, ...]]) -> dict[str, Any] | None:
    """The lines as groups and members, level by level; None if they do not form a tree of named groups."""
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
