"""The rules of hierarchies, which label values that no lookup table lists, in SQL that all engines compute alike: the statement of the kind, or, for intervals,
ranges with one label each.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise
from typing import Any

from duckanon.engine.portable import Parsed
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, literal, render
from duckanon.errors import EngineError, JobError
from duckanon.export.values import Bound, bound_at, last_moment
from duckanon.hierarchy.bounds import Grid
from duckanon.hierarchy.kinds.intervals import Intervals
from duckanon.hierarchy.lookup import create_lookup, drop_lookup

_UNITS = ("year", "quarter", "month", "day", "hour", "minute", "second")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_YEAR = "cast(extract(year from moment) as varchar)"


def _two_digits(field: str) -> str:
    return f"lpad(cast(cast(floor(extract({field} from moment)) as integer) as varchar), 2, '0')"


def _name(names: Collection[str]) -> str:
    whens = " ".join(f"when {number} then '{name}'" for number, name in enumerate(names, start=1))
    return f"case extract(month from moment) {whens} end"


_MARKS = {
    "%Y": ("year", f"case when extract(year from moment) between 0 and 999 then lpad({_YEAR}, 4, '0') else {_YEAR} end", ""),
    "%m": ("month", _two_digits("month"), "01"),
    "%B": ("month", _name(_MONTHS), "January"),
    "%b": ("month", _name([name[:3] for name in _MONTHS]), "Jan"),
    "%d": ("day", _two_digits("day"), "01"),
    "%H": ("hour", _two_digits("hour"), "00"),
    "%M": ("minute", _two_digits("minute"), "00"),
    "%S": ("second", _two_digits("second"), "00"),
}
"""For each mark of a format: its unit, the SQL that prints it for a moment, and its text at the start of a longer unit."""


def portable_rule(sql: str, kept: Collection[str]) -> str:
    """The statement of a kind with these columns only, in the portable subset; raises `EngineError` if it is outside."""
    from sqlglot import exp

    tree = Parsed(sql).tree
    final = tree.ctes[-1].this if tree.ctes else tree
    final.set("expressions", [column for column in final.expressions if column.alias in kept])
    for field in [*tree.find_all(exp.Year, exp.Quarter, exp.Month)]:
        field.replace(exp.Extract(this=exp.var(type(field).__name__), expression=field.this))
    for printed in [*tree.find_all(exp.TimeToStr)]:
        printed.replace(_printed(printed))
    text = str(tree.sql(dialect="duckdb", pretty=True, comments=False))
    if (stranger := Parsed(text).unsupported_node) is not None:
        raise EngineError(stranger)
    return text


def _printed(call: Any) -> Any:
    """`strftime(date_trunc(unit, moment), format)` by the fields of the moment; unchanged if a mark has no field."""
    from sqlglot import exp, parse_one

    moment, pattern = call.this, call.args["format"].name
    unit = moment.unit.name.lower() if isinstance(moment, exp.TimestampTrunc) else ""
    parts = []
    for mark in re.findall(r"%.|[^%]+", pattern, re.DOTALL) if unit in _UNITS else ():
        if mark[0] != "%" or mark == "%%":
            parts.append(exp.Literal.string(mark.replace("%%", "%")))
            continue
        field, sql, begin = _MARKS.get(mark, (None, "", ""))
        if field is None or (unit, field) == ("quarter", "month"):
            return call
        is_longer = _UNITS.index(field) > _UNITS.index(unit)
        parts.append(exp.Literal.string(begin) if is_longer else _of(parse_one(sql, dialect="duckdb"), moment.this))
    if not parts:
        return call
    text = parts[0]
    for part in parts[1:]:
        text = exp.DPipe(this=text, expression=part, safe=True)
    return exp.paren(text)


def _of(tree: Any, moment: Any) -> Any:
    from sqlglot import exp

    return tree.transform(lambda node: moment.copy() if isinstance(node, exp.Column) else node)


MOST_RANGES = 2_000
_LARGEST, _MOST_ENDLESS = "1.7976931348623157e308", 10**18


def ranges_statement(engine: Engine, column: Column, spec: Intervals, level: int, name: str) -> Statement:
    """`lookup_<name>` from `values_<name>`, with the labels of a level; raises `JobError` if the intervals are endless or too many."""
    grid = spec.grid
    if column.is_floating and grid.scale.places and column.type != "DOUBLE":
        raise JobError(
            f"the intervals of column {column.name!r} cut a {column.type} at fractions; read it as DOUBLE, and release again"
        )
    is_moment = column.type == "DATE" and grid.scale.unit == "microsecond"
    whens: list[tuple[int | None, str]] = []
    rest = "text" if level == 0 else literal(spec.top)
    if level == 0 and spec.floor:
        (low, high), (below, above) = grid.snap, grid.coded
        whens += [(low, literal(below))] if low is not None and below is not None else []
        whens += [(high, "text")] if high is not None and above is not None else []
        rest = "text" if above is None else literal(above)
    elif 0 < level <= len(grid.cycles):
        *whens, (_, rest) = _labelled(engine, column, spec, level)
    return render(
        "export/ranges",
        f"lookup_{name}",
        column=name,
        level=level,
        value="cast(value as timestamp)" if is_moment else "value",
        conditions=_covered(column, grid),
        whens=[(bound_at(column, grid.scale, end).sql, label) for end, label in whens if end is not None],
        rest=rest,
    )


def _covered(column: Column, grid: Grid) -> list[str]:
    """The conditions that a covered value meets, such as `>= 0`."""
    low, high = (None if end is None else bound_at(column, grid.scale, end) for end in grid.label)
    if grid.scale.unit != "number":
        type = "date" if column.type == "DATE" and grid.scale.unit == "day" else "timestamp"
        return ([f">= {low.sql}"] if low else []) + [f"< {high.sql}" if high else f"<= {last_moment(type).sql}"]
    far = [_LARGEST if column.is_floating and end is not None else str(_MOST_ENDLESS) for end in grid.repeat]
    type = "double" if column.is_floating else "decimal(38, 0)"
    is_limited = [column.is_floating or end is None for end in grid.repeat]
    low = low or (Bound(f"-{far[0]}", type) if is_limited[0] else None)
    high = high or (Bound(far[1], type) if is_limited[1] else None)
    return ([f">= {low.sql}"] if low else []) + ([f"< {high.sql}"] if high else [])


def _labelled(engine: Engine, column: Column, spec: Intervals, level: int) -> list[tuple[int | None, str]]:
    """The end of each range in steps (None: no end), and the literal of its label; ranges with equal labels are joined."""
    grid = spec.grid
    low, high = grid.repeat
    if low is None or high is None:
        raise JobError(
            f"the intervals of column {column.name!r} (kind: intervals, level {level}) are endless, and other engines can only "
            "compute endless intervals of equal width with whole numbers; give them a `range` with two ends and release again, "
            "or use duckanon apply"
        )
    edges = {end for ends in (grid.label, grid.snap, grid.repeat) for end in ends if end is not None}
    edges |= set(_starts(column, grid, low, high))
    least, beyond = grid.label
    inside = [edge for edge in sorted(edges) if (least is None or edge > least) and (beyond is None or edge < beyond)]
    spans = list(pairwise([least, *inside, beyond]))
    values = [grid.scale.shown(min(edges) - 1 if start is None else start) for start, _ in spans]
    ranges: list[tuple[int | None, str]] = []
    for (_, end), label in zip(spans, _labels(engine, column, spec, level, values), strict=True):
        if ranges and ranges[-1][1] == literal(label):
            ranges.pop()
        ranges.append((end, literal(label)))
    return ranges


def _starts(column: Column, grid: Grid, low: int, high: int) -> list[int]:
    """The starts of the parts of the first level within the repeating range."""
    first, last = grid.parts(1)
    cycle = grid.cycles[0]
    if first is None or last is None or last - first > MOST_RANGES:
        raise JobError(
            f"the intervals of column {column.name!r} are more than {MOST_RANGES:,} ranges, which is the limit of a statement; "
            "give it wider intervals and release again, or use duckanon apply"
        )
    starts = [
        grid.begin + part // cycle.size * cycle.length + cycle.starts[part % cycle.size] for part in range(first, last + 1)
    ]
    return [start for start in starts if low < start < high]


def _labels(engine: Engine, column: Column, spec: Intervals, level: int, values: list[str]) -> list[str | None]:
    """The label that the hierarchy gives to each value."""
    scale = spec.grid.scale
    if scale.unit != "number":
        stand_in = replace(column, type="TIMESTAMP") if scale.unit == "microsecond" else column
    else:
        stand_in = replace(column, type="HUGEINT" if column.is_whole and not scale.places else "DECIMAL(38,9)")
    about = {"type": stand_in.type, "values": values}
    engine.create_table(render("export/representatives", f"values_{column.name}", **about))
    create_lookup(engine, column, spec.lookup(engine, stand_in))
    labels, texts = (
        dict(engine.query(render("dataset/copy", relation=f"{stem}_{column.name}", columns=columns)))
        for stem, columns in (("lookup", ["value", f"level_{level}"]), ("values", ["code", "text"]))
    )
    drop_lookup(engine, column)
    engine.drop(f"values_{column.name}")
    return [labels.get(texts[code]) for code in range(len(values))]
