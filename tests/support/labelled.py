"""The labels that a hierarchy gives to the values of a column."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from duckanon.dataset.missing import MissingRule
from duckanon.dataset.values import read_values
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.templates import Statement, literal
from duckanon.errors import HierarchyError
from duckanon.hierarchy.attributes import QuasiIdentifier
from duckanon.hierarchy.spec import load
from duckanon.search.combinations import build_hierarchies

Labels = dict[str, str]
"""The labels of each value from level 1 on, parted by `; `; NULL as `NULL`."""


def labelled(folder: Path, spec: str, type: str, values: Sequence[str | None]) -> Labels:
    """What a spec makes of the values of a column of a type, `c`."""
    file = folder / "h.yaml"
    file.write_text(spec, encoding="utf-8")
    records = Statement("records", "", f"select cast(unnest({literal(list(values))}) as {type}) as c")
    with DuckDBEngine() as engine:
        engine.create_view(records)
        [column] = engine.describe(records)
        declared = load(file)
        read_values(engine, [column], MissingRule(), ["c"] if declared.missing == "top" else [])
        [attribute] = build_hierarchies(engine, [QuasiIdentifier(column, declared, "h.yaml", file=file)])
        names = ", ".join(f"level_{level}" for level in range(1, attribute.height + 1))
        rows = engine.query(Statement("hierarchy_c", "", f"select value, {names} from hierarchy_c"))
    return {_shown(value): "; ".join(map(_shown, cells)) for value, *cells in rows}


def _shown(label: str | None) -> str:
    return "NULL" if label is None else label


def refusal_of(folder: Path, spec: str, type: str = "INTEGER", values: Sequence[str] = ("1",)) -> str:
    """What a spec is refused with."""
    with pytest.raises(HierarchyError) as failure:
        labelled(folder, spec, type, values)
    return str(failure.value)
