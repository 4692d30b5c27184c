"""Quasi-identifiers that are released as numbers or dates, because all their labels are values, or years."""

from collections.abc import Mapping
from dataclasses import replace

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.kinds.dates import Dates
from duckanon.release.recoding import Recoding, Shows

_YEAR_TYPE = "BIGINT"


def with_types(engine: Engine, recoding: Recoding, written: Mapping[str, str] | None = None) -> Recoding:
    """Add the types of columns whose labels are all values of the input, or all years. A column that shows `*` is text.

    `written` has the types of the columns of a file that exists: earlier versions wrote all labels as text.
    """
    types: dict[str, str] = {}
    for number, attribute in enumerate(recoding.attributes, start=1):
        column = attribute.column
        has_years = column.is_date or isinstance(attribute.rule, Dates)
        has_values = recoding.is_regional and (column.is_number or column.is_date or column.type == "BOOLEAN")
        is_text = recoding.keep_suppressed_rows or recoding.shows(column.name) is not Shows.LABEL
        if is_text or column.name in recoding.ranged_names or not (has_years or has_values):
            continue
        about = {"column": column, "number": number if has_values else None}
        [(are_values, are_years)] = engine.query(render("release/label_types", **about, regional=recoding.is_regional))
        type = column.file_type if are_values else _YEAR_TYPE if are_years and has_years else None
        if type is not None and (written is None or written.get(column.name) == type):
            types[column.name] = type
    return replace(recoding, types=types)
