"""The records that few columns single out, as lines of `check` and `risk`."""

from collections.abc import Mapping
from typing import Any

from duckanon.formatting import first_of


def lines(singled: Mapping[str, Any]) -> list[str]:
    """The records that few columns single out: how many, the columns in most of the smallest sets, and some sets."""
    records, up_to = singled["records"], singled["up_to"]
    if not records:
        return [f"no set of up to {up_to} columns singles out a record"]
    counts = ", ".join(f"{count:,} by {size} column{'' if size == '1' else 's'}" for size, count in records.items())
    columns = sorted(((name, count) for name, count in singled["columns"].items() if count), key=lambda item: -item[1])
    needed = first_of([f"{name} {count:,}" for name, count in columns])
    sets = "; ".join(f"{' + '.join(known['columns'])} {known['records']:,}" for known in singled["sets"][:3])
    return [
        f"records that a smallest set of up to {up_to} columns singles out: {counts}",
        f"  with a column in such a set: {needed}",
        f"  smallest sets: {sets}",
    ]
