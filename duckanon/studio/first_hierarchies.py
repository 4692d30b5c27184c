"""The kinds of hierarchies that fit a column, each with the hierarchy with which the page begins."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.base import exact_to_plain
from duckanon.hierarchy.suggest import reading, roundest, shape_of

Content = dict[str, Any]

_NUMBERS = ("intervals", "order", "levels", "rare", "redaction", "codes", "priority", "flat")
_DATES = ("dates", "intervals", "order", "levels", "rare", "flat")
_TEXTS = ("levels", "order", "redaction", "codes", "rare", "priority", "flat")
_OTHERS = ("levels", "order", "rare", "flat")
_PARTS = 20
"""The number of first intervals between the least and the greatest value, about."""


def first_hierarchies(engine: Engine, column: Column, suggested: Content, texts: Sequence[str] | None) -> dict[str, Content]:
    """By kind: a hierarchy of that kind which fits `values_<column>`. `texts` are its values in order, None if they are too many.

    A kind that lists the values is left out if they are too many.
    """
    read = reading(shape_of(engine, column)) if column.is_text and not column.is_nested else "text"
    kinds = _NUMBERS if column.is_number else _DATES if column.is_date else _TEXTS if column.is_text else _OTHERS
    if read == "number":
        kinds = ("intervals", *kinds)
    elif read == "date":
        kinds = ("dates", "intervals", *kinds)
    is_date = column.is_date or read == "date"
    first = {kind: _first(kind, engine, column, texts, is_date=is_date) for kind in kinds}
    # the suggestion has the labels of the data already
    first |= {suggested["kind"]: {key: value for key, value in suggested.items() if key != "source"}}
    return {kind: content for kind, content in first.items() if content is not None}


def _first(kind: str, engine: Engine, column: Column, texts: Sequence[str] | None, *, is_date: bool) -> Content | None:
    match kind:
        case "intervals":
            return _dates() if is_date else _widths(engine, column)
        case "dates":
            return {"kind": kind, "units": ["month", "year"]}
        case "redaction":
            return {"kind": kind, "align": "left", "redact": "right"}
        case "codes":
            return {"kind": kind, "levels": [1]}
        case "rare":
            return {"kind": kind, "below": [0.01]}
        case "order":
            return {"kind": kind, "groups": [[2]], "function": "bounds"}
        case "levels":
            return {"kind": kind, "levels": [{"all": list(texts)}, "*"]} if texts else None
        case _:
            return {"kind": kind}


def _widths(engine: Engine, column: Column) -> Content:
    """Intervals whose width gives about twenty of them, and two levels above."""
    [(least, greatest)] = engine.query(render("studio/extremes", column=column.name))
    extent = Decimal(0) if least is None else Decimal(greatest) - Decimal(least)
    width = roundest(extent / (2 * _PARTS), extent / _PARTS) if extent > 0 else None
    step = width or Decimal(1)
    plain: Content = exact_to_plain({"kind": "intervals", "widths": [step, 2 * step, 4 * step]})
    return plain


def _dates() -> Content:
    """A first interval of 28 days from the first Monday of 2000, which repeats."""
    first = date(2000, 1, 3)
    return {
        "kind": "intervals",
        "intervals": [[first.isoformat(), (first + timedelta(days=28)).isoformat()]],
        "groups": [[13]],
    }
