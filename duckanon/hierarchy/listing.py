"""The rows that a hierarchy lists, opened as `listed_<column>`: its file, its own lines, or the ordered values of the data."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, HierarchyError
from duckanon.hierarchy.base import MOST_LEVELS
from duckanon.hierarchy.table_file import check_size, dialect_of


def listed_rows(engine: Engine, column: Column, rows: Sequence[Sequence[Any]] | None) -> Statement:
    """Create the view `listed_<column>` of the spec's own lines, or of the ordered values of the data."""
    if rows is None:
        listed = render("hierarchy/listings/values", f"listed_{column.name}", column=column.name)
    else:
        listed = render("hierarchy/listings/rows", f"listed_{column.name}", rows=rows)
    if rows is not None or has_values(engine, column):
        try:
            engine.create_view(listed)
        except EngineError as error:
            raise HierarchyError(f"hierarchy of column {column.name!r} cannot be read: {error}") from error
    return listed


def opened(
    engine: Engine, column: Column, file: Path | None, rows: Iterable[Sequence[str | None]]
) -> tuple[list[str], Statement]:
    """Create the view `listed_<column>` and return the names of its cells."""
    if file is None:
        lines = list(rows)
        return [f"cell_{number}" for number in range(len(lines[0]))], listed_rows(engine, column, lines)
    return _open(engine, column, file, _listed(engine, column, file))


def _listed(engine: Engine, column: Column, path: Path) -> Statement:
    if not path.is_file():
        fault = "is a folder" if path.is_dir() else "does not exist"
        raise HierarchyError(
            f"the file {str(path)!r} of the hierarchy of column {column.name!r} {fault}; name a CSV or Parquet file"
        )
    check_size(path)
    relation, named = f"listed_{column.name}", escaped(engine.allow(path).absolute())
    if path.suffix.casefold() == ".parquet":
        return render("hierarchy/listings/file", relation, path=named, delimiter=None)
    dialect = dialect_of(path, column.name)
    return render(
        "hierarchy/listings/file",
        relation,
        path=named,
        delimiter=dialect.delimiter,
        header=dialect.header,
        columns={f"cell_{number}": "varchar" for number in range(dialect.columns)},
    )


def _open(engine: Engine, column: Column, path: Path, statement: Statement) -> tuple[list[str], Statement]:
    try:
        cells = [cell.name for cell in engine.describe(statement)]
        engine.create_view(statement)
    except EngineError as error:
        fault = "is not a readable Parquet file" if path.suffix.casefold() == ".parquet" else f"cannot be read: {error}"
        raise HierarchyError(f"hierarchy {str(path)!r} of column {column.name!r} {fault}") from error
    if len(cells) < 2:
        raise HierarchyError(
            f"hierarchy {str(path)!r} of column {column.name!r} has one column; write the value and at least its top, separated by ';' or ','"
        )
    if len(cells) > MOST_LEVELS + 1:
        raise HierarchyError(f"hierarchy {str(path)!r} has {len(cells) - 1:,} levels, more than {MOST_LEVELS}")
    return cells, statement


def has_values(engine: Engine, column: Column) -> bool:
    """Whether the values of the data are available."""
    return engine.has_relation(f"values_{column.name}")


def longest_value(engine: Engine, column: Column) -> tuple[int, int]:
    """The length of the longest value in characters, and the number of values."""
    if not has_values(engine, column):
        raise HierarchyError(
            f"the number of levels of column {column.name!r} depends on the data; "
            "set `length` for a redaction, or `priorities` for a priority"
        )
    [(characters, present)] = engine.query(render("hierarchy/longest_value", column=column.name))
    return int(characters), int(present)
