"""The lookup table of a hierarchy: its description, the faults of a hierarchy, the rows that it lists, and the relations that are built from it.

The rows are opened as `listed_<column>`: those of a CSV or Parquet file, of the hierarchy's own lines, or the ordered values of the data.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from duckanon.dataset.dialect import consistent
from duckanon.dataset.values import code_type
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, HierarchyError

if TYPE_CHECKING:
    from duckanon.hierarchy.base import Spec

MOST_LEVELS = 100
"""Maximum number of levels above the values. A file with more columns is unlikely to be a hierarchy."""

Severity = Literal["error", "warning", "note"]
"""An error rejects the hierarchy, a warning rejects it only in strict mode, a note never does."""


@dataclass(frozen=True)
class HierarchyFault:
    """One finding about a hierarchy, written as a predicate: "lists 'a' twice; keep one line"."""

    severity: Severity
    message: str
    level: int | None = None
    value: str | None = None
    """The value, member or label concerned."""
    rows: int | None = None
    """The rows of the data concerned."""
    nearest: str | None = None
    """The nearest correct spelling."""
    line: int | None = None
    """The line of the value in the hierarchy's file."""
    is_of_data: bool = False
    """Whether the fault is due to the data, so that the hierarchy itself may be correct."""


@dataclass(frozen=True)
class Lookup:
    """How to make `lookup_<column>`, and what is known about it in advance."""

    statement: Statement
    height: int
    """The number of the top level."""
    listed: Statement | None = None
    """The listed rows that it reads in addition to the values of the data."""
    top: str = "*"
    """The label of a missing value if no other value shows the hierarchy's top."""
    rule: "Spec | None" = None
    """The spec if it gives the same labels for any data; None if only a value table does."""
    groups: int = 0
    """The number of levels, from level 1 on, for which it stores the number of the group with the label."""
    relabels: bool = False
    """Whether level 0 may show a label instead of the value."""
    faults: tuple[HierarchyFault, ...] = ()
    """Faults of the listing itself. The lookup can then only be used to find more faults."""


def lookup_statement(template: str, column: Column, **parameters: Any) -> Statement:
    """The statement of a template in `sql/hierarchy/kinds` that makes `lookup_<column>`."""
    exact_type, type = _printed_types(column)
    return render(
        f"hierarchy/kinds/{template}",
        f"lookup_{column.name}",
        column=column.name,
        exact_type=exact_type,
        type=type,
        **parameters,
    )


def rule_statement(
    column: Column, labels: Sequence[str], cell: str = "text as code", condition: str = "", ranged: Sequence[int] = ()
) -> Statement:
    """The statement of a rule: the SQL of its labels from level 0 on, of text and one more cell, for the texts that meet a condition.

    Texts without a label on a level of `ranged` are not covered.
    """
    return lookup_statement("rule", column, labels=labels, cell=cell, condition=condition, ranged=ranged)


def _printed_types(column: Column) -> tuple[str | None, str | None]:
    """A type in which a listed text is compared with the value of the column's type that it means, and that type; None for text."""
    if column.is_number and not column.is_floating:
        return "double", column.type
    if column.is_date:
        return ("timestamp" if column.type == "DATE" else column.type), column.type
    return (column.type, column.type) if column.is_floating or column.type == "BOOLEAN" else (None, None)


def topped(lookup: Lookup, column: Column, top: str | None) -> Lookup:
    """Add a level with one label at the top, if `top` is given."""
    if top is None:
        return lookup
    statement = lookup_statement("topped", column, below=lookup.statement.sql, height=lookup.height, top=top)
    return replace(lookup, statement=statement, height=lookup.height + 1, top=top)


@contextmanager
def reading(column: Column) -> Iterator[None]:
    """Raise `HierarchyError` if a statement about the hierarchy of a column fails."""
    try:
        yield
    except EngineError as error:
        raise HierarchyError(f"hierarchy of column {column.name!r} cannot be read: {error}") from error


def create_lookup(engine: Engine, column: Column, lookup: Lookup) -> None:
    """Create `lookup_<column>`, unchecked."""
    with reading(column):
        engine.create_table(lookup.statement)


def drop_lookup(engine: Engine, column: Column) -> None:
    """Drop the relations that `Spec.lookup` and `create_lookup` made."""
    engine.drop(f"lookup_{column.name}")
    engine.drop(f"listed_{column.name}")


