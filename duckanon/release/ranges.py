"""Quasi-identifiers whose ranges are written as numbers or dates instead of labels: all whose labels are ranges."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError
from duckanon.observers import Observer
from duckanon.search.count import Counted

if TYPE_CHECKING:
    from duckanon.release.recoding import Recoding

UpperBound = Literal["excluded", "included", "mixed"]
"""Whether the ranges of a column include their upper bound."""


@dataclass(frozen=True)
class RangeColumn:
    """A quasi-identifier that is written as the bounds of its ranges, or as their midpoint.

    `ranges_<column>` has one row per label, with the numbers or dates that replace the label in the file.
    """

    column: Column
    written: Literal["bounds", "midpoint"]
    max: UpperBound | None = None
    """Whether ranges include their upper bound; None if no label has an upper bound."""

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def relation(self) -> str:
        return f"ranges_{self.name}"

    @property
    def values(self) -> Mapping[str, str]:
        """The columns of the file, each with the column of `ranges_<column>` that has its values."""
        if self.written == "midpoint":
            return {self.name: "_midpoint"}
        return {f"{self.name}_min": "_min", f"{self.name}_max": "_max"}

    @property
    def columns(self) -> list[Column]:
        """The columns of the file, with their types."""
        is_mean = self.written == "midpoint" and self.column.is_number
        return [Column(name, "DOUBLE" if is_mean else self.column.file_type) for name in self.values]

    def document(self) -> dict[str, Any]:
        """The entry of the manifest."""
        ends = {} if self.max is None or self.written == "midpoint" else {"max": self.max}
        return {"written": self.written, "columns": list(self.values), **ends}


def can_hold_ranges(column: Column) -> bool:
    """Whether the type of a column is numeric or a date. Timestamps with a time zone do not qualify: their labels depend on the session."""
    return column.is_number or (column.is_date and "TIME ZONE" not in column.type)


def refuse_collisions(counted: Counted) -> None:
    """Raise `JobError` if a column for the bounds of a range has the name of another released column."""
    released = {column.name.casefold(): column.name for column in counted.plan.released}
    for qi in counted.plan.quasi_identifiers:
        if counted.job.ranges_of(qi.name) != "bounds" or not can_hold_ranges(qi.column):
            continue
        if (plan := counted.job.columns.get(qi.name)) is not None and plan.microaggregate is not None:
            continue
        for name in RangeColumn(qi.column, "bounds").values:
            if (other := released.get(name.casefold())) is not None:
                raise JobError(
                    f"--ranges bounds writes {qi.name!r} as {name!r}, but the released column {other!r} has the same name; "
                    f"rename {other!r}, drop it, or set columns.{qi.name}.ranges: text in a job file"
                )


def with_ranges(
    engine: Engine, counted: Counted, recoding: "Recoding", observer: Observer, *, is_total: bool = False
) -> "Recoding":
    """Add the quasi-identifiers that are written as numbers or dates to the recoding, and create `ranges_<column>` for each.

    A column keeps its labels unless all of them are ranges, single values or the top of the hierarchy. Raises `JobError` if such a
    column has `ranges` in the job. If it `is_total`, a value may be outside the range of its label.
    """
    ranged = []
    for attribute in recoding.attributes:
        written = counted.job.ranges_of(attribute.name)
        if written == "text" or not can_hold_ranges(attribute.column) or recoding.shows(attribute.name) != "label":
            continue
        range_column = RangeColumn(attribute.column, written)
        fault, kind = _read(engine, recoding, range_column, attribute.height, is_total=is_total)
        if fault is None:
            ranged.append(replace(range_column, max=kind))
            continue
        engine.drop(range_column.relation)
        if counted.job.columns[attribute.name].ranges is not None:
            raise JobError(
                f"columns.{attribute.name}.ranges: {written} needs ranges, but {fault}; set it to text, or use intervals"
            )
        observer.note(f"--ranges {written} leaves {attribute.name!r} as text: {fault}")
    return replace(recoding, ranged=tuple(ranged))


def _read(
    engine: Engine, recoding: "Recoding", column: RangeColumn, height: int, *, is_total: bool
) -> tuple[str | None, UpperBound | None]:
    """Create `ranges_<column>`; returns the reason why its labels are not ranges, and whether they include their upper bounds."""
    about = {"name": column.name, "column": column.column, "height": height, "values": list(column.values.values())}
    engine.create_table(
        render(
            "release/ranges",
            column.relation,
            regional=recoding.is_regional,
            keep_suppressed_rows=recoding.keep_suppressed_rows,
            **about,
        )
    )
    [(unread, included, excluded)] = engine.query(render("release/range_figures", name=column.name))
    if unread is not None:
        return f"its label {unread!r} is not a range of {column.column.file_type}", None
    if not is_total and (outside := engine.query(outside_statement(recoding, column))):
        return f"its label {outside[0][1]!r} includes values that are outside its bounds", None
    kinds: dict[tuple[bool, bool], UpperBound] = {(False, True): "excluded", (True, False): "included", (True, True): "mixed"}
    return None, kinds.get((bool(included), bool(excluded)))


def outside_statement(recoding: "Recoding", column: RangeColumn) -> Statement:
    """The query for source values outside the range of their label."""
    return render("release/outside_ranges", name=column.name, regional=recoding.is_regional)
