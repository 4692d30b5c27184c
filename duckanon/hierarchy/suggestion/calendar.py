"""Suggest units of the calendar for dates."""

from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.suggestion.values import CountedValues, coarser

_UNITS = ("minute", "hour", "day", "month", "quarter", "year", "decade", "century")


def calendar(
    engine: Engine, column: Column, counts: CountedValues, *, is_week: bool = False
) -> tuple[dict[str, Any], str] | None:
    """The units that group the dates, each into clearly fewer groups than the one before; None if no unit does.

    The days of a week can belong to two months, but to one year of ISO 8601 only.
    """
    units = ("week-year",) if is_week else _UNITS[_UNITS.index("month") :] if column.type == "DATE" else _UNITS
    read = "text" if column.is_text else "value"
    [parts] = engine.query(render("hierarchy/suggestion/calendar_parts", column=column.name, units=units, read=read))
    chosen = coarser(units, parts, counts.values)
    if not chosen:
        return None
    return {"kind": "dates", "units": chosen}, "units of the calendar that group its dates"
