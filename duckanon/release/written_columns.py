"""What the columns of the written file come to together: columns that show one value, records that are unique over all columns."""

from collections.abc import Mapping, Sequence

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.formatting import first_of
from duckanon.observers import Observer
from duckanon.release.manifest_model.files import WrittenColumns
from duckanon.release.recoding.base import Recoding
from duckanon.release.verify import Totals
from duckanon.search.count import Counted

_STAGE = "comparing released records"


def written_columns(engine: Engine, counted: Counted, recoding: Recoding, totals: Totals, observer: Observer) -> WrittenColumns:
    """What the view `release` shows, with a warning about columns that became constant."""
    columns = [Column(column.name, recoding.type_of(column)) for column in recoding.columns]
    constant = _constant(engine, columns)
    several = _several(engine, counted, constant)
    became = [name for name in constant if several[name]]
    if became:
        observer.warn(
            f"{first_of([repr(name) for name in became])}: every released record shows the same value, and the input has several; "
            f"nothing can be learned from {'this column' if len(became) == 1 else 'these columns'}, so drop it or require less"
        )
    unique = _unique(engine, columns, recoding, totals)
    labels = {name: _labels(engine, name) for name in recoding.names if recoding.levels.get(name) != 0}
    return WrittenColumns(
        columns=len(columns), unique_records=unique, constant_columns=constant, became_constant=became, labels=labels
    )


def _labels(engine: Engine, name: str) -> list[str]:
    return [label for (label,) in engine.query(render("release/frequent_labels", name=name))] or ["*"]


def _unique(engine: Engine, columns: Sequence[Column], recoding: Recoding, totals: Totals) -> int:
    if len(columns) == len(recoding.names) and totals.smallest > 1:
        return 0  # the columns are those of the classes
    [(unique,)] = engine.query(render("release/unique_records", columns=columns), _STAGE)
    return int(unique)


def _constant(engine: Engine, columns: Sequence[Column]) -> list[str]:
    simple = [column.name for column in columns if not column.is_nested]
    if not simple:
        return []
    [(*counts, rows)] = engine.query(render("release/constant_columns", columns=simple), _STAGE)
    return [
        name
        for name, filled, single in zip(simple, counts[::2], counts[1::2], strict=True)
        if filled == 0 or (filled == rows and single)
    ]


def _several(engine: Engine, counted: Counted, names: Sequence[str]) -> Mapping[str, bool]:
    """Whether columns have several values in the input, NULL being one."""
    known = {marginal.name: marginal.distinct[0] > 1 for marginal in counted.marginals}
    unknown = [column for column in counted.columns if column.name in names and column.name not in known]
    if unknown:
        [(rows, *counts)] = engine.query(render("dataset/column_counts", columns=unknown), _STAGE)
        filled, values = counts[::4], counts[1::4]
        known |= {column.name: values[place] + (filled[place] < rows) > 1 for place, column in enumerate(unknown)}
    return known
