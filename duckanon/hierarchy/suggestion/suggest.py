"""Choose the kind of hierarchy that fits a column, and check that it has no faults."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.dataset.column_names import is_code
from duckanon.engine.protocol import Column, Engine
from duckanon.errors import HierarchyError
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.build import create_lookup, drop_lookup
from duckanon.hierarchy.faults import errors
from duckanon.hierarchy.spec import checked
from duckanon.hierarchy.suggestion.calendar import calendar
from duckanon.hierarchy.suggestion.numbers import quantile_intervals
from duckanon.hierarchy.suggestion.texts import beginnings, reading, shape_of, year_last
from duckanon.hierarchy.suggestion.values import CountedValues, counted, rare_values

MARK = "suggested by duckanon"
"""The first words of the `source` of a suggested hierarchy."""

_FEW_VALUES = 2


@dataclass(frozen=True)
class Suggestion:
    """A hierarchy as the content of a file, marked as suggested, and the reason for it."""

    content: dict[str, Any]
    reason: str

    @property
    def height(self) -> int:
        """The approximate number of levels above the values."""
        listed = next((self.content[key] for key in ("groups", "units", "steps", "below") if key in self.content), ())
        return len(listed) + (2 if "intervals" in self.content else 1)


def suggest(engine: Engine, column: Column) -> Suggestion:
    """A hierarchy for a column whose `values_<column>` exists, which covers all of its values without a fault.

    Numbers are cut at round numbers near the quantiles, dates by units of the calendar, codes by their prefixes. For other
    values, the rare ones share a label. If none of these applies, the hierarchy has the values and one label above them.
    """
    for content, reason in _candidates(engine, column):
        marked = {**content, "source": f"{MARK}: {reason}"}
        if content["kind"] == "flat" or _is_valid(engine, column, marked):
            return Suggestion(marked, reason)
    return _flat("no rule groups its values")


def _candidates(engine: Engine, column: Column) -> Sequence[tuple[dict[str, Any], str]]:
    """The candidate hierarchies, the best first."""
    counts = counted(engine, column)
    if counts.values <= _FEW_VALUES or column.type == "BOOLEAN":
        many = {0: "no value", 1: "one value"}.get(counts.values, f"{counts.values} values")
        return [({"kind": "flat"}, f"it has {many}, so no level between is useful")]
    return [candidate for candidate in _for_type(engine, column, counts) if candidate is not None]


def _for_type(engine: Engine, column: Column, counts: CountedValues) -> list[tuple[dict[str, Any], str] | None]:
    if column.is_date:
        return [calendar(engine, column, counts)]
    if column.is_whole and is_code(column.name):
        return [rare_values(engine, column, counts)]
    if column.is_number:
        return [quantile_intervals(engine, column, counts)]
    rare = rare_values(engine, column, counts)
    if not column.is_text:
        return [rare]
    shape = shape_of(engine, column)
    match reading(shape):
        case "number":
            return [quantile_intervals(engine, column, counts), rare]
        case "date" | "week" as unit:
            return [calendar(engine, column, counts, is_week=unit == "week"), rare]
        case "year-last":
            return [year_last(), rare]
        case "code":
            return [beginnings(engine, column, counts, shape), rare]
    return [rare]


def _is_valid(engine: Engine, column: Column, content: dict[str, Any]) -> bool:
    spec = checked(content)
    try:
        lookup = spec.lookup(engine, column)
        create_lookup(engine, column, lookup)
        return not errors(engine, column, lookup, spec)
    except HierarchyError:
        return False
    finally:
        drop_lookup(engine, column)


def is_suggested(spec: Spec) -> bool:
    """Whether duckanon has suggested a hierarchy, in this run or in the one that wrote the job file."""
    return (spec.source or "").startswith(MARK)


def _flat(reason: str) -> Suggestion:
    return Suggestion({"kind": "flat", "source": f"{MARK}: {reason}"}, reason)
