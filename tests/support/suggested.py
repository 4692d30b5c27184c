"""Suggested hierarchies, and the loss with others."""

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from duckanon.hierarchy import conversion
from duckanon.hierarchy.inspection import Data, show
from tests.support.runs import anonymize


def suggested(path: Path, column: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A suggestion, and what it makes of the values; raises where it has a fault."""
    data, file = Data(str(path), column), path.with_name(f"{column}.suggested.yaml")
    _, _, suggestion = conversion.suggested(data, file, overwrite=True)
    assert suggestion.content["source"] == f"suggested by duckanon: {suggestion.reason}"
    return suggestion.content, show(str(file), data)


def fallback(values: Sequence[Any]) -> dict[str, Any]:
    """Equal widths, the whole calendar, value and top: what runs had before hierarchies were suggested."""
    some = next(value for value in values if value is not None)
    if isinstance(some, date):
        whole = ["month", "quarter", "year", "decade"]
        return {"kind": "dates", "units": whole if not isinstance(some, datetime) else ["hour", "day", *whole[:3]]}
    if isinstance(some, int) and len(set(values)) > 20:
        width = (max(values) - min(values)) / 20
        step = next(
            step for power in range(9) for step in (1 * 10**power, 2 * 10**power, 5 * 10**power) if step >= max(width, 2)
        )
        return {"kind": "intervals", "widths": [step, 2 * step, 4 * step]}
    return {"kind": "flat"}


def loss_with(path: Path, hierarchies: dict[str, dict[str, Any]]) -> float:
    columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in hierarchies.items()}
    manifest = anonymize(path, path.with_name("out.parquet"), job={"columns": columns}, overwrite=True)
    return float(manifest["metrics"]["loss"])
