"""The labels of each quasi-identifier, for the templates of the SQL export."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from duckanon.dataset.missing import MissingRule
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import literal, render
from duckanon.errors import EngineError, JobError
from duckanon.export.rules import portable_rule, ranges_statement
from duckanon.export.values import Bound, MissingTokens, bound_of, check_reads_alike, missing_of, placeholder, portable_type
from duckanon.hierarchy.attributes import Attribute, QuasiIdentifier, topped_columns
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.kinds.dates import Dates
from duckanon.hierarchy.kinds.intervals import Intervals
from duckanon.hierarchy.kinds.plain import Flat
from duckanon.hierarchy.lookup import create_lookup, drop_lookup

Form = Literal["value", "constant", "lookup"]
"""What a label is: the value, the label of the top, or a label of the lookup table."""


@dataclass(frozen=True)
class ListedLabels:
    """A line of a lookup table."""

    value: Bound
    label: str | None
    text: str


@dataclass(frozen=True)
class Label:
    """A quasi-identifier: its covered values, and their labels."""

    column: Column
    number: int
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
    rows: tuple[ListedLabels, ...] = ()
    """The values that the lookup table lists."""
    rule: str | None = None
    """The SQL that makes the lookup table from the values of the data, if the hierarchy is a rule."""
    by_text: bool = False
    """Whether the lookup table has values as text, not in their type."""
    limits: str | None = None
    """What is left out because engines read or print it differently."""

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
    def is_listed(self) -> bool:
        """Whether a lookup table lists the covered values."""
        return bool(self.rows)

    @property
    def has_labels(self) -> bool:
        """Whether its lookup table has labels, besides the covered values."""
        return self.form == "lookup"

    @property
    def shows_value(self) -> bool:
        return self.form == "value" and not self.as_text and not self.is_enum

    @property
    def never_null_as(self) -> Bound | None:
        """A value of the type of its labels, which stands for NULL where they are joined; None for a type without literals."""
        return placeholder(portable_type(self.column) if self.shows_value else "varchar")

    @property
    def value(self) -> str:
        """The expression of a value; -0.0 is 0.0."""
        plus = f" + cast(0 as {self.column.type.lower()})" if self.column.is_floating else ""
        return f"records.column_{self.number}{plus}"

    @property
    def text(self) -> str:
        """The same as text."""
        return self.value if self.is_text else f"cast({self.value} as varchar)"

    @property
    def joined(self) -> str:
        """The expression that is joined with the lookup table."""
        return self.text if self.by_text or self.is_enum else f"records.column_{self.number}"

    @property
    def is_missing(self) -> str:
        """The condition that the value is missing and generalized to the top."""
        return self.missing.condition(self.value) if self.missing else "false"

    @property
    def is_covered(self) -> str | None:
        """The condition that the value has a label; None if all values have one, without a lookup table."""
        is_joined = self.is_listed or self.rule is not None
        return f"({self.value} is null or {self.is_missing} or lookup_{self.number}.value is not null)" if is_joined else None

    @property
    def labelled(self) -> str:
        """The label of the value, including missing values."""
        shown = {"constant": literal(self.top), "lookup": f"lookup_{self.number}.label"}.get(self.form)
        shown = shown or (self.value if self.shows_value else self.text)
        missing = f"when {self.is_missing} then {literal(self.top)} " if self.missing else ""
        return f"case {missing}when {self.value} is null then {literal(self.null_label)} else {shown} end"


def labels_of(
    engine: Engine,
    declared: Sequence[QuasiIdentifier],
    attributes: Sequence[Attribute],
    node: Sequence[int],
    rule: MissingRule,
    *,
    keep_suppressed_rows: bool,
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
        is_text = bool(level == 0 and (missing is not None or keep_suppressed_rows or is_floored))
        if is_text:
            why = "its missing values show the label of the top" if missing is not None else "the column also has labels"
            why = "the column also has stars" if keep_suppressed_rows else why
            check_reads_alike(qi.column, dialect, why)
        blank = Label(qi.column, number, level, "value", "*", missing, as_text=is_text, is_floored=is_floored)
        label_of = _listed if attribute.rule is None else _ruled
        labels.append(label_of(engine, qi, attribute, blank, dialect))
    return labels


def _ruled(engine: Engine, qi: QuasiIdentifier, attribute: Attribute, label: Label, dialect: str) -> Label:
    """Labels from the rule of a hierarchy: its own statement, as all engines of the dialect compute it."""
    spec, level = attribute.rule, label.level
    assert spec is not None
    is_top = level == attribute.height
    column = replace(qi.column, name=str(label.number))
    is_exported = dialect != "duckdb"
    if is_typed := isinstance(spec, Intervals | Dates):
        lookup = spec.lookup(engine, column, is_exported=is_exported)
    else:
        lookup = spec.lookup(engine, column)
    label = replace(
        label,
        form="constant" if is_top else "lookup" if level or lookup.relabels else "value",
        top=lookup.top,
        null_label=lookup.top if is_top else None,
    )
    if isinstance(spec, Flat):
        return label
    if "TIME ZONE" in column.type or (is_exported and is_typed and column.is_text):
        raise JobError(
            f"column {qi.name!r} is {column.type}, which the rule of its hierarchy (kind: {spec.kind}) reads as numbers or dates, "
            "and engines read it differently; cast it in the first data and release that, or use duckanon apply"
        )
    if not is_typed:
        check_reads_alike(qi.column, dialect, "its hierarchy reads it as text")
    label = replace(label, by_text=not (is_exported and is_typed) or label.is_floored)
    sql = lookup.statement.sql.split("\n", 3)[3].strip()
    if not is_exported:
        return replace(label, rule=sql)
    if dialect == "trino" and any(isinstance(bound, datetime) and bound.microsecond % 1000 for bound in _bounds(spec)):
        raise JobError(
            f"the hierarchy of column {qi.name!r} names timestamps finer than a millisecond, which trino rounds; use duckanon apply"
        )
    try:
        rule = portable_rule(sql, ("value", f"level_{level}") if label.has_labels else ("value",))
    except EngineError as error:
        if not isinstance(spec, Intervals):
            raise JobError(
                f"the hierarchy of column {qi.name!r} (kind: {spec.kind}, level {level}) has labels that engines compute differently "
                f"({error}); release again with other levels or formats, or use duckanon apply"
            ) from error
        shown = level if label.has_labels else attribute.height
        rule = ranges_statement(engine, qi.column, spec, shown, column.name).sql.split("\n", 3)[3].strip()
    return replace(label, rule=rule, limits=_limits(column, spec))


def _bounds(spec: Spec) -> list[object]:
    """The bounds of a rule of intervals or dates."""
    bounds: list[object] = list(spec.range.bounds) if isinstance(spec, Intervals | Dates) and spec.range is not None else []
    intervals = spec.intervals or [] if isinstance(spec, Intervals) else []
    return [*bounds, *(bound for interval in intervals for bound in (interval.min, interval.max))]


def _limits(column: Column, spec: Spec) -> str | None:
    if column.is_date:
        return "dates outside the years 1 to 9999"
    is_small = column.is_whole and not column.type.endswith("HUGEINT")
    return "numbers of 10^18 and beyond" if isinstance(spec, Intervals) and not is_small else None


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
    lines = engine.query(render("export/listed_labels", **about))
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
    return replace(label, form=form, top=top, null_label=null_label, by_text=not is_portable, rows=rows)
