"""Figures over all columns of the written file, and dropped columns in the information loss.

A release that generalizes two columns a little and drops three others loses much. The loss over all columns is the mean over the
columns of the input: of a quasi-identifier its loss, of a dropped column 1, of a column released unchanged the share of suppressed
rows. Direct identifiers and columns with a single value are not counted.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from duckanon.dataset.column_names import hint
from duckanon.dataset.direct_identifiers import looked_at
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.formatting import first_of, in_rows, shortened
from duckanon.observers import Caution, Observer
from duckanon.release.manifest_model.files import WrittenColumns
from duckanon.release.recoding import Recoding
from duckanon.search.count import Counted

if TYPE_CHECKING:
    from duckanon.release.verify import Totals

_FIRST_ROWS = 10_000
"""Most columns differ within so many rows; the others are read to the end."""


def constant_columns(engine: Engine, names: Sequence[str], relation: str) -> list[str]:
    """Those of the columns of released rows, or of their classes, that hold one value in all rows, or no value at all."""
    for most in (_FIRST_ROWS, None):
        if not names:
            break
        statement = render("release/constant_columns", columns=names, relation=relation, most=most)
        [(*counts, rows)] = engine.query(statement, _STAGE)
        names = [
            name
            for name, filled, is_single in zip(names, counts[::2], counts[1::2], strict=True)
            if filled == 0 or (filled == rows and is_single)
        ]
    return list(names)


def spared_columns(engine: Engine, counted: Counted, lost_before: Collection[str] | None = None) -> frozenset[str]:
    """The dropped columns that are not counted; for a saved recoding, all but those that its release counted."""
    columns = [column for column in counted.columns if counted.plan.roles[column.name] == "dropped"]
    if lost_before is not None:
        return frozenset(column.name for column in columns if column.name not in lost_before)
    open_to = [column for column in columns if not (column.is_row_index or column.name in counted.job.entities)]
    open_to = [column for column in open_to if hint(column.name) != "identifying"]
    known = counted.persons.looks
    looks = (looked_at(engine, open_to)[0] if known is None else known) if open_to else {}
    left = [column for column in open_to if column.name not in looks or not looks[column.name].is_sure]
    constant = constant_columns(engine, [column.name for column in left if not column.is_nested], "records")
    copies = [column.name for column in counted.proposal.columns if column.is_copy] if counted.proposal is not None else []
    return frozenset(column.name for column in columns if column not in left or column.name in [*constant, *copies])


def lost_columns(counted: Counted) -> list[str]:
    """The dropped columns that the loss over all columns counts."""
    return [name for name, role in counted.plan.roles.items() if role == "dropped" and name not in counted.spared]


def with_dropped(counted: Counted, losses: Mapping[str, float], suppressed: float) -> dict[str, float]:
    """The metric of the loss over all columns, if a column is lost; `suppressed`: the share of suppressed rows."""
    roles, plan, lost = counted.plan.roles, counted.plan, lost_columns(counted)
    if not lost:
        return {}
    names = {*lost, *(name for name, role in roles.items() if role == "quasi-identifier")}
    unchanged = [column for column in plan.released if column.name not in names and column.name not in plan.treatments]
    # a quasi-identifier that the search has dropped may be among the losses
    shares = [loss for name, loss in losses.items() if name not in lost]
    parts = [*shares, *[suppressed] * len(unchanged), *[1.0] * len(lost)]
    return {"loss_with_dropped": sum(parts) / len(parts)}


_STAGE = "comparing released records"


def written_columns(
    engine: Engine, counted: Counted, recoding: Recoding, totals: "Totals", observer: Observer
) -> WrittenColumns:
    """The figures of the view `release`, and a warning if columns became constant."""
    columns = [Column(column.name, recoding.type_of(column)) for column in recoding.columns]
    others = [column.name for column in columns if column.name not in recoding.names and not column.is_nested]
    constant = [*constant_columns(engine, recoding.names, "written_classes"), *constant_columns(engine, others, "release")]
    constant = [column.name for column in columns if column.name in constant]
    several = _several(engine, counted, constant)
    became = [name for name in constant if several[name]]
    if became:
        observer.warn(
            Caution(
                "constant-column",
                f"{first_of([repr(name) for name in became])}: every released record shows the same value, but the input has several; "
                f"drop {'the column' if len(became) == 1 else 'the columns'}, or lower the requirements",
                *became,
            )
        )
    # if all columns are quasi-identifiers, a class of several records has no unique record
    is_shared = len(columns) == len(recoding.names) and totals.smallest > 1
    unique = 0 if is_shared else record_sets(engine, columns, "release")[2]
    retained = [column.name for column in columns if column.name not in recoding.names]
    # with adversaries, the quasi-identifiers together may well be unique
    if unique and counted.proposal is not None and retained and not recoding.requirement.adversaries:
        are, them = ("is", "it") if len(retained) == 1 else ("are", "them")
        observer.warn(
            Caution(
                "unique-records",
                f"{in_rows(unique)} of the release are unique over all released columns, since {first_of(retained)} "
                f"{are} released unchanged: an adversary who knows these values too finds them; "
                f"change the role in the job file to quasi-identifier, or drop {them}",
                # the summary shows the number, and the warning that k alone does not protect these columns says what to do
                brief=""
                if all(counted.plan.roles[name] == "sensitive" for name in set(retained) - {*recoding.requirement.sensitive})
                else f"{in_rows(unique)} are unique together with the unchanged {shortened(retained, 30)}: make {them} "
                f"quasi-identifier{'' if len(retained) == 1 else 's'} in the job file, or drop {them}",
            )
        )
    relabelled = {attribute.name for attribute in recoding.attributes if attribute.is_retyped}
    shown = [name for name in recoding.names if recoding.levels.get(name) != 0 or name in relabelled]
    read = {name: engine.query(render("release/frequent_labels", name=name)) for name in shown}
    return WrittenColumns(
        columns=len(recoding.file_columns),
        unique_records=unique,
        constant_columns=constant,
        became_constant=became,
        labels={name: [label for (label,) in rows] or ["*"] for name, rows in read.items()},
    )


def record_sets(engine: Engine, columns: Sequence[Column], relation: str) -> tuple[int, int, int]:
    """The distinct records of `release` or `records`, how often the rarest occurs, and how many are unique on all columns."""
    [(records, smallest, unique)] = engine.query(render("release/unique_records", columns=columns, relation=relation), _STAGE)
    return int(records), int(smallest), int(unique)


def _several(engine: Engine, counted: Counted, names: Sequence[str]) -> Mapping[str, bool]:
    """Whether columns have several values in the input; NULL counts as a value."""
    known = {marginal.name: marginal.distinct[0] > 1 for marginal in counted.marginals}
    unknown = [column for column in counted.columns if column.name in names and column.name not in known]
    if unknown:
        [(rows, *counts)] = engine.query(render("dataset/column_counts", columns=unknown), _STAGE)
        filled, values = counts[::4], counts[1::4]
        known |= {column.name: values[place] + (filled[place] < rows) > 1 for place, column in enumerate(unknown)}
    return known
