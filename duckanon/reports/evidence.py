"""Parts of a report that the manifest does not have: records before and after, sensitive values of the worst class, branches of hierarchies."""

from math import floor, isfinite, isnan, log10
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Attribute
from duckanon.release.recoding import Recoding, Shows
from duckanon.reports.utility import distance
from duckanon.search.count import Counted

_MOST_EXAMPLES, _MOST_COLUMNS = 10, 8
_MOST_VALUES = 12
_BINS = 10
_MOST_MEMBERS = 1_000
_MOST_BRANCHES = 27


def examples(engine: Engine, recoding: Recoding, *, suppresses: bool) -> dict[str, Any] | None:
    """Ten random released records; None if the records are on a cluster, because duckanon does not fetch records from a cluster.

    As `{columns, rows: [{before, after}]}`, with at most eight columns, quasi-identifiers first. Columns that show pseudonyms,
    figures of a class or the labels of another column are left out.
    """
    read = _sampled(engine, recoding, 10 * _MOST_EXAMPLES, suppresses=suppresses)
    if read is None:
        return None
    columns, rows = read
    released = [(before, after) for before, after, is_suppressed in rows if not is_suppressed]
    kept = released[:: max(1, len(released) // _MOST_EXAMPLES)][:_MOST_EXAMPLES]
    return {"columns": columns, "rows": [{"before": before, "after": after} for before, after in kept]}


def records_before_and_after(engine: Engine, recoding: Recoding, count: int, *, suppresses: bool) -> dict[str, Any]:
    """Random records as `examples` gives them, but also suppressed ones, whose `after` is None.

    The share of suppressed records in the sample is that of the table only by chance.
    """
    # equal records are next to each other in the sample, and are shown once
    columns, rows = _sampled(engine, recoding, 100 * count, suppresses=suppresses) or ([], [])
    kept = rows[:: max(1, len(rows) // count)][:count]
    return {
        "columns": columns,
        "rows": [{"before": before, "after": None if is_suppressed else after} for before, after, is_suppressed in kept],
    }


def _sampled(
    engine: Engine, recoding: Recoding, most: int, *, suppresses: bool
) -> tuple[list[str], list[tuple[Any, Any, bool]]] | None:
    """Columns, and different records of a random sample: the cells before and after, and whether the record is suppressed."""
    shown = [
        cell
        for cell in recoding.cells(None)
        if cell.shows in (Shows.LABEL, Shows.VALUE, Shows.ITSELF, Shows.ITSELF_OR_STAR) and cell.name not in recoding.treatments
    ]
    released = {column.name for column in recoding.columns}
    cells = sorted((cell for cell in shown if cell.name in released), key=lambda cell: cell.name not in recoding.names)
    if not (cells := cells[:_MOST_COLUMNS]) or engine.is_remote("records"):
        return None
    about = {"columns": cells, "quasi_identifiers": recoding.names, "suppresses": suppresses, **recoding.labelling}
    rows = engine.query(render("utility/example_records", most=most, **about))
    width = len(cells)
    return [cell.name for cell in cells], [(list(row[:width]), list(row[width:-1]), row[-1]) for row in rows]


def sensitive_columns(engine: Engine, counted: Counted, recoding: Recoding) -> list[dict[str, Any]]:
    """Each released sensitive column, with the values of the class whose shares differ most from those of all released records.

    `distance` is the total variation distance between both. `largest_share` is the largest share of one value in a class, before
    and after; `change` is the total variation distance between the records before and after; `largest_is_missing` is true if only missing values reach it. Numbers with many values are counted in ten
    intervals of equal width.
    """
    names = {name for name in counted.job.of_role("sensitive") if name not in recoding.treatments}
    released = [column for column in recoding.columns if column.name in names and not column.is_nested]
    return [_sensitive(engine, column, recoding) for column in released]


def _sensitive(engine: Engine, column: Column, recoding: Recoding) -> dict[str, Any]:
    start, width = _interval(engine, column)
    about = {"column": column.name, "start": start, "width": width, "bins": _BINS, "quasi_identifiers": recoding.names}
    rows = engine.query(render("utility/worst_class", relation="release", **about))
    source = engine.query(render("utility/worst_class", relation="records", **about))
    before, after = ({_key(row[0]): float(row[1]) for row in read} for read in (source, rows))
    worst = {_key(row[0]): float(row[2]) for row in rows}
    raw = {_key(row[0]): row[0] for row in (*rows, *source)}
    if width:
        keys = sorted(raw, key=lambda key: (key[0], not key[0] and isnan(raw[key]), raw[key]))
    else:
        keys = sorted(raw, key=lambda key: (-worst.get(key, 0), -after.get(key, 0), -before.get(key, 0), key[1]))
    sides = (("before", source), ("after", rows))
    values = [
        {
            "value": _label(raw[key], start, width),
            "before": before.get(key, 0.0),
            "share": after.get(key, 0.0),
            "worst": worst.get(key, 0.0),
        }
        for key in keys
    ]
    return {
        "column": column.name,
        "records": int(rows[0][3]) if rows else None,
        "distance": float(rows[0][4]) if rows else None,
        "change": distance([(before.get(key, 0.0), after.get(key, 0.0)) for key in keys]),
        "largest_share": {side: float(read[0][5]) if read else None for side, read in sides},
        "largest_is_missing": {side: bool(read and read[0][6]) for side, read in sides},
        "values": values if width else values[:_MOST_VALUES],
        "more": 0 if width else max(0, len(values) - _MOST_VALUES),
    }


def _key(value: Any) -> tuple[bool, str]:
    """Equal for the same value of two queries, also for NaN, and for no text that says the same."""
    return value is None, str(value)


def _interval(engine: Engine, column: Column) -> tuple[float, float]:
    """The least value and the width of an interval; the width is 0 if values are not grouped into intervals."""
    if not column.is_number:
        return 0.0, 0.0
    [(values, least, greatest)] = engine.query(render("utility/finite_range", column=column.name))
    if values <= _MOST_VALUES or not isfinite(width := (float(greatest) - float(least)) / _BINS):
        return 0.0, 0.0
    return float(least), width


def _label(value: Any, start: float, width: float) -> str:
    if value is None:
        return "missing"
    if not width or not isfinite(value):
        return str(value)
    lower = start + int(value) * width
    return f"{_bound(lower, width)} to {_bound(lower + width, width)}"


def _bound(value: float, width: float) -> str:
    """A bound of an interval, to three significant digits of its width, without an exponent."""
    digits = 2 - floor(log10(width))
    text = f"{round(value, digits):,.{max(0, digits)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def branches(engine: Engine, attribute: Attribute, released: int | None) -> list[list[str]]:
    """Branches of a hierarchy, as labels from the top to one level below the released one; at most 27."""
    bottom = max(attribute.min_level, (attribute.height if released is None else released) - 1)
    depth = attribute.height - bottom
    most = next((most for most in (5, 3, 2) if most**depth <= _MOST_BRANCHES), 1)
    rows = engine.query(render("hierarchy/branches", column=attribute.name, top=attribute.height, bottom=bottom, most=most))
    return [["NULL" if label is None else str(label) for label in row] for row in rows]


def group_members(engine: Engine, attribute: Attribute) -> dict[str, list[str]]:
    """The values of each group that is named `group N of COLUMN`; at most 1,000 of each, and how many follow."""
    if attribute.height < 2:
        return {}
    rows = engine.query(render("hierarchy/group_members", column=attribute.name, height=attribute.height, most=_MOST_MEMBERS))
    return {label: [*members, *([f"{more:,} more in the saved recoding"] if more else [])] for label, members, more in rows}
