"""Dates that are released as numbers, because all their labels are years."""

from collections.abc import Mapping
from dataclasses import replace

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.kinds.dates import Dates
from duckanon.release.recoding import Recoding, Shows

_YEAR_TYPE = "BIGINT"


def with_types(engine: Engine, recoding: Recoding, written: Mapping[str, str] | None = None) -> Recoding:
    """Add the type of dates whose labels are all years. A column that shows `*` or another label is text, as on a cluster.

    `written` has the types of the columns of a file that exists: earlier versions wrote years as text.
    """
    if engine.is_remote("records"):
        return recoding
    types: dict[str, str] = {}
    for attribute in recoding.attributes:
        name, is_date = attribute.name, attribute.column.is_date or isinstance(attribute.rule, Dates)
        is_label = recoding.shows(name) is Shows.LABEL and not recoding.keep_suppressed_rows
        if not is_date or not is_label or name in recoding.ranged_names:
            continue
        statement = render("release/label_types", column=name, regional=recoding.is_regional)
        [(are_years,)] = engine.query(statement)
        if are_years and (written is None or written.get(name) == _YEAR_TYPE):
            types[name] = _YEAR_TYPE
    return replace(recoding, types=types)