def create_relations(engine: Engine, column: Column, lookup: Lookup, domain: str) -> None:
    """Create `hierarchy_`, `labels_` and `levels_<column>` from a checked `lookup_<column>`."""
    name, height, lowest = column.name, lookup.height, 0 if lookup.relabels else 1
    about = {"domain": domain, "top": lookup.top, "lowest": lowest}
    # a level has at most as many labels as there are values
    most = engine.create_table(render("hierarchy/hierarchy", f"hierarchy_{name}", column=name, height=height, **about))
    engine.create_table(render("hierarchy/labels", f"labels_{name}", column=name, height=height, code_type=code_type(most)))
    engine.create_table(render("hierarchy/levels", f"levels_{name}", column=name, height=height))
    engine.drop(f"lookup_{name}")


_HEAD_CHARACTERS = 1 << 16
_HEADS = ("value", "child")
_LARGEST_TABLE = 1 << 30


def listed_rows(engine: Engine, column: Column, rows: Sequence[Sequence[Any]] | None) -> Statement:
    """Create the view `listed_<column>` of the spec's own lines, or of the ordered values of the data."""
    if rows is None:
        listed = render("hierarchy/listings/values", f"listed_{column.name}", column=column.name)
    else:
        listed = render("hierarchy/listings/rows", f"listed_{column.name}", rows=rows)
    if rows is not None or has_values(engine, column):
        with reading(column):
            engine.create_view(listed)
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
    return f"values_{column.name}" in engine.names


@dataclass(frozen=True)
class CountedValues:
    """The values of a column that are not missing, their rows, and the number of characters of the longest."""

    longest: int
    values: int
    rows: int


def counted_values(engine: Engine, column: Column) -> CountedValues:
    """The values of the data; raises `HierarchyError` if there is none."""
    if not has_values(engine, column):
        raise HierarchyError(
            f"the number of levels of column {column.name!r} depends on the data; "
            "set `length` for a redaction, or `priorities` for a priority"
        )
    [counts] = engine.query(render("hierarchy/longest_value", column=column.name))
    return CountedValues(*map(int, counts))


@dataclass(frozen=True)
class TableFileDialect:
    """The format of a CSV hierarchy file."""

    delimiter: str
    header: bool
    columns: int


def check_size(path: Path) -> None:
    """Raise `HierarchyError` if a file is too large to be a hierarchy."""
    if path.is_file() and (size := path.stat().st_size) > _LARGEST_TABLE:
        raise HierarchyError(
            f"hierarchy {str(path)!r} has {size / 2**30:.1f} GiB, more than 1; a hierarchy lists each value once, so check that this is not the data"
        )


def dialect_of(path: Path, column: str) -> TableFileDialect:
    """The delimiter (`;`, `,` or tab) that fits the first lines, and whether the file has a header."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.read(_HEAD_CHARACTERS)
            # whole lines, unless the first line is longer than the part that was read
            first = head if len(head) < _HEAD_CHARACTERS else head[: head.rfind("\n") + 1] or head
    except UnicodeDecodeError as error:
        raise HierarchyError(f"hierarchy {str(path)!r} is not UTF-8 text; save it as UTF-8, or as Parquet") from error
    delimiter = consistent(first, ";,\t") or (";" if ";" in first.partition("\n")[0] else ",")
    try:
        cells = next(csv.reader(StringIO(first), delimiter=delimiter), [])
    except csv.Error as error:
        raise HierarchyError(
            f"hierarchy {str(path)!r} is not a readable CSV file ({str(error).partition(' - ')[0]}); save it again as UTF-8 text"
        ) from error
    if len(cells) < 2 and not any(cell.strip() for cell in cells):
        raise HierarchyError(
            f"hierarchy {str(path)!r} is empty, or its first line is; write value;level 1;...;top, one line per value"
        )
    if len(cells) > MOST_LEVELS + 1:
        raise HierarchyError(f"hierarchy {str(path)!r} has more than {MOST_LEVELS} levels; write each value on its own line")
    return TableFileDialect(delimiter=delimiter, header=is_header(cells, column), columns=len(cells))


def is_header(cells: list[str], column: str) -> bool:
    """Whether a first line is a header: it begins with `value`, `child` or the name of the column."""
    return bool(cells) and cells[0].strip().casefold() in (*_HEADS, column.casefold())


def lines_of(path: Path, column: str, wanted: set[str]) -> dict[str, list[int]]:
    """The lines whose first cell is a wanted value, by value."""
    dialect = dialect_of(path, column)
    lines: dict[str, list[int]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=dialect.delimiter)
        for cells in reader:
            if cells and cells[0] in wanted:
                lines.setdefault(cells[0], []).append(reader.line_num)
    return lines
