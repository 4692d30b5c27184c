"""Values that a saved recoding does not cover: their rows are left out of the release and reported as drift."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from duckanon import __version__
from duckanon.dataset.values import create_records, records_statement
from duckanon.engine.protocol import Column, Engine, row_count
from duckanon.engine.templates import render
from duckanon.errors import Infeasible
from duckanon.hierarchy.lookup import create_lookup, drop_lookup
from duckanon.job.resolve import Plan, read_values


@dataclass(frozen=True)
class Drift:
    """Values of new data that a saved recoding does not cover."""

    rows: int = 0
    """Rows left out, each counted once."""
    values: dict[str, dict[str, int]] = field(default_factory=dict)
    """The numbers of new values and of their rows, per quasi-identifier with new values."""

    def __str__(self) -> str:
        return ", ".join(
            f"{name}: {counts['values']:,} values in {counts['rows']:,} rows" for name, counts in self.values.items()
        )


def leave_out(
    engine: Engine, columns: Sequence[Column], plan: Plan, isolated: Mapping[str, Sequence[Column]], *, keeps_rows: bool = False
) -> Drift:
    """Rebuild `records` and `values_<column>` without the rows that hold such values; return what was left out.

    If it `keeps_rows`, these values become NULL instead.
    """
    counts: dict[str, dict[str, int]] = {}
    for qi in plan.quasi_identifiers:
        create_lookup(engine, qi.column, qi.hierarchy.lookup(engine, qi.column))
        values = engine.create_table(render("dataset/outside", f"outside_{qi.name}", column=qi.name))
        drop_lookup(engine, qi.column)
        if values:
            rows = row_count(engine, f"outside_{qi.name}", has_rows=True)
            counts[qi.name] = {"values": values, "rows": rows}
        else:
            engine.drop(f"outside_{qi.name}")
    if not counts:
        return Drift()
    before = row_count(engine, "records", stage="counting the rows")
    create_records(engine, records_statement(columns, plan.missing, [*counts], isolated))
    drift = Drift(before - row_count(engine, "records", stage="counting the rows"), counts)
    if keeps_rows:
        create_records(engine, records_statement(columns, plan.missing, hidden=[*counts]))
    elif drift.rows == before:
        raise Infeasible(
            f"infeasible: each of the {before:,} rows holds a value that the recoding does not cover ({drift}); "
            "compare how the columns are written with the first data, or search again",
            _manifest(drift),
        )
    read_values(engine, plan)
    return drift


def _manifest(drift: Drift) -> dict[str, Any]:
    """The manifest of a run in which no row is left to count."""
    return {
        "duckanon": __version__,
        "status": "infeasible",
        "rows": {"read": drift.rows, "missing": 0, "suppressed": drift.rows, "released": 0},
        "drift": {"rows_outside": drift.rows, "new_values": drift.values, "classes_below": 0, "rows_below": 0},
    }
