"""Figures over all columns of the written file: constant columns, records that are unique on all columns."""

from collections.abc import Mapping, Sequence

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.formatting import first_of, in_rows
from duckanon.observers import Observer
from duckanon.release.lost_columns import constant_columns
from duckanon.release.manifest_model.files import WrittenColumns
from duckanon.release.recoding.base import Recoding
from duckanon.release.verify import Totals
from duckanon.search.count import Counted

_STAGE = "comparing released records"


def written_columns(engine: Engine, counted: Counted, recoding: Recoding, totals: Totals, observer: Observer) -> WrittenColumns:
    """The figures of the view `release`, and a warning if columns became constant."""
    columns = [Column(column.name, recoding.type_of(column)) for column in recoding.columns]
    others = [column.name for column in columns if column.name not in recoding.names and not column.is_nested]
    constant = [*constant_columns(engine, recoding.names, "written_classes"), *constant_columns(engine, others, "release")]
    constant = [column.name for column in columns if column.name in constant]
    several = _several(engine, counted, constant)
    became = [name for name in constant if several[name]]
    if became:
        observer.warn(
            f"{first_of([repr(name) for name in became])}: every released record shows the same value, but the input has several; "
            f"drop {'the column' if len(became) == 1 else 'the columns'}, or lower the requirements"
        )
    # if all columns are quasi-identifiers, a class of several records has no unique record
    is_shared = len(columns) == len(recoding.names) and totals.smallest > 1
    unique = 0 if is_shared else unique_records(engine, columns, "release")
    retained = [column.name for column in columns if column.name not in recoding.names]
    # with adversaries, the quasi-identifiers together may well be unique
    if unique and counted.proposal is not None and retained and not recoding.requirement.adversaries:
        observer.warn(
            f"{in_rows(unique)} of the release are unique over all released columns, since {first_of(retained)} "
            f"{'is' if len(retained) == 1 else 'are'} released unchanged: an adversary who knows these values too finds them; "
            f"change the role in the job file to quasi-identifier, or drop {'it' if len(retained) == 1 else 'them'}"
        )
    relabelled = {attribute.name for attribute in recoding.attributes if attribute.is_retyped}
    shown = [name for name in recoding.names if recoding.levels.get(name) != 0 or name in relabelled]
    labels = {name: _labels(engine, name) for name in shown}
    return WrittenColumns(
        columns=len(recoding.file_columns),
        unique_records=unique,
        constant_columns=constant,
        became_constant=became,
        labels=labels,
    )


def _labels(engine: Engine, name: str) -> list[str]:
    return [label for (label,) in engine.query(render("release/frequent_labels", name=name))] or ["*"]


def unique_records(engine: Engine, columns: Sequence[Column], relation: str) -> int:
    """The number of records of `release` or `records` that are unique on all columns."""
    [(unique,)] = engine.query(render("release/unique_records", columns=columns, relation=relation), _STAGE)
    return int(unique)


def _several(engine: Engine, counted: Counted, names: Sequence[str]) -> Mapping[str, bool]:
    """Whether columns have several values in the input; NULL counts as a value."""
    known = {marginal.name: marginal.distinct[0] > 1 for marginal in counted.marginals}
    unknown = [column for column in counted.columns if column.name in names and column.name not in known]
    if unknown:
        [(rows, *counts)] = engine.query(render("dataset/column_counts", columns=unknown), _STAGE)
        filled, values = counts[::4], counts[1::4]
        known |= {column.name: values[place] + (filled[place] < rows) > 1 for place, column in enumerate(unknown)}
    return known
