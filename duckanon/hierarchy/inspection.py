"""Inspection of a hierarchy, with or without data: its labels for every value, and all its faults."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from duckanon.dataset import values
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.names import find_column, listed
from duckanon.dataset.opening import named_source, open_source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine, Settings
from duckanon.engine.templates import render
from duckanon.errors import HierarchyError, JobError
from duckanon.hierarchy import checks, sets
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.lookup import HierarchyFault, Lookup, create_lookup, create_relations
from duckanon.hierarchy.spec import load, located
from duckanon.observers import Observer, Silent


@dataclass(frozen=True)
class Data:
    """The data for an inspection: an input, one of its columns, and what counts as missing."""

    source: str
    column: str | None = None
    """The column; by default the column that the hierarchy is named after."""
    missing: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None
    """The column names of a CSV file without a header."""


@dataclass(frozen=True)
class OpenedHierarchy:
    """A hierarchy whose unchecked `lookup_<column>` exists, with the values that it is for."""

    name: str
    spec: Spec
    file: Path | None
    column: Column
    lookup: Lookup


def catalog() -> list[dict[str, Any]]:
    """The bundled hierarchies: set, column, kind, description, levels above the values (None if the data decides), source."""
    entries = []
    with DuckDBEngine() as engine:
        for bundled in sets.bundled():
            for path in bundled.files:
                spec, column = load(path), Column(path.stem, "VARCHAR")
                try:
                    height = spec.lookup(engine, column).height
                except HierarchyError:
                    height = None
                entries.append(
                    {
                        "hierarchy": f"{bundled.name}/{path.stem}",
                        "kind": spec.kind,
                        "what": spec.WHAT,
                        "levels": height,
                        "nested": spec.nested,
                        "set": bundled.title,
                        "source": spec.source or bundled.source,
                        "source_of_set": bundled.source,
                    }
                )
    return entries


def show(
    reference: str,
    data: Data | None = None,
    *,
    limit: int | None = None,
    settings: Settings | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """The labels of a hierarchy's values: `values` with their labels and rows, `levels`, and `groups` between levels.

    Returns at most `limit` values and groups; None returns all. Raises `HierarchyError` if the hierarchy has faults.
    """
    with DuckDBEngine(settings, observer or Silent()) as engine:
        opened = open_hierarchy(engine, reference, data)
        check_opened(engine, opened)
        return shown(engine, opened, limit=limit, on_data=data is not None)


def shown(engine: Engine, opened: OpenedHierarchy, *, limit: int | None, on_data: bool) -> dict[str, Any]:
    """The document of `show` for a checked hierarchy."""
    name, height = opened.column.name, opened.lookup.height
    create_relations(engine, opened.column, opened.lookup, opened.spec.domain)
    values = engine.query(render("hierarchy/shown_values", column=name, height=height, limit=limit))
    levels = engine.query(render("hierarchy/shown_levels", column=name))
    groups = engine.query(render("hierarchy/shown_groups", column=name, height=height, limit=limit))
    loss = [float(loss) for loss in opened.spec.loss] if opened.spec.loss is not None else [None] * (height + 1)
    return {
        "hierarchy": opened.name,
        "kind": opened.spec.kind,
        "column": name,
        "rows": int(levels[0][5]) if levels and on_data else None,
        "values": [
            {"value": value, "levels": list(labels), "rows": rows if on_data else None} for value, *labels, rows in values
        ],
        "levels": [
            {
                "level": level,
                "groups": labels,
                "groups_in_data": present if on_data else None,
                "smallest_group": smallest,
                "largest_group": largest if on_data else None,
                "loss": loss[level],
            }
            for level, labels, present, smallest, largest, _ in levels
        ],
        "groups": [
            {"level": level, "label": label, "leaves": leaves, "rows": rows if on_data else None}
            for level, label, leaves, rows in groups
        ],
    }


def check(
    references: Sequence[str],
    data: Data | None = None,
    *,
    strict: bool = False,
    settings: Settings | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """All faults of hierarchies, or of all in a set: `passed`, and a list of `hierarchies` with their `faults`.

    A warning makes a hierarchy fail only if `strict`.
    """
    checked = []
    for reference, column in _each(references, data):
        about = None if data is None else replace(data, column=column or data.column)
        with DuckDBEngine(settings, observer or Silent()) as engine:
            hierarchy_faults = _faults(engine, reference, about)
        failing = ("error", "warning") if strict else ("error",)
        checked.append(
            {
                "hierarchy": reference,
                "column": column or (data.column if data else None),
                "passed": not any(fault.severity in failing for fault in hierarchy_faults),
                "faults": [asdict(fault) for fault in hierarchy_faults],
            }
        )
    return {"passed": all(hierarchy["passed"] for hierarchy in checked), "hierarchies": checked}


def open_hierarchy(engine: Engine, reference: str, data: Data | None) -> OpenedHierarchy:
    """Create `values_<column>` (empty without data) and `lookup_<column>`, unchecked; raises `HierarchyError` or `JobError`."""
    file = sets.find_file(reference, Path())
    spec = load(file)
    if data is None:
        if not spec.is_listing:
            raise HierarchyError(
                f"hierarchy {reference!r} is of kind {spec.kind} ({spec.WHAT}) and lists no values; "
                "give it data with --data FILE --column C"
            )
        column = Column(file.stem, "VARCHAR")
        engine.create_table(render("dataset/empty", f"values_{column.name}", columns=values.COLUMNS))
    else:
        column = read_column(engine, data, file, topped=spec.missing == "top")
    return opened_on(engine, reference, spec, file, column)


def opened_on(engine: Engine, name: str, spec: Spec, file: Path | None, column: Column) -> OpenedHierarchy:
    """Open a hierarchy on a column whose `values_<column>` exists."""
    lookup = spec.lookup(engine, column)
    create_lookup(engine, column, lookup)
    return OpenedHierarchy(name, spec, file, column, lookup)


def check_opened(engine: Engine, opened: OpenedHierarchy) -> None:
    """Raise `HierarchyError` with all errors of a hierarchy."""
    if errors := checks.errors(engine, opened.column, opened.lookup, opened.spec):
        where = f"hierarchy {opened.name!r} of column {opened.column.name!r}"
        raise checks.refusal(where, located(errors, opened.spec, opened.file, opened.column.name))


def read_column(engine: Engine, data: Data, file: Path | None = None, *, topped: bool = False) -> Column:
    """Create `values_<column>` from the data, for the named column or the column that a file is named after."""
    source = named_source(data.source, data.names)
    engine.restrict(source.files)
    columns = open_source(engine, source)
    all_names = [column.name for column in columns]
    name = data.column or (sets.column_named(file, all_names) if file is not None else None)
    if name is None:
        question = f"which column is {str(file.name)!r} for?" if file is not None else "which column?"
        raise JobError(f"{question} name it with --column; columns: {listed(columns)}")
    column = find_column(columns, name, "column")
    missing = MissingRule((*data.missing, None) if data.missing else ())
    values.create_records(engine, values.records_statement([column], missing))
    values.read_values(engine, [column], missing, [name] if topped else [])
    return column


def _each(references: Sequence[str], data: Data | None) -> Iterator[tuple[str, str | None]]:
    """The named hierarchies, with each set expanded; each with its column in the set."""
    for reference in references:
        hierarchy_set = sets.find_set(reference, Path()) if sets.is_set(reference, Path()) else None
        if hierarchy_set is None:
            yield reference, None
            continue
        if not hierarchy_set.files:
            raise HierarchyError(f"set {reference!r} contains no hierarchy file; add one, as COLUMN.yaml or COLUMN.csv")
        if data is None:
            yield from ((hierarchy_set.reference(path), path.stem) for path in hierarchy_set.files)
            continue
        with DuckDBEngine() as engine:
            source = named_source(data.source, data.names)
            engine.restrict(source.files)
            columns = open_source(engine, source)
        with_file = [(column.name, path) for column in columns if (path := hierarchy_set.file_for(column.name)) is not None]
        if not with_file:
            raise HierarchyError(
                f"set {reference!r} has no hierarchy for any column of {data.source!r}; columns: {listed(columns)}"
            )
        yield from ((hierarchy_set.reference(path), name) for name, path in with_file)


def _faults(engine: Engine, reference: str, data: Data | None) -> list[HierarchyFault]:
    file = sets.find_file(reference, Path())
    try:
        if data is None and not load(file).is_listing:
            # without data, only the file of a rule can be checked
            return []
        opened = open_hierarchy(engine, reference, data)
    except HierarchyError as error:
        return [HierarchyFault("error", f"cannot be used: {error}")]
    hierarchy_faults = checks.errors(engine, opened.column, opened.lookup, opened.spec)
    if all(fault.is_of_data for fault in hierarchy_faults):
        hierarchy_faults += checks.warnings(engine, opened.column, opened.lookup, opened.spec)
    if data is not None:
        hierarchy_faults += checks.notes(engine, opened.column, opened.spec)
    return located(hierarchy_faults, opened.spec, file, opened.column.name)
