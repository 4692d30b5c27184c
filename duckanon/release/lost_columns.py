"""Dropped columns in the information loss: a release that generalizes two columns a little and drops three others loses much.

The loss over all columns is the mean over the columns of the input: of a quasi-identifier its loss, of a dropped column 1, of a
column released unchanged the share of suppressed rows. Direct identifiers and columns with a single value are not counted.
"""

from collections.abc import Collection, Mapping, Sequence

from duckanon.dataset.column_names import hint
from duckanon.dataset.direct_identifiers import looked_at
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.search.count import Counted

_FIRST_ROWS = 10_000
"""Most columns differ within so many rows; the others are read to the end."""


def constant_columns(engine: Engine, names: Sequence[str], relation: str) -> list[str]:
    """Those of the columns of released rows, or of their classes, that hold one value in all rows, or no value at all."""
    for most in (_FIRST_ROWS, None):
        if not names:
            break
        statement = render("release/constant_columns", columns=names, relation=relation, most=most)
        [(*counts, rows)] = engine.query(statement, "comparing released records")
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
    return frozenset(column.name for column in columns if column not in left or column.name in constant)


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
