"""The statements of hierarchy kinds, which label values that no lookup table lists, in SQL that all engines compute alike."""

import re
from collections.abc import Collection
from typing import Any

from duckanon.engine.portable import Parsed
from duckanon.errors import EngineError

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
