"""The labels of each quasi-identifier, for the templates of the SQL export."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from duckanon.dataset.missing import MissingRule
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import Attribute, QuasiIdentifier, topped_columns
from duckanon.hierarchy.kinds.dates import Dates
from duckanon.hierarchy.kinds.flat import Flat
from duckanon.hierarchy.kinds.intervals import Intervals
from duckanon.hierarchy.kinds.redaction import Redaction
from duckanon.hierarchy.lookup import create_lookup, drop_lookup
from duckanon.workflows.sql_export import moments
from duckanon.workflows.sql_export.bounds import (
    Bound,
    MissingTokens,
    bound_of,
    check_reads_alike,
    last_moment,
    missing_of,
    placeholder,
    portable_type,
)
from duckanon.workflows.sql_export.ranges import Endless, LabelRange, ranges_of

Form = Literal["value", "constant", "lookup", "ranges", "sequence", "calendar", "redaction"]
"""How labels are made: the value, one constant, a lookup table, ranges, equal widths, the calendar, or redacted characters."""


@dataclass(frozen=True)
class ListedLabels:
    """A line of a lookup table."""

    value: Bound
    label: str | None
    text: str


@dataclass(frozen=True)
class Label:
    """A quasi-identifier: its cell, its covered values, and their labels."""

    column: Column
    number: int
    cell: int
    level: int
    form: Form
    top: str
    missing: MissingTokens | None = None
    """Missing values that are generalized to the top; None if there are none."""
    null_label: str | None = None
    """The label of NULL, if NULL is not missing."""
    as_text: bool = False
    """Whether values are shown as text, because the column also has labels."""
    is_floored: bool = False
    """Whether level 0 shows labels instead of some values, because of a legal floor."""
    lookup: bool = False
    """Whether a lookup table lists the covered values."""
    by_text: bool = False
    """Whether the lookup table lists values as text, not in their type."""
    rows: tuple[ListedLabels, ...] = ()
    least: Bound | None = None
    beyond: Bound | None = None
    last: Bound | None = None
    read_as: str | None = None
    ranges: tuple[LabelRange, ...] = ()
    sequence: Endless | None = None
    pieces: tuple[moments.Piece, ...] = ()
    redaction: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def is_text(self) -> bool:
        return self.column.is_text and not self.is_enum

    @property
    def is_enum(self) -> bool:
        return self.column.type.startswith("ENUM")

    @property
    def has_labels(self) -> bool:
        """Whether its lookup table has labels, besides the covered values."""
        return self.form == "lookup"

    @property
    def never_null_as(self) -> Bound | None:
        """A value of the type of its labels, which stands for NULL where they are joined; None for a type without literals."""
        shows_value = self.form == "value" and not self.as_text and not self.is_enum
        return placeholder(portable_type(self.column) if shows_value else "varchar")

    @property
    def floating(self) -> str | None:
        return self.column.type.lower() if self.column.is_floating else None

    @property
    def joined(self) -> str:
        """The expression that is joined with the lookup table."""
        cell = f"records.column_{self.cell}"
        return f"cast({cell} as varchar)" if self.by_text or self.is_enum else cell


def labels_of(
    engine: Engine,
    declared: Sequence[QuasiIdentifier],
    attributes: Sequence[Attribute],
    node: Sequence[int],
    rule: MissingRule,
    *,
    stars: bool,
    dialect: str,
) -> list[Label]:
    """Each quasi-identifier on its level of the node, with its number as its cell; raises `JobError` if SQL cannot express it."""
    topped = topped_columns(declared)
    labels = []
    for number, (qi, attribute, level) in enumerate(zip(declared, attributes, node, strict=True), start=1):
        tokens = rule.generalized(qi.column, always=qi.name in topped)
        missing = None
        if tokens is not None and (tokens.tokens or tokens.null):
            missing = missing_of(engine, qi.column, tokens, dialect)
        is_floored = level == 0 and attribute.rule is not None and attribute.rule.floor
        is_text = bool(level == 0 and (missing is not None or stars or is_floored))
        if is_text:
            why = "its missing values show the label of the top" if missing is not None else "the column also has labels"
            why = "the column also has stars" if stars else why
            check_reads_alike(qi.column, dialect, why)
        blank = Label(qi.column, number, number, level, "value", "*", missing, as_text=is_text, is_floored=is_floored)
        labels.append(_label(engine, qi, attribute, blank, dialect))
    return labels


def _label(engine: Engine, qi: QuasiIdentifier, attribute: Attribute, label: Label, dialect: str) -> Label:
    """The labels of a quasi-identifier by the kind of its hierarchy."""
    spec, level, column = attribute.rule, label.level, qi.column
    is_top = level == attribute.height
    if spec is None:
        return _listed(engine, qi, attribute, label, dialect)
    form: Form = "constant" if is_top else "value"
    if isinstance(spec, Flat):
        return replace(label, form=form, top=spec.top, null_label=spec.top if is_top else None)
    if isinstance(spec, Redaction):
        return _redacted(spec, attribute, label, dialect)
    if not isinstance(spec, Intervals | Dates):
        raise JobError(
            f"the hierarchy of column {column.name!r} is a rule of kind {spec.kind}, which has no SQL; use duckanon apply"
        )
    if column.is_text or "TIME ZONE" in column.type:
        raise JobError(
            f"column {column.name!r} is {column.type}, which the rule of its hierarchy (kind: {spec.kind}) reads as numbers or dates, "
            "and engines read it differently; cast it in the first data and release that, or use duckanon apply"
        )
    placed = replace(label, top=spec.top, null_label=spec.top if is_top else None)
    if isinstance(spec, Dates):
        least, beyond, last = moments.covered(column, spec)
        read_as = moments.read_as(column, spec)
        placed = replace(placed, form=form, least=least, beyond=beyond, last=last, read_as=read_as)
        if is_top or level == 0:
            return placed
        pieces = moments.pieces_of(column, spec, level)
        return replace(placed, form="calendar", pieces=pieces, ranges=moments.ranges_of(column, spec))
    intervals = ranges_of(engine, column, spec, level)
    read_as = "timestamp" if column.type == "DATE" and spec.grid.scale.unit == "microsecond" else None
    by_ranges: Form = "sequence" if intervals.sequence else "ranges"
    return replace(
        placed,
        form=form if is_top or level == 0 else by_ranges,
        least=intervals.least,
        beyond=intervals.beyond,
        last=last_moment("date" if column.type == "DATE" else "timestamp")
        if spec.grid.scale.unit != "number" and intervals.beyond is None
        else None,
        read_as=read_as,
        ranges=intervals.ranges,
        sequence=intervals.sequence,
    )


def _redacted(spec: Redaction, attribute: Attribute, label: Label, dialect: str) -> Label:
    check_reads_alike(label.column, dialect, "its characters are redacted")
    length = spec.length or 1
    steps = list(spec.steps or range(1, length + 1))
    about = {
        "length": length,
        "align": spec.align,
        "redact": spec.redact,
        "character": spec.character,
        "pad": spec.pad or spec.character,
        "grouped": spec.grouped or {},
    }
    top = spec.top or (spec.character * length if steps[-1] == length else "*")
    is_top = label.level == attribute.height
    form: Form = "constant" if is_top else "redaction" if label.level or spec.floor else "value"
    shown = length - [0, *steps][label.level] if form == "redaction" else 0
    return replace(label, form=form, top=top, null_label=top if is_top else None, redaction={**about, "shown": shown})


def _listed(engine: Engine, qi: QuasiIdentifier, attribute: Attribute, label: Label, dialect: str) -> Label:
    """Labels from the value table of the saved recoding."""
    column, level = qi.column, label.level
    create_lookup(engine, column, qi.hierarchy.lookup(engine, column))
    is_portable = portable_type(column) is not None and column.type != "FLOAT"
    if not is_portable and (dialect != "duckdb" or "TIME ZONE" in column.type):
        raise JobError(
            f"column {column.name!r} is {column.type}, whose values cannot be listed for {dialect}; "
            "cast it to text in the first data and release that, or use duckanon apply"
        )
    about = {"column": column.name, "level": level, "height": attribute.height, "type": column.type}
    lines = engine.query(render("sql_export/listed_labels", **about))
    drop_lookup(engine, column)
    tops = [top for *_, top in lines if top is not None]
    top = max(tops, default="*")
    null_label = next((shown for value, shown, _ in lines if value is None), top if level == attribute.height else None)
    rows = tuple(
        ListedLabels(bound_of(column, value) if is_portable else Bound(value), shown if level else None, value)
        for value, shown, _ in lines
        if value is not None
    )
    if not rows:
        raise JobError(
            f"the hierarchy of column {column.name!r} lists no value that a {column.type} can hold; "
            "name a table with the columns of the first data with --like"
        )
    nan = next((row for row in rows if row.text == "nan" and column.is_floating), None)
    if nan is not None and dialect in ("bigquery", "trino"):
        raise JobError(
            f"the hierarchy of column {column.name!r} lists NaN, and in {dialect} NaN equals nothing; use duckanon apply"
        )
    form: Form = "lookup" if level else "value"
    return replace(label, form=form, top=top, null_label=null_label, lookup=True, by_text=not is_portable, rows=rows)
